import { clamp, fitted, length, mapping, zoomed, type Affine, type Span } from '../../base/span';
import type { Size } from '../../base/surface';
import type { Rect } from '../../draw/layer';

/** The part of the pool that is shown: bytes and rows. */
export interface Window {
  readonly x: Span;
  readonly y: Span;
}

/** The pool's width in bytes and its height in rows. */
export interface World {
  readonly width: number;
  readonly height: number;
}

const LEFT = 12;
const RIGHT = 14;
const TOP = 6;
const BOTTOM = 8;
/** CSS pixels a row takes: when everything is shown, naturally, and at most. */
const LEAST_PITCH = 3;
const NATURAL_PITCH = 28;
const MOST_PITCH = 64;
/** The fewest bytes worth showing. */
const LEAST_BYTES = 4096;

export function plotOf(size: Size): Rect {
  const px = (css: number): number => Math.round(css * size.scale);
  return {
    left: px(LEFT),
    top: px(TOP),
    width: Math.max(1, size.width - px(LEFT + RIGHT)),
    height: Math.max(1, size.height - px(TOP + BOTTOM)),
  };
}

/** Everything, unless rows would get too thin to be seen. */
export function whole(world: World, plot: Rect, scale: number): Window {
  const pitch = clamp(plot.height / world.height, LEAST_PITCH * scale, NATURAL_PITCH * scale);
  return { x: { from: 0, to: world.width }, y: { from: 0, to: plot.height / pitch } };
}

/** Rows as high as they are meant to be, all of their width. */
export function natural(window: Window, world: World, plot: Rect, scale: number): Window {
  const rows = plot.height / (NATURAL_PITCH * scale);
  const from = Math.max(0, Math.min(window.y.from, roomOf(world, plot, scale).to - rows));
  return { x: { from: 0, to: world.width }, y: { from, to: from + rows } };
}

/** How far rows can be moved. */
const roomOf = (world: World, plot: Rect, scale: number): Span => ({
  from: 0,
  to: Math.max(world.height, length(whole(world, plot, scale).y)),
});

export function zoomedAt(
  window: Window,
  at: { readonly x: number; readonly y: number },
  factor: number,
  world: World,
  plot: Rect,
  scale: number,
): Window {
  const room = roomOf(world, plot, scale);
  const least = plot.height / (MOST_PITCH * scale);
  const most = Math.min(length(room), plot.height / (LEAST_PITCH * scale));
  const share = clamp(length(window.y) * factor, Math.min(least, most), most) / length(window.y);
  return {
    x: zoomed(window.x, at.x, factor, { from: 0, to: world.width }, LEAST_BYTES),
    y: zoomed(window.y, at.y, share, room, Math.min(least, most)),
  };
}

/** The window inside the pool, whatever became of it. */
export const inside = (window: Window, world: World, plot: Rect, scale: number): Window => ({
  x: fitted(window.x, { from: 0, to: world.width }, Math.min(LEAST_BYTES, world.width)),
  y: fitted(window.y, roomOf(world, plot, scale), 0),
});

export const xMap = ({ x }: Window, plot: Rect): Affine =>
  mapping(x, { from: plot.left, to: plot.left + plot.width });

export const yMap = ({ y }: Window, plot: Rect): Affine =>
  mapping(y, { from: plot.top, to: plot.top + plot.height });

/** Moves `window` as little as it takes to show a stretch of bytes in a row. */
export function showing(window: Window, area: { x: number; width: number; y: number }): Window {
  const near = (span: Span, from: number, to: number): Span => {
    const size = length(span);
    if (from < span.from) return { from, to: from + size };
    if (to <= span.to || from <= span.from) return span;
    return to - from > size ? { from, to: from + size } : { from: to - size, to };
  };
  return {
    x: near(window.x, area.x, area.x + area.width),
    y: near(window.y, area.y, area.y + 1),
  };
}
