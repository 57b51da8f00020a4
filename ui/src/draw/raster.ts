import { clamp } from '../base/span';
import { context2d } from './canvas';
import type { Bands } from '../wire/scene';
import {
  bandColors,
  restTops,
  SEPARATED_PX,
  type BandLayer,
  type Paint,
  type Placed,
  type Placement,
  type Rect,
} from './layer';
import { halfway, packed, type Rgb } from './palette';
import { restPixel } from './theme';

/** A run of pixels shorter than this is filled faster one by one. */
const SHORT_PX = 24;

/** Writes `scene` into `pixels`, one `u32` a pixel, row after row. */
export function rasterize(pixels: Uint32Array, placed: Placed, paint: Paint): void {
  rasterizeRest(pixels, placed, restPixel(paint.theme));
  rasterizeBands(pixels, placed, bandColors(placed, paint), paint.theme.panel);
}

/**
 * The remainder fills everything under the allocated line; bands are drawn over it. Only the lines
 * of pixels between its lowest and its highest place need a look at every column.
 */
function rasterizeRest(pixels: Uint32Array, placed: Placed, color: number): void {
  const { scene, width, height } = placed;
  const { tops, zero } = restTops(placed);
  const topOf = new Int32Array(width).fill(height);
  for (let column = 0; column < scene.columns; column += 1) {
    const from = clamp(Math.round(scene.edge[column] ?? 0), 0, width);
    const to = clamp(Math.round(scene.edge[column + 1] ?? 0), from, width);
    topOf.fill(Math.round(tops[column] ?? height), from, to);
  }
  const bottom = clamp(Math.round(zero), 0, height);
  const first = clamp(
    topOf.reduce((least, top) => Math.min(least, top), height),
    0,
    bottom,
  );
  const last = clamp(
    topOf.reduce((most, top) => Math.max(most, top), 0),
    first,
    bottom,
  );
  pixels.fill(0, 0, first * width);
  for (let y = first; y < last; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) pixels[row + x] = (topOf[x] ?? 0) <= y ? color : 0;
  }
  pixels.fill(color, last * width, bottom * width);
  pixels.fill(0, bottom * width);
}

function rasterizeBands(
  pixels: Uint32Array,
  { scene, width, height }: Placed,
  colors: Uint32Array,
  panel: Rgb,
): void {
  const { bands } = scene;
  const back = packed(panel);
  for (let row = 0; row < bands.count; row += 1) {
    const color = colors[row] ?? 0;
    const top = Math.round(bands.top[row] ?? 0);
    const bottom = Math.round(bands.bottom[row] ?? 0);
    fillBand(pixels, width, height, bands, row, color);
    if (bottom - top >= SEPARATED_PX && top >= 0 && top < height) {
      const line = halfway(color, back);
      const { from, to } = columnsOf(bands, row, width);
      pixels.fill(line, top * width + from, top * width + to);
    }
  }
}

/** Fills one band's pixels with `value`. */
function fillBand(
  pixels: Uint32Array,
  width: number,
  height: number,
  bands: Bands,
  row: number,
  value: number,
): void {
  const { from, to } = columnsOf(bands, row, width);
  if (to <= from) return;
  const top = clamp(Math.round(bands.top[row] ?? 0), 0, height);
  const bottom = clamp(Math.round(bands.bottom[row] ?? 0), 0, height);
  const isShort = to - from < SHORT_PX;
  for (let y = top; y < bottom; y += 1) {
    const row = y * width;
    if (!isShort) pixels.fill(value, row + from, row + to);
    else for (let x = row + from; x < row + to; x += 1) pixels[x] = value;
  }
}

function columnsOf(
  bands: Bands,
  row: number,
  width: number,
): { readonly from: number; readonly to: number } {
  const from = clamp(Math.round(bands.x0[row] ?? 0), 0, width);
  return { from, to: clamp(Math.round(bands.x1[row] ?? 0), from, width) };
}

/** Bands drawn by script into an image, which is then moved: the fastest there is without a GPU. */
export class RasterLayer implements BandLayer {
  readonly name = 'raster';
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #image: HTMLCanvasElement;
  #data: ImageData | undefined;

  constructor(document: Document) {
    this.canvas = document.createElement('canvas');
    this.#image = document.createElement('canvas');
    this.#context = context2d(this.canvas);
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
  }

  load(placed: Placed, paint: Paint): void {
    const { width, height } = placed;
    const data = this.#dataOf(width, height);
    rasterize(new Uint32Array(data.data.buffer), placed, paint);
    context2d(this.#image).putImageData(data, 0, 0);
  }

  paint({ x, y }: Placement, clip: Rect): void {
    const context = this.#context;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.#data === undefined) return;
    context.save();
    context.beginPath();
    context.rect(clip.left, clip.top, clip.width, clip.height);
    context.clip();
    context.imageSmoothingEnabled = false;
    const { width, height } = this.#image;
    context.drawImage(this.#image, x.offset, y.offset, width * x.scale, height * y.scale);
    context.restore();
  }

  clear(): void {
    this.#context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  dispose(): void {
    this.#data = undefined;
    this.#image.width = 0;
    this.canvas.remove();
  }

  #dataOf(width: number, height: number): ImageData {
    if (this.#data?.width === width && this.#data.height === height) return this.#data;
    this.#image.width = width;
    this.#image.height = height;
    this.#data = new ImageData(width, height);
    return this.#data;
  }
}
