import { expect, test } from 'vitest';
import '../src/app/theme.css';
import { GlLayer } from '../src/draw/gl';
import type { BandLayer, Paint } from '../src/draw/layer';
import { RasterLayer } from '../src/draw/raster';
import { readTheme } from '../src/draw/theme';
import { placedOf } from '../src/views/lifecycle/question';
import { demoScene } from '../src/wire/demo/layout';
import { demoRecording } from '../src/wire/demo/recording';
import type { SceneQuestion } from '../src/wire/known';

const recording = demoRecording();
const question: SceneQuestion = {
  session: 1,
  device: 0,
  axis: 'event',
  x0: 100,
  x1: 900,
  y0: 0,
  y1: 26 * 1024 ** 3,
  width_px: 600,
  height_px: 400,
  color: 'stack',
  detail: 'full',
  selected: undefined,
};

function pixelsOf(layer: BandLayer, scale: number): Uint32Array {
  const theme = readTheme(document.documentElement, 'light');
  const paint: Paint = { scheme: { kind: 'category', tone: 'light' }, theme, selected: undefined };
  layer.resize(600, 400);
  layer.load(placedOf(question, demoScene(recording, question)), paint);
  const map = { scale, offset: 0 };
  layer.paint({ x: map, y: map }, { left: 0, top: 0, width: 600, height: 400 });
  const copy = document.createElement('canvas');
  copy.width = 600;
  copy.height = 400;
  const context = copy.getContext('2d');
  context?.drawImage(layer.canvas, 0, 0);
  const image = context?.getImageData(0, 0, 600, 400);
  return new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0));
}

const differing = (a: Uint32Array, b: Uint32Array): number =>
  a.reduce((sum, pixel, i) => sum + (isClose(pixel, b[i] ?? 0) ? 0 : 1), 0) / a.length;

/** The separator's mixing rounds once in the shader and once in script. */
const isClose = (a: number, b: number): boolean =>
  [0, 8, 16, 24].every((shift) => Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255)) <= 2);

test('both ways of drawing give the same picture', () => {
  const raster = pixelsOf(new RasterLayer(document), 1);
  const gl = pixelsOf(new GlLayer(document, () => undefined), 1);
  expect(raster.length).toBe(240_000);
  expect(raster.some((pixel) => pixel !== 0)).toBe(true);
  expect(differing(raster, gl)).toBeLessThan(0.001);
});

test('zoomed they still agree but for separators and rounding', () => {
  const raster = pixelsOf(new RasterLayer(document), 2);
  const gl = pixelsOf(new GlLayer(document, () => undefined), 2);
  expect(differing(raster, gl)).toBeLessThan(0.15);
});
