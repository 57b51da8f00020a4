import type * as wire from './bindings';

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

export type About = Known<wire.About>;
export type Axis = wire.Axis;
export type ColorBy = wire.ColorBy;
export type Opened = Known<wire.Opened>;
export type Summary = Known<wire.Summary>;
export type DeviceSummary = Known<wire.DeviceSummary>;
export type Remark = Known<wire.Remark>;
export type Amount = Known<wire.Amount>;
export type Peak = Known<wire.Peak>;
export type EventRef = Known<wire.EventRef>;
export type BlockDetails = Known<wire.BlockDetails>;
export type DumpedBlock = Known<wire.DumpedBlock>;
export type AccessView = Known<wire.AccessView>;
export type StackView = Known<wire.StackView>;
export type FrameView = Known<wire.FrameView>;
export type Annotations = Known<wire.Annotations>;
export type AnnotationRange = Known<wire.AnnotationRange>;
export type ProgressNow = Known<wire.ProgressNow>;
export type WireError = Known<wire.WireError>;
export type SceneQuestion = Known<wire.SceneQuestion>;
export type AnnotationsQuestion = Known<wire.AnnotationsQuestion>;
export type Highlight = Known<wire.Highlight>;
export type PoolOrder = wire.PoolOrder;
export type PoolGrouping = wire.PoolGrouping;
export type PoolQuestion = Known<wire.PoolQuestion>;
export type EventDetails = Known<wire.EventDetails>;
export type DumpedRow = Known<wire.DumpedRow>;
export type SegmentChange = Known<wire.SegmentChange>;
export type SegmentDetails = Known<wire.SegmentDetails>;
export type PeriodDetails = Known<wire.PeriodDetails>;
export type SegmentRef = Known<wire.SegmentRef>;
export type Spread = Known<wire.Spread>;
