import type * as wire from './bindings';
import type {
  AnnotationKind,
  DumpedBlock,
  DumpedRow,
  DumpSummary,
  TrackSummary,
} from './decompose';

/** A shape of the wire as the page reads it: absent is `undefined`, and nothing is written to. */
export type Known<T> = T extends null
  ? undefined
  : T extends readonly (infer Item)[]
    ? readonly Known<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Known<T[Key]> }
      : T;

/** Turns every `null` of an answer into `undefined`. */
export const known = <T>(answer: T): Known<T> => withoutNulls(answer) as Known<T>;

function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNulls(item)]));
}

export type Axis = wire.Axis;
export type ColorBy = wire.ColorBy;
export interface Opened {
  readonly session: number;
  readonly summary: Summary;
}
export type Summary = Omit<Known<wire.Summary>, 'devices' | 'dump'> & {
  readonly devices: readonly DeviceSummary[];
  readonly dump: DumpSummary | undefined;
};
export type DeviceSummary = Omit<Known<wire.DeviceSummary>, 'track'> & {
  readonly track: TrackSummary | undefined;
};
export type Remark = Known<wire.Remark>;
export type Amount = Known<wire.Amount>;
export type Peak = Known<wire.Peak>;
export type EventRef = Known<wire.EventRef>;
export type BlockDetails = Omit<Known<wire.BlockDetails>, 'dump'> & {
  readonly dump?: DumpedBlock | undefined;
};
export type StackView = Known<wire.StackView>;
export type FrameView = Known<wire.FrameView>;
export interface Annotations {
  readonly ranges: readonly AnnotationRange[];
}
export type AnnotationRange = Omit<Known<wire.AnnotationRange>, 'kind'> & {
  readonly kind: AnnotationKind;
};
export type ProgressNow = Known<wire.ProgressNow>;
export type WireError = Known<wire.WireError>;
export type SceneQuestion = Omit<Known<wire.SceneQuestion>, 'highlight'> & {
  readonly highlight?: Highlight | undefined;
};
export type AnnotationsQuestion = Known<wire.AnnotationsQuestion>;
export type Highlight =
  | Known<wire.Highlight>
  /** Blocks of a dump's owner and of those below it. */
  | { readonly kind: 'owner'; readonly tag: string };
export type PoolOrder = wire.PoolOrder;
export type PoolGrouping = wire.PoolGrouping;
export type PoolQuestion = Omit<Known<wire.PoolQuestion>, 'highlight'> & {
  readonly highlight?: Highlight | undefined;
};
export type EventDetails = Omit<Known<wire.EventDetails>, 'dump'> & {
  readonly dump?: DumpedRow | undefined;
};
export type SegmentChange = Known<wire.SegmentChange>;
export type SegmentDetails = Known<wire.SegmentDetails>;
export type PeriodDetails = Known<wire.PeriodDetails>;
export type SegmentRef = Known<wire.SegmentRef>;
export type Spread = Known<wire.Spread>;
