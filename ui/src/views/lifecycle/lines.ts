import { apply, unapply, type Span } from '../../base/span';
import type { Placed, Placement } from '../../draw/layer';
import type { Lines } from '../../state/shared';
import { columnAt, type Bands, type Line } from '../../wire/scene';
import { crisp, font, lineWidth, type View } from './axes';

/** A column whose values are further apart than this is rough. */
const ROUGH_PX = 3;

/** Draws the three totals, the lowest one last. */
export function drawLines(
  context: CanvasRenderingContext2D,
  view: View,
  placed: Placed,
  placement: Placement,
  shown: Lines,
): void {
  const { lines } = placed.scene;
  const { reserved, active, accent } = view.theme;
  for (const [line, color, isShown] of [
    [lines.reserved, reserved, shown.reserved],
    [lines.active, active, shown.active],
    [lines.allocated, accent, true],
  ] as const) {
    if (!isShown) continue;
    const width = lineWidth(view, isRough(line) ? 1 : 1.5);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = 'miter';
    context.beginPath();
    trace(context, view, placed, placement, line, width);
    context.stroke();
  }
}

/** Whether a line goes up and down within most columns: drawn thick it would be a blot. */
function isRough({ low, high }: Line): boolean {
  let rough = 0;
  for (let column = 0; column < low.length; column += 1) {
    if (Math.abs((low[column] ?? 0) - (high[column] ?? 0)) > ROUGH_PX) rough += 1;
  }
  return rough > low.length * 0.4;
}

/** One line as steps; a column with more than one value is a stroke from its lowest to its highest. */
function trace(
  context: CanvasRenderingContext2D,
  view: View,
  placed: Placed,
  { x, y }: Placement,
  line: Line,
  width: number,
): void {
  const { scene } = placed;
  if (scene.columns === 0) return;
  const { left, width: across } = view.frame.plot;
  const first = columnAt(scene, unapply(x, left));
  const last = columnAt(scene, unapply(x, left + across));
  const thin = 2 * view.frame.scale;
  for (let column = first; column <= last; column += 1) {
    const from = apply(x, scene.edge[column] ?? 0);
    const to = apply(x, scene.edge[column + 1] ?? 0);
    const low = crisp(apply(y, line.low[column] ?? 0), width);
    const high = crisp(apply(y, line.high[column] ?? 0), width);
    if (to - from > thin) {
      context.lineTo(from, high);
      context.lineTo(to, high);
    } else {
      const center = (from + to) / 2;
      context.lineTo(center, low);
      if (low !== high) context.lineTo(center, high);
    }
  }
}

/** The pieces of a block that stand in a scene: its outline, or its bands while that is not there. */
export function piecesOf(placed: Placed, block: number): readonly Piece[] {
  const { outline, bands } = placed.scene;
  const pieces = rowsOf(outline, block);
  return pieces.length > 0 ? pieces : rowsOf(bands, block);
}

/** A part of a block's life at one height, in pixels of the scene. */
export interface Piece {
  readonly x: Span;
  readonly top: number;
  readonly bottom: number;
}

function rowsOf(bands: Bands, block: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let row = 0; row < bands.count; row += 1) {
    if (bands.block[row] !== block) continue;
    pieces.push({
      x: { from: bands.x0[row] ?? 0, to: bands.x1[row] ?? 0 },
      top: bands.top[row] ?? 0,
      bottom: bands.bottom[row] ?? 0,
    });
  }
  return pieces.sort((a, b) => a.x.from - b.x.from);
}

/** How an outline looks. */
export interface Stroke {
  readonly color: string;
  readonly halo: string | undefined;
  /** CSS pixels. */
  readonly width: number;
}

/** Draws one line around all pieces: outside of them, so that thin ones keep their colour. */
export function drawOutline(
  context: CanvasRenderingContext2D,
  view: View,
  placement: Placement,
  pieces: readonly Piece[],
  stroke: Stroke,
): void {
  if (pieces.length === 0) return;
  const width = lineWidth(view, stroke.width);
  const path = outlinePath(view, placement, pieces, width);
  context.lineJoin = 'miter';
  if (stroke.halo !== undefined) {
    context.strokeStyle = stroke.halo;
    context.lineWidth = width + 2 * lineWidth(view, 1);
    context.stroke(path);
  }
  context.strokeStyle = stroke.color;
  context.lineWidth = width;
  context.stroke(path);
}

function outlinePath(
  view: View,
  { x, y }: Placement,
  pieces: readonly Piece[],
  width: number,
): Path2D {
  const path = new Path2D();
  const least = 2 * view.frame.scale;
  const corners = pieces.map((piece) => {
    const top = apply(y, piece.top);
    const from = apply(x, piece.x.from);
    return {
      from: crisp(from - width / 2, width),
      to: crisp(Math.max(apply(x, piece.x.to), from + least) + width / 2, width),
      top: crisp(top - width / 2, width),
      bottom: crisp(Math.max(apply(y, piece.bottom), top + least) + width / 2, width),
    };
  });
  for (const corner of corners) {
    path.lineTo(corner.from, corner.top);
    path.lineTo(corner.to, corner.top);
  }
  for (const corner of corners.reverse()) {
    path.lineTo(corner.to, corner.bottom);
    path.lineTo(corner.from, corner.bottom);
  }
  path.closePath();
  return path;
}

/** The mark over the highest place, with its label. */
export function drawPeak(
  context: CanvasRenderingContext2D,
  view: View,
  at: number,
  bytes: number,
  label: string,
): void {
  const { plot, scale } = view.frame;
  const x = apply(view.toX, at);
  if (x < plot.left || x > plot.left + plot.width) return;
  const y = Math.max(apply(view.toY, bytes) - 3 * scale, plot.top - 2 * scale);
  if (y > plot.top + plot.height) return;
  const size = 5 * scale;
  context.fillStyle = view.theme.peak;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - size, y - 8 * scale);
  context.lineTo(x + size, y - 8 * scale);
  context.fill();
  context.font = font(view, 11, '600');
  context.textBaseline = 'middle';
  const isRight = x + 10 * scale + context.measureText(label).width < plot.left + plot.width;
  context.textAlign = isRight ? 'left' : 'right';
  const textX = x + (isRight ? 9 : -9) * scale;
  const wide = context.measureText(label).width + 4 * scale;
  context.globalAlpha = 0.88;
  context.fillStyle = view.theme.panelCss;
  context.fillRect(
    isRight ? textX - 2 * scale : textX + 2 * scale - wide,
    y - 12 * scale,
    wide,
    15 * scale,
  );
  context.globalAlpha = 1;
  context.fillStyle = view.theme.peak;
  context.fillText(label, textX, y - 4 * scale);
}

/** Says that a line lies above the picture. */
export function drawAbove(context: CanvasRenderingContext2D, view: View, label: string): void {
  const { plot, scale } = view.frame;
  const right = plot.left + plot.width;
  const y = plot.top - 9 * scale;
  context.font = font(view, 11);
  context.fillStyle = view.theme.reserved;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText(label, right - 12 * scale, y);
  context.strokeStyle = view.theme.reserved;
  context.lineWidth = lineWidth(view, 1.5);
  context.beginPath();
  context.moveTo(right - 8 * scale, y + 2 * scale);
  context.lineTo(right - 4 * scale, y - 2 * scale);
  context.lineTo(right, y + 2 * scale);
  context.stroke();
}
