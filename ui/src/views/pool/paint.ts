import { apply, unapply, type Affine } from '../../base/span';
import type { Rect } from '../../draw/layer';
import { colorTable, cssColor, mix, unpacked, type Scheme } from '../../draw/palette';
import type { Theme } from '../../draw/theme';
import { PENDING } from '../../wire/pool';
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
  const { plot } = look;
  context.save();
  context.beginPath();
  context.rect(0, 0, plot.left * 2 + plot.width + 8 * look.scale, plot.top + plot.height + 8);
  context.clip();
  const brush = new Brush(context, look);
  const first = unapply(look.toY, 0);
  const last = unapply(look.toY, plot.top + plot.height * 1.2);
  shape.rows.forEach((row, index) => {
    const top = shape.tops[index] ?? 0;
    if (top + 1 < first || top > last) return;
    for (const segment of row) drawSegment(brush, shape, look, segment);
  });
  drawHeadings(context, shape, look, headings);
  context.restore();
}

function drawSegment(brush: Brush, shape: Shape, look: Look, segment: number): void {
  const { segments, blocks } = shape.pool;
  const area = areaOfSegment(shape, segment);
  const box = boxOf(look, area);
  const edge = look.plot.left + look.plot.width + 14 * look.scale;
  if (box.right < 0 || box.left > edge) return;
  brush.ground(box);
  const first = segments.firstBlock[segment] ?? 0;
  const count = segments.blocks[segment] ?? 0;
  const offset = (i: number): number => blocks.offset[first + i] ?? 0;
  const start = Math.max(0, lastAtMost(count, offset, unapply(look.toX, 0) - area.x));
  let drawn = -Infinity;
  for (let i = start; i < count; i += 1) {
    const row = first + i;
    const from = apply(look.toX, area.x + offset(i));
    if (from > edge) break;
    const size = blocks.size[row] ?? 0;
    const left = Math.round(from);
    const right = Math.max(left + 1, Math.round(from + size * look.toX.scale));
    if (right <= drawn) continue;
    drawn = right;
    const isPending = ((blocks.flags[row] ?? 0) & PENDING) !== 0;
    brush.block({ ...box, left, right }, blocks.key[row] ?? 0, blocks.block[row] ?? 0, isPending);
    const loss = Math.round((size - (blocks.requested[row] ?? size)) * look.toX.scale);
    if (loss >= 1) brush.tail({ ...box, left: right - Math.min(loss, right - left), right });
  }
  brush.frame(box);
}

/** Fills rectangles; keeps the colours it made. */
class Brush {
  readonly #context: CanvasRenderingContext2D;
  readonly #look: Look;
  readonly #colorOf: (key: number, block: number) => number;
  readonly #css = new Map<number, string>();
  readonly #hatch: CanvasPattern | null;
  readonly #ground: string;
  readonly #separator: string;

  constructor(context: CanvasRenderingContext2D, look: Look) {
    this.#context = context;
    this.#look = look;
    this.#colorOf = colorTable(look.scheme);
    this.#hatch = hatchOf(context, look);
    const { theme } = look;
    this.#ground = cssColor(mix(theme.panel, theme.rest, 0.42));
    this.#separator = cssColor(theme.panel);
  }

  ground({ left, right, top, bottom }: Box): void {
    this.#context.fillStyle = this.#ground;
    this.#context.fillRect(left, top, Math.max(1, right - left), bottom - top);
  }

  frame({ left, right, top, bottom }: Box): void {
    if (bottom - top < 7 * this.#look.scale || right - left < 3) return;
    const width = Math.max(1, Math.round(this.#look.scale));
    this.#context.strokeStyle = this.#look.theme.line2;
    this.#context.lineWidth = width;
    const half = width / 2;
    this.#context.strokeRect(left + half, top + half, right - left - width, bottom - top - width);
  }

  block({ left, right, top, bottom }: Box, key: number, block: number, isPending: boolean): void {
    const context = this.#context;
    context.fillStyle = this.#cssOf(this.#colorOf(key, block));
    context.fillRect(left, top, right - left, bottom - top);
    if (isPending && this.#hatch !== null) {
      context.fillStyle = this.#hatch;
      context.fillRect(left, top, right - left, bottom - top);
    }
    if (right - left < 4 * this.#look.scale) return;
    context.fillStyle = this.#separator;
    context.fillRect(right - 1, top, 1, bottom - top);
  }

  tail({ left, right, top, bottom }: Box): void {
    this.#context.fillStyle = 'rgb(0 0 0 / 34%)';
    this.#context.fillRect(left, top, right - left, bottom - top);
  }

  #cssOf(packed: number): string {
    const ready = this.#css.get(packed);
    if (ready !== undefined) return ready;
    const made = cssColor(unpacked(packed));
    this.#css.set(packed, made);
    return made;
  }
}

/** Slanted stripes of the background. */
function hatchOf(context: CanvasRenderingContext2D, { scale, theme }: Look): CanvasPattern | null {
  const side = Math.max(4, Math.round(7 * scale));
  const tile = context.canvas.ownerDocument.createElement('canvas');
  tile.width = tile.height = side;
  const draw = tile.getContext('2d');
  if (draw === null) return null;
  draw.strokeStyle = theme.panelCss;
  draw.globalAlpha = 0.75;
  draw.lineWidth = Math.max(1.4, side / 3.4);
  draw.beginPath();
  for (const at of [-side, 0, side]) {
    draw.moveTo(at - 1, side + 1);
    draw.lineTo(at + side + 1, -1);
  }
  draw.stroke();
  return context.createPattern(tile, 'repeat');
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
