import type { TableColumn, TableKind } from '../../wire/tables';
import { DUMP_BLOCKS, DUMP_EVENTS } from './dump-columns';
import { spec } from './spec';

/** How a cell is written. */
export type CellKind =
  | 'number'
  | 'event'
  | 'block'
  | 'bytes'
  | 'address'
  | 'duration'
  | 'time'
  /** Nanoseconds since the recording's start; −1: never. */
  | 'moment'
  /** Nanoseconds between two moments. */
  | 'nanos'
  | 'text';

/** How a column is filtered. */
export type FilterKind =
  'text' | 'range' | 'bytes' | 'duration' | 'time' | 'moment' | 'nanos' | 'pick' | 'none';

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

const BLOCKS: readonly ColumnSpec[] = [
  spec('id', 'number', 'text', 92),
  spec('address', 'address', 'text', 132),
  spec('size', 'bytes', 'bytes', 118),
  spec('requested', 'bytes', 'bytes', 136),
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
export const columnsOf = (kind: TableKind): readonly ColumnSpec[] => COLUMNS[kind];

const COLUMNS: Readonly<Record<TableKind, readonly ColumnSpec[]>> = {
  blocks: BLOCKS,
  events: EVENTS,
  dump_blocks: DUMP_BLOCKS,
  dump_events: DUMP_EVENTS,
};

/** Whether its rows are blocks. */
export const isOfBlocks = (kind: TableKind): boolean => kind === 'blocks' || kind === 'dump_blocks';

/** Whether it is of a dump. */
export const isOfDump = (kind: TableKind): boolean =>
  kind === 'dump_blocks' || kind === 'dump_events';

/** The column whose cells stand in this one. */
export const shownBy = (column: ColumnSpec): TableColumn => column.shows ?? column.id;

/** Whether its cells stand for the stack of their row. */
export const isOfStack = ({ id }: ColumnSpec): boolean =>
  id === 'stack' || id === 'top_frame' || id === 'python_stack';

/** Whether its cells are flush right. */
export const isNumeric = ({ id, kind }: ColumnSpec): boolean =>
  id === 'step' || (kind !== 'text' && kind !== 'address' && kind !== 'time');
