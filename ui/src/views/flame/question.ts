import { length, type Span } from '../../base/span';
import type { Placed } from '../../draw/layer';
import type { Flame, FlameQuestion, Narrow, SliceSearch } from '../../wire/flame';
import type { Bands, Scene } from '../../wire/scene';
import type { View } from './frame';

/** The most pixels asked for across. */
const MOST_PX = 8192;
/** Depths beyond the shown ones that are asked for, so that scrolling does not wait. */
const SPARE_DEPTHS = 6;
const LEAST_MARGIN = 0.25;

/** What of the calls is wanted besides the part that is shown. */
export interface Look {
  readonly session: number;
  readonly thread: number;
  readonly narrow: Narrow;
  readonly search: SliceSearch | undefined;
  readonly selected: number | undefined;
}

/** The question for a view: what is shown and up to one screen more on both sides. */
export function flameQuestion(look: Look, view: View, bounds: Span): FlameQuestion {
  const { plot, x, rowPx, scroll } = view;
  const unit = length(x) / plot.width;
  const room = Math.floor(Math.max(0, Math.min(plot.width, (MOST_PX - plot.width) / 2)));
  const pad = (outside: number): number =>
    Math.ceil(Math.min(room, Math.max(0, outside / unit)) - 1e-6);
  const [left, right] = [pad(x.from - bounds.from), pad(bounds.to - x.to)];
  const first = Math.max(0, Math.floor(scroll / rowPx) - SPARE_DEPTHS);
  const last = Math.ceil((scroll + plot.height) / rowPx) + SPARE_DEPTHS;
  return {
    session: look.session,
    thread: look.thread,
    x0: x.from - left * unit,
    x1: x.to + right * unit,
    first_depth: first,
    depths: last - first,
    width_px: plot.width + left + right,
    narrow: look.narrow,
    selected: look.selected,
    search: look.search,
  };
}

/** Whether the answer to `asked` shows the view exactly, with enough beside it to go on. */
export function isEnough(asked: FlameQuestion, next: FlameQuestion, view: View): boolean {
  const isSame =
    asked.session === next.session &&
    asked.thread === next.thread &&
    asked.narrow === next.narrow &&
    asked.search === next.search &&
    asked.selected === next.selected;
  if (!isSame) return false;
  const unit = (asked.x1 - asked.x0) / asked.width_px;
  if (Math.abs((unit * next.width_px) / (next.x1 - next.x0) - 1) > 1e-6) return false;
  const { x, plot, rowPx, scroll } = view;
  const margin = LEAST_MARGIN * length(x);
  const slack = unit * 1e-3;
  const isAcross =
    asked.x0 <= Math.max(next.x0, x.from - margin) + slack &&
    asked.x1 >= Math.min(next.x1, x.to + margin) - slack;
  const isDown =
    asked.first_depth <= Math.floor(scroll / rowPx) &&
    asked.first_depth + asked.depths >= Math.ceil((scroll + plot.height) / rowPx);
  return isAcross && isDown;
}

const NO_LINE = { low: new Float32Array(0), high: new Float32Array(0) };

/** Rectangles at least this wide leave a pixel between them and the next one. */
const SEPARATED_PX = 4;

/** The calls as the draw layer takes them: a band a rectangle, in the same order. */
export function placedOf(asked: FlameQuestion, flame: Flame, rowPx: number): Placed {
  const { count, depth, key } = flame;
  const top = Float32Array.from(depth, (row) => (row - asked.first_depth) * rowPx);
  const bands: Bands = {
    count,
    x0: flame.x0,
    // Nothing that is there is too narrow to be seen.
    x1: Float32Array.from(flame.x1, (right, row) => {
      const left = flame.x0[row] ?? 0;
      if (right - left >= SEPARATED_PX) return right - 1;
      return Math.max(right, Math.round(left) + 1);
    }),
    top,
    bottom: top.map((y) => y + rowPx - 1),
    block: new Uint32Array(count),
    key,
  };
  const scene: Scene = {
    columns: 0,
    mostAllocated: 0,
    mostReserved: 0,
    allocated: new Float64Array(0),
    remainder: new Float64Array(0),
    edge: new Float32Array(1),
    state: new Uint32Array(0),
    lines: { allocated: NO_LINE, active: NO_LINE, reserved: NO_LINE },
    remainderCount: new Uint32Array(0),
    bands,
    outline: { ...bands, count: 0 },
    lit: flame.hits.map((hits) => (hits > 0 ? 1 : 0)),
  };
  return {
    scene,
    x: { from: asked.x0, to: asked.x1 },
    y: { from: -(asked.first_depth + asked.depths), to: -asked.first_depth },
    width: asked.width_px,
    height: asked.depths * rowPx,
    isLit: asked.search !== undefined,
  };
}
