import { apply } from '../../base/span';
import type { Bookmark } from '../../state/bookmark';
import { middleOf, type Shared } from '../../state/shared';
import { crisp, lineWidth, type View } from './axes';

/** CSS pixels of a flag on its pole. */
export const FLAG = { pole: 17, wide: 9, high: 8 } as const;

/** Where the bookmarks of the device shown are on the axis. */
export const flagsOf = (shared: Shared, bookmarks: readonly Bookmark[]): readonly number[] =>
  bookmarks.flatMap(({ place }) => {
    if (place?.device !== shared.device) return [];
    return middleOf(shared, place.mark) ?? [];
  });

/** Draws a small flag on the axis for each. */
export function drawFlags(
  context: CanvasRenderingContext2D,
  view: View,
  flags: readonly number[],
): void {
  const { plot, scale } = view.frame;
  const bottom = plot.top + plot.height;
  for (const at of flags) {
    const width = lineWidth(view, 1.5);
    const x = crisp(apply(view.toX, at), width);
    if (x < plot.left || x > plot.left + plot.width) continue;
    const top = bottom - FLAG.pole * scale;
    context.beginPath();
    context.moveTo(x, bottom);
    context.lineTo(x, top);
    context.lineTo(x + FLAG.wide * scale, top + (FLAG.high / 2) * scale);
    context.lineTo(x, top + FLAG.high * scale);
    context.lineJoin = 'round';
    context.strokeStyle = view.theme.panelCss;
    context.lineWidth = width + 3 * scale;
    context.stroke();
    context.strokeStyle = view.theme.accent;
    context.lineWidth = width;
    context.stroke();
    context.fillStyle = view.theme.accent;
    context.fill();
  }
}
