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
  const at = carried?.cursor ?? us;
  return at === undefined && period === undefined ? undefined : { cursor: at, period };
}

/** `from` is the first event of the period, the cursor's the last; there may be none between. */
export function withLanding(
  shared: Shared,
  carried: Carried,
  cursor: EventRef,
  from: number,
): Shared {
  if (shared.carried !== carried) return shared;
  const { period } = carried;
  const next: Shared = { ...shared, carried: undefined, cursor, side: 'after' };
  if (period === undefined || from > cursor.event) return next;
  const selection = { kind: 'period', from, to: cursor.event, time: period } as const;
  return { ...next, selection, wanted: 'nothing' };
}
