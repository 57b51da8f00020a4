import { mapping, type Affine, type Span } from '../../base/span';
import type { Size } from '../../base/surface';
import type { Rect } from '../../draw/layer';
import type { Theme } from '../../draw/theme';

/** Beside the plot as in the lifecycle, so that both share their columns of pixels. */
const LEFT = 66;
const RIGHT = 14;
/** CSS pixels of a depth. */
export const ROW_CSS = 18;

/** The part of the calls that is shown, and where. */
export interface View {
  readonly size: Size;
  readonly plot: Rect;
  readonly theme: Theme;
  /** Microseconds. */
  readonly x: Span;
  readonly toX: Affine;
  /** Device pixels a depth. */
  readonly rowPx: number;
  /** Device pixels by which the outermost row is above the plot. */
  readonly scroll: number;
}

export function plotOf(size: Size): Rect {
  const px = (css: number): number => Math.round(css * size.scale);
  return {
    left: px(LEFT),
    top: 0,
    width: Math.max(1, size.width - px(LEFT + RIGHT)),
    height: Math.max(1, size.height),
  };
}

export const rowPxOf = (size: Size): number => Math.max(2, Math.round(ROW_CSS * size.scale));

export const xMap = (plot: Rect, x: Span): Affine =>
  mapping(x, { from: plot.left, to: plot.left + plot.width });

/** The most that can be scrolled. */
export const mostScroll = (plot: Rect, rowPx: number, depths: number): number =>
  Math.max(0, depths * rowPx - plot.height);

/** Depths at which the plot begins and ends; depth `d` takes `-(d + 1)` to `-d`. */
export const depthSpan = ({ plot, rowPx, scroll }: View): Span => ({
  from: -(scroll + plot.height) / rowPx,
  to: -scroll / rowPx,
});

export const isInPlot = (plot: Rect, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= plot.left && at.x < plot.left + plot.width && at.y >= 0 && at.y < plot.height;
