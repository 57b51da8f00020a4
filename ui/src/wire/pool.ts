/** The segments of a pool, one a row. */
export interface PoolSegments {
  readonly count: number;
  readonly addr: BigUint64Array;
  /** Bytes from the left of its row. */
  readonly x: Float64Array;
  readonly size: Float64Array;
  readonly allocated: Float64Array;
  readonly pending: Float64Array;
  readonly requested: Float64Array;
  readonly free: Float64Array;
  readonly largestGap: Float64Array;
  readonly row: Uint32Array;
  readonly stream: Uint32Array;
  /** `UNKNOWN_POOL` where nothing says. */
  readonly pool: Uint32Array;
  /** 0 small, 1 large, 2 unknown; + 4: expandable. */
  readonly kind: Uint32Array;
  readonly gaps: Uint32Array;
  readonly firstBlock: Uint32Array;
  readonly blocks: Uint32Array;
}

/** The blocks of a pool, one a row, by segment and then by offset. */
export interface PoolBlocks {
  readonly count: number;
  readonly addr: BigUint64Array;
  /** Bytes from its segment's start. */
  readonly offset: Float64Array;
  readonly size: Float64Array;
  readonly requested: Float64Array;
  readonly segment: Uint32Array;
  readonly block: Uint32Array;
  readonly key: Uint32Array;
  /** 1: pending, 2: size computed, 4: others stand out. */
  readonly flags: Uint32Array;
}

/** The pool at one moment; `crates/wire/src/pool.rs` has the layout. */
export interface Pool {
  readonly rows: number;
  /** Event + 1. */
  readonly state: number;
  /** Blocks in no segment. */
  readonly outside: number;
  readonly rowBytes: number;
  readonly reserved: number;
  readonly allocated: number;
  readonly pending: number;
  readonly requested: number;
  readonly free: number;
  readonly largestGap: number;
  readonly segments: PoolSegments;
  readonly blocks: PoolBlocks;
}

export const UNKNOWN_POOL = 0xffffffff;
export const PENDING = 1;
export const DIM = 4;

/** The blocks that do not step back, and their bytes. */
export function litOf({ blocks }: Pool): { readonly count: number; readonly size: number } {
  let [count, size] = [0, 0];
  for (let row = 0; row < blocks.count; row += 1) {
    if (((blocks.flags[row] ?? 0) & DIM) !== 0) continue;
    count += 1;
    size += blocks.size[row] ?? 0;
  }
  return { count, size };
}

/** `TIDP`, little-endian. */
const MAGIC = 0x50444954;
const VERSION = 1;
const HEADER_BYTES = 96;

/** Reads a pool in place; the arrays are windows on `buffer`. */
export function decodePool(buffer: ArrayBuffer): Pool {
  const head = new Uint32Array(buffer, 0, 8);
  const [magic, version, n = 0, m = 0, rows = 0, state = 0, outside = 0] = head;
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a pool of this version');
  const [rowBytes = 0, reserved = 0, allocated = 0, pending = 0, requested = 0, free = 0, gap = 0] =
    new Float64Array(buffer, 32, 8);
  const read = reader(buffer);
  const segmentsWide = {
    addr: read.longs(n),
    x: read.doubles(n),
    size: read.doubles(n),
    allocated: read.doubles(n),
    pending: read.doubles(n),
    requested: read.doubles(n),
    free: read.doubles(n),
    largestGap: read.doubles(n),
  };
  const blocksWide = {
    addr: read.longs(m),
    offset: read.doubles(m),
    size: read.doubles(m),
    requested: read.doubles(m),
  };
  const segments = {
    ...segmentsWide,
    count: n,
    row: read.words(n),
    stream: read.words(n),
    pool: read.words(n),
    kind: read.words(n),
    gaps: read.words(n),
    firstBlock: read.words(n),
    blocks: read.words(n),
  };
  const blocks = {
    ...blocksWide,
    count: m,
    segment: read.words(m),
    block: read.words(m),
    key: read.words(m),
    flags: read.words(m),
  };
  const totals = { rowBytes, reserved, allocated, pending, requested, free, largestGap: gap };
  return { rows, state, outside, ...totals, segments, blocks };
}

function reader(buffer: ArrayBuffer): {
  readonly longs: (count: number) => BigUint64Array;
  readonly doubles: (count: number) => Float64Array;
  readonly words: (count: number) => Uint32Array;
} {
  let at = HEADER_BYTES;
  const next = (size: number): number => {
    at += size;
    return at - size;
  };
  return {
    longs: (count) => new BigUint64Array(buffer, next(count * 8), count),
    doubles: (count) => new Float64Array(buffer, next(count * 8), count),
    words: (count) => new Uint32Array(buffer, next(count * 4), count),
  };
}

/** Writes a pool as the program would: for the demo engine and for tests. */
export function encodePool(pool: Pool): ArrayBuffer {
  const { segments: s, blocks: b } = pool;
  const buffer = new ArrayBuffer(HEADER_BYTES + s.count * 92 + b.count * 48);
  const head = [MAGIC, VERSION, s.count, b.count, pool.rows, pool.state, pool.outside];
  new Uint32Array(buffer, 0, 7).set(head);
  const totals = [pool.rowBytes, pool.reserved, pool.allocated, pool.pending, pool.requested];
  new Float64Array(buffer, 32, 7).set([...totals, pool.free, pool.largestGap]);
  let at = HEADER_BYTES;
  const put = (column: BigUint64Array | Float64Array | Uint32Array): void => {
    const raw = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    new Uint8Array(buffer, at, raw.length).set(raw);
    at += raw.length;
  };
  [s.addr, s.x, s.size, s.allocated, s.pending, s.requested, s.free, s.largestGap].forEach(put);
  [b.addr, b.offset, b.size, b.requested].forEach(put);
  [s.row, s.stream, s.pool, s.kind, s.gaps, s.firstBlock, s.blocks].forEach(put);
  [b.segment, b.block, b.key, b.flags].forEach(put);
  return buffer;
}
