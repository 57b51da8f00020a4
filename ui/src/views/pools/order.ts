import type { PoolRow } from '../../wire/pools';

export const COLUMNS = [
  'pool',
  'stream',
  'reserved',
  'active',
  'free',
  'largestGap',
  'segments',
  'peakReserved',
] as const;

export type PoolColumn = (typeof COLUMNS)[number];

export interface PoolOrder {
  readonly column: PoolColumn;
  readonly isDescending: boolean;
}

/** A pool, and its row in the program's own order. */
export interface Listed {
  readonly row: number;
  readonly pool: PoolRow;
}

function numberOf({ row, pool }: Listed, column: PoolColumn): number {
  switch (column) {
    case 'pool':
      return row;
    case 'stream':
      return Number(pool.stream);
    case 'reserved':
      return pool.reserved;
    case 'active':
      return pool.active;
    case 'free':
      return pool.free;
    case 'largestGap':
      return pool.largest_gap;
    case 'segments':
      return pool.segments;
    case 'peakReserved':
      return pool.peak_reserved.bytes;
  }
}

/** `pools` in `order`; equals as the program has them. */
export function sorted(pools: readonly PoolRow[], order: PoolOrder): readonly Listed[] {
  const sign = order.isDescending ? -1 : 1;
  return pools
    .map((pool, row) => ({ row, pool }))
    .sort((a, b) => {
      const [one, other] = [numberOf(a, order.column), numberOf(b, order.column)];
      return sign * (one - other) || a.row - b.row;
    });
}

/** Another column: names ascend at first, numbers descend; the same column again: turned round. */
export const reordered = (order: PoolOrder, column: PoolColumn): PoolOrder =>
  order.column === column
    ? { column, isDescending: !order.isDescending }
    : { column, isDescending: column !== 'pool' && column !== 'stream' };
