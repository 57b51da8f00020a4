import { never } from '../base/never';
import { clamp, fitted, length, moved, zoomed, type Span } from '../base/span';
import type { Axis, BlockDetails, ColorBy, EventRef } from '../wire/known';
import {
  bounds,
  extent,
  leastSpan,
  middleOf,
  placeOf,
  shown,
  wholeOf,
  type DragMode,
  type FitReserved,
  type Height,
  type Selection,
  type Shared,
  type Wanted,
} from './shared';

/** The fewest bytes worth showing. */
const LEAST_BYTES = 4096;

/** What a person can ask for. A view sends these; it never writes the state. */
export type Intent =
  | { readonly kind: 'select'; readonly selection: Selection; readonly wanted: Wanted }
  /** The life of the selected block became known. */
  | { readonly kind: 'life'; readonly details: BlockDetails }
  | { readonly kind: 'device'; readonly device: number }
  | { readonly kind: 'axis'; readonly axis: Axis }
  | { readonly kind: 'color'; readonly color: ColorBy }
  | { readonly kind: 'mode'; readonly mode: DragMode }
  | { readonly kind: 'fit-reserved'; readonly fit: FitReserved }
  | { readonly kind: 'show'; readonly x: Span }
  | { readonly kind: 'zoom-x'; readonly at: number; readonly factor: number }
  /** `y` is the height shown now, which the state does not know while it is automatic. */
  | { readonly kind: 'zoom-y'; readonly at: number; readonly factor: number; readonly y: Span }
  | { readonly kind: 'pan-x'; readonly by: number }
  | { readonly kind: 'pan-y'; readonly by: number }
  | { readonly kind: 'box'; readonly x: Span; readonly y: Span }
  | { readonly kind: 'cursor'; readonly at: number | undefined }
  /** Puts the cursor at an event and brings it into view. */
  | { readonly kind: 'visit'; readonly event: EventRef }
  | { readonly kind: 'peak' }
  | { readonly kind: 'reset' };

/** The whole of the behaviour that links the views. Pure, so it is tested without a page. */
export function update(shared: Shared, intent: Intent): Shared {
  switch (intent.kind) {
    case 'select':
      return { ...shared, selection: intent.selection, wanted: intent.wanted };
    case 'life':
      return withLife(shared, intent.details);
    case 'device':
      return withDevice(shared, intent.device);
    case 'axis':
      return withAxis(shared, intent.axis);
    case 'color':
      return { ...shared, color: intent.color };
    case 'mode':
      return { ...shared, mode: intent.mode };
    case 'fit-reserved':
      return { ...shared, fitReserved: intent.fit, height: { kind: 'auto' } };
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
    case 'cursor':
      return { ...shared, cursor: intent.at };
    case 'visit':
      return visit(shared, intent.event);
    case 'peak':
      return toPeak(shared);
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
  return {
    ...shared,
    device,
    axis,
    x: wholeOf(next),
    height: { kind: 'auto' },
    cursor: undefined,
    selection: { kind: 'none' },
    wanted: 'nothing',
  };
}

function withAxis(shared: Shared, axis: Axis): Shared {
  if (axis === shared.axis) return shared;
  if (axis === 'time' && extent(shared).time === undefined) return shared;
  return { ...shared, axis, cursor: undefined };
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
  const at = middleOf(shared, extent(shared).peak);
  if (at === undefined) return shared;
  return { ...centered(shared, at), cursor: at, height: { kind: 'auto' } };
}

function visit(shared: Shared, event: EventRef): Shared {
  const at = middleOf(shared, event);
  if (at === undefined) return shared;
  const x = shown(shared);
  const isInside = at >= x.from && at <= x.to;
  return { ...(isInside ? shared : centered(shared, at)), cursor: at };
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
  const { selection, wanted } = shared;
  if (selection.kind !== 'block' || selection.block !== details.block) return shared;
  const calm: Shared = { ...shared, wanted: 'nothing' };
  if (wanted === 'nothing') return shared;
  const life = lifeOf(shared, details);
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
