import { apply } from '../../base/span';
import type { Load } from '../../base/load';
import type { Placement } from '../../draw/layer';
import type { Found } from '../../state/found';
import { selectedBlock, type Shared } from '../../state/shared';
import { t } from '../../text/t';
import type { WireError } from '../../wire/known';
import { crisp, font, lineWidth, type View } from './axes';
import type { Piece } from './lines';

/** When the selected block was accessed, microseconds of the time axis. */
export interface Accesses {
  readonly first: number;
  readonly last: number;
  /** All of them, or of very many some. */
  readonly all: readonly number[];
}

/** CSS pixels: how far the first and the last stand out of the block, and the others do not. */
const OUT = 5;

/** The accesses to the selected block; nothing when it has none, or the axis counts no time. */
export function accessesOf(shared: Shared, details: Load<Found, WireError>): Accesses | undefined {
  if (shared.axis !== 'time' || details.phase !== 'ready') return undefined;
  const found = details.value;
  if (found.kind !== 'block' || found.block.block !== selectedBlock(shared)) return undefined;
  const { dump } = found.block;
  const [first, last] = [dump?.first_access_us, dump?.last_access_us];
  if (dump === undefined || first === undefined || last === undefined) return undefined;
  return { first, last, all: dump.drawn.map(({ time_us: at }) => at) };
}

/** Where accesses are drawn: pixels from the left, and how high the block is there. */
export interface Tick {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** The ticks of accesses in the pieces of the block that stand on the screen, a pixel apart. */
export function ticksOf(
  places: readonly number[],
  view: Pick<View, 'frame' | 'toX'>,
  { x, y }: Placement,
  pieces: readonly Piece[],
): readonly Tick[] {
  const { plot } = view.frame;
  const ticks: Tick[] = [];
  let before = -Infinity;
  for (const place of places) {
    const at = apply(view.toX, place);
    if (at < plot.left || at > plot.left + plot.width || at - before < 1) continue;
    const piece = pieces.find(
      (one) => at >= apply(x, one.x.from) - 1 && at <= apply(x, one.x.to) + 1,
    );
    if (piece === undefined) continue;
    before = at;
    ticks.push({ x: at, top: apply(y, piece.top), bottom: apply(y, piece.bottom) });
  }
  return ticks;
}

/** Draws the accesses in the block: the first and the last stand out of it, with their names. */
export function drawAccesses(
  context: CanvasRenderingContext2D,
  view: View,
  placement: Placement,
  pieces: readonly Piece[],
  accesses: Accesses,
): void {
  const between = ticksOf(accesses.all, view, placement, pieces);
  strokes(context, view, between, 0);
  const [first] = ticksOf([accesses.first], view, placement, pieces);
  const [last] = ticksOf([accesses.last], view, placement, pieces);
  const ends = [first, last].filter((tick) => tick !== undefined);
  strokes(context, view, ends, OUT * view.frame.scale);
  if (first !== undefined) name(context, view, first, t('dump.access.first'), 'right');
  if (last !== undefined && accesses.last !== accesses.first) {
    name(context, view, last, t('dump.access.last'), 'left');
  }
}

function strokes(
  context: CanvasRenderingContext2D,
  view: View,
  ticks: readonly Tick[],
  out: number,
): void {
  for (const [color, css] of [
    [view.theme.panelCss, out > 0 ? 4 : 3],
    [view.theme.ink, out > 0 ? 2 : 1],
  ] as const) {
    const width = lineWidth(view, css);
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const { x, top, bottom } of ticks) {
      context.moveTo(crisp(x, width), top - out);
      context.lineTo(crisp(x, width), bottom + out);
    }
    context.stroke();
  }
}

/** What an end is called, on the side where the block's other accesses are not. */
function name(
  context: CanvasRenderingContext2D,
  view: View,
  { x, top }: Tick,
  text: string,
  align: 'left' | 'right',
): void {
  const { scale, plot } = view.frame;
  context.font = font(view, 10.5);
  context.textAlign = align;
  context.textBaseline = 'bottom';
  const wide = context.measureText(text).width;
  const gap = (align === 'left' ? 4 : -4) * scale;
  const isInside = align === 'left' ? x + wide < plot.left + plot.width : x - wide > plot.left;
  if (!isInside) return;
  context.lineWidth = 3 * scale;
  context.strokeStyle = view.theme.panelCss;
  context.strokeText(text, x + gap, top);
  context.fillStyle = view.theme.ink;
  context.fillText(text, x + gap, top);
}
