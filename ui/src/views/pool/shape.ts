import type { PoolHome, PoolTarget } from '../../state/hover';
import type { PoolGrouping } from '../../wire/known';
import { PENDING, type Pool } from '../../wire/pool';

/** Height of a group's heading, in rows. */
const HEADING = 0.72;

/** Rows of one pool on one stream. */
export interface Group {
  readonly pool: number;
  readonly stream: number;
  /** Top of its heading, in rows. */
  readonly top: number;
  /** A segment of it. */
  readonly segment: number;
}

/** A pool with what it takes to draw it and to find things in it. Lengths are bytes and rows. */
export interface Shape {
  readonly pool: Pool;
  /** Segments of every row, from left to right. */
  readonly rows: readonly (readonly number[])[];
  /** Top of every row, and the end of the last one. */
  readonly tops: Float64Array;
  readonly groups: readonly Group[];
}

export function shapeOf(pool: Pool, grouping: PoolGrouping): Shape {
  const { segments } = pool;
  const rows: number[][] = Array.from({ length: pool.rows }, () => []);
  for (let segment = 0; segment < segments.count; segment += 1) {
    rows[segments.row[segment] ?? 0]?.push(segment);
  }
  const x = (segment: number): number => segments.x[segment] ?? 0;
  for (const row of rows) row.sort((a, b) => x(a) - x(b));
  const tops = new Float64Array(rows.length + 1);
  const groups: Group[] = [];
  let top = 0;
  rows.forEach((row, index) => {
    const segment = row[0] ?? 0;
    const group = {
      pool: segments.pool[segment] ?? 0,
      stream: segments.stream[segment] ?? 0,
      top,
      segment,
    };
    const last = groups.at(-1);
    const isNew = last?.pool !== group.pool || last.stream !== group.stream;
    if (grouping === 'by_pool' && isNew) {
      groups.push(group);
      top += HEADING;
    }
    tops[index] = top;
    top += 1;
  });
  tops[rows.length] = top;
  return { pool, rows, tops, groups };
}

/** The height of all rows, in rows. */
export const heightOf = ({ tops }: Shape): number => tops.at(-1) ?? 0;

/** The last of `count` entries that is at most `value`; −1: none. */
export function lastAtMost(count: number, at: (index: number) => number, value: number): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (at(half) <= value) low = half;
    else high = half - 1;
  }
  return low;
}

/** A segment or a block of one, by its rows in the pool. */
export interface Spot {
  readonly segment: number;
  /** Nothing: free space. */
  readonly block: number | undefined;
  /** Bytes from the segment's start. */
  readonly offset: number;
}

/** What lies at a place. */
export function spotAt(shape: Shape, x: number, y: number): Spot | undefined {
  const { tops, rows, pool } = shape;
  const { segments, blocks } = pool;
  const row = lastAtMost(rows.length, (index) => tops[index] ?? 0, y);
  const list = rows[row];
  if (list === undefined || y - (tops[row] ?? 0) > 1) return undefined;
  const segment = list[lastAtMost(list.length, (i) => segments.x[list[i] ?? 0] ?? 0, x)];
  if (segment === undefined) return undefined;
  const offset = x - (segments.x[segment] ?? 0);
  if (offset >= (segments.size[segment] ?? 0)) return undefined;
  const first = segments.firstBlock[segment] ?? 0;
  const count = segments.blocks[segment] ?? 0;
  const block = first + lastAtMost(count, (i) => blocks.offset[first + i] ?? 0, offset);
  const isInside =
    block >= first && offset < (blocks.offset[block] ?? 0) + (blocks.size[block] ?? 0);
  return { segment, block: isInside ? block : undefined, offset };
}

export const hex = (address: bigint): string => `0x${address.toString(16)}`;

export function homeOf({ segments }: Pool, segment: number): PoolHome {
  return {
    address: hex(segments.addr[segment] ?? 0n),
    size: segments.size[segment] ?? 0,
    free: segments.free[segment] ?? 0,
    largestGap: segments.largestGap[segment] ?? 0,
    gaps: segments.gaps[segment] ?? 0,
    blocks: segments.blocks[segment] ?? 0,
  };
}

export function targetOf({ pool }: Shape, spot: Spot): PoolTarget {
  const { blocks } = pool;
  const segment = homeOf(pool, spot.segment);
  if (spot.block !== undefined) {
    return {
      kind: 'block',
      block: blocks.block[spot.block] ?? 0,
      address: hex(blocks.addr[spot.block] ?? 0n),
      size: blocks.size[spot.block] ?? 0,
      requested: blocks.requested[spot.block] ?? 0,
      isPending: ((blocks.flags[spot.block] ?? 0) & PENDING) !== 0,
      segment,
    };
  }
  const { from, to } = gapAt(pool, spot);
  const address = hex((pool.segments.addr[spot.segment] ?? 0n) + BigInt(from));
  const bytes = to - from;
  return { kind: 'gap', address, bytes, isLargest: bytes === segment.largestGap, segment };
}

/** The run of free bytes around a place, as offsets in its segment. */
function gapAt(
  { segments, blocks }: Pool,
  { segment, offset }: Spot,
): { readonly from: number; readonly to: number } {
  const first = segments.firstBlock[segment] ?? 0;
  const count = segments.blocks[segment] ?? 0;
  const left = lastAtMost(count, (i) => blocks.offset[first + i] ?? 0, offset);
  const [before, after] = [first + left, first + left + 1];
  const from = left < 0 ? 0 : (blocks.offset[before] ?? 0) + (blocks.size[before] ?? 0);
  const isLast = left + 1 >= count;
  return { from, to: isLast ? (segments.size[segment] ?? 0) : (blocks.offset[after] ?? 0) };
}

/** The row of a block of the recording in the pool. */
export function rowOfBlock({ blocks }: Pool, block: number): number | undefined {
  const row = blocks.block.indexOf(block);
  return row < 0 ? undefined : row;
}

/** The segment that holds an address. */
export function segmentAround({ segments }: Pool, address: string): number | undefined {
  let wanted: bigint;
  try {
    wanted = BigInt(address);
  } catch {
    return undefined;
  }
  const row = segments.addr.findIndex(
    (addr, i) => addr <= wanted && wanted < addr + BigInt(segments.size[i] ?? 0),
  );
  return row < 0 ? undefined : row;
}

/** A rectangle of the pool. */
export interface Area {
  readonly x: number;
  readonly width: number;
  /** Top, in rows. */
  readonly y: number;
}

export function areaOfSegment({ pool, tops }: Shape, segment: number): Area {
  const { segments } = pool;
  return {
    x: segments.x[segment] ?? 0,
    width: segments.size[segment] ?? 0,
    y: tops[segments.row[segment] ?? 0] ?? 0,
  };
}

export function areaOfBlock(shape: Shape, row: number): Area {
  const { blocks } = shape.pool;
  const home = areaOfSegment(shape, blocks.segment[row] ?? 0);
  return { ...home, x: home.x + (blocks.offset[row] ?? 0), width: blocks.size[row] ?? 0 };
}
