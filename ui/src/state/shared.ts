import type { Span } from '../base/span';
import type { DecomposeQuestion, MomentQuestion, TrackSummary } from '../wire/decompose';
import type { Thresholds } from '../wire/tables';
import type { Holder } from '../wire/holders';
import type {
  Axis,
  ColorBy,
  DeviceSummary,
  EventRef,
  Highlight,
  Opened,
  Peak,
  PoolGrouping,
  PoolOrder,
} from '../wire/known';

/** What is selected: where to find it, never what was found there. */
export type Selection =
  | { readonly kind: 'none' }
  | { readonly kind: 'block'; readonly block: number }
  | { readonly kind: 'event'; readonly event: number }
  /** The segment around a hex address right after an event (−1: before the first). */
  | { readonly kind: 'segment'; readonly address: string; readonly after: number }
  /** Blocks by what they have in common about their allocation; it means the same on every device. */
  | Holder
  /** Events, both included; `time` is where that lies on the time axis, once that is known. */
  | {
      readonly kind: 'period';
      readonly from: number;
      readonly to: number;
      readonly time: Span | undefined;
    };

/** The bytes shown: what the data needs, or what the person chose. */
export type Height = { readonly kind: 'auto' } | { readonly kind: 'chosen'; readonly span: Span };

/** Whether the reserved line decides the automatic height: while it is near, always, or never. */
export type FitReserved = 'near' | 'always' | 'never';

/** What a drag on the picture does. */
export type DragMode = 'pan' | 'box' | 'period';

/** What to do with the view once the selected thing's life is known. */
export type Wanted = 'nothing' | 'reveal' | 'fit';

/** Whether the pool is shown right before or right after the event at the cursor. */
export type Side = 'before' | 'after';

/** How the pool is laid out. */
export interface PoolLayout {
  readonly order: PoolOrder;
  readonly grouping: PoolGrouping;
}

/** What a walk back and forward comes by. */
export interface Place {
  readonly selection: Selection;
  readonly cursor: EventRef | undefined;
}

/** The bounds of one device's picture. */
export interface Extent {
  readonly event: Span;
  readonly time: Span | undefined;
  /** The most bytes worth looking at. */
  readonly top: number;
  readonly peak: Peak;
  /** The first event's time, microseconds since the epoch. */
  readonly firstUs: number | undefined;
  /** How many events there are. */
  readonly events: number;
  /** What it is in a dump. */
  readonly track: TrackSummary | undefined;
}

/** Where to go once the events there are known: microseconds of the time axis. */
export interface Carried {
  readonly cursor: number | undefined;
  readonly period: Span | undefined;
}

/** The marked event: right after it (−1: before the first). Its time may become known later. */
export interface Cursor extends EventRef {
  /** The moment it stands for on the time axis, when that is not the event's own. */
  readonly at?: number | undefined;
}

/** A moment that was kept, to compare another one with it. */
export interface Kept {
  readonly device: number;
  /** The event right after which it is; −1: before the first. */
  readonly event: number;
  /** How to ask about it on its device. */
  readonly at: MomentQuestion;
  /** Microseconds since the recording's start. */
  readonly us: number;
}

/** The state that the views share. Changed by `update` only. */
export interface Shared {
  readonly session: number;
  readonly extents: readonly Extent[];
  readonly device: number;
  readonly axis: Axis;
  readonly color: ColorBy;
  /** The stretch shown on each axis. */
  readonly x: { readonly event: Span; readonly time: Span };
  readonly height: Height;
  readonly fitReserved: FitReserved;
  readonly cursor: Cursor | undefined;
  /** A moment or a period that comes from a track with other events. */
  readonly carried: Carried | undefined;
  /** Blocks that are inefficient by these stand out, whatever is selected. */
  readonly inefficient: Thresholds | undefined;
  /** The moment with which the cursor's is compared. */
  readonly compared: Kept | undefined;
  readonly side: Side;
  readonly pool: PoolLayout;
  readonly mode: DragMode;
  readonly selection: Selection;
  readonly wanted: Wanted;
  /** What was selected before, the latest last. */
  readonly past: readonly Place[];
  /** What `back` has left behind, the next one last. */
  readonly future: readonly Place[];
}

export const NO_SELECTION: Selection = { kind: 'none' };

const NO_EXTENT: Extent = {
  event: { from: -1, to: 0 },
  time: undefined,
  top: 1,
  peak: { bytes: 0, event: -1, time_us: undefined },
  firstUs: undefined,
  events: 0,
  track: undefined,
};

/** The state right after a recording was opened. */
export function initial(opened: Opened): Shared {
  const { summary, session } = opened;
  const extents = summary.devices.map(extentOf);
  const device = summary.devices[summary.busiest] === undefined ? 0 : summary.busiest;
  const isTimed = summary.dump !== undefined && extents[device]?.time !== undefined;
  return {
    session,
    extents,
    device,
    axis: isTimed ? 'time' : 'event',
    color: hasStacks(summary.devices[device]) ? 'stack' : 'address',
    x: wholeOf(extents[device] ?? NO_EXTENT),
    height: { kind: 'auto' },
    fitReserved: 'near',
    cursor: undefined,
    carried: undefined,
    inefficient: undefined,
    compared: undefined,
    side: 'after',
    pool: { order: 'size', grouping: 'together' },
    mode: 'pan',
    selection: NO_SELECTION,
    wanted: 'nothing',
    past: [],
    future: [],
  };
}

/** Whether colours by stack would tell blocks apart. */
const hasStacks = (device: DeviceSummary | undefined): boolean =>
  device !== undefined && device.events_without_stack < device.events * 0.9;

function extentOf(device: DeviceSummary): Extent {
  const { peak } = device;
  const most = Math.max(peak.allocated.bytes, peak.active.bytes, peak.reserved.bytes);
  return {
    event: solid(device.event_range),
    time: device.time_range && solid(device.time_range),
    top: Math.max(most, 512) * 1.12,
    peak: peak.allocated,
    firstUs: device.first_us,
    events: device.events,
    track: device.track,
  };
}

const solid = (span: Span): Span =>
  span.to > span.from ? span : { from: span.from, to: span.from + 1 };

/** All of a device on both axes. */
export const wholeOf = (extent: Extent): Shared['x'] => ({
  event: extent.event,
  time: extent.time ?? extent.event,
});

export const extent = (shared: Shared): Extent => shared.extents[shared.device] ?? NO_EXTENT;

/** The bounds of the axis shown. */
export function bounds(shared: Shared): Span {
  const { event, time } = extent(shared);
  return shared.axis === 'time' ? (time ?? event) : event;
}

/** The stretch shown. */
export const shown = (shared: Shared): Span => shared.x[shared.axis];

/** The shortest stretch worth showing: some events, or what their clock tells apart. */
export function leastSpan(shared: Shared): number {
  if (shared.axis === 'event') return 4;
  return extent(shared).track === undefined ? 2 : 0.05;
}

/** Which lines there are besides that of what is allocated. */
export interface Lines {
  readonly active: boolean;
  readonly reserved: boolean;
}

/** A pool of a dump may say nothing of itself; its lines would repeat what its blocks add up to. */
export function linesOf(shared: Shared): Lines {
  const { track } = extent(shared);
  return { active: track?.has_used ?? true, reserved: track?.has_total ?? true };
}

/** Where an event lies on the axis shown; nothing when that needs a time it does not have. */
export function placeOf(shared: Shared, event: EventRef | Peak): number | undefined {
  if (shared.axis === 'event') return event.event;
  const first = extent(shared).firstUs;
  if (event.event < 0) return bounds(shared).from;
  return first === undefined || event.time_us === undefined ? undefined : event.time_us - first;
}

/** The middle of the state right after an event; with times, the moment itself. */
export function middleOf(shared: Shared, event: EventRef | Peak): number | undefined {
  const begin = placeOf(shared, event);
  return begin !== undefined && shared.axis === 'event' ? begin + 0.5 : begin;
}

/** The event the pool and the event list are at: the cursor's, or the peak's while there is none. */
export const eventAt = (shared: Shared): number =>
  shared.cursor?.event ?? extent(shared).peak.event;

/** The event right after which the pool is shown. */
export const stateAt = (shared: Shared): number =>
  Math.max(-1, eventAt(shared) - (shared.side === 'before' ? 1 : 0));

/** Where the cursor lies on the axis shown. */
export function cursorAt(shared: Shared): number | undefined {
  const { cursor, carried, axis } = shared;
  if (carried?.cursor !== undefined) return axis === 'time' ? carried.cursor : undefined;
  if (cursor?.at !== undefined && axis === 'time') return cursor.at;
  return cursor && middleOf(shared, cursor);
}

/** Where the moment to compare with lies on the axis shown. */
export function comparedAt({ compared, device, axis }: Shared): number | undefined {
  if (compared === undefined || axis === 'time') return compared?.us;
  return compared.device === device ? compared.event + 0.5 : undefined;
}

/** Who holds memory at the cursor, and before that at the moment to compare with. */
export function decomposeQuestion(shared: Shared): DecomposeQuestion {
  const { session, device, compared, carried, cursor } = shared;
  const us = carried?.cursor ?? cursor?.at;
  const at: MomentQuestion =
    us === undefined ? { kind: 'event', event: eventAt(shared) } : { kind: 'time', us };
  if (compared === undefined) return { session, device, at, then: undefined };
  const first: MomentQuestion =
    compared.device === device ? compared.at : { kind: 'time', us: compared.us };
  return { session, device, at: first, then: at };
}

/** Where the selected period lies on the axis shown. */
export function periodAt({ selection, axis, carried }: Shared): Span | undefined {
  if (carried?.period !== undefined && axis === 'time') return carried.period;
  if (selection.kind !== 'period') return undefined;
  return axis === 'time' ? selection.time : { from: selection.from, to: selection.to + 1 };
}

export const selectedBlock = ({ selection }: Shared): number | undefined =>
  selection.kind === 'block' ? selection.block : undefined;

/** Which blocks stand out besides the selected one. */
export function highlightOf({ selection, inefficient }: Shared): Highlight | undefined {
  switch (selection.kind) {
    case 'segment':
      return { kind: 'segment', address: selection.address, after: selection.after };
    case 'period':
      return { kind: 'period', from: selection.from, to: selection.to };
    case 'stack':
    case 'frame':
    case 'owner':
      return selection;
    case 'none':
    case 'block':
    case 'event':
      return inefficient && { kind: 'inefficient', thresholds: inefficient };
  }
}

export function isSameHighlight(a: Highlight | undefined, b: Highlight | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  switch (a.kind) {
    case 'segment':
      return b.kind === 'segment' && a.address === b.address && a.after === b.after;
    case 'stack_of':
      return b.kind === 'stack_of' && a.block === b.block;
    case 'stack':
      return b.kind === 'stack' && a.stack === b.stack;
    case 'frame':
      return b.kind === 'frame' && a.frame === b.frame;
    case 'owner':
      return b.kind === 'owner' && a.tag === b.tag;
    case 'period':
      return b.kind === 'period' && a.from === b.from && a.to === b.to;
    case 'inefficient':
      return b.kind === 'inefficient' && a.thresholds === b.thresholds;
  }
}

/** Whether two locators lead to the same place. */
export function isSameSelection(a: Selection, b: Selection): boolean {
  switch (a.kind) {
    case 'none':
      return b.kind === 'none';
    case 'block':
      return b.kind === 'block' && a.block === b.block;
    case 'event':
      return b.kind === 'event' && a.event === b.event;
    case 'segment':
      return b.kind === 'segment' && a.address === b.address && a.after === b.after;
    case 'stack':
      return b.kind === 'stack' && a.stack === b.stack;
    case 'frame':
      return b.kind === 'frame' && a.frame === b.frame;
    case 'owner':
      return b.kind === 'owner' && a.tag === b.tag;
    case 'period':
      return b.kind === 'period' && a.from === b.from && a.to === b.to;
  }
}

/** The stack, the frame or the owner that is selected. */
export const holderOf = (selection: Selection): Holder | undefined =>
  selection.kind === 'stack' || selection.kind === 'frame' || selection.kind === 'owner'
    ? selection
    : undefined;
