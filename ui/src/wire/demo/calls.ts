import type { Thread } from '../flame';
import { DUMP_LENGTH_US, stepEnd } from './dump';

/** One call of an invented thread; its row is its id. */
export interface DemoCall {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly name: string;
  /** It had not ended when tracing stopped. */
  readonly isOpen: boolean;
}

/** An invented thread: calls by start, outer before inner. */
export interface DemoThread {
  readonly process: number;
  readonly thread: number;
  readonly calls: readonly DemoCall[];
}

/** Short calls of the loader: 200 µs each, 100 apart. */
export const TINY = { calls: 3000, from: 1_000_000, every: 300, length: 200 } as const;

class Tracer {
  readonly calls: DemoCall[] = [];
  #depth = 0;

  call(name: string, start: number, end: number, within?: () => void, isOpen = false): void {
    this.calls.push({ start, end, depth: this.#depth, name, isOpen });
    if (within === undefined) return;
    this.#depth += 1;
    within();
    this.#depth -= 1;
  }
}

function trainer(): DemoThread {
  const tracer = new Tracer();
  const layer = (at: number, length: number, pass: string): void => {
    tracer.call(`nn.Module: Linear`, at, at + length, () => {
      tracer.call(`/lib/torch/nn/linear.py(116): ${pass}`, at, at + length * 0.9, () => {
        tracer.call('<built-in function linear>', at + length * 0.1, at + length * 0.8);
      });
    });
  };
  const step = (begin: number, end: number): void => {
    tracer.call('/app/train.py(31): train_one_step', begin, end, () => {
      const half = (begin + end) / 2;
      tracer.call('/app/model.py(12): forward', begin, half - 20_000, () => {
        for (let i = 0; i < 6; i += 1) layer(begin + i * 300_000, 280_000, 'forward');
      });
      tracer.call('/lib/torch/_tensor.py(570): backward', half, end - 200_000);
      tracer.call('/app/optim.py(80): step', end - 190_000, end - 1000);
    });
  };
  tracer.call(
    'start: /app/train.py(60): <module>',
    0,
    DUMP_LENGTH_US,
    () => {
      tracer.call('/app/train.py(40): load', 400_000, 2_000_000);
      for (const number of [1, 2, 3]) step(number * 10_000_000, stepEnd(number));
    },
    true,
  );
  return { process: 4242, thread: 4242, calls: tracer.calls };
}

function loader(): DemoThread {
  const tracer = new Tracer();
  const { calls, from, every, length } = TINY;
  tracer.call('/lib/torch/utils/data/worker.py(301): _worker_loop', 500_000, 33_000_000, () => {
    for (let i = 0; i < calls; i += 1) {
      const at = from + i * every;
      tracer.call(
        i % 100 === 7 ? '/app/data.py(9): decode' : '<built-in method read>',
        at,
        at + length,
      );
    }
    tracer.call('/app/data.py(20): collate', 20_000_000, 21_000_000);
  });
  return { process: 4242, thread: 4250, calls: tracer.calls };
}

/** The threads of the invented dump. */
export const demoThreads = (): readonly DemoThread[] => [trainer(), loader()];

export const describeThread = ({ process, thread, calls }: DemoThread): Thread => ({
  process,
  thread,
  calls: calls.length,
  depths: calls.reduce((most, { depth }) => Math.max(most, depth + 1), 0),
  from_us: Math.min(...calls.map(({ start }) => start)),
  to_us: Math.max(...calls.map(({ end }) => end)),
  open: calls.filter(({ isOpen }) => isOpen).length,
  without_start: 0,
});
