import { apply, unapply, type Affine } from '../../base/span';
import type { Rect } from '../../draw/layer';
import {
  colorTable,
  halfway,
  mix,
  packed,
  unpacked,
  type Rgb,
  type Scheme,
} from '../../draw/palette';
import { rgbOf, type Theme } from '../../draw/theme';
import { DIM, PENDING } from '../../wire/pool';
import { areaOfSegment, lastAtMost, type Area, type Shape } from './shape';

/** Everything it takes to draw. */
export interface Look {
  readonly plot: Rect;
  readonly scale: number;
  readonly toX: Affine;
  readonly toY: Affine;
  readonly theme: Theme;
  readonly scheme: Scheme;
}

/** A rectangle in whole device pixels. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels of a block in its line; from `tail` on they were lost to rounding. */
interface Stretch {
  readonly left: number;
  readonly right: number;
  readonly tail: number;
}

/** How much of the background is in blocks that step back. */
const DIMMED = 0.62;

/** Device pixels between rows. */
function gapOf({ toY, scale }: Look): number {
  return Math.max(1, Math.round(Math.min(7 * scale, toY.scale * 0.24)));
}

function boxOf(look: Look, area: Area): Box {
  const top = Math.round(apply(look.toY, area.y));
  const bottom = Math.round(apply(look.toY, area.y + 1)) - gapOf(look);
  return {
    left: Math.round(apply(look.toX, area.x)),
    right: Math.round(apply(look.toX, area.x + area.width)),
    top,
    bottom: Math.max(bottom, top + 1),
  };
}

/** Draws all that is in the picture: segments, blocks, headings. */
export function drawPool(
  context: CanvasRenderingContext2D,
  shape: Shape,
  look: Look,
  headings: (group: number) => string,
): void {
  const { width, height } = context.canvas;
  const image = context.createImageData(width, height);
  const brush = new Brush(new Uint32Array(image.data.buffer), width, height, look);
  const first = unapply(look.toY, 0);
  const last = unapply(look.toY, height);
  shape.rows.forEach((row, index) => {
    const top = shape.tops[index] ?? 0;
    if (top + 1 < first || top > last) return;
    for (const segment of row) drawSegment(brush, shape, look, segment);
  });
  context.putImageData(image, 0, 0);
  drawHeadings(context, shape, look, headings);
}

function drawSegment(brush: Brush, shape: Shape, look: Look, segment: number): void {
  const { segments, blocks } = shape.pool;
  const area = areaOfSegment(shape, segment);
  const box = boxOf(look, area);
  if (!brush.begin(box)) return;
  const first = segments.firstBlock[segment] ?? 0;
  const count = segments.blocks[segment] ?? 0;
  const offset = (i: number): number => blocks.offset[first + i] ?? 0;
  const start = Math.max(0, lastAtMost(count, offset, unapply(look.toX, 0) - area.x));
  let drawn = -Infinity;
  for (let i = start; i < count; i += 1) {
    const row = first + i;
    const from = apply(look.toX, area.x + offset(i));
    if (from > brush.width) break;
    const size = blocks.size[row] ?? 0;
    const left = Math.round(from);
    const right = Math.max(left + 1, Math.round(from + size * look.toX.scale));
    if (right <= drawn) continue;
    drawn = right;
    const loss = Math.round((size - (blocks.requested[row] ?? size)) * look.toX.scale);
    const tail = right - Math.min(loss, right - left);
    const color = brush.colorOf(blocks.key[row] ?? 0, blocks.block[row] ?? 0);
    brush.block({ left, right, tail }, color, blocks.flags[row] ?? 0);
  }
  brush.end(box);
}

/** Fills pixels: one line of a segment, which is then repeated downwards. */
class Brush {
  readonly width: number;
  readonly #height: number;
  readonly #pixels: Uint32Array;
  readonly #look: Look;
  readonly colorOf: (key: number, block: number) => number;
  readonly #dark = new Map<number, number>();
  readonly #dim = new Map<number, number>();
  readonly #ground: number;
  readonly #panel: number;
  readonly #frame: number;
  /** Width of a stripe of what is pending, and where stripes are in the line. */
  readonly #stripe: number;
  #hatched: (readonly [number, number])[] = [];
  /** Where the line being filled begins. */
  #line = 0;

  constructor(pixels: Uint32Array, width: number, height: number, look: Look) {
    this.width = width;
    this.#height = height;
    this.#pixels = pixels;
    this.#look = look;
    this.colorOf = colorTable(look.scheme);
    const { theme, scale } = look;
    this.#ground = packed(mix(theme.panel, theme.rest, 0.42));
    this.#panel = packed(theme.panel);
    this.#frame = packed(rgbOf(theme.line2));
    this.#stripe = Math.max(3, Math.round(4 * scale));
  }

  /** Whether any of `box` is in the picture; then its ground is there. */
  begin({ left, right, top, bottom }: Box): boolean {
    if (right < 0 || left > this.width || bottom <= 0 || top >= this.#height) return false;
    this.#line = Math.max(0, top) * this.width;
    this.#hatched = [];
    this.#fill(left, Math.max(right, left + 1), this.#ground);
    return true;
  }

  block({ left, right, tail }: Stretch, plain: number, flags: number): void {
    const color = (flags & DIM) === 0 ? plain : this.#dimmer(plain);
    this.#fill(left, right, color);
    if (tail < right) this.#fill(tail, right, this.#darker(color));
    if ((flags & PENDING) !== 0) this.#hatched.push([left, right]);
    if (right - left >= 4 * this.#look.scale) this.#fill(right - 1, right, this.#panel);
  }

  end({ left, right, top, bottom }: Box): void {
    const from = Math.max(0, left);
    const to = Math.min(this.width, right);
    const [first, last] = [Math.max(0, top), Math.min(this.#height, bottom)];
    for (let y = first + 1; y < last; y += 1) {
      this.#pixels.copyWithin(y * this.width + from, this.#line + from, this.#line + to);
    }
    for (const [start, end] of this.#hatched) this.#hatch(start, end, first, last);
    if (bottom - top >= 7 * this.#look.scale && right - left >= 3) {
      this.#border({ left, right, top, bottom });
    }
  }

  #border({ left, right, top, bottom }: Box): void {
    const width = Math.max(1, Math.round(this.#look.scale));
    for (let y = Math.max(0, top); y < Math.min(this.#height, bottom); y += 1) {
      this.#line = y * this.width;
      const isEdge = y < top + width || y >= bottom - width;
      this.#fill(left, isEdge ? right : left + width, this.#frame);
      if (!isEdge) this.#fill(right - width, right, this.#frame);
    }
  }

  #hatch(left: number, right: number, top: number, bottom: number): void {
    const stripe = this.#stripe;
    for (let y = top; y < bottom; y += 1) {
      const line = y * this.width;
      for (let x = Math.max(0, left); x < Math.min(this.width, right); x += 1) {
        if ((x + y) % (stripe * 2) < stripe) {
          const at = line + x;
          this.#pixels[at] = halfway(this.#pixels[at] ?? 0, this.#panel);
        }
      }
    }
  }

  #fill(left: number, right: number, color: number): void {
    const from = Math.max(0, left);
    const to = Math.min(this.width, right);
    if (to > from) this.#pixels.fill(color, this.#line + from, this.#line + to);
  }

  #darker(color: number): number {
    return kept(this.#dark, color, () => mix(unpacked(color), [0, 0, 0], 0.36));
  }

  /** Of a block that steps back: others stand out. */
  #dimmer(color: number): number {
    return kept(this.#dim, color, () => mix(unpacked(color), this.#look.theme.panel, DIMMED));
  }
}

function kept(ready: Map<number, number>, color: number, make: () => Rgb): number {
  const known = ready.get(color);
  if (known !== undefined) return known;
  const made = packed(make());
  ready.set(color, made);
  return made;
}

function drawHeadings(
  context: CanvasRenderingContext2D,
  { groups, pool }: Shape,
  look: Look,
  headings: (group: number) => string,
): void {
  const { scale, theme, toY, plot } = look;
  const size = Math.min(11 * scale, toY.scale * 0.6);
  if (size < 7 * scale || pool.segments.count === 0) return;
  context.font = `${size.toString()}px ${theme.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = theme.ink2;
  groups.forEach((group, index) => {
    context.fillText(headings(index), plot.left, apply(toY, group.top + 0.36));
  });
}

/** Draws a line around something: outside of it, so that its colour stays. */
export function drawMark(
  context: CanvasRenderingContext2D,
  look: Look,
  area: Area,
  style: { readonly color: string; readonly halo: string | undefined; readonly width: number },
): void {
  const box = boxOf(look, area);
  const width = Math.max(1, Math.round(style.width * look.scale));
  const right = Math.max(box.right, box.left + Math.round(2 * look.scale));
  const half = width / 2;
  const left = box.left - half;
  const wide = right - box.left + width;
  const [top, high] = [box.top - half, box.bottom - box.top + width];
  context.lineJoin = 'miter';
  if (style.halo !== undefined) {
    context.strokeStyle = style.halo;
    context.lineWidth = width + 2 * Math.max(1, Math.round(look.scale));
    context.strokeRect(left, top, wide, high);
  }
  context.strokeStyle = style.color;
  context.lineWidth = width;
  context.strokeRect(left, top, wide, high);
}
