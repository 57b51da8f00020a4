import { never } from '../base/never';
import { clamp, fitted, length, moved, sameSpan, zoomed, type Span } from '../base/span';
import type { Axis, BlockDetails, ColorBy, EventRef, SegmentDetails } from '../wire/known';
import type { Thresholds } from '../wire/tables';
import { carriedFrom, keptX, withLanding, type Landed } from './carry';
import { back, forward, remembered } from './history';
import {
  bounds,
  eventAt,
  extent,
  isSameSelection,
  leastSpan,
  middleOf,
  NO_SELECTION,
  placeOf,
  shown,
  stateAt,
  wholeOf,
  type Carried,
  type DragMode,
  type FitReserved,
  type Height,
  type Kept,
  type PoolLayout,
  type Selection,
  type Shared,
  type Side,
  type Wanted,
} from './shared';

/** The fewest bytes worth showing. */
const LEAST_BYTES = 4096;

/** What a person can ask for. A view sends these; it never writes the state. */
export type Intent =
  | { readonly kind: 'select'; readonly selection: Selection; readonly wanted: Wanted }
  /** The life of the selected block became known. */
  | { readonly kind: 'life'; readonly details: BlockDetails }
  /** The selected segment became known. */
  | { readonly kind: 'held'; readonly selection: Selection; readonly details: SegmentDetails }
  /** The time of the event at the cursor became known. */
  | { readonly kind: 'timed'; readonly event: EventRef }
  /** Where the selected period lies on the time axis became known. */
  | { readonly kind: 'period-timed'; readonly from: EventRef; readonly to: EventRef }
  | { readonly kind: 'device'; readonly device: number }
  /** The axes of a device reach this far, so that it can lie beside another one. */
  | {
      readonly kind: 'reach';
      readonly device: number;
      readonly event: Span;
      readonly time: Span | undefined;
    }
  /** Selects a stretch of the time axis. */
  | { readonly kind: 'carry'; readonly period: Span }
  /** Puts the cursor at the last event at or before a moment of the time axis. */
  | { readonly kind: 'moment'; readonly us: number }
  /** The events of what was carried became known. */
  | { readonly kind: 'landed'; readonly carried: Carried; readonly landed: Landed }
  /** The moment to compare with; nothing: no more comparing. */
  | { readonly kind: 'compare'; readonly with: Kept | undefined }
  | { readonly kind: 'axis'; readonly axis: Axis }
  | { readonly kind: 'color'; readonly color: ColorBy }
  /** Which blocks stand out as inefficient; nothing: none. */
  | { readonly kind: 'light-inefficient'; readonly thresholds: Thresholds | undefined }
  | { readonly kind: 'mode'; readonly mode: DragMode }
  | { readonly kind: 'fit-reserved'; readonly fit: FitReserved }
  | { readonly kind: 'height'; readonly height: Height }
  | { readonly kind: 'show'; readonly x: Span }
  | { readonly kind: 'zoom-x'; readonly at: number; readonly factor: number }
  /** `y` is the height shown now, which the state does not know while it is automatic. */
  | { readonly kind: 'zoom-y'; readonly at: number; readonly factor: number; readonly y: Span }
  | { readonly kind: 'pan-x'; readonly by: number }
  | { readonly kind: 'pan-y'; readonly by: number }
  | { readonly kind: 'box'; readonly x: Span; readonly y: Span }
  | { readonly kind: 'cursor'; readonly event: EventRef | undefined }
  /** Selects an event: the cursor goes there and it is brought into view. */
  | { readonly kind: 'visit'; readonly event: EventRef }
  /** Selects the event that many further. */
  | { readonly kind: 'step'; readonly by: number }
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'pool'; readonly layout: PoolLayout }
  /** Walk through what was selected. */
  | { readonly kind: 'back' }
  | { readonly kind: 'forward' }
  | { readonly kind: 'peak' }
  | { readonly kind: 'reset' };

/** The whole of the behaviour that links the views. Pure, so it is tested without a page. */
export function update(shared: Shared, intent: Intent): Shared {
  switch (intent.kind) {
    case 'select':
    case 'life':
    case 'held':
    case 'timed':
    case 'period-timed':
    case 'cursor':
    case 'visit':
    case 'step':
    case 'back':
    case 'forward':
      return linked(shared, intent);
    case 'carry':
    case 'device':
    case 'landed':
    case 'moment':
      return carrying(shared, intent);
    case 'compare':
      return { ...shared, compared: intent.with };
    case 'axis':
      return withAxis(shared, intent.axis);
    case 'light-inefficient':
      return { ...shared, inefficient: intent.thresholds };
    case 'color':
      return { ...shared, color: intent.color };
    case 'mode':
      return { ...shared, mode: intent.mode };
    case 'side':
      return { ...shared, side: intent.side };
    case 'pool':
      return { ...shared, pool: intent.layout };
    case 'box':
    case 'fit-reserved':
    case 'height':
    case 'pan-x':
    case 'pan-y':
    case 'peak':
    case 'reach':
    case 'reset':
    case 'show':
    case 'zoom-x':
    case 'zoom-y':
      return moveView(shared, intent);
    default:
      return never(intent);
  }
}

type Linking = Extract<
  Intent,
  {
    readonly kind:
      | 'select'
      | 'life'
      | 'held'
      | 'timed'
      | 'period-timed'
      | 'cursor'
      | 'visit'
      | 'step'
      | 'back'
      | 'forward';
  }
>;

/** What changes the selection or the cursor, or becomes known about them. */
function linked(shared: Shared, intent: Linking): Shared {
  switch (intent.kind) {
    case 'select':
      return withSelection(shared, intent.selection, intent.wanted);
    case 'life':
      return withLife(shared, intent.details);
    case 'held':
      return withSegment(shared, intent.selection, intent.details);
    case 'timed':
      return withTime(shared, intent.event);
    case 'period-timed':
      return withPeriodTime(shared, intent.from, intent.to);
    case 'cursor':
      return withCursor(shared, intent.event);
    case 'visit':
      return visit(remembered(shared), intent.event);
    case 'step':
      return step(shared, intent.by);
    case 'back':
      return back(shared);
    case 'forward':
      return forward(shared);
    default:
      return never(intent);
  }
}

type Moving = Exclude<
  Intent,
  | Linking
  | Carrying
  | {
      readonly kind: 'axis' | 'color' | 'compare' | 'light-inefficient' | 'mode' | 'side' | 'pool';
    }
>;

type Carrying = Extract<Intent, { readonly kind: 'carry' | 'device' | 'landed' | 'moment' }>;

/** What takes a moment or a stretch of time to other events. */
function carrying(shared: Shared, intent: Carrying): Shared {
  switch (intent.kind) {
    case 'device':
      return withDevice(shared, intent.device);
    case 'carry':
      return withPeriodAhead(shared, intent.period);
    case 'moment':
      return withMomentAhead(shared, intent.us);
    case 'landed':
      return withLanding(shared, intent.carried, intent.landed);
    default:
      return never(intent);
  }
}

/** What changes the part that is shown. */
function moveView(shared: Shared, intent: Moving): Shared {
  switch (intent.kind) {
    case 'fit-reserved':
      return { ...shared, fitReserved: intent.fit, height: { kind: 'auto' } };
    case 'height':
      return { ...shared, height: intent.height };
    case 'show':
      return withX(shared, fitted(intent.x, bounds(shared), leastSpan(shared)));
    case 'zoom-x':
      return zoomX(shared, intent.at, intent.factor);
    case 'zoom-y':
      return { ...shared, height: zoomedHeight(shared, intent.y, intent.at, intent.factor) };
    case 'pan-x':
      return withX(shared, fitted(moved(shown(shared), intent.by), bounds(shared), 0));
    case 'pan-y':
      return panY(shared, intent.by);
    case 'box':
      return withBox(shared, intent.x, intent.y);
    case 'peak':
      return toPeak(shared);
    case 'reach':
      return withReach(shared, intent.device, intent.event, intent.time);
    case 'reset':
      return { ...shared, x: wholeOf(extent(shared)), height: { kind: 'auto' } };
    default:
      return never(intent);
  }
}

const withX = (shared: Shared, x: Span): Shared => ({
  ...shared,
  x: { ...shared.x, [shared.axis]: x },
});

const ground = (shared: Shared): Span => ({ from: 0, to: extent(shared).top });

function withDevice(shared: Shared, device: number): Shared {
  const next = shared.extents[device];
  if (next === undefined || device === shared.device) return shared;
  const axis = next.time === undefined ? 'event' : shared.axis;
  const before = extent(shared);
  const isOfDump = next.track !== undefined && before.track !== undefined;
  return {
    ...shared,
    device,
    axis,
    x: isOfDump ? keptX(shared, before, next) : wholeOf(next),
    height: { kind: 'auto' },
    cursor: undefined,
    carried: isOfDump ? carriedFrom(shared) : undefined,
    compared: isOfDump ? shared.compared : undefined,
    selection: keptSelection(shared, isOfDump),
    wanted: 'nothing',
    past: [],
    future: [],
  };
}

/** Stacks and frames are of the recording, owners of the dump: they mean the same on every device. */
function keptSelection({ selection }: Shared, isOfDump: boolean): Selection {
  if (selection.kind === 'stack' || selection.kind === 'frame') return selection;
  return isOfDump && selection.kind === 'owner' ? selection : NO_SELECTION;
}

/** What was shown whole stays whole. */
function withReach(shared: Shared, device: number, event: Span, time: Span | undefined): Shared {
  const before = shared.extents[device];
  if (before === undefined) return shared;
  const next = { ...before, event, time };
  const extents = shared.extents.map((each, row) => (row === device ? next : each));
  if (device !== shared.device) return { ...shared, extents };
  const [was, whole] = [wholeOf(before), wholeOf(next)];
  const reaching = (axis: Axis): Span =>
    sameSpan(shared.x[axis], was[axis]) ? whole[axis] : fitted(shared.x[axis], whole[axis], 0);
  return { ...shared, extents, x: { event: reaching('event'), time: reaching('time') } };
}

/** A stretch of time is selected; its end is where the cursor goes. */
function withPeriodAhead(shared: Shared, period: Span): Shared {
  const carried = { cursor: period.to, period };
  const next: Shared = { ...remembered(shared), carried, selection: NO_SELECTION };
  const x = shown(shared);
  const isSeen = shared.axis !== 'time' || (period.from >= x.from && period.to <= x.to);
  if (isSeen) return next;
  const isLonger = length(period) > length(x);
  const margin = length(period) * 0.1;
  return isLonger
    ? withX(next, fitted({ from: period.from - margin, to: period.to + margin }, bounds(shared), 0))
    : centered(next, (period.from + period.to) / 2);
}

/** What is selected stays, unless it is an event or a period, which are places themselves. */
function withMomentAhead(shared: Shared, us: number): Shared {
  const { kind } = shared.selection;
  const isLeft = kind === 'event' || kind === 'period';
  const left = isLeft ? { ...remembered(shared), selection: NO_SELECTION } : shared;
  const next: Shared = { ...left, carried: { cursor: us, period: undefined } };
  return shared.axis === 'time' ? inView(next, us) : next;
}

function withAxis(shared: Shared, axis: Axis): Shared {
  if (axis === shared.axis) return shared;
  if (axis === 'time' && extent(shared).time === undefined) return shared;
  return { ...shared, axis };
}

function zoomX(shared: Shared, at: number, factor: number): Shared {
  const x = zoomed(shown(shared), at, factor, bounds(shared), leastSpan(shared));
  return withX(shared, x);
}

function zoomedHeight(shared: Shared, y: Span, at: number, factor: number): Height {
  const whole = ground(shared);
  if (factor > 1 && length(y) * factor >= length(whole)) return { kind: 'auto' };
  const inside = fitted(y, whole, LEAST_BYTES);
  return { kind: 'chosen', span: zoomed(inside, at, factor, whole, LEAST_BYTES) };
}

function panY(shared: Shared, by: number): Shared {
  if (shared.height.kind === 'auto') return shared;
  const span = fitted(moved(shared.height.span, by), ground(shared), LEAST_BYTES);
  return { ...shared, height: { kind: 'chosen', span } };
}

function withBox(shared: Shared, x: Span, y: Span): Shared {
  const span = fitted(y, ground(shared), LEAST_BYTES);
  const framed = withX(shared, fitted(x, bounds(shared), leastSpan(shared)));
  return { ...framed, height: { kind: 'chosen', span }, mode: 'pan' };
}

function toPeak(shared: Shared): Shared {
  const { peak } = extent(shared);
  const at = middleOf(shared, peak);
  if (at === undefined) return shared;
  const cursor = { event: peak.event, time_us: peak.time_us };
  const there = withCursor(centered(shared, at), cursor);
  return { ...there, side: 'after', height: { kind: 'auto' } };
}

/** Moves the cursor. An event that was selected stays behind: to select it is to be there. */
function withCursor(shared: Shared, cursor: EventRef | undefined): Shared {
  const { selection } = shared;
  const isLeft = selection.kind === 'event' && selection.event !== cursor?.event;
  return isLeft
    ? {
        ...remembered(shared),
        cursor,
        carried: undefined,
        selection: NO_SELECTION,
        wanted: 'nothing',
      }
    : { ...shared, cursor, carried: undefined };
}

function withSelection(shared: Shared, selection: Selection, wanted: Wanted): Shared {
  const known = isSameSelection(shared.selection, selection) ? shared : remembered(shared);
  const next: Shared = { ...known, selection, wanted };
  if (selection.kind === 'period') {
    const cursor = { event: selection.to, time_us: undefined };
    return { ...next, cursor, carried: undefined, side: 'after' };
  }
  if (selection.kind !== 'event') return next;
  const { event } = selection;
  const time_us = shared.cursor?.event === event ? shared.cursor.time_us : undefined;
  const there: Shared = { ...next, cursor: { event, time_us }, carried: undefined };
  return wanted === 'nothing' ? there : visit(there, { event, time_us });
}

/** Goes to an event; on the time axis it comes into view as soon as its time is known. */
function visit(shared: Shared, event: EventRef): Shared {
  const selection: Selection =
    event.event < 0 ? NO_SELECTION : { kind: 'event', event: event.event };
  const cursor = { event: event.event, time_us: event.time_us };
  const at = middleOf(shared, event);
  const next: Shared = {
    ...shared,
    selection,
    cursor,
    carried: undefined,
    wanted: at === undefined ? 'reveal' : 'nothing',
  };
  return at === undefined ? next : inView(next, at);
}

/** Steps leave one place behind, however many there are. */
function step(shared: Shared, by: number): Shared {
  const last = extent(shared).events - 1;
  if (last < 0) return shared;
  const event = clamp(eventAt(shared) + by, 0, last);
  if (shared.selection.kind === 'event' && shared.selection.event === event) return shared;
  const known = shared.selection.kind === 'event' ? shared : remembered(shared);
  return visit(known, { event, time_us: undefined });
}

function withTime(shared: Shared, event: EventRef): Shared {
  const { cursor } = shared;
  if (cursor?.event !== event.event || cursor.time_us === event.time_us) return shared;
  const next: Shared = { ...shared, cursor: { ...cursor, time_us: event.time_us } };
  const isAwaited = shared.selection.kind === 'event' && shared.wanted !== 'nothing';
  const at = middleOf(next, event);
  return isAwaited && at !== undefined ? inView({ ...next, wanted: 'nothing' }, at) : next;
}

function withPeriodTime(shared: Shared, from: EventRef, to: EventRef): Shared {
  const { selection } = shared;
  const first = extent(shared).firstUs;
  const isOf =
    selection.kind === 'period' && selection.from === from.event && selection.to === to.event;
  if (!isOf || first === undefined) return shared;
  if (from.time_us === undefined || to.time_us === undefined) return shared;
  const time = { from: from.time_us - first, to: to.time_us - first };
  return { ...shared, selection: { ...selection, time } };
}

/** Moves nothing but what it takes to see a place of the axis. */
function inView(shared: Shared, at: number): Shared {
  const x = shown(shared);
  return at >= x.from && at <= x.to ? shared : centered(shared, at);
}

function centered(shared: Shared, at: number): Shared {
  const half = length(shown(shared)) / 2;
  return withX(shared, fitted({ from: at - half, to: at + half }, bounds(shared), 0));
}

/** The stretch of the axis in which a block is allocated. */
export function lifeOf(shared: Shared, details: BlockDetails): Span {
  const whole = bounds(shared);
  const from = details.alloc && placeOf(shared, details.alloc);
  const end = details.free_requested ?? details.free_completed;
  const to = end && placeOf(shared, end);
  const begin = clamp(from ?? whole.from, whole.from, whole.to);
  return { from: begin, to: Math.max(to ?? whole.to, begin) };
}

function withLife(shared: Shared, details: BlockDetails): Shared {
  const { selection } = shared;
  if (selection.kind !== 'block' || selection.block !== details.block) return shared;
  return framedLife(cursorInLife(shared, details), lifeOf(shared, details));
}

/** The cursor where it is while the block is in the pool there, else at its allocation. */
function cursorInLife(shared: Shared, { alloc, free_completed: end }: BlockDetails): Shared {
  const born = alloc?.event ?? -1;
  const state = stateAt(shared);
  if (state >= born && (end === undefined || state < end.event)) return shared;
  return { ...shared, cursor: alloc ?? { event: -1, time_us: undefined }, side: 'after' };
}

function withSegment(shared: Shared, selection: Selection, details: SegmentDetails): Shared {
  if (!isSameSelection(selection, shared.selection)) return shared;
  const whole = bounds(shared);
  const from = details.mapped && placeOf(shared, details.mapped);
  const to = details.unmapped && placeOf(shared, details.unmapped);
  const begin = clamp(from ?? whole.from, whole.from, whole.to);
  return framedLife(shared, { from: begin, to: Math.max(to ?? whole.to, begin) });
}

/** Shows a life as far as that is wanted. */
function framedLife(shared: Shared, life: Span): Shared {
  const { wanted } = shared;
  if (wanted === 'nothing') return shared;
  const calm: Shared = { ...shared, wanted: 'nothing' };
  if (wanted === 'reveal' && isInView(shown(shared), life)) return calm;
  const margin = Math.max(length(life) * 0.15, leastSpan(shared) / 4);
  const x = { from: life.from - margin, to: life.to + margin };
  const framed = withX(calm, fitted(x, bounds(shared), leastSpan(shared)));
  return { ...framed, height: { kind: 'auto' } };
}

/** Whether enough of `life` is shown to be found: its beginning or its end, or a tenth of the view. */
function isInView(view: Span, life: Span): boolean {
  const overlap = Math.min(view.to, life.to) - Math.max(view.from, life.from);
  const isWhole = life.from >= view.from && life.to <= view.to;
  return isWhole ? length(life) > length(view) * 0.002 : overlap > length(view) * 0.1;
}
