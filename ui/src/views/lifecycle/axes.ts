import { apply, unapply, type Affine, type Span } from '../../base/span';
import { byteLabel, countLabel, timeLabel } from '../../base/format';
import { ticks } from '../../base/ticks';
import type { Theme } from '../../draw/theme';
import { t } from '../../text/t';
import type { Axis } from '../../wire/known';
import type { Frame } from './frame';

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
  const caption = view.axis === 'event' ? t('lifecycle.axisEvent') : t('lifecycle.axisTime');
  context.fillText(caption, plot.left - 8 * scale, bottom + 7 * scale);
}

/** The place on the axis at a pixel. */
export const placeAt = (view: View, x: number): number => unapply(view.toX, x);
