import { apply, mapping, type Affine, type Span } from '../base/span';
import type { Scene } from '../wire/scene';
import { colorTable, mix, packed, unpacked, type Scheme } from './palette';
import type { Theme } from './theme';

/** A scene with the viewport it was asked for. */
export interface Placed {
  readonly scene: Scene;
  readonly x: Span;
  readonly y: Span;
  readonly width: number;
  readonly height: number;
  /** Whether some bands stand out: the scene's `lit` says which. */
  readonly isLit: boolean;
}

/** A rectangle in device pixels of the canvas. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** How a scene's pixels are moved to the canvas's. */
export interface Placement {
  readonly x: Affine;
  readonly y: Affine;
}

/** What decides the bands' colours. */
export interface Paint {
  readonly scheme: Scheme;
  readonly theme: Theme;
  /** The block that stays bright while others are dimmed. */
  readonly selected: number | undefined;
}

/** Draws bands and remainder. One scene is loaded once and painted in many frames. */
export interface BandLayer {
  readonly name: 'gl' | 'raster';
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number): void;
  load(placed: Placed, paint: Paint): void;
  /** Draws what is loaded, moved by `placement`, inside `clip`. */
  paint(placement: Placement, clip: Rect): void;
  clear(): void;
  dispose(): void;
}

/** Where the scene's pixels go when `x` and `y` are shown in `rect`. */
export function place(placed: Placed, x: Span, y: Span, rect: Rect): Placement {
  const toX = mapping(x, { from: rect.left, to: rect.left + rect.width });
  const toY = mapping(y, { from: rect.top + rect.height, to: rect.top });
  const left = apply(toX, placed.x.from);
  const top = apply(toY, placed.y.to);
  return {
    x: snapped((apply(toX, placed.x.to) - left) / placed.width, left),
    y: snapped((apply(toY, placed.y.from) - top) / placed.height, top),
  };
}

/** A map that only moves moves by whole pixels, so that nothing is blurred. */
function snapped(scale: number, offset: number): Affine {
  return Math.abs(scale - 1) < 1e-4 ? { scale: 1, offset: Math.round(offset) } : { scale, offset };
}

/** The y pixel of each column's allocated bytes, and of zero. */
export function restTops(placed: Placed): { readonly tops: Float32Array; readonly zero: number } {
  const map = mapping(placed.y, { from: placed.height, to: 0 });
  return {
    tops: Float32Array.from(placed.scene.allocated, (value) => apply(map, value)),
    zero: apply(map, 0),
  };
}

const DIMMED = 0.42;

/** One packed colour a band. */
export function bandColors({ scene, isLit }: Placed, paint: Paint): Uint32Array {
  const { bands, lit } = scene;
  const colorOf = colorTable(paint.scheme);
  const { selected, theme } = paint;
  const dimmed = new Map<number, number>();
  const dim = (color: number): number => {
    const ready = dimmed.get(color);
    if (ready !== undefined) return ready;
    const made = packed(mix(unpacked(color), theme.panel, DIMMED));
    dimmed.set(color, made);
    return made;
  };
  return Uint32Array.from(bands.key, (key, row) => {
    const block = bands.block[row] ?? 0;
    const color = colorOf(key, block);
    const isBright = isLit ? lit[row] === 1 : selected === undefined || block === selected;
    return isBright ? color : dim(color);
  });
}

/** Bands at least this high have a thin line at their top, halfway to the background. */
export const SEPARATED_PX = 4;
