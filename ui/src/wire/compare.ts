import type * as wire from './bindings';
import type { Known } from './known';

/** How rows of a difference are matched. */
export type DiffBy = wire.DiffBy;
export type DiffQuestion = Known<wire.DiffQuestion>;
export type DiffSideQuestion = Known<wire.DiffSideQuestion>;
export type Difference = Known<wire.Difference>;
export type DiffSide = Known<wire.DiffSide>;
export type DiffRow = Known<wire.DiffRow>;
export type DiffRest = Known<wire.DiffRest>;
export type ComparedDevice = Known<wire.ComparedDevice>;
export type AlignedStepsQuestion = Known<wire.AlignedStepsQuestion>;
export type AlignedSteps = Known<wire.AlignedSteps>;
export type AlignedStep = Known<wire.AlignedStep>;
export type StepSide = Known<wire.StepSide>;
export type CounterpartQuestion = Known<wire.CounterpartQuestion>;
export type CounterpartOf = Known<wire.CounterpartOf>;
export type Counterpart = Known<wire.Counterpart>;

/** What two open recordings can be asked together. */
export interface CompareEngine {
  /** How two moments differ. */
  difference(question: DiffQuestion): Promise<Difference>;
  /** Where the steps of both lie, by number. */
  alignedSteps(question: AlignedStepsQuestion): Promise<AlignedSteps>;
  /** What in the second stands for something of the first. */
  counterpart(question: CounterpartQuestion): Promise<Counterpart>;
}
