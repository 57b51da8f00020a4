import type { AnnotationKind, TrackSummary } from '../decompose';

/** One block of the invented recording. Events are rows; −1 means before the first. */
export interface DemoBlock {
  readonly address: number;
  readonly size: number;
  readonly requested: number;
  readonly alloc: number;
  freeRequested: number | undefined;
  freeCompleted: number | undefined;
  readonly stack: number;
  readonly stream: number;
  /** Who asked for it, in a dump: `PTA@ops@aten`. */
  readonly owner?: string;
}

/** A named stretch of events. */
export interface DemoRange {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly kind?: AnnotationKind;
  /** Where it truly lies on the time axis, when that is not at events. */
  readonly time?: { readonly from: number; readonly to: number };
}

/** An invented recording: a training loop that keeps a little more with every step. */
export interface DemoRecording {
  readonly blocks: readonly DemoBlock[];
  readonly events: number;
  /** Microseconds since the first event, one an event. */
  readonly times: readonly number[];
  /** Totals by state: before the first event, then after each. */
  readonly allocated: readonly number[];
  readonly active: readonly number[];
  readonly reserved: readonly number[];
  readonly ranges: readonly DemoRange[];
  /** What it is, when it is a pool of a dump. */
  readonly track?: TrackSummary;
  /** How long the dump is, microseconds. */
  readonly lengthUs?: number;
}

/** When the first event was, or that times count from the start. */
export const firstUsOf = (recording: DemoRecording): number =>
  recording.track === undefined ? FIRST_US : 0;

const MIB = 1024 ** 2;
const FIRST_US = 1_779_863_412_000_000;
export const LEAK_STACK = 11;

/** The recording of `steps` steps; the same for the same numbers. */
export function demoRecording(steps = 7, layers = 26): DemoRecording {
  const writer = new Writer();
  for (let i = 0; i < 16; i += 1) writer.before((0.25 + writer.random() * 1.1) * 1024 * MIB, i % 3);
  for (let i = 0; i < 40; i += 1) writer.before((0.1 + writer.random() * 3) * MIB, 3);
  writer.reserve(26 * 1024 * MIB);
  for (let step = 0; step < steps; step += 1) writer.step(step, layers);
  return writer.finish();
}

class Writer {
  #seed = 5;
  #address = 0x7f16c8000000;
  #clock = 0;
  readonly #blocks: DemoBlock[] = [];
  readonly #times: number[] = [];
  readonly #allocated: number[] = [0];
  readonly #active: number[] = [0];
  readonly #reserved: number[] = [0];
  readonly #ranges: DemoRange[] = [];

  random(): number {
    this.#seed = (this.#seed * 16807) % 2147483647;
    return this.#seed / 2147483647;
  }

  before(size: number, stack: number): void {
    const block = this.#block(size, -1, stack, 0);
    this.#allocated[0] = (this.#allocated[0] ?? 0) + block.size;
    this.#active[0] = (this.#active[0] ?? 0) + block.size;
  }

  reserve(size: number): void {
    const last = this.#reserved.length - 1;
    this.#reserved[last] = (this.#reserved[last] ?? 0) + size;
  }

  step(step: number, layers: number): void {
    const begin = this.#times.length;
    if (step === 1 || step === 4) {
      this.#event(0, 0);
      this.reserve(4 * 1024 * MIB);
    }
    const scale = step % 3 === 1 ? 1.25 : 1;
    const kept: DemoBlock[] = [];
    for (let layer = 0; layer < layers; layer += 1) {
      kept.push(this.#alloc((90 + this.random() * 520) * scale * MIB, 4 + (layer % 5), layer % 4));
      for (let i = 0; i < 3; i += 1) {
        const small = this.#alloc((0.02 + this.random() * 2) * MIB, 9, 0);
        if (i < 2) this.#free(small, 0);
        else kept.push(small);
      }
    }
    const turn = this.#times.length;
    this.#alloc(312 * MIB, LEAK_STACK, 0);
    for (const block of kept.reverse()) {
      const gradient = this.#alloc(block.size * 0.12, 10, 1);
      this.#free(block, block.stream === 0 ? 0 : 3);
      this.#free(gradient, 0);
    }
    const end = this.#times.length;
    this.#ranges.push(
      { name: `ProfilerStep#${(188 + step).toString()}`, from: begin, to: end, depth: 0 },
      { name: '## forward ##', from: begin + 1, to: turn, depth: 1 },
      { name: '## backward ##', from: turn, to: end - 1, depth: 1 },
    );
  }

  finish(): DemoRecording {
    return {
      blocks: this.#blocks,
      events: this.#times.length,
      times: this.#times,
      allocated: this.#allocated,
      active: this.#active,
      reserved: this.#reserved,
      ranges: this.#ranges,
    };
  }

  #block(size: number, alloc: number, stack: number, stream: number): DemoBlock {
    const requested = Math.round(size);
    const rounded = Math.ceil(requested / 512) * 512;
    const block: DemoBlock = {
      address: this.#address,
      size: rounded,
      requested,
      alloc,
      freeRequested: undefined,
      freeCompleted: undefined,
      stack,
      stream,
    };
    this.#address += rounded;
    this.#blocks.push(block);
    return block;
  }

  #alloc(size: number, stack: number, stream: number): DemoBlock {
    const block = this.#block(size, this.#times.length, stack, stream);
    this.#event(block.size, block.size);
    return block;
  }

  #free(block: DemoBlock, delay: number): void {
    block.freeRequested = this.#times.length;
    this.#event(-block.size, 0);
    for (let i = 0; i < delay; i += 1) this.#event(0, 0);
    block.freeCompleted = this.#times.length;
    this.#event(0, -block.size);
  }

  #event(allocated: number, active: number): void {
    const push = (column: number[], by: number): number => column.push((column.at(-1) ?? 0) + by);
    this.#clock += Math.round(20 + this.random() * 900);
    this.#times.push(this.#times.length === 0 ? 0 : this.#clock);
    push(this.#allocated, allocated);
    push(this.#active, active);
    push(this.#reserved, 0);
  }
}
