import { apply, type Span } from '../../base/span';
import { isMoment, markLabel } from '../../state/names';
import type { Theme } from '../../draw/theme';
import type { AnnotationRange } from '../../wire/known';
import { crisp, font, lineWidth, type View } from './axes';
import { stripTop } from './frame';

/** CSS pixels: how near the pointer has to be to a moment. */
const NEAR = 5;

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

/** Where a moment lies on the screen; nothing when it is outside, or no moment. */
function momentPixel(view: View, range: AnnotationRange): number | undefined {
  if (range.from === undefined || !isMoment(range)) return undefined;
  const { plot } = view.frame;
  const x = apply(view.toX, range.from);
  return x >= plot.left && x <= plot.left + plot.width ? x : undefined;
}

/** Named ranges as strips above the plot, and where the outermost begin; moments as ticks. */
export function drawRanges(
  context: CanvasRenderingContext2D,
  view: View,
  ranges: readonly AnnotationRange[],
): void {
  const shown = ranges.filter((range) => rowOf(view, range) !== undefined);
  for (const range of shown) {
    const pixels = rangePixels(view, range);
    if (pixels !== undefined && !isMoment(range)) drawStrip(context, view, range, pixels);
  }
  drawBoundaries(context, view, ranges);
  shown.forEach((range, i) => {
    const x = momentPixel(view, range);
    if (x === undefined) return;
    const next = shown.slice(i + 1).find((other) => rowOf(view, other) === rowOf(view, range));
    const end = view.frame.plot.left + view.frame.plot.width;
    const until = next?.from === undefined ? end : Math.min(end, apply(view.toX, next.from));
    // The words of the range that it lies in begin where its own would.
    const isOver = shown.some((other) => {
      const strip = isMoment(other) ? undefined : rangePixels(view, other);
      const isHere = strip !== undefined && strip.from <= x && x < strip.to;
      return isHere && rowOf(view, other) === rowOf(view, range);
    });
    drawMoment(context, view, range, x, isOver ? x : until);
  });
}

/** The row of a range; what went wrong and who switched is shown whatever lies above it. */
function rowOf({ frame }: View, { depth, kind }: AnnotationRange): number | undefined {
  const { rows } = frame.strips;
  if (depth < rows) return depth;
  return rows > 0 && (kind === 'oom' || kind === 'switch' || kind === 'snapshot')
    ? rows - 1
    : undefined;
}

function drawStrip(
  context: CanvasRenderingContext2D,
  view: View,
  range: AnnotationRange,
  { from, to }: Span,
): void {
  const { scale, strips } = view.frame;
  const isStep = range.kind === 'step';
  const top = stripTop(view.frame, range.depth);
  const left = Math.round(from) + (to - from > 3 * scale ? 1 : 0);
  const width = Math.max(1, Math.round(to) - left);
  context.globalAlpha = range.depth === 0 || isStep ? 1 : 0.65;
  context.fillStyle = view.theme.accentBg;
  context.fillRect(left, top, width, strips.height);
  if (isStep) {
    context.fillStyle = view.theme.accent;
    context.fillRect(left, top, Math.min(width, lineWidth(view, 2)), strips.height);
  }
  context.globalAlpha = 1;
  context.font = font(view, 11, isStep ? '600' : '');
  context.fillStyle = isStep ? view.theme.accent : view.theme.ink2;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const text = markLabel(range) + (range.count > 1 ? ` ×${range.count.toString()}` : '');
  const label = shortened(context, text, width - 10 * scale);
  context.fillText(label, left + 6 * scale, top + strips.height / 2 + 0.5 * scale);
}

const colorOf = (theme: Theme, { kind }: AnnotationRange): string => {
  switch (kind) {
    case 'oom':
      return theme.bad;
    case 'switch':
      return theme.warn;
    case 'range':
    case 'step':
    case 'snapshot':
      return theme.ink2;
  }
};

/** A moment: a tick with a head in its row, and its words where there is room up to `until`. */
function drawMoment(
  context: CanvasRenderingContext2D,
  view: View,
  range: AnnotationRange,
  x: number,
  until: number,
): void {
  const { scale, strips, plot } = view.frame;
  const row = rowOf(view, range) ?? 0;
  const top = stripTop(view.frame, row);
  const width = lineWidth(view, 1);
  const color = colorOf(view.theme, range);
  const at = crisp(x, width);
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = width;
  context.beginPath();
  if (range.kind === 'range') {
    context.moveTo(at, top);
    context.lineTo(at, top + strips.height);
  } else {
    context.setLineDash([3 * scale, 3 * scale]);
    context.moveTo(at, top + strips.height);
    context.lineTo(at, plot.top + plot.height);
  }
  context.stroke();
  context.setLineDash([]);
  const [middle, half] = [top + strips.height / 2, 4 * scale];
  context.beginPath();
  context.moveTo(at, middle - half);
  context.lineTo(at + half, middle);
  context.lineTo(at, middle + half);
  context.lineTo(at - half, middle);
  context.fill();
  // Under the words of another range there is no room for its own.
  if (row !== range.depth) return;
  context.font = font(view, 11, range.kind === 'oom' ? '600' : '');
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const text = markLabel(range) + (range.count > 1 ? ` ×${range.count.toString()}` : '');
  const label = shortened(context, text, until - at - 10 * scale);
  context.fillText(label, at + 7 * scale, middle + 0.5 * scale);
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
    if (range.depth !== 0 || range.from === undefined || isMoment(range)) continue;
    const x = apply(view.toX, range.from);
    if (x <= plot.left || x >= plot.left + plot.width || x - last < 24 * scale) continue;
    last = x;
    context.moveTo(crisp(x, width), stripTop(view.frame, 0) + view.frame.strips.height);
    context.lineTo(crisp(x, width), plot.top + plot.height);
  }
  context.stroke();
  context.setLineDash([]);
}

/** The range or the moment under a pixel, if the pixel is in the strips. */
export function rangeAt(
  view: View,
  ranges: readonly AnnotationRange[],
  x: number,
  y: number,
): AnnotationRange | undefined {
  const inRow = ranges.filter((range) => {
    const row = rowOf(view, range);
    if (row === undefined) return false;
    const top = stripTop(view.frame, row);
    return y >= top && y <= top + view.frame.strips.height;
  });
  const moment = inRow.find((range) => {
    const at = momentPixel(view, range);
    return at !== undefined && Math.abs(at - x) <= NEAR * view.frame.scale;
  });
  return (
    moment ??
    inRow.find((range) => {
      const pixels = rangePixels(view, range);
      return pixels !== undefined && x >= pixels.from && x <= pixels.to;
    })
  );
}

/** The outermost range over a place of the axis. */
export const rangeOver = (
  ranges: readonly AnnotationRange[],
  x: number,
): AnnotationRange | undefined =>
  ranges.find((range) => (range.from ?? -Infinity) <= x && x < (range.to ?? Infinity));
