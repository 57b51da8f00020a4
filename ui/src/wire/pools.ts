import type * as wire from './bindings';
import type { Known } from './known';

export type PoolRow = Known<wire.PoolRow>;
export type PoolList = Known<wire.PoolList>;
export type PoolCurvesQuestion = Known<wire.PoolCurvesQuestion>;

/** One pool, a value a column: bytes. */
export interface PoolLine {
  readonly reservedLeast: Float32Array;
  readonly reservedMost: Float32Array;
  readonly activeLeast: Float32Array;
  readonly activeMost: Float32Array;
}

/** Pools over a stretch of the axis; `crates/wire/src/pool_curves.rs` has the layout. */
export interface PoolCurves {
  /** Left edges, and the last column's right edge: 0 to 1 across the stretch. */
  readonly edge: Float32Array;
  readonly lines: readonly PoolLine[];
}

/** `TIDC`, little-endian. */
const MAGIC = 0x43444954;
const VERSION = 1;
const HEADER_BYTES = 32;

/** Reads curves in place; the arrays are windows on `buffer`. */
export function decodeCurves(buffer: ArrayBuffer): PoolCurves {
  const [magic, version, n = 0, p = 0] = new Uint32Array(buffer, 0, 8);
  if (magic !== MAGIC || version !== VERSION) throw new Error('not curves of this version');
  let at = HEADER_BYTES;
  const floats = (count: number): Float32Array => {
    at += count * 4;
    return new Float32Array(buffer, at - count * 4, count);
  };
  const edge = floats(n + 1);
  const line = (): PoolLine => ({
    reservedLeast: floats(n),
    reservedMost: floats(n),
    activeLeast: floats(n),
    activeMost: floats(n),
  });
  return { edge, lines: Array.from({ length: p }, line) };
}

/** Writes curves as the program would: for the demo engine and for tests. */
export function encodeCurves({ edge, lines }: PoolCurves): ArrayBuffer {
  const n = edge.length - 1;
  const buffer = new ArrayBuffer(HEADER_BYTES + (n + 1 + lines.length * 4 * n) * 4);
  new Uint32Array(buffer, 0, 4).set([MAGIC, VERSION, n, lines.length]);
  let at = HEADER_BYTES;
  const put = (values: Float32Array): void => {
    new Float32Array(buffer, at, values.length).set(values);
    at += values.length * 4;
  };
  put(edge);
  for (const line of lines)
    [line.reservedLeast, line.reservedMost, line.activeLeast, line.activeMost].forEach(put);
  return buffer;
}
