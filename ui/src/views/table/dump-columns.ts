import type { ColumnSpec } from './columns';
import { spec } from './spec';

/** Columns of the blocks of a dump, those of the collector's manual first and in its order. */
export const DUMP_BLOCKS: readonly ColumnSpec[] = [
  spec('id', 'number', 'text', 176),
  spec('address', 'address', 'text', 132),
  spec('size', 'bytes', 'bytes', 118),
  spec('malloc_time_ns', 'moment', 'moment', 164),
  spec('free_time_ns', 'moment', 'moment', 164),
  spec('owner', 'text', 'text', 190),
  spec('process', 'number', 'text', 84),
  spec('thread', 'number', 'text', 84),
  spec('first_access_ns', 'moment', 'moment', 170),
  spec('last_access_ns', 'moment', 'moment', 170),
  spec('longest_gap_ns', 'nanos', 'nanos', 164),
  spec('attr', 'text', 'text', 320),
  spec('accesses', 'number', 'range', 92, false),
  spec('allocation_id', 'number', 'range', 100, false),
  spec('lifetime_ns', 'nanos', 'nanos', 164, false),
  spec('state', 'text', 'pick', 150, false),
  spec('alloc_event', 'event', 'range', 122, false),
  spec('free_event', 'event', 'range', 110, false),
  spec('top_frame', 'text', 'text', 230, false),
  spec('inefficient', 'text', 'pick', 150, false),
  spec('shadow', 'text', 'pick', 110, false),
];

/** Columns of the events of a dump likewise. */
export const DUMP_EVENTS: readonly ColumnSpec[] = [
  spec('id', 'number', 'text', 84),
  spec('event', 'text', 'pick', 120),
  spec('event_type', 'text', 'pick', 120),
  spec('name', 'text', 'text', 220),
  spec('time_ns', 'moment', 'moment', 164),
  spec('process', 'number', 'text', 84),
  spec('thread', 'number', 'text', 84),
  spec('address', 'address', 'text', 132),
  spec('attr', 'text', 'text', 320),
  spec('python_stack', 'text', 'text', 240),
  spec('c_stack', 'text', 'text', 240),
  spec('size', 'bytes', 'bytes', 118, false),
  spec('block', 'block', 'text', 92, false),
  spec('device', 'text', 'pick', 84, false),
];
