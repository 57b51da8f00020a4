import { apply } from '../../base/span';
import type { Load } from '../../base/load';
import type { Found } from '../../state/found';
import { isSameSelection, placeOf, type Shared } from '../../state/shared';
import type { SegmentChange, WireError } from '../../wire/known';
import { crisp, lineWidth, type View } from './axes';

/** A place where the selected segment grew or shrank. */
export interface GrowthMark {
  /** On the axis. */
  readonly at: number;
  readonly change: SegmentChange;
}

/** CSS pixels: half the width of a mark, its height, and how near the pointer has to be. */
const HALF = 4;
const HEIGHT = 7;
const NEAR = 5;
/** Marks of one kind closer than this are drawn as one. */
const APART = 2;

/** The marks of what is selected, by place; none when that is no segment. */
export function marksOf(shared: Shared, details: Load<Found, WireError>): readonly GrowthMark[] {
  const { selection } = shared;
  if (selection.kind !== 'segment' || details.phase !== 'ready') return [];
  const found = details.value;
  if (found.kind !== 'segment') return [];
  const { address, after, segment } = found;
  if (!isSameSelection(selection, { kind: 'segment', address, after })) return [];
  return segment.changes.flatMap((change) => {
    const at = placeOf(shared, change.at);
    return at === undefined ? [] : [{ at, change }];
  });
}

/** Draws the marks on the axis: pointing up where the segment grew, down where it shrank. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  view: View,
  marks: readonly GrowthMark[],
): void {
  const { plot, scale } = view.frame;
  const last = { grown: -Infinity, shrunk: -Infinity };
  for (const { at, change } of marks) {
    const x = crisp(apply(view.toX, at), 1);
    const way = change.bytes > 0 ? 'grown' : 'shrunk';
    if (x < plot.left || x > plot.left + plot.width || x - last[way] < APART * scale) continue;
    last[way] = x;
    drawMark(context, view, x, way);
  }
}

function drawMark(
  context: CanvasRenderingContext2D,
  view: View,
  x: number,
  way: 'grown' | 'shrunk',
): void {
  const { plot, scale } = view.frame;
  const bottom = plot.top + plot.height;
  const [tip, base] =
    way === 'grown' ? [bottom - HEIGHT * scale, bottom] : [bottom, bottom - HEIGHT * scale];
  context.beginPath();
  context.moveTo(x, tip);
  context.lineTo(x - HALF * scale, base);
  context.lineTo(x + HALF * scale, base);
  context.closePath();
  context.lineJoin = 'round';
  context.strokeStyle = view.theme.panelCss;
  context.lineWidth = 2 * lineWidth(view, 1.5);
  context.stroke();
  context.fillStyle = view.theme.ink;
  context.fill();
}

/** What happened at the marks under a pixel, oldest first. */
export function changesAt(
  view: Pick<View, 'frame' | 'toX'>,
  marks: readonly GrowthMark[],
  x: number,
  y: number,
): readonly SegmentChange[] {
  const { plot, scale } = view.frame;
  const bottom = plot.top + plot.height;
  if (y < bottom - (HEIGHT + 3) * scale || y > bottom + 3 * scale) return [];
  return marks
    .filter(({ at }) => Math.abs(apply(view.toX, at) - x) <= NEAR * scale)
    .map(({ change }) => change);
}

/** The marks on the screen, device pixels. */
export const seenMarks = (view: View, marks: readonly GrowthMark[]): readonly SeenMark[] =>
  marks
    .map(({ at, change }) => ({
      x: apply(view.toX, at),
      y: view.frame.plot.top + view.frame.plot.height - (HEIGHT / 2) * view.frame.scale,
      event: change.at.event,
      bytes: change.bytes,
    }))
    .filter(
      ({ x }) => x >= view.frame.plot.left && x <= view.frame.plot.left + view.frame.plot.width,
    );

/** A mark as it stands on the screen. */
export interface SeenMark {
  readonly x: number;
  readonly y: number;
  readonly event: number;
  readonly bytes: number;
}
