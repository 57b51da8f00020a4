import type { CellKind, ColumnSpec, FilterKind } from './columns';

/** A column, in one line. */
export const spec = (
  id: ColumnSpec['id'],
  kind: CellKind,
  filter: FilterKind,
  width: number,
  isUsual = true,
): ColumnSpec => ({ id, kind, filter, width, isUsual });
