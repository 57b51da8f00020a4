import { mapping, type Affine, type Span } from '../../base/span';
import type { Size } from '../../base/surface';
import type { Rect } from '../../draw/layer';
import type { Theme } from '../../draw/theme';
import type { Axis } from '../../wire/known';
import type { LaneList } from '../../wire/map';

/** Beside the plot as in the lifecycle, so that both share their columns of pixels. */
const LEFT = 66;
const RIGHT = 14;
const TOP = 4;
const BOTTOM = 22;

/** The part of the map that is shown, and where. */
export interface View {
  readonly size: Size;
  readonly plot: Rect;
  readonly theme: Theme;
  readonly axis: Axis;
  readonly x: Span;
  /** Bytes of the lane axis. */
  readonly y: Span;
  readonly toX: Affine;
  readonly toY: Affine;
  readonly lanes: LaneList;
}

export function plotOf(size: Size): Rect {
  const px = (css: number): number => Math.round(css * size.scale);
  return {
    left: px(LEFT),
    top: px(TOP),
    width: Math.max(1, size.width - px(LEFT + RIGHT)),
    height: Math.max(1, size.height - px(TOP + BOTTOM)),
  };
}

export const xMap = (plot: Rect, x: Span): Affine =>
  mapping(x, { from: plot.left, to: plot.left + plot.width });

export const yMap = (plot: Rect, y: Span): Affine =>
  mapping(y, { from: plot.top + plot.height, to: plot.top });

export const isInPlot = (plot: Rect, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= plot.left &&
  at.x < plot.left + plot.width &&
  at.y >= plot.top &&
  at.y < plot.top + plot.height;
