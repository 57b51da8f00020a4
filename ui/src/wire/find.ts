import type * as wire from './bindings';
import type { Known } from './known';

export type FindQuestion = Known<wire.FindQuestion>;
export type FindAnswer = Known<wire.FindAnswer>;
export type FoundBlock = Known<wire.FoundBlock>;
export type FoundSegment = Known<wire.FoundSegment>;
export type FoundEvent = Known<wire.FoundEvent>;
export type FoundStack = Known<wire.FoundStack>;
export type FoundOwner = Known<wire.FoundOwner>;
export type FoundRange = Known<wire.FoundRange>;

/** The first rows of one kind, and how many there are. */
export interface FoundRows<T> {
  readonly first: readonly T[];
  readonly all: number;
}
