import { fitted, sameSpan } from '../base/span';
import type { EventRef } from '../wire/known';
import { extent, wholeOf, type Carried, type Extent, type Shared } from './shared';

/** The same stretch of time on another track; events of one are no events of the other. */
export function keptX(shared: Shared, before: Extent, next: Extent): Shared['x'] {
  const whole = wholeOf(next);
  const wasWhole = sameSpan(shared.x.time, wholeOf(before).time);
  return wasWhole ? whole : { ...whole, time: fitted(shared.x.time, whole.time, 0) };
}

/** Where the cursor and the period are in time, as far as that is known. */
export function carriedFrom(shared: Shared): Carried | undefined {
  const { selection, cursor, carried } = shared;
  const timed = selection.kind === 'period' ? selection.time : undefined;
  const period = carried?.period ?? timed;
  const us = cursor?.event === -1 ? extent(shared).time?.from : cursor?.time_us;
  const at = carried?.cursor ?? cursor?.at ?? us;
  return at === undefined && period === undefined ? undefined : { cursor: at, period };
}

/** The events of what was carried: the cursor's, and the period's, of which there may be none. */
export interface Landed {
  readonly cursor: EventRef | undefined;
  readonly period: { readonly from: number; readonly to: number } | undefined;
}

/** What was carried is there. A period in which nothing happens here goes on being carried. */
export function withLanding(shared: Shared, carried: Carried, landed: Landed): Shared {
  if (shared.carried !== carried) return shared;
  const { period: time } = carried;
  const cursor = landed.cursor ? { ...landed.cursor, at: carried.cursor } : shared.cursor;
  const next: Shared = { ...shared, carried: undefined, cursor, side: 'after' };
  if (time === undefined || landed.period === undefined) return next;
  const { from, to } = landed.period;
  if (to >= from) {
    return { ...next, selection: { kind: 'period', from, to, time }, wanted: 'nothing' };
  }
  const isRest = carried.cursor === undefined;
  return isRest ? shared : { ...next, carried: { cursor: undefined, period: time } };
}
