import type * as wire from './bindings';
import type { Known } from './known';
import type { Bands } from './scene';

export type LaneOrder = wire.LaneOrder;
export type LaneList = Known<wire.LaneList>;
export type LaneRow = Known<wire.LaneRow>;
export type AddressMapQuestion = Known<wire.AddressMapQuestion>;

/** The shapes of the address map; `crates/wire/src/pool.rs` has the layout. */
export interface AddressMap {
  /** How many columns. */
  readonly columns: number;
  /** Left edges, and the last column's right edge. */
  readonly edge: Float32Array;
  /** The state a column shows: event + 1. */
  readonly state: Uint32Array;
  /** Blocks too small to see in a column. */
  readonly hidden: Uint32Array;
  readonly blocks: Bands;
  readonly outline: Bands;
  /** `block` is the segment's row, `key` its stream. */
  readonly segments: Bands;
  /** `key` is the whole part of the binary logarithm of the bytes. */
  readonly holes: Bands;
  /** 1 where a block stands out. */
  readonly lit: Uint32Array;
}

/** `TIDA`, little-endian. */
const MAGIC = 0x41444954;
const VERSION = 1;
const HEADER_BYTES = 32;

/** Reads a map in place; the arrays are windows on `buffer`. */
export function decodeMap(buffer: ArrayBuffer): AddressMap {
  const head = new Uint32Array(buffer, 0, 8);
  const [magic, version, n = 0, m = 0, k = 0, s = 0, h = 0] = head;
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a map of this version');
  let at = HEADER_BYTES;
  const next = (count: number): number => {
    at += count * 4;
    return at - count * 4;
  };
  const floats = (count: number): Float32Array => new Float32Array(buffer, next(count), count);
  const words = (count: number): Uint32Array => new Uint32Array(buffer, next(count), count);
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
    edge: floats(n + 1),
    state: words(n),
    hidden: words(n),
    blocks: bands(m),
    outline: bands(k),
    segments: bands(s),
    holes: bands(h),
    lit: words(m),
  };
}

/** Writes a map as the program would: for the demo engine and for tests. */
export function encodeMap(map: AddressMap): ArrayBuffer {
  const shapes = [map.blocks, map.outline, map.segments, map.holes];
  const counts = shapes.map(({ count }) => count);
  const rows = counts.reduce((a, b) => a + b, 0);
  const buffer = new ArrayBuffer(
    HEADER_BYTES + (map.columns * 3 + 1) * 4 + rows * 24 + map.blocks.count * 4,
  );
  new Uint32Array(buffer, 0, 7).set([MAGIC, VERSION, map.columns, ...counts]);
  let at = HEADER_BYTES;
  const put = (column: Float32Array | Uint32Array): void => {
    const raw = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    new Uint8Array(buffer, at, raw.length).set(raw);
    at += raw.length;
  };
  [map.edge, map.state, map.hidden].forEach(put);
  for (const { x0, x1, top, bottom, block, key } of shapes) {
    [x0, x1, top, bottom, block, key].forEach(put);
  }
  put(map.lit);
  return buffer;
}
