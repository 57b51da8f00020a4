import type * as wire from './bindings';
import type { Known } from './known';

/** What blocks have in common about their allocation: a stack, a frame in it, an owner. */
export type Holder = Known<wire.Holder>;
export type HolderQuestion = Known<wire.HolderQuestion>;
export type HolderDetails = Known<wire.HolderDetails>;
export type HolderCurveQuestion = Known<wire.HolderCurveQuestion>;
export type HolderCurve = Known<wire.HolderCurve>;
export type PeriodBy = wire.PeriodBy;
export type PeriodOrder = wire.PeriodOrder;
export type PeriodByQuestion = Known<wire.PeriodByQuestion>;
export type PeriodByAnswer = Known<wire.PeriodByAnswer>;
export type PeriodByRow = Known<wire.PeriodByRow>;
export type PeriodAmounts = Known<wire.PeriodAmounts>;
