import { GlLayer } from './gl';
import type { BandLayer, Paint, Placed } from './layer';
import { RasterLayer } from './raster';
import type { Theme } from './theme';
import type { Bands, Scene } from '../wire/scene';

/** Which way of drawing to use. */
export type Drawing = 'gl' | 'raster';

/** WebGL is taken when a frame of the test costs less than this, read back and all. */
const FAST_MS = 5;
const TEST_BANDS = 3000;
const TEST_SIDE = 800;

/** Makes a layer of the kind wanted; WebGL that does not work becomes the raster. */
export function layerFor(drawing: Drawing, document: Document, lost: () => void): BandLayer {
  if (drawing === 'raster') return new RasterLayer(document);
  try {
    return new GlLayer(document, lost);
  } catch {
    return new RasterLayer(document);
  }
}

/** Tries how fast WebGL is here. Software WebGL is far slower than a script that fills pixels. */
export function measuredDrawing(document: Document, theme: Theme): Drawing {
  try {
    const layer = new GlLayer(document, () => undefined);
    const spent = frameCost(layer, theme);
    layer.dispose();
    return spent <= FAST_MS ? 'gl' : 'raster';
  } catch {
    return 'raster';
  }
}

/** Milliseconds a frame, the better of two after one that compiles the shaders. */
function frameCost(layer: GlLayer, theme: Theme): number {
  const paint: Paint = {
    scheme: { kind: 'category', tone: theme.tone },
    theme,
    selected: undefined,
  };
  const clip = { left: 0, top: 0, width: TEST_SIDE, height: TEST_SIDE, isLit: false };
  const still = { scale: 1, offset: 0 };
  layer.resize(TEST_SIDE, TEST_SIDE);
  layer.load(testScene(), paint);
  const frame = (): number => {
    const begin = performance.now();
    layer.paint({ x: still, y: still }, clip);
    layer.finish();
    return performance.now() - begin;
  };
  frame();
  return Math.min(frame(), frame());
}

function testScene(): Placed {
  const none = new Float32Array(0);
  const line = { low: none, high: none };
  const column = (value: (row: number) => number): Float32Array =>
    Float32Array.from({ length: TEST_BANDS }, (_, row) => value(row));
  const left = (row: number): number => (row * 37) % TEST_SIDE;
  const top = (row: number): number => (row * 101) % TEST_SIDE;
  const bands: Bands = {
    count: TEST_BANDS,
    x0: column(left),
    x1: column((row) => left(row) + 30),
    top: column(top),
    bottom: column((row) => top(row) + 8),
    block: new Uint32Array(TEST_BANDS),
    key: Uint32Array.from({ length: TEST_BANDS }, (_, row) => row),
  };
  const scene: Scene = {
    columns: 0,
    mostAllocated: 1,
    mostReserved: 1,
    allocated: new Float64Array(0),
    remainder: new Float64Array(0),
    edge: new Float32Array(1),
    state: new Uint32Array(0),
    lines: { allocated: line, active: line, reserved: line },
    remainderCount: new Uint32Array(0),
    bands,
    outline: { ...bands, count: 0 },
    lit: new Uint32Array(TEST_BANDS),
  };
  const side = { from: 0, to: TEST_SIDE };
  return { scene, x: side, y: side, width: TEST_SIDE, height: TEST_SIDE, isLit: false };
}
