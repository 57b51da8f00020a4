/** A Python thread that was traced; times are microseconds since the recording's start. */
export interface Thread {
  readonly process: number;
  readonly thread: number;
  readonly calls: number;
  readonly depths: number;
  readonly from_us: number;
  readonly to_us: number;
  /** Calls that had not ended when tracing stopped. */
  readonly open: number;
  /** Calls whose start is not in the file. */
  readonly without_start: number;
}

/** Whether calls too narrow to see are one rectangle with their neighbours. */
export type Narrow = 'joined' | 'apart';

/** Whether a term is anywhere in a name, whatever the case, or is the name or its function. */
export type Fit = 'within' | 'exact';

/** Names looked for: those that fit any of the terms. */
export interface SliceSearch {
  readonly terms: readonly string[];
  readonly fit: Fit;
}

/** A viewport of the flame graph. */
export interface FlameQuestion {
  readonly session: number;
  readonly thread: number;
  readonly x0: number;
  readonly x1: number;
  readonly first_depth: number;
  readonly depths: number;
  readonly width_px: number;
  readonly narrow: Narrow;
  readonly selected: number | undefined;
  readonly search: SliceSearch | undefined;
}

/** Which of the hits is wanted. */
export type SliceStep =
  | { readonly kind: 'from'; readonly at_us: number }
  | { readonly kind: 'after'; readonly slice: number }
  | { readonly kind: 'before'; readonly slice: number };

export interface FlameSearchQuestion {
  readonly session: number;
  readonly thread: number;
  readonly search: SliceSearch;
  readonly step: SliceStep;
}

export interface FlameSearchAnswer {
  readonly total: number;
  /** Calls each term found, in the order asked. */
  readonly by_term: readonly number[];
  readonly hit: SliceHit | undefined;
}

/** A call that was found. */
export interface SliceHit {
  /** Its place among the hits, from 0. */
  readonly ordinal: number;
  readonly slice: number;
  readonly name: string;
  readonly start_us: number;
  readonly end_us: number;
  readonly depth: number;
}

export interface SliceRef {
  readonly slice: number;
  readonly name: string;
}

interface Blocks {
  readonly count: number;
  readonly requested: number;
  readonly size: number;
}

/** What a device did while a call ran. */
export interface SliceAllocations {
  /** The device's first event in the call, whoever caused it. */
  readonly first_event: number | undefined;
  readonly last_event: number | undefined;
  /** The last event before the call; −1: there is none. */
  readonly before_event: number;
  /** Whether the device is one of the call's process: else nothing is counted. */
  readonly is_own: boolean;
  /** Blocks that the call's thread allocated in it. */
  readonly allocated: Blocks;
  /** Those of them that were not free again at its end. */
  readonly unfreed: Blocks;
}

/** All of one call. */
export interface SliceDetails {
  readonly slice: number;
  /** Row of its thread. */
  readonly in_thread: number;
  readonly process: number;
  readonly thread: number;
  readonly name: string;
  readonly function: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly start_us: number;
  readonly end_us: number;
  readonly duration_us: number;
  readonly self_us: number;
  readonly depth: number;
  readonly is_open: boolean;
  readonly is_without_start: boolean;
  /** The calls around it, innermost first. */
  readonly parents: readonly SliceRef[];
  readonly children: number;
  readonly allocations: SliceAllocations | undefined;
}

/** The rectangles of one viewport; `crates/wire/src/flame.rs` has the layout. */
export interface Flame {
  readonly count: number;
  readonly x0: Float32Array;
  readonly x1: Float32Array;
  readonly depth: Uint32Array;
  /** The call, or the longest of several. */
  readonly slice: Uint32Array;
  /** How many calls a rectangle stands for. */
  readonly calls: Uint32Array;
  /** How many of those the search found. */
  readonly hits: Uint32Array;
  /** The colour's key; 0xffffffff where it stands for several. */
  readonly key: Uint32Array;
  /** Its row of `labels` plus 1, or 0 where there is no room for a name. */
  readonly label: Uint32Array;
  readonly labels: readonly string[];
  /** Calls that stand together although they should be apart. */
  readonly crowded: number;
  readonly selected:
    { readonly x0: number; readonly x1: number; readonly depth: number } | undefined;
}

/** What the flame graph asks. */
export interface FlameEngine {
  threads(session: number): Promise<readonly Thread[]>;
  flame(question: FlameQuestion): Promise<Flame>;
  /** All of a call, and what a device did meanwhile. */
  slice(session: number, thread: number, slice: number, device: number): Promise<SliceDetails>;
  search(question: FlameSearchQuestion): Promise<FlameSearchAnswer>;
}

/** `TIDF`, little-endian. */
const MAGIC = 0x46444954;
const VERSION = 1;
const HEADER_BYTES = 40;

/** Reads a flame graph in place; the arrays are windows on `buffer`. */
export function decodeFlame(buffer: ArrayBuffer): Flame {
  const head = new Uint32Array(buffer, 0, 8);
  const [magic, version, m = 0, t = 0, b = 0, crowded = 0, isSelected = 0, depth = 0] = head;
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a flame graph of this version');
  const [left = 0, right = 0] = new Float32Array(buffer, 32, 2);
  let at = HEADER_BYTES;
  const next = (count: number): number => {
    at += count * 4;
    return at - count * 4;
  };
  const floats = (): Float32Array => new Float32Array(buffer, next(m), m);
  const words = (count = m): Uint32Array => new Uint32Array(buffer, next(count), count);
  const columns = {
    x0: floats(),
    x1: floats(),
    depth: words(),
    slice: words(),
    calls: words(),
    hits: words(),
    key: words(),
    label: words(),
  };
  const ends = words(t);
  const text = new Uint8Array(buffer, at, b);
  const decoder = new TextDecoder();
  const labels = Array.from(ends, (end, row) =>
    decoder.decode(text.subarray(row === 0 ? 0 : ends[row - 1], end)),
  );
  const selected = isSelected === 1 ? { x0: left, x1: right, depth } : undefined;
  return { count: m, ...columns, labels, crowded, selected };
}

/** Writes a flame graph as the program would: for the demo engine and for tests. */
export function encodeFlame(flame: Flame): ArrayBuffer {
  const encoder = new TextEncoder();
  const texts = flame.labels.map((label) => encoder.encode(label));
  const bytes = texts.reduce((sum, { length }) => sum + length, 0);
  const { count, labels, crowded, selected } = flame;
  const buffer = new ArrayBuffer(HEADER_BYTES + count * 32 + labels.length * 4 + bytes);
  const isSelected = selected === undefined ? 0 : 1;
  const counts = [count, labels.length, bytes, crowded, isSelected, selected?.depth ?? 0];
  new Uint32Array(buffer, 0, 8).set([MAGIC, VERSION, ...counts]);
  new Float32Array(buffer, 32, 2).set([selected?.x0 ?? 0, selected?.x1 ?? 0]);
  let at = HEADER_BYTES;
  const put = (column: Float32Array | Uint32Array | Uint8Array): void => {
    const raw = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    new Uint8Array(buffer, at, raw.length).set(raw);
    at += raw.length;
  };
  const { x0, x1, depth, slice, calls, hits, key, label } = flame;
  [x0, x1, depth, slice, calls, hits, key, label].forEach(put);
  let end = 0;
  put(Uint32Array.from(texts, ({ length }) => (end += length)));
  texts.forEach(put);
  return buffer;
}
