import { apply } from '../../base/span';
import type { Placed, Placement } from '../../draw/layer';
import { inkOn } from '../../draw/contrast';
import { colorTable, unpacked } from '../../draw/palette';
import type { Theme } from '../../draw/theme';
import { count, duration } from '../../base/format';
import type { Flame } from '../../wire/flame';
import type { View } from './frame';

/** A scene as it is drawn. */
export interface Drawn {
  readonly flame: Flame;
  readonly placed: Placed;
}

/** CSS pixels below which a rectangle has no text. */
const LEAST_TEXT = 26;
const PADDING = 4;

/** The names in the rectangles that have room for one. */
export function drawNames(
  context: CanvasRenderingContext2D,
  view: View,
  { flame, placed }: Drawn,
  placement: Placement,
): void {
  const { scale } = view.size;
  const { bands, lit } = placed.scene;
  const ink = inks(view.theme);
  const width = widths(context);
  context.font = `${(11 * scale).toString()}px ${view.theme.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const right = view.plot.left + view.plot.width;
  for (let row = 0; row < flame.count; row += 1) {
    const from = Math.max(view.plot.left, apply(placement.x, bands.x0[row] ?? 0));
    const to = Math.min(right, apply(placement.x, bands.x1[row] ?? 0));
    if (to - from < LEAST_TEXT * scale) continue;
    const top = apply(placement.y, bands.top[row] ?? 0);
    if (top > view.plot.height || top + view.rowPx < 0) continue;
    const text = textOf(flame, row);
    const kept = shortened(text, to - from - 2 * PADDING * scale, width);
    if (kept === '') continue;
    const isDimmed = placed.isLit && lit[row] !== 1;
    context.fillStyle = isDimmed ? view.theme.ink3 : ink(flame.key[row] ?? 0);
    context.fillText(kept, from + PADDING * scale, top + view.rowPx / 2);
  }
}

/** What a rectangle says: the function, or how many calls it stands for. */
function textOf(flame: Flame, row: number): string {
  const calls = flame.calls[row] ?? 1;
  if (calls > 1) return `×${count(calls)}`;
  const label = flame.label[row] ?? 0;
  return label === 0 ? '' : (flame.labels[label - 1] ?? '');
}

/** What to write in on the colour of a key. */
function inks(theme: Theme): (key: number) => string {
  const colorOf = colorTable({ kind: 'category', tone: theme.tone });
  const known = new Map<number, string>();
  return (key) => {
    const color = colorOf(key, 0);
    const ink = known.get(color) ?? inkOn(unpacked(color), theme);
    known.set(color, ink);
    return ink;
  };
}

function widths(context: CanvasRenderingContext2D): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const { width } = context.measureText(text);
    known.set(text, width);
    return width;
  };
}

/** As much of `text` as fits, with an ellipsis; nothing when hardly any of it does. */
function shortened(text: string, room: number, width: (text: string) => number): string {
  const whole = width(text);
  if (whole <= room) return text;
  const kept = Math.floor((text.length * (room - width('…'))) / whole);
  return kept < 2 ? '' : `${text.slice(0, kept).trimEnd()}…`;
}

/** The edges of the rectangles in which something was found. */
export function drawHits(
  context: CanvasRenderingContext2D,
  view: View,
  { flame, placed }: Drawn,
  placement: Placement,
): void {
  if (!placed.isLit) return;
  context.strokeStyle = view.theme.ink;
  context.lineWidth = Math.max(1, Math.round(view.size.scale));
  context.beginPath();
  for (let row = 0; row < flame.count; row += 1) {
    if ((flame.hits[row] ?? 0) > 0) outline(context, view, placed, placement, row);
  }
  context.stroke();
}

/** The edge of the rectangle in `row`. */
export function drawEdge(
  context: CanvasRenderingContext2D,
  view: View,
  { placed }: Drawn,
  placement: Placement,
  row: number,
): void {
  context.strokeStyle = view.theme.ink2;
  context.lineWidth = Math.max(1, Math.round(view.size.scale));
  context.beginPath();
  outline(context, view, placed, placement, row);
  context.stroke();
}

function outline(
  context: CanvasRenderingContext2D,
  view: View,
  { scene: { bands } }: Placed,
  { x, y }: Placement,
  row: number,
): void {
  const left = apply(x, bands.x0[row] ?? 0);
  const right = apply(x, bands.x1[row] ?? 0);
  if (right < view.plot.left || left > view.plot.left + view.plot.width) return;
  rectangle(context, left, right, apply(y, bands.top[row] ?? 0), view.rowPx - 1);
}

function rectangle(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  top: number,
  height: number,
): void {
  const half = context.lineWidth / 2;
  const width = Math.max(right - left - 2 * half, 1);
  context.rect(Math.round(left) + half, Math.round(top) + half, width, height - 2 * half);
}

/** The edge of the selected call. */
export function drawSelected(
  context: CanvasRenderingContext2D,
  view: View,
  { flame, placed }: Drawn,
  placement: Placement,
): void {
  const { selected } = flame;
  if (selected === undefined) return;
  const first = -placed.y.to;
  const top = apply(placement.y, (selected.depth - first) * view.rowPx);
  context.strokeStyle = view.theme.accent;
  context.lineWidth = Math.max(2, Math.round(2 * view.size.scale));
  context.beginPath();
  const [left, right] = [apply(placement.x, selected.x0), apply(placement.x, selected.x1)];
  rectangle(context, left, Math.max(right, left + 3), top, view.rowPx - 1);
  context.stroke();
}

/** A line at a place of the axis. */
export function drawAt(
  context: CanvasRenderingContext2D,
  view: View,
  at: number,
  color: string,
): void {
  const width = Math.max(1, Math.round(view.size.scale));
  const x = Math.round(apply(view.toX, at)) + (width % 2 === 1 ? 0.5 : 0);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, view.plot.height);
  context.stroke();
}

/** The time at a place of the axis, beside its line at the bottom. */
export function drawTime(context: CanvasRenderingContext2D, view: View, at: number): void {
  const { scale } = view.size;
  const { plot, theme } = view;
  context.font = `${(10.5 * scale).toString()}px ${theme.font}`;
  context.textBaseline = 'bottom';
  context.textAlign = 'left';
  const text = duration(at);
  const [width, height, gap] = [context.measureText(text).width, 15 * scale, 4 * scale];
  const x = apply(view.toX, at);
  const isRoom = x + width + 3 * gap < plot.left + plot.width;
  const left = isRoom ? x + gap : x - width - 3 * gap;
  context.fillStyle = theme.panelCss;
  context.fillRect(left, plot.height - height, width + 2 * gap, height);
  context.fillStyle = theme.ink2;
  context.fillText(text, left + gap, plot.height - 2 * scale);
}

/** The depths, beside the plot. */
export function drawDepths(context: CanvasRenderingContext2D, view: View, depths: number): void {
  const { scale } = view.size;
  context.font = `${(10.5 * scale).toString()}px ${view.theme.font}`;
  context.fillStyle = view.theme.ink3;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(view.scroll / view.rowPx));
  for (let depth = first; depth < depths; depth += 1) {
    const y = (depth + 0.5) * view.rowPx - view.scroll;
    if (y > view.plot.height) break;
    context.fillText(depth.toString(), view.plot.left - 8 * scale, y);
  }
}
