/** The shapes of `crates/wire`, by hand until they are generated. Absent values are `null` here. */

export type Axis = 'event' | 'time';
export type ColorBy = 'address' | 'stack' | 'size' | 'stream' | 'pool';
export type Detail = 'full' | 'lines';

export type SceneQuestion = {
  session: number;
  device: number;
  axis: Axis;
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  width_px: number;
  height_px: number;
  color: ColorBy;
  detail: Detail;
  selected: number | null;
};

export type AnnotationsQuestion = {
  session: number;
  device: number;
  axis: Axis;
  x0: number;
  x1: number;
  width_px: number;
};

export type Opened = { session: number; summary: Summary };

export type Summary = {
  name: string;
  bytes: number;
  carrier: string;
  protocol: number | null;
  family: string;
  opened_ms: number;
  devices: DeviceSummary[];
  busiest: number;
  stacks: number;
  frames: number;
  settings: Setting[];
  remarks: Remark[];
};

export type Setting = { key: string; value: string };
export type Remark = { code: string; count: number; message: string };

export type DeviceSummary = {
  name: string;
  events: number;
  actions: ActionCount[];
  blocks: number;
  blocks_before: number;
  blocks_ghost: number;
  segments: number;
  final_blocks: number;
  has_time: boolean;
  first_us: number | null;
  last_us: number | null;
  event_range: Range;
  time_range: Range | null;
  peak: Totals<Peak>;
  start: Totals<number>;
  end: Totals<number>;
  start_live: Amount;
  end_active: Amount;
  pools: PoolSummary[];
  streams: string[];
  steps: number;
  annotations: number;
  events_without_stack: number;
};

export type Range = { from: number; to: number };
export type ActionCount = { action: string; count: number };
export type Totals<T> = { allocated: T; active: T; reserved: T };
export type Peak = { bytes: number; event: number; time_us: number | null };
export type Amount = { count: number; requested: number; size: number };

export type PoolSummary = {
  pool: string;
  stream: string;
  segments: number;
  reserved: number;
  active: number;
};

export type EventRef = { event: number; time_us: number | null };

export type BlockDetails = {
  block: number;
  address: string;
  size: number;
  size_source: string;
  requested: number;
  origin: string;
  stream: string;
  pool: string | null;
  segment: SegmentRef | null;
  alloc: EventRef | null;
  free_requested: EventRef | null;
  free_completed: EventRef | null;
  life_events: number;
  life_us: number | null;
  within: string[];
  alloc_stack: StackView;
  free_stack: StackView | null;
  top_frame: string | null;
  notes: Setting[];
  previous: number | null;
  next: number | null;
  same_stack: SameStack;
};

export type SameStack = { all: Amount; at_peak: Amount; unfreed: Amount };
export type SegmentRef = { address: string; size: number; kind: string; is_expandable: boolean };
export type StackView = { frames: FrameView[]; missing: string | null };
export type FrameView = { name: string; file: string; line: number | null; kind: string };
export type Annotations = { ranges: AnnotationRange[] };

export type AnnotationRange = {
  name: string;
  from: number | null;
  to: number | null;
  depth: number;
  count: number;
};

export type ProgressNow = { stage: string; done: number; total: number };
export type WireError = { code: ErrorCode; message: string };

export type ErrorCode =
  'not_recognized' | 'damaged' | 'wants_code' | 'unreadable' | 'cancelled' | 'closed' | 'bug';
