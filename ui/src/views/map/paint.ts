import { bytes, countLabel, timeLabel } from '../../base/format';
import { apply, clamp, length } from '../../base/span';
import { ticks } from '../../base/ticks';
import type { Placed, Placement } from '../../draw/layer';
import { cssColor, mix, RAMP_KEYS } from '../../draw/palette';
import { rgbOf, type Theme } from '../../draw/theme';
import { t } from '../../text/t';
import type { AddressMap, LaneRow } from '../../wire/map';
import type { Bands } from '../../wire/scene';
import type { View } from './frame';
import type { Box } from './gestures';

const LABEL_EVERY = 110;
/** CSS pixels a lane takes for its edges, a line between lanes, and its name. */
const EDGED_PX = 3;
const LINED_PX = 5;
const NAMED_PX = 13;
/** How much of the colour is in the smallest and in the largest hole. */
const TINTS = { from: 0.08, to: 0.42 } as const;

/** The colour of a hole of a size class: the larger the hole, the stronger. */
export function holeColor(theme: Theme, key: number): string {
  const share = clamp((key - RAMP_KEYS.from) / (RAMP_KEYS.to - RAMP_KEYS.from), 0, 1);
  const tint = TINTS.from + (TINTS.to - TINTS.from) * share;
  return cssColor(mix(theme.panel, rgbOf(theme.peak), tint));
}

/** Draws what lies under the blocks, in pixels of the map: segments, and holes by size. */
export function drawGround(
  context: CanvasRenderingContext2D,
  placed: Placed,
  { segments, holes }: AddressMap,
  theme: Theme,
): void {
  context.clearRect(0, 0, placed.width, placed.height);
  context.fillStyle = theme.grid;
  for (let row = 0; row < segments.count; row += 1) fillRow(context, segments, row);
  const colors = new Map<number, string>();
  for (let row = 0; row < holes.count; row += 1) {
    const key = holes.key[row] ?? 0;
    const color = colors.get(key) ?? holeColor(theme, key);
    colors.set(key, color);
    context.fillStyle = color;
    fillRow(context, holes, row);
  }
}

function fillRow(context: CanvasRenderingContext2D, bands: Bands, row: number): void {
  const left = Math.round(bands.x0[row] ?? 0);
  const top = Math.round(bands.top[row] ?? 0);
  const right = Math.round(bands.x1[row] ?? 0);
  context.fillRect(left, top, right - left, Math.round(bands.bottom[row] ?? 0) - top);
}

/** Lines where segments begin, grow and end, over everything that is in them. */
export function drawEdges(
  context: CanvasRenderingContext2D,
  view: View,
  placed: Placed,
  placement: Placement,
  { segments }: AddressMap,
): void {
  const width = lineWidth(view);
  context.fillStyle = view.theme.ink3;
  for (let row = 0; row < segments.count; row += 1) {
    const { top, height } = pixelsOf(segments, row, placement);
    if (height < EDGED_PX * view.size.scale) continue;
    for (const edge of [segments.x0[row] ?? 0, segments.x1[row] ?? 0]) {
      if (edge <= 0 || edge >= placed.width) continue;
      context.fillRect(Math.round(apply(placement.x, edge)), top, width, height);
    }
  }
}

function pixelsOf(bands: Bands, row: number, { x, y }: Placement) {
  const left = Math.round(apply(x, bands.x0[row] ?? 0));
  const top = Math.round(apply(y, bands.top[row] ?? 0));
  const width = Math.round(apply(x, bands.x1[row] ?? 0)) - left;
  return { left, top, width, height: Math.round(apply(y, bands.bottom[row] ?? 0)) - top };
}

/** One line around all of a block: its address never changes, so it is one rectangle. */
export function drawOutline(
  context: CanvasRenderingContext2D,
  view: View,
  placement: Placement,
  bands: Bands,
  block: number,
  isSelected: boolean,
): void {
  let box: { left: number; top: number; right: number; bottom: number } | undefined;
  for (let row = 0; row < bands.count; row += 1) {
    if (bands.block[row] !== block) continue;
    const { left, top, width, height } = pixelsOf(bands, row, placement);
    const [right, bottom] = [left + width, top + height];
    box = {
      left: Math.min(left, box?.left ?? left),
      top: Math.min(top, box?.top ?? top),
      right: Math.max(right, box?.right ?? right),
      bottom: Math.max(bottom, box?.bottom ?? bottom),
    };
  }
  if (box === undefined) return;
  const line = lineWidth(view) * (isSelected ? 2 : 1);
  const least = 2 * view.size.scale;
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const around = (grown: number): void => {
    context.strokeRect(
      box.left - grown,
      box.top - grown,
      Math.max(wide, least) + 2 * grown,
      Math.max(high, least) + 2 * grown,
    );
  };
  if (isSelected) {
    context.strokeStyle = view.theme.panelCss;
    context.lineWidth = line + 2 * lineWidth(view);
    around(line / 2);
  }
  context.strokeStyle = view.theme.ink;
  context.lineWidth = line;
  around(line / 2);
}

/** A line around all of a lane: the segment that is selected. */
export function drawLane(context: CanvasRenderingContext2D, view: View, lane: LaneRow): void {
  const width = lineWidth(view);
  const top = Math.round(apply(view.toY, lane.at + lane.size));
  const bottom = Math.max(top + 2 * width, Math.round(apply(view.toY, lane.at)));
  const { left } = view.plot;
  for (const [color, line] of [
    [view.theme.panelCss, 4 * width],
    [view.theme.ink, 2 * width],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = line;
    // Inside of the plot, which cuts off what is outside.
    context.strokeRect(left + width, top, view.plot.width - 2 * width, bottom - top);
  }
}

/** The rectangle of a box zoom, or the period that is being drawn. */
export function drawBox(context: CanvasRenderingContext2D, view: View, { x, y }: Box): void {
  const { plot, theme } = view;
  const width = lineWidth(view);
  const top = clamp(y.from, plot.top, plot.top + plot.height);
  const high = clamp(y.to, plot.top, plot.top + plot.height) - top;
  context.fillStyle = theme.accent;
  context.globalAlpha = 0.14;
  context.fillRect(x.from, top, length(x), high);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = width;
  context.strokeRect(Math.round(x.from) + width / 2, top, Math.round(length(x)), high);
}

/** The line at the cursor, or around the selected period. */
export function drawAt(context: CanvasRenderingContext2D, view: View, place: number): void {
  context.fillStyle = view.theme.ink;
  const width = lineWidth(view);
  context.fillRect(Math.round(apply(view.toX, place)), view.plot.top, width, view.plot.height);
}

/** Lines between lanes, the names of those that are high enough, and the axis. */
export function drawLabels(
  context: CanvasRenderingContext2D,
  view: View,
  marked: LaneRow | undefined,
): void {
  const { plot, theme } = view;
  const scale = view.size.scale;
  context.font = `${(10.5 * scale).toString()}px ${theme.font}`;
  context.textBaseline = 'middle';
  for (const lane of view.lanes.lanes) {
    const top = apply(view.toY, lane.at + lane.size);
    const bottom = apply(view.toY, lane.at);
    if (bottom < plot.top || top > plot.top + plot.height) continue;
    if (bottom - top < LINED_PX * scale) continue;
    context.fillStyle = theme.line2;
    const line = Math.round(bottom);
    if (line < plot.top + plot.height) {
      context.fillRect(plot.left, line, plot.width, lineWidth(view));
    }
    const [from, to] = [Math.max(top, plot.top), Math.min(bottom, plot.top + plot.height)];
    if (lane === marked) {
      context.fillStyle = theme.accent;
      context.fillRect(plot.left - 4 * scale, from, 3 * scale, to - from);
    }
    if (to - from < NAMED_PX * scale) continue;
    name(context, view, lane, lane === marked, from, to);
  }
  drawAxis(context, view);
}

/** The size beside the lane, the address in it: the margin is as wide as the lifecycle's. */
function name(
  context: CanvasRenderingContext2D,
  view: View,
  lane: LaneRow,
  isMarked: boolean,
  from: number,
  to: number,
): void {
  const { plot, theme } = view;
  const scale = view.size.scale;
  context.textAlign = 'right';
  context.fillStyle = isMarked ? theme.accent : theme.ink3;
  const room = plot.left - 11 * scale;
  context.fillText(bytes(lane.size), plot.left - 8 * scale, (from + to) / 2, room);
  context.textAlign = 'left';
  const width = context.measureText(lane.address).width;
  context.globalAlpha = 0.82;
  context.fillStyle = theme.panelCss;
  context.fillRect(plot.left, from, width + 8 * scale, NAMED_PX * scale);
  context.globalAlpha = 1;
  context.fillStyle = theme.ink2;
  context.fillText(lane.address, plot.left + 4 * scale, from + (NAMED_PX / 2 + 0.5) * scale);
}

function drawAxis(context: CanvasRenderingContext2D, view: View): void {
  const { plot, axis, x, theme } = view;
  const scale = view.size.scale;
  const most = plot.width / scale / LABEL_EVERY;
  const { values, step } = ticks(x, most, axis === 'event' ? 'count' : 'time');
  const far = Math.max(Math.abs(x.from), Math.abs(x.to));
  const bottom = plot.top + plot.height;
  context.font = `${(11 * scale).toString()}px ${theme.font}`;
  context.textBaseline = 'top';
  context.textAlign = 'center';
  for (const value of values) {
    const at = apply(view.toX, value);
    const text = axis === 'event' ? countLabel(value, step) : timeLabel(value, step, far);
    const half = context.measureText(text).width / 2;
    context.fillStyle = theme.line2;
    context.fillRect(Math.round(at), bottom, lineWidth(view), 4 * scale);
    context.fillStyle = theme.ink3;
    const inside = clamp(at, plot.left + half, plot.left + plot.width - half);
    context.fillText(text, inside, bottom + 7 * scale);
  }
  context.textAlign = 'right';
  const caption = axis === 'event' ? t('lifecycle.axisEvent') : t('lifecycle.axisTime');
  context.fillText(caption, plot.left - 8 * scale, bottom + 7 * scale);
}

const lineWidth = (view: View): number => Math.max(1, Math.round(view.size.scale));
