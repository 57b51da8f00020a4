import type { Span } from '../base/span';
import type { Axis, ColorBy, DeviceSummary, EventRef, Opened, Peak } from '../wire/known';

/** What is selected: where to find it, never what was found there. */
export type Selection =
  { readonly kind: 'none' } | { readonly kind: 'block'; readonly block: number };

/** The bytes shown: what the data needs, or what the person chose. */
export type Height = { readonly kind: 'auto' } | { readonly kind: 'chosen'; readonly span: Span };

/** Whether the reserved line decides the automatic height: while it is near, always, or never. */
export type FitReserved = 'near' | 'always' | 'never';

/** What a drag on the picture does. */
export type DragMode = 'pan' | 'box';

/** What to do with the view once the selected block's life is known. */
export type Wanted = 'nothing' | 'reveal' | 'fit';

/** The bounds of one device's picture. */
export interface Extent {
  readonly event: Span;
  readonly time: Span | undefined;
  /** The most bytes worth looking at. */
  readonly top: number;
  readonly peak: Peak;
  /** The first event's time, microseconds since the epoch. */
  readonly firstUs: number | undefined;
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
  /** A marked place on the axis shown. */
  readonly cursor: number | undefined;
  readonly mode: DragMode;
  readonly selection: Selection;
  readonly wanted: Wanted;
}

const NO_EXTENT: Extent = {
  event: { from: -1, to: 0 },
  time: undefined,
  top: 1,
  peak: { bytes: 0, event: -1, time_us: undefined },
  firstUs: undefined,
};

/** The state right after a recording was opened. */
export function initial(opened: Opened): Shared {
  const { summary, session } = opened;
  const extents = summary.devices.map(extentOf);
  const device = summary.devices[summary.busiest] === undefined ? 0 : summary.busiest;
  return {
    session,
    extents,
    device,
    axis: 'event',
    color: hasStacks(summary.devices[device]) ? 'stack' : 'address',
    x: wholeOf(extents[device] ?? NO_EXTENT),
    height: { kind: 'auto' },
    fitReserved: 'near',
    cursor: undefined,
    mode: 'pan',
    selection: { kind: 'none' },
    wanted: 'nothing',
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

/** The shortest stretch worth showing. */
export const leastSpan = (shared: Shared): number => (shared.axis === 'event' ? 4 : 2);

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
