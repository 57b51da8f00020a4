import { bytes } from '../../base/format';
import { apply, type Span } from '../../base/span';
import type { Placed, Placement } from '../../draw/layer';
import type { Lines } from '../../state/shared';
import { t } from '../../text/t';
import type { AnnotationRange } from '../../wire/known';
import { drawAccesses, type Accesses } from './accesses';
import { crisp, drawLabels, font, lineWidth, type View } from './axes';
import { drawFlags } from './flags';
import type { Box } from './gestures';
import { drawMarks, type GrowthMark } from './marks';
import { drawAbove, drawLines, drawOutline, drawPeak, piecesOf } from './lines';
import { drawRanges } from './ranges';

/** What is drawn over the bands. */
export interface Over {
  readonly picture: { readonly placed: Placed; readonly placement: Placement } | undefined;
  readonly ranges: readonly AnnotationRange[];
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  readonly peak: { readonly at: number; readonly bytes: number } | undefined;
  readonly reservedAbove: number | undefined;
  /** What the line above everything is called there. */
  readonly above: 'lifecycle.above' | 'dump.above';
  readonly lines: Lines;
  readonly cursor: number | undefined;
  /** The moment with which the cursor's is compared. */
  readonly compared: number | undefined;
  /** Where the selected period lies on the axis. */
  readonly period: Span | undefined;
  readonly box: Box | undefined;
  readonly marks: readonly GrowthMark[];
  /** Where bookmarks are on the axis. */
  readonly flags: readonly number[];
  /** When the selected block was accessed. */
  readonly accesses: Accesses | undefined;
}

/** Draws everything that lies over the bands. */
export function drawOver(context: CanvasRenderingContext2D, view: View, over: Over): void {
  const { plot, scale } = view.frame;
  drawRanges(context, view, over.ranges);
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top - scale, plot.width, plot.height + 2 * scale);
  context.clip();
  if (over.picture !== undefined) {
    const { placed, placement } = over.picture;
    drawBlocks(context, view, placed, placement, over);
    drawLines(context, view, placed, placement, over.lines);
    if (over.accesses !== undefined && over.selected !== undefined) {
      drawAccesses(context, view, placement, piecesOf(placed, over.selected), over.accesses);
    }
  }
  if (over.period !== undefined) drawPeriod(context, view, over.period);
  if (over.compared !== undefined) drawCompared(context, view, over.compared);
  if (over.cursor !== undefined) drawCursor(context, view, over.cursor);
  context.restore();
  drawMarks(context, view, over.marks);
  drawFlags(context, view, over.flags);
  drawLabels(context, view);
  if (over.peak !== undefined) {
    drawPeak(
      context,
      view,
      over.peak.at,
      over.peak.bytes,
      t('lifecycle.peak', { size: bytes(over.peak.bytes) }),
    );
  }
  if (over.reservedAbove !== undefined) {
    drawAbove(context, view, t(over.above, { size: bytes(over.reservedAbove) }));
  }
  if (over.box !== undefined) drawBox(context, view, over.box);
}

function drawBlocks(
  context: CanvasRenderingContext2D,
  view: View,
  placed: Placed,
  placement: Placement,
  { selected, hovered }: Over,
): void {
  if (hovered !== undefined && hovered !== selected) {
    const stroke = { color: view.theme.ink, halo: undefined, width: 1 };
    drawOutline(context, view, placement, piecesOf(placed, hovered), stroke);
  }
  if (selected !== undefined) {
    const stroke = { color: view.theme.ink, halo: view.theme.panelCss, width: 2 };
    drawOutline(context, view, placement, piecesOf(placed, selected), stroke);
  }
}

function drawCursor(context: CanvasRenderingContext2D, view: View, at: number): void {
  const width = lineWidth(view, 1);
  const x = crisp(apply(view.toX, at), width);
  const { plot } = view.frame;
  context.strokeStyle = view.theme.ink;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x, plot.top);
  context.lineTo(x, plot.top + plot.height);
  context.stroke();
}

/** A dashed line with its letter at the top. */
function drawCompared(context: CanvasRenderingContext2D, view: View, at: number): void {
  const width = lineWidth(view, 1.5);
  const x = crisp(apply(view.toX, at), width);
  const { plot, scale } = view.frame;
  context.strokeStyle = view.theme.accent;
  context.lineWidth = width;
  context.setLineDash([5 * scale, 4 * scale]);
  context.beginPath();
  context.moveTo(x, plot.top);
  context.lineTo(x, plot.top + plot.height);
  context.stroke();
  context.setLineDash([]);
  const size = 15 * scale;
  context.fillStyle = view.theme.accent;
  context.fillRect(x - size / 2, plot.top, size, size);
  context.font = font(view, 11, '600');
  context.fillStyle = view.theme.panelCss;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(t('dump.compared'), x, plot.top + size / 2 + 0.5 * scale);
}

function drawPeriod(context: CanvasRenderingContext2D, view: View, period: Span): void {
  const { plot } = view.frame;
  const width = lineWidth(view, 1);
  const left = crisp(apply(view.toX, period.from), width);
  const right = Math.max(left + width, crisp(apply(view.toX, period.to), width));
  context.fillStyle = view.theme.accent;
  context.globalAlpha = 0.1;
  context.fillRect(left, plot.top, right - left, plot.height);
  context.globalAlpha = 1;
  context.strokeStyle = view.theme.accent;
  context.lineWidth = width;
  context.beginPath();
  for (const x of [left, right]) {
    context.moveTo(x, plot.top);
    context.lineTo(x, plot.top + plot.height);
  }
  context.stroke();
}

function drawBox(context: CanvasRenderingContext2D, view: View, { x, y }: Box): void {
  const width = lineWidth(view, 1);
  const [left, top] = [crisp(x.from, width), crisp(y.from, width)];
  context.fillStyle = view.theme.accent;
  context.globalAlpha = 0.14;
  context.fillRect(left, top, x.to - x.from, y.to - y.from);
  context.globalAlpha = 1;
  context.strokeStyle = view.theme.accent;
  context.lineWidth = width;
  context.strokeRect(left, top, Math.round(x.to - x.from), Math.round(y.to - y.from));
}
