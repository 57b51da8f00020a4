import { length, type Span } from '../../base/span';
import type { Placed } from '../../draw/layer';
import {
  bounds,
  highlightOf,
  isSameHighlight,
  selectedBlock,
  type Shared,
} from '../../state/shared';
import type { AnnotationsQuestion, SceneQuestion } from '../../wire/known';
import type { Frame } from './frame';

/** The most columns asked for. */
const MOST_COLUMNS = 4096;
/** Share of a screen that may be left beside the view before more is asked for. */
const LEAST_MARGIN = 0.3;

/**
 * The question for a view: what is shown and one screen more on both sides, but no more than there
 * is. The shown part keeps one column a device pixel while that gives at most 4096 columns with at
 * least an eighth of a screen beside it.
 */
export function sceneQuestion(shared: Shared, x: Span, y: Span, frame: Frame): SceneQuestion {
  const { width, height } = frame.plot;
  const unit = length(x) / width;
  const whole = bounds(shared);
  const room = Math.floor(Math.max(width / 8, Math.min(width, (MOST_COLUMNS - width) / 2)));
  const pad = (outside: number): number =>
    Math.ceil(Math.min(room, Math.max(0, outside / unit)) - 1e-6);
  const left = pad(x.from - whole.from);
  const right = pad(whole.to - x.to);
  const columns = width + left + right;
  return {
    session: shared.session,
    device: shared.device,
    axis: shared.axis,
    x0: x.from - left * unit,
    x1: x.to + right * unit,
    y0: y.from,
    y1: y.to,
    width_px: Math.min(columns, MOST_COLUMNS),
    height_px: height,
    color: shared.color,
    detail: 'full',
    selected: selectedBlock(shared),
    highlight: highlightOf(shared),
  };
}

/** Whether the answer to `asked` shows the view exactly, with enough beside it to go on panning. */
export function isEnough(
  asked: SceneQuestion,
  shared: Shared,
  x: Span,
  y: Span,
  frame: Frame,
): boolean {
  const next = sceneQuestion(shared, x, y, frame);
  const isSame =
    asked.session === next.session &&
    asked.device === next.device &&
    asked.axis === next.axis &&
    asked.color === next.color &&
    asked.selected === next.selected &&
    isSameHighlight(asked.highlight, next.highlight) &&
    asked.height_px === next.height_px &&
    asked.y0 === next.y0 &&
    asked.y1 === next.y1;
  if (!isSame) return false;
  const unit = (asked.x1 - asked.x0) / asked.width_px;
  const wanted = (next.x1 - next.x0) / next.width_px;
  if (Math.abs(unit / wanted - 1) > 1e-6) return false;
  const whole = bounds(shared);
  const margin = LEAST_MARGIN * Math.min(length(x), x.from - next.x0 + (next.x1 - x.to));
  const slack = unit * 1e-3;
  return (
    asked.x0 <= Math.max(whole.from, x.from - margin) + slack &&
    asked.x1 >= Math.min(whole.to, x.to + margin) - slack
  );
}

export const annotationsQuestion = (scene: SceneQuestion): AnnotationsQuestion => ({
  session: scene.session,
  device: scene.device,
  axis: scene.axis,
  x0: scene.x0,
  x1: scene.x1,
  width_px: scene.width_px,
});

/** Whether a scene belongs to what is shown, however coarse it is. */
export const isOf = (asked: SceneQuestion, shared: Shared): boolean =>
  asked.session === shared.session && asked.device === shared.device && asked.axis === shared.axis;

export const placedOf = (asked: SceneQuestion, scene: Placed['scene']): Placed => ({
  scene,
  x: { from: asked.x0, to: asked.x1 },
  y: { from: asked.y0, to: asked.y1 },
  width: asked.width_px,
  height: asked.height_px,
  isLit: asked.highlight !== undefined,
});
