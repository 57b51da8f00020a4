import type { TrackSummary } from '../decompose';
import type { DemoBlock, DemoRange, DemoRecording } from './recording';

const MIB = 1024 ** 2;
const STEP_US = 10_000_000;
const STEPS = 3;
export const DUMP_LENGTH_US = STEPS * STEP_US + 5_000_000.5;

/** The moment at which a step ends, microseconds since the dump's start. */
export const stepEnd = (step: number): number => step * STEP_US + 4_000_000.25;

interface Change {
  readonly us: number;
  readonly change: (pool: Pool) => void;
}

/** One pool of one device while it is invented. */
class Pool {
  readonly track: TrackSummary;
  readonly #blocks: DemoBlock[] = [];
  readonly #times: number[] = [];
  readonly #allocated: number[] = [0];
  readonly #used: number[] = [0];
  readonly #total: number[] = [0];
  #us = 0;
  #address: number;

  constructor(device: string, pool: string, more: Partial<TrackSummary>, address: number) {
    const has = { has_used: false, has_total: false, has_owners: false, has_accesses: false };
    this.track = { device, pool, process: 4242, ...has, ...more };
    this.#address = address;
  }

  /** Goes on at that moment; later events come a little later. */
  at(us: number): void {
    this.#us = us;
  }

  alloc(mib: number, owner: string | undefined, stack = 0): number {
    const size = mib * MIB;
    this.#blocks.push({
      address: this.#address,
      size,
      requested: size - 480,
      alloc: this.#times.length,
      freeRequested: undefined,
      freeCompleted: undefined,
      stack,
      stream: 0,
      ...(owner === undefined ? {} : { owner }),
    });
    this.#address += size;
    this.#event(size);
    return this.#blocks.length - 1;
  }

  free(row: number): void {
    const block = this.#blocks[row];
    if (block === undefined) return;
    block.freeRequested = this.#times.length;
    block.freeCompleted = this.#times.length;
    this.#event(-block.size);
  }

  recording(ranges: readonly DemoRange[]): DemoRecording {
    const { has_used, has_total } = this.track;
    return {
      blocks: this.#blocks,
      events: this.#times.length,
      times: this.#times,
      allocated: this.#allocated,
      active: has_used ? this.#used : this.#allocated,
      reserved: has_total ? this.#total : this.#allocated,
      ranges: ranges.map((range) => ({ ...range, ...this.#stretch(range.time) })),
      track: this.track,
      lengthUs: DUMP_LENGTH_US,
    };
  }

  /** The events in a stretch of time. */
  #stretch(time: DemoRange['time']): { readonly from: number; readonly to: number } {
    const before = (us: number): number => this.#times.filter((one) => one < us).length;
    return { from: before(time?.from ?? 0), to: before((time?.to ?? 0) + 1e-4) };
  }

  #event(bytes: number): void {
    const allocated = (this.#allocated.at(-1) ?? 0) + bytes;
    this.#times.push(this.#us);
    this.#us += 120_000.241;
    this.#allocated.push(allocated);
    this.#used.push(allocated);
    // A pool takes 80 MiB at a time and gives nothing back.
    const taken = Math.ceil(allocated / (80 * MIB)) * 80 * MIB;
    this.#total.push(Math.max(this.#total.at(-1) ?? 0, taken));
  }
}

const mark = (us: number): Pick<DemoRange, 'from' | 'to'> & Required<Pick<DemoRange, 'time'>> => ({
  from: 0,
  to: 0,
  time: { from: us, to: us },
});

function marks(): readonly DemoRange[] {
  const steps = Array.from({ length: STEPS }, (_, i): DemoRange => {
    const step = i + 1;
    const time = { from: step * STEP_US, to: stepEnd(step) };
    return { name: `step ${step.toString()}`, kind: 'step', depth: 0, from: 0, to: 0, time };
  });
  return [
    { name: 'START_TRACE', kind: 'switch', depth: 0, ...mark(2_000_000) },
    ...steps,
    { name: 'checkpoint', kind: 'range', depth: 0, ...mark(16_500_000) },
    { name: 'PTA', kind: 'oom', depth: 1, ...mark(stepEnd(3) - 1_900_000) },
    { name: 'STOP_TRACE', kind: 'switch', depth: 0, ...mark(stepEnd(3) + 800_000) },
  ];
}

/**
 * A dump whose owner `leaks_mem` holds 40, 80 and 120 MiB after its three steps: `PTA`, `HAL` below
 * it, and pinned memory of the host, of which nobody knows the owners.
 */
export function demoDump(): readonly DemoRecording[] {
  const known = { has_used: true, has_total: true, has_owners: true, has_accesses: true };
  const pta = new Pool('0', 'PTA', known, 0x12c0_0000_0000);
  const hal = new Pool('0', 'HAL', { has_owners: true }, 0x1240_0000_0000);
  const host = new Pool('cpu', 'HOST_PINNED', {}, 0xffff_0000_0000);
  const changes: readonly Change[] = [
    { us: 500_000, change: begin },
    ...[1, 2, 3].map((step) => ({ us: step * STEP_US, change: train })),
  ];
  for (const { us, change } of changes) {
    pta.at(us);
    change(pta);
  }
  hal.at(100_000);
  hal.alloc(64, 'CANN@APP', 1);
  hal.alloc(16, 'CANN@HCCL', 2);
  // What PTA takes, when it takes it.
  for (const us of [500_000, STEP_US, STEP_US, 2 * STEP_US, 3 * STEP_US]) {
    hal.at(us - 1000);
    hal.alloc(80, 'CANN@APP', 1);
  }
  host.at(300_000);
  for (let i = 0; i < 4; i += 1) host.alloc(4, undefined);
  return [pta, hal, host].map((pool) => pool.recording(marks()));
}

/** Weights, before the steps: 48 MiB. */
function begin(pool: Pool): void {
  for (let i = 0; i < 12; i += 1) pool.alloc(4, 'PTA@model@weight', 3);
}

/** A step that keeps 40 MiB. */
function train(pool: Pool): void {
  pool.alloc(40, 'PTA@ops@aten@leaks_mem', 11);
  const kept: number[] = [];
  for (let layer = 0; layer < 5; layer += 1) {
    kept.push(pool.alloc(8, 'PTA@ops@aten', 4 + layer));
    kept.push(pool.alloc(2, undefined, 9));
  }
  for (let layer = 0; layer < 4; layer += 1) kept.push(pool.alloc(3, 'PTA@model@gradient', 10));
  for (const row of kept) pool.free(row);
}
