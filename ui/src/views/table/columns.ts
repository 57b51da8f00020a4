import type { TableColumn, TableKind } from '../../wire/tables';

/** How a cell is written. */
export type CellKind =
  'number' | 'event' | 'block' | 'bytes' | 'address' | 'duration' | 'time' | 'text';

/** How a column is filtered. */
export type FilterKind = 'text' | 'range' | 'bytes' | 'duration' | 'time' | 'pick' | 'none';

/** A column as the page shows it. */
export interface ColumnSpec {
  readonly id: TableColumn;
  /** The column whose cells are shown, where that is another. */
  readonly shows?: TableColumn;
  readonly kind: CellKind;
  readonly filter: FilterKind;
  readonly width: number;
  /** Whether it is there before anybody chooses. */
  readonly isUsual: boolean;
}

const spec = (
  id: TableColumn,
  kind: CellKind,
  filter: FilterKind,
  width: number,
  isUsual = true,
): ColumnSpec => ({ id, kind, filter, width, isUsual });

const BLOCKS: readonly ColumnSpec[] = [
  spec('id', 'number', 'text', 92),
  spec('address', 'address', 'text', 132),
  spec('size', 'bytes', 'bytes', 118),
  spec('requested', 'bytes', 'bytes', 118),
  spec('state', 'text', 'pick', 150),
  spec('alloc_event', 'event', 'range', 122),
  spec('free_event', 'event', 'range', 110),
  spec('free_requested_event', 'event', 'range', 116),
  spec('top_frame', 'text', 'text', 230),
  spec('step', 'text', 'text', 66),
  spec('lifetime', 'number', 'range', 110),
  spec('lifetime_us', 'duration', 'duration', 126, false),
  spec('pool', 'text', 'pick', 84),
  spec('stream', 'address', 'pick', 84),
  spec('time', 'time', 'time', 196, false),
  spec('origin', 'text', 'pick', 120, false),
  spec('size_source', 'text', 'pick', 96, false),
];

const EVENTS: readonly ColumnSpec[] = [
  spec('id', 'number', 'range', 110),
  spec('action', 'text', 'pick', 140),
  spec('address', 'address', 'text', 132),
  spec('size', 'bytes', 'bytes', 118),
  spec('stream', 'address', 'pick', 84),
  spec('allocated', 'bytes', 'bytes', 118),
  spec('active', 'bytes', 'bytes', 118),
  spec('reserved', 'bytes', 'bytes', 118),
  { ...spec('stack', 'text', 'text', 260), shows: 'top_frame' },
  spec('block', 'block', 'text', 92),
  spec('pool', 'text', 'pick', 84),
  spec('step', 'text', 'text', 66),
  spec('time', 'time', 'time', 196),
];

/** Every column of a kind of table, in order. */
export const columnsOf = (kind: TableKind): readonly ColumnSpec[] =>
  kind === 'blocks' ? BLOCKS : EVENTS;

/** The column whose cells stand in this one. */
export const shownBy = (column: ColumnSpec): TableColumn => column.shows ?? column.id;

/** Whether its cells are flush right. */
export const isNumeric = ({ id, kind }: ColumnSpec): boolean =>
  id === 'step' || (kind !== 'text' && kind !== 'address' && kind !== 'time');
