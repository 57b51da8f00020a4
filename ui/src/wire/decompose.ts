import type * as wire from './bindings';
import type { Known } from './known';

export type DumpSummary = Known<wire.DumpSummary>;
/** What a device of a dump is: one pool of one device and process. */
export type TrackSummary = Known<wire.TrackSummary>;
export type AnnotationKind = wire.AnnotationKind;
/** A moment of a dump. */
export type MomentQuestion = Known<wire.MomentQuestion>;
/** Who holds memory at a moment, and at another one. */
export type DecomposeQuestion = Known<wire.DecomposeQuestion>;
/** Who holds memory at one moment, and at another. Parts add up to the part above. */
export type Decomposition = Known<wire.Decomposition>;
export type Part = Known<wire.Part>;
export type PartKind = wire.PartKind;
export type { AccessView, DumpedBlock, DumpedRow } from './known';
