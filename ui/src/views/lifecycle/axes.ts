import { apply, unapply, type Affine, type Span } from '../../base/span';
import { byteLabel, countLabel, timeLabel } from '../../base/format';
import { ticks } from '../../base/ticks';
import type { Theme } from '../../draw/theme';
import { rangeLabel } from '../../state/names';
import { en } from '../../text/en';
import type { AnnotationRange, Axis } from '../../wire/known';
import { stripTop, type Frame } from './frame';

/** Everything the canvases over and under the bands need to know. */
export interface View {
  readonly frame: Frame;
  readonly theme: Theme;
  readonly axis: Axis;
  readonly x: Span;
  readonly y: Span;
  readonly toX: Affine;
  readonly toY: Affine;
}

const X_LABEL_EVERY = 110;
const Y_LABEL_EVERY = 54;

export const font = (view: View, css: number, weight = ''): string =>
  `${weight} ${(css * view.frame.scale).toString()}px ${view.theme.font}`.trim();

/** The whole pixel a line of `width` device pixels is crisp at. */
export const crisp = (value: number, width: number): number =>
  Math.round(value) + (width % 2 === 1 ? 0.5 : 0);

/** Width in device pixels of a line of `css` pixels. */
export const lineWidth = (view: View, css: number): number =>
  Math.max(1, Math.round(css * view.frame.scale));

/** Lines at round byte values, under the bands. */
export function drawGrid(context: CanvasRenderingContext2D, view: View): void {
  const { plot } = view.frame;
  const width = lineWidth(view, 1);
  context.strokeStyle = view.theme.grid;
  context.lineWidth = width;
  context.beginPath();
  for (const value of yTicks(view).values) {
    const y = crisp(apply(view.toY, value), width);
    context.moveTo(plot.left, y);
    context.lineTo(plot.left + plot.width, y);
  }
  context.stroke();
}

const yTicks = (view: View): ReturnType<typeof ticks> =>
  ticks(view.y, view.frame.plot.height / view.frame.scale / Y_LABEL_EVERY, 'bytes');

const xTicks = (view: View): ReturnType<typeof ticks> => {
  const most = view.frame.plot.width / view.frame.scale / X_LABEL_EVERY;
  return ticks(view.x, most, view.axis === 'event' ? 'count' : 'time');
};

/** Labels of both axes. */
export function drawLabels(context: CanvasRenderingContext2D, view: View): void {
  const { plot, scale } = view.frame;
  context.font = font(view, 11);
  context.fillStyle = view.theme.ink3;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const bytes = yTicks(view);
  const top = Math.max(Math.abs(view.y.to), bytes.step);
  for (const value of bytes.values) {
    const y = apply(view.toY, value);
    context.fillText(byteLabel(value, bytes.step, top), plot.left - 8 * scale, y);
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  drawXLabels(context, view);
}

function drawXLabels(context: CanvasRenderingContext2D, view: View): void {
  const { plot, scale } = view.frame;
  const { values, step } = xTicks(view);
  const bottom = plot.top + plot.height;
  const far = Math.max(Math.abs(view.x.from), Math.abs(view.x.to));
  context.strokeStyle = view.theme.line2;
  context.lineWidth = lineWidth(view, 1);
  context.beginPath();
  for (const value of values) {
    const x = apply(view.toX, value);
    const text = view.axis === 'event' ? countLabel(value, step) : timeLabel(value, step, far);
    const half = context.measureText(text).width / 2;
    const inside = Math.min(Math.max(x, plot.left + half), plot.left + plot.width - half);
    context.fillText(text, inside, bottom + 7 * scale);
    const tick = crisp(x, context.lineWidth);
    context.moveTo(tick, bottom);
    context.lineTo(tick, bottom + 4 * scale);
  }
  context.stroke();
  context.textAlign = 'right';
  const caption = view.axis === 'event' ? en.lifecycle.axisEvent : en.lifecycle.axisTime;
  context.fillText(caption, plot.left - 8 * scale, bottom + 7 * scale);
}

/** Where a named range lies on the screen, clipped to the plot; nothing when outside. */
export function rangePixels(view: View, range: AnnotationRange): Span | undefined {
  const { plot } = view.frame;
  const right = plot.left + plot.width;
  const from = Math.max(
    plot.left,
    range.from === undefined ? plot.left : apply(view.toX, range.from),
  );
  const to = Math.min(right, range.to === undefined ? right : apply(view.toX, range.to));
  return to > plot.left && from < right && to > from ? { from, to } : undefined;
}

/** Named ranges as strips above the plot, and where the outermost begin. */
export function drawRanges(
  context: CanvasRenderingContext2D,
  view: View,
  ranges: readonly AnnotationRange[],
): void {
  for (const range of ranges) {
    const pixels = rangePixels(view, range);
    if (range.depth >= view.frame.strips.rows || pixels === undefined) continue;
    drawStrip(context, view, range, pixels);
  }
  drawBoundaries(context, view, ranges);
}

function drawStrip(
  context: CanvasRenderingContext2D,
  view: View,
  range: AnnotationRange,
  { from, to }: Span,
): void {
  const { scale, strips } = view.frame;
  const top = stripTop(view.frame, range.depth);
  const left = Math.round(from) + (to - from > 3 * scale ? 1 : 0);
  const width = Math.max(1, Math.round(to) - left);
  context.globalAlpha = range.depth === 0 ? 1 : 0.65;
  context.fillStyle = view.theme.accentBg;
  context.fillRect(left, top, width, strips.height);
  context.globalAlpha = 1;
  context.font = font(view, 11);
  context.fillStyle = view.theme.ink2;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const text = rangeLabel(range.name) + (range.count > 1 ? ` ×${range.count.toString()}` : '');
  const label = shortened(context, text, width - 10 * scale);
  context.fillText(label, left + 6 * scale, top + strips.height / 2 + 0.5 * scale);
}

/** As much of `text` as fits, with an ellipsis; nothing when hardly any of it does. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const share = room / context.measureText(`${text}…`).width;
  for (let kept = Math.floor(text.length * share); kept >= 2; kept -= 1) {
    const short = `${text.slice(0, kept).trimEnd()}…`;
    if (context.measureText(short).width <= room) return short;
  }
  return '';
}

/** Dashed lines where outermost ranges begin, unless they would stand too close. */
function drawBoundaries(
  context: CanvasRenderingContext2D,
  view: View,
  ranges: readonly AnnotationRange[],
): void {
  const { plot, scale } = view.frame;
  const width = lineWidth(view, 1);
  context.strokeStyle = view.theme.line2;
  context.lineWidth = width;
  context.setLineDash([2 * scale, 3 * scale]);
  context.beginPath();
  let last = -Infinity;
  for (const range of ranges) {
    if (range.depth !== 0 || range.from === undefined) continue;
    const x = apply(view.toX, range.from);
    if (x <= plot.left || x >= plot.left + plot.width || x - last < 24 * scale) continue;
    last = x;
    context.moveTo(crisp(x, width), stripTop(view.frame, 0) + view.frame.strips.height);
    context.lineTo(crisp(x, width), plot.top + plot.height);
  }
  context.stroke();
  context.setLineDash([]);
}

/** The range under a pixel, if the pixel is in the strips. */
export function rangeAt(
  view: View,
  ranges: readonly AnnotationRange[],
  x: number,
  y: number,
): AnnotationRange | undefined {
  return ranges.find((range) => {
    const top = stripTop(view.frame, range.depth);
    if (range.depth >= view.frame.strips.rows) return false;
    if (y < top || y > top + view.frame.strips.height) return false;
    const pixels = rangePixels(view, range);
    return pixels !== undefined && x >= pixels.from && x <= pixels.to;
  });
}

/** The outermost range over a place of the axis. */
export const rangeOver = (
  ranges: readonly AnnotationRange[],
  x: number,
): AnnotationRange | undefined =>
  ranges.find((range) => (range.from ?? -Infinity) <= x && x < (range.to ?? Infinity));

/** The place on the axis at a pixel. */
export const placeAt = (view: View, x: number): number => unapply(view.toX, x);
