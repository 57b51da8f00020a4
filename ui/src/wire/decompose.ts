/** What a dump adds to a recording. */
export interface DumpSummary {
  /** The moment that times count from, nanoseconds since the epoch, in decimal. */
  readonly zero_ns: string;
  /** How long the recording is, microseconds. */
  readonly length_us: number;
  readonly rows: number;
  readonly processes: readonly number[];
  /** Python threads that were traced. */
  readonly threads: number;
  readonly has_python_stacks: boolean;
  readonly has_c_stacks: boolean;
}

/** What a device of a dump is: one pool of one device and process. */
export interface TrackSummary {
  /** `0`, `cpu`, as the file has it. */
  readonly device: string;
  /** `PTA`, `HAL`, as the file has it. */
  readonly pool: string;
  readonly process: number;
  /** Whether the active line is what the pool itself says it has handed out. */
  readonly has_used: boolean;
  /** Whether the reserved line is what the pool itself says it holds. */
  readonly has_total: boolean;
  /** Whether any block has an owner. */
  readonly has_owners: boolean;
  /** Whether any block was seen accessed. */
  readonly has_accesses: boolean;
}

/** What a named range stands for. */
export type AnnotationKind = 'range' | 'step' | 'switch' | 'oom' | 'snapshot';

/** A moment of a dump. */
export type MomentQuestion =
  /** Right after an event of the device; −1: before the first. */
  | { readonly kind: 'event'; readonly event: number }
  /** Microseconds since the recording's start. */
  | { readonly kind: 'time'; readonly us: number };

/** Who holds memory at a moment, and at another one. */
export interface DecomposeQuestion {
  readonly session: number;
  readonly device: number;
  readonly at: MomentQuestion;
  /** To compare. */
  readonly then: MomentQuestion | undefined;
}

/** What a part is. */
export type PartKind =
  /** All of it. */
  | 'whole'
  /** What an owner and those below it hold. */
  | 'owner'
  /** What belongs to the part above and to none below it. */
  | 'unclassified'
  /** Taken by a pool and not handed out. */
  | 'pool_free'
  /** Taken from the driver by none of the pools shown. */
  | 'outside';

/** A part of the whole. */
export interface Part {
  /** Place of the part it belongs to. */
  readonly parent: number | undefined;
  readonly kind: PartKind;
  /** The whole path, `PTA@ops@aten`. */
  readonly tag: string;
  /** At the first moment. */
  readonly bytes: number;
  readonly blocks: number;
  /** At the second moment; without one, as at the first. */
  readonly then_bytes: number;
  readonly then_blocks: number;
}

/** Who holds memory at one moment, and at another. Parts add up to the part above. */
export interface Decomposition {
  /** Microseconds since the recording's start. */
  readonly at_us: number;
  readonly then_us: number | undefined;
  /** In whole nanoseconds. */
  readonly at_ns: number;
  readonly then_ns: number | undefined;
  /** Everything the process took from the driver, or the sum of the pools shown. */
  readonly whole: 'process' | 'pools';
  /** Parents before children; the largest child first. */
  readonly parts: readonly Part[];
}

/** What a dump says of a block; times are microseconds since the recording's start. */
export interface DumpedBlock {
  /** Whole path of its owner. */
  readonly owner: string | undefined;
  readonly process: number;
  /** Thread that allocated it. */
  readonly thread: number | undefined;
  /** Ties its rows together; 0: not recorded. */
  readonly allocation_id: number;
  readonly malloc_id: number | undefined;
  readonly free_id: number | undefined;
  readonly malloc_us: number | undefined;
  readonly free_us: number | undefined;
  /** Whether the collector made its MALLOC up: it was there when recording began. */
  readonly was_before: boolean;
  /** Whether the collector made its FREE up: it was there when recording ended. */
  readonly was_after: boolean;
  readonly attr: string | undefined;
  readonly c_stack: string | undefined;
  readonly accesses: number;
  readonly first_access_us: number | undefined;
  readonly last_access_us: number | undefined;
  readonly longest_gap_us: number;
  /** Accesses to draw, by time; of very many some, the first and the last among them. */
  readonly drawn: readonly AccessView[];
}

/** One access to a block. */
export interface AccessView {
  readonly time_us: number;
  /** `READ`, `WRITE`, `UNKNOWN`. */
  readonly kind: string;
  /** The operator that did it. */
  readonly name: string;
  /** Bytes from the block's start to where it was accessed. */
  readonly offset: number;
}

/** A row of a dump as the file has it. */
export interface DumpedRow {
  readonly id: number;
  /** Microseconds since the recording's start. */
  readonly time_us: number;
  readonly event: string;
  readonly event_type: string;
  readonly name: string;
  readonly process: number;
  readonly thread: number;
  readonly attr: string;
  /** Empty: none. */
  readonly c_stack: string;
}
