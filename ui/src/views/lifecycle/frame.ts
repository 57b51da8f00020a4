import type { Size } from '../../base/surface';
import { mapping, type Affine, type Span } from '../../base/span';
import type { Rect } from '../../draw/layer';

/** Where the parts of the picture lie, in device pixels. */
export interface Frame extends Size {
  readonly plot: Rect;
  /** Top of the first strip of named ranges, their height, and how many rows there are. */
  readonly strips: { readonly top: number; readonly height: number; readonly rows: number };
}

/** CSS pixels beside and below the plot. */
export const LEFT = 66;
export const RIGHT = 14;
export const BOTTOM = 22;
const STRIP = 16;
const STRIP_GAP = 2;
const HEAD = 20;

/** The most rows of named ranges; deeper ones are left out. */
export const MOST_ROWS = 3;

/** CSS pixels: a picture lower than this has room for one row. */
const LOW = 140;

export function frameOf(size: Size, wanted: number): Frame {
  const px = (css: number): number => Math.round(css * size.scale);
  const rows = size.height < px(LOW) ? Math.min(1, wanted) : wanted;
  const strips = { top: px(4), height: px(STRIP), rows };
  const top = px(4 + rows * (STRIP + STRIP_GAP) + HEAD);
  const left = px(LEFT);
  return {
    ...size,
    strips,
    plot: {
      left,
      top,
      width: Math.max(1, size.width - left - px(RIGHT)),
      height: Math.max(1, size.height - top - px(BOTTOM)),
    },
  };
}

/** Top of a row of named ranges. */
export const stripTop = (frame: Frame, row: number): number =>
  frame.strips.top + row * (frame.strips.height + Math.round(STRIP_GAP * frame.scale));

/** From axis units to device pixels. */
export const xMap = (frame: Frame, x: Span): Affine =>
  mapping(x, { from: frame.plot.left, to: frame.plot.left + frame.plot.width });

/** From bytes to device pixels. */
export const yMap = (frame: Frame, y: Span): Affine =>
  mapping(y, { from: frame.plot.top + frame.plot.height, to: frame.plot.top });
