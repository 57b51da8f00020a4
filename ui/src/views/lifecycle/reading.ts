import { apply, unapply } from '../../base/span';
import type { Placed, Placement } from '../../draw/layer';
import type { Pick } from '../../draw/pick';
import type { Reading, Target } from '../../state/hover';
import { rangeLabel } from '../../state/names';
import type { AnnotationRange } from '../../wire/known';
import { columnAt } from '../../wire/scene';
import type { View } from './axes';
import type { Point } from './gestures';
import { bytesOf } from './height';
import { changesAt, type GrowthMark } from './marks';
import { rangeAt, rangeOver } from './ranges';

/** The totals of the column at a place of the axis; nothing when the scene does not reach it. */
export function readingAt(
  placed: Placed,
  placement: Placement,
  view: View,
  ranges: readonly AnnotationRange[],
  pixel: number,
): Reading | undefined {
  const x = unapply(placement.x, pixel);
  const end = placed.scene.edge[placed.scene.columns] ?? 0;
  if (x < 0 || x > Math.min(placed.width, end + 1) || placed.scene.columns === 0) return undefined;
  const column = columnAt(placed.scene, x);
  const { scene } = placed;
  const place = unapply(view.toX, pixel);
  const over = rangeOver(ranges, place);
  return {
    x: place,
    event: (scene.state[column] ?? 0) - 1,
    allocated: scene.allocated[column] ?? 0,
    active: bytesOf(placed, scene.lines.active, column),
    reserved: bytesOf(placed, scene.lines.reserved, column),
    within: over && rangeLabel(over.name),
  };
}

/** What lies under a pixel. */
export function targetAt(
  placed: Placed,
  pick: Pick,
  placement: Placement,
  view: View,
  ranges: readonly AnnotationRange[],
  marks: readonly GrowthMark[],
  at: Point,
): Target {
  const changes = changesAt(view, marks, at.x, at.y);
  if (changes.length > 0) return { kind: 'growth', changes };
  const range = rangeAt(view, ranges, at.x, at.y);
  if (range !== undefined) return { kind: 'range', range };
  if (!isInPlot(view, at)) return { kind: 'nothing' };
  const x = unapply(placement.x, at.x);
  const row = pick.at(x, unapply(placement.y, at.y));
  const block = row === undefined ? undefined : placed.scene.bands.block[row];
  return block === undefined ? restAt(placed, view, x, at) : { kind: 'band', block };
}

function restAt(placed: Placed, view: View, x: number, at: Point): Target {
  const column = columnAt(placed.scene, x);
  const bytes = placed.scene.remainder[column] ?? 0;
  const count = placed.scene.remainderCount[column] ?? 0;
  const isUnder = unapply(view.toY, at.y) <= (placed.scene.allocated[column] ?? 0);
  return isUnder && count > 0 ? { kind: 'remainder', count, bytes } : { kind: 'nothing' };
}

export function isInPlot({ frame: { plot } }: View, at: Point): boolean {
  return (
    at.x >= plot.left &&
    at.x < plot.left + plot.width &&
    at.y >= plot.top &&
    at.y < plot.top + plot.height
  );
}

/** A band as it stands on the screen. */
export interface Seen {
  readonly block: number;
  /** Centre of what is visible of it, device pixels. */
  readonly x: number;
  readonly y: number;
  readonly area: number;
}

/** The bands on the screen, the largest first. */
export function seenBands(placed: Placed, { x, y }: Placement, view: View): readonly Seen[] {
  const { bands } = placed.scene;
  const { plot } = view.frame;
  const seen: Seen[] = [];
  for (let row = 0; row < bands.count; row += 1) {
    const left = Math.max(plot.left, apply(x, bands.x0[row] ?? 0));
    const right = Math.min(plot.left + plot.width, apply(x, bands.x1[row] ?? 0));
    const top = Math.max(plot.top, apply(y, bands.top[row] ?? 0));
    const bottom = Math.min(plot.top + plot.height, apply(y, bands.bottom[row] ?? 0));
    if (right - left < 1 || bottom - top < 1) continue;
    const area = (right - left) * (bottom - top);
    seen.push({ block: bands.block[row] ?? 0, x: (left + right) / 2, y: (top + bottom) / 2, area });
  }
  return seen.sort((a, b) => b.area - a.area);
}
