import { length, type Span } from '../../base/span';
import type { Placed, Rect } from '../../draw/layer';
import { bounds, highlightOf, selectedBlock, type Shared } from '../../state/shared';
import type { AddressMap, AddressMapQuestion, LaneOrder } from '../../wire/map';

/** The most columns asked for. */
const MOST_COLUMNS = 4096;
/** Share of a screen that may be left beside the view before more is asked for. */
const LEAST_MARGIN = 0.3;

/** What is shown and up to one screen more on both sides, but no more than there is. */
export function mapQuestion(
  shared: Shared,
  x: Span,
  y: Span,
  plot: Rect,
  order: LaneOrder,
): AddressMapQuestion {
  const unit = length(x) / plot.width;
  const whole = bounds(shared);
  const room = Math.floor(
    Math.max(plot.width / 8, Math.min(plot.width, (MOST_COLUMNS - plot.width) / 2)),
  );
  const pad = (outside: number): number =>
    Math.ceil(Math.min(room, Math.max(0, outside / unit)) - 1e-6);
  const left = pad(x.from - whole.from);
  const right = pad(whole.to - x.to);
  return {
    order,
    scene: {
      session: shared.session,
      device: shared.device,
      axis: shared.axis,
      x0: x.from - left * unit,
      x1: x.to + right * unit,
      y0: y.from,
      y1: y.to,
      width_px: Math.min(plot.width + left + right, MOST_COLUMNS),
      height_px: plot.height,
      color: shared.color,
      detail: 'full',
      selected: selectedBlock(shared),
      highlight: highlightOf(shared),
    },
  };
}

/** Whether the answer to `asked` shows all of `next`'s view, with enough beside it to pan on. */
export function isEnough(
  asked: AddressMapQuestion,
  next: AddressMapQuestion,
  shared: Shared,
  x: Span,
): boolean {
  if (restOf(asked) !== restOf(next)) return false;
  const [a, b] = [asked.scene, next.scene];
  const unit = (a.x1 - a.x0) / a.width_px;
  if (Math.abs((unit * b.width_px) / (b.x1 - b.x0) - 1) > 1e-6) return false;
  const whole = bounds(shared);
  const margin = LEAST_MARGIN * Math.min(length(x), x.from - b.x0 + (b.x1 - x.to));
  const slack = unit * 1e-3;
  return (
    a.x0 <= Math.max(whole.from, x.from - margin) + slack &&
    a.x1 >= Math.min(whole.to, x.to + margin) - slack
  );
}

/** Everything of a question but the stretch of the axis. */
const restOf = ({ order, scene }: AddressMapQuestion): string =>
  JSON.stringify([order, { ...scene, x0: 0, x1: 0, width_px: 0 }]);

/** Whether a map belongs to what is shown, however coarse it is. */
export const isOf = (asked: AddressMapQuestion, shared: Shared, order: LaneOrder): boolean =>
  asked.order === order &&
  asked.scene.session === shared.session &&
  asked.scene.device === shared.device &&
  asked.scene.axis === shared.axis;

/** The blocks of a map as a scene without totals, for the layer that draws bands. */
export function placedOf({ scene: asked }: AddressMapQuestion, map: AddressMap): Placed {
  const none = { low: new Float32Array(), high: new Float32Array() };
  return {
    scene: {
      columns: 0,
      mostAllocated: 0,
      mostReserved: 0,
      allocated: new Float64Array(),
      remainder: new Float64Array(),
      edge: map.edge,
      state: map.state,
      lines: { allocated: none, active: none, reserved: none },
      remainderCount: new Uint32Array(),
      bands: map.blocks,
      outline: map.outline,
      lit: map.lit,
    },
    x: { from: asked.x0, to: asked.x1 },
    y: { from: asked.y0, to: asked.y1 },
    width: asked.width_px,
    height: asked.height_px,
    isLit: asked.highlight !== undefined,
  };
}
