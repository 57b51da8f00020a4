import { apply, unapply } from '../../base/span';
import type { Placed, Placement } from '../../draw/layer';
import type { Pick } from '../../draw/pick';
import type { AddressMap, LaneRow } from '../../wire/map';
import type { Bands } from '../../wire/scene';
import { columnOf, type Columned } from './columns';
import { isInPlot, type View } from './frame';
import { addressAt, laneAt } from './lanes';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What lies under the pointer, in which lane. */
export type MapTarget = {
  readonly lane: LaneRow;
  /** Hex. */
  readonly address: string;
  /** The event right after which it is so; −1 before the first. */
  readonly event: number;
  /** Blocks too small to see there. */
  readonly hidden: number;
} & (
  | { readonly kind: 'block'; readonly block: number }
  | { readonly kind: 'hole'; readonly bytes: number }
  | { readonly kind: 'mapped' }
  | { readonly kind: 'nothing' }
);

/** Where the pointer is over the map; CSS pixels from the picture's top left corner. */
export type MapHover =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'at';
      readonly left: number;
      readonly top: number;
      readonly target: MapTarget | undefined;
    };

export const NO_MAP_HOVER: MapHover = { kind: 'none' };

/** A map with what finds blocks in it. */
export interface Drawn {
  readonly map: AddressMap;
  readonly placed: Placed;
  readonly pick: Pick;
  readonly holes: Columned;
}

/** What lies under a pixel of the plot. */
export function targetAt(
  drawn: Drawn,
  placement: Placement,
  view: View,
  at: Point,
): MapTarget | undefined {
  if (!isInPlot(view.plot, at)) return undefined;
  const bytes = unapply(view.toY, at.y);
  const lane = laneAt(view.lanes, bytes);
  const column = columnAt(drawn, placement, at.x);
  if (lane === undefined || column === undefined) return undefined;
  const [x, y] = [unapply(placement.x, at.x), unapply(placement.y, at.y)];
  const common = {
    lane,
    address: addressAt(lane, bytes),
    event: (drawn.map.state[column] ?? 0) - 1,
    hidden: drawn.map.hidden[column] ?? 0,
  };
  const row = drawn.pick.at(x, y);
  const block = row === undefined ? undefined : drawn.map.blocks.block[row];
  if (block !== undefined) return { ...common, kind: 'block', block };
  const hole = drawn.holes.at(column, y);
  if (hole !== undefined) {
    const { placed } = drawn;
    const { top, bottom } = drawn.map.holes;
    const unit = (placed.y.to - placed.y.from) / placed.height;
    return { ...common, kind: 'hole', bytes: ((bottom[hole] ?? 0) - (top[hole] ?? 0)) * unit };
  }
  const isMapped = rowAt(drawn.map.segments, x, y) !== undefined;
  return { ...common, kind: isMapped ? 'mapped' : 'nothing' };
}

/** The column at a pixel of the picture; nothing where the map does not reach. */
const columnAt = ({ map }: Drawn, placement: Placement, pixel: number): number | undefined =>
  columnOf(map.edge, map.columns, unapply(placement.x, pixel));

/** The event right after which it is at a pixel; −1 before the first. */
export function eventAt(drawn: Drawn, placement: Placement, pixel: number): number | undefined {
  const column = columnAt(drawn, placement, pixel);
  return column === undefined ? undefined : (drawn.map.state[column] ?? 0) - 1;
}

/** The first rectangle around a pixel. */
function rowAt({ count, x0, x1, top, bottom }: Bands, x: number, y: number): number | undefined {
  for (let row = 0; row < count; row += 1) {
    const isAcross = (x0[row] ?? 0) <= x && x < (x1[row] ?? 0);
    if (isAcross && (top[row] ?? 0) <= y && y < (bottom[row] ?? 0)) return row;
  }
  return undefined;
}

/** A block as it stands on the screen: the centre of what is visible of it, device pixels. */
export interface Seen extends Point {
  readonly block: number;
}

/** The blocks on the screen, the largest first. */
export function seenBlocks({ map }: Drawn, { x, y }: Placement, { plot }: View): readonly Seen[] {
  const { blocks } = map;
  const seen: (Seen & { readonly area: number })[] = [];
  for (let row = 0; row < blocks.count; row += 1) {
    const left = Math.max(plot.left, apply(x, blocks.x0[row] ?? 0));
    const right = Math.min(plot.left + plot.width, apply(x, blocks.x1[row] ?? 0));
    const top = Math.max(plot.top, apply(y, blocks.top[row] ?? 0));
    const bottom = Math.min(plot.top + plot.height, apply(y, blocks.bottom[row] ?? 0));
    if (right - left < 1 || bottom - top < 1) continue;
    const area = (right - left) * (bottom - top);
    const block = blocks.block[row] ?? 0;
    seen.push({ block, x: (left + right) / 2, y: (top + bottom) / 2, area });
  }
  return seen.sort((a, b) => b.area - a.area);
}
