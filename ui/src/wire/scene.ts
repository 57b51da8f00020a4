/** Rectangles, one a row, in device pixels of the asked viewport. */
export interface Bands {
  readonly count: number;
  readonly x0: Float32Array;
  readonly x1: Float32Array;
  readonly top: Float32Array;
  readonly bottom: Float32Array;
  readonly block: Uint32Array;
  readonly key: Uint32Array;
}

/** Lowest and highest y pixel of one line in every column. */
export interface Line {
  readonly low: Float32Array;
  readonly high: Float32Array;
}

/** The shapes for one viewport; `crates/wire/src/scene.rs` has the layout and its laws. */
export interface Scene {
  /** How many columns. */
  readonly columns: number;
  readonly mostAllocated: number;
  readonly mostReserved: number;
  readonly allocated: Float64Array;
  readonly remainder: Float64Array;
  /** Left edges, and the last column's right edge. */
  readonly edge: Float32Array;
  /** The state a column shows: event + 1. */
  readonly state: Uint32Array;
  readonly lines: { readonly allocated: Line; readonly active: Line; readonly reserved: Line };
  readonly remainderCount: Uint32Array;
  readonly bands: Bands;
  readonly outline: Bands;
  /** 1 where a band stands out. */
  readonly lit: Uint32Array;
}

/** `TIDM`, little-endian. */
export const MAGIC = 0x4d444954;
export const VERSION = 1;
export const HEADER_BYTES = 64;

/** Reads a scene in place; the arrays are windows on `buffer`. */
export function decodeScene(buffer: ArrayBuffer): Scene {
  const head = new Uint32Array(buffer, 0, 8);
  const [magic, version, n = 0, m = 0, k = 0] = head;
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a scene of this version');
  const most = new Float64Array(buffer, 32, 2);
  let at = HEADER_BYTES;
  const floats = (count: number): Float32Array => {
    at += count * 4;
    return new Float32Array(buffer, at - count * 4, count);
  };
  const words = (count: number): Uint32Array => {
    at += count * 4;
    return new Uint32Array(buffer, at - count * 4, count);
  };
  const doubles = (count: number): Float64Array => {
    at += count * 8;
    return new Float64Array(buffer, at - count * 8, count);
  };
  const line = (): Line => ({ low: floats(n), high: floats(n) });
  const bands = (count: number): Bands => ({
    count,
    x0: floats(count),
    x1: floats(count),
    top: floats(count),
    bottom: floats(count),
    block: words(count),
    key: words(count),
  });
  return {
    columns: n,
    mostAllocated: most[0] ?? 0,
    mostReserved: most[1] ?? 0,
    allocated: doubles(n),
    remainder: doubles(n),
    edge: floats(n + 1),
    state: words(n),
    lines: { allocated: line(), active: line(), reserved: line() },
    remainderCount: words(n),
    bands: bands(m),
    outline: bands(k),
    lit: words(m),
  };
}

/** The column at `x` pixels; clamped to the outermost ones. */
export function columnAt(scene: Scene, x: number): number {
  let low = 0;
  let high = scene.columns - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((scene.edge[half] ?? 0) <= x) low = half;
    else high = half - 1;
  }
  return low;
}
