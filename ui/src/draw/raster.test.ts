import { expect, test } from 'vitest';
import { NO_KEY, colorTable, packed, rampColor, unpacked, mix } from './palette';
import { bandColors, place, type Paint, type Placed } from './layer';
import { Pick } from './pick';
import { rasterize } from './raster';
import { rgbOf, type Theme } from './theme';
import type { Scene } from '../wire/scene';

const THEME: Theme = {
  tone: 'light',
  panel: [255, 255, 255],
  rest: [200, 200, 200],
  ink: '',
  ink2: '',
  ink3: '',
  line: '',
  line2: '',
  grid: '',
  accent: '',
  accentBg: '',
  active: '',
  reserved: '',
  warn: '',
  bad: '',
  peak: '',
  panelCss: '',
  font: '',
};
const PAINT: Paint = {
  scheme: { kind: 'category', tone: 'light' },
  theme: THEME,
  selected: undefined,
};

/** Two columns of 4 px; 8 px high for 80 bytes; block 5 below, block 9 above it in the right half. */
function picture(): Placed {
  const flat = (...values: number[]): Float32Array => Float32Array.from(values);
  const line = { low: flat(0, 0), high: flat(0, 0) };
  const bands = {
    count: 2,
    x0: flat(0, 4),
    x1: flat(8, 8),
    top: flat(6, 1),
    bottom: flat(8, 6),
    block: Uint32Array.of(5, 9),
    key: Uint32Array.of(0, NO_KEY),
  };
  const scene: Scene = {
    columns: 2,
    mostAllocated: 70,
    mostReserved: 70,
    allocated: Float64Array.of(40, 70),
    remainder: Float64Array.of(20, 0),
    edge: flat(0, 4, 8),
    state: Uint32Array.of(0, 1),
    lines: { allocated: line, active: line, reserved: line },
    remainderCount: Uint32Array.of(3, 0),
    bands,
    outline: { ...bands, count: 0 },
    lit: Uint32Array.of(0, 1),
  };
  return {
    scene,
    x: { from: 0, to: 2 },
    y: { from: 0, to: 80 },
    width: 8,
    height: 8,
    isLit: false,
  };
}

test('bands, remainder and nothing are where they belong', () => {
  const placed = picture();
  const pixels = new Uint32Array(64);
  rasterize(pixels, placed, PAINT);
  const at = (x: number, y: number): number => pixels[y * 8 + x] ?? 0;
  const colors = bandColors(placed, PAINT);
  expect(at(0, 3)).toBe(0);
  expect(at(0, 4)).toBe(packed([200, 200, 200]));
  expect(at(0, 7)).toBe(colors[0]);
  expect(at(5, 0)).toBe(0);
  expect(at(5, 1)).not.toBe(colors[1]);
  expect(at(5, 2)).toBe(colors[1]);
  expect(at(7, 6)).toBe(colors[0]);
});

test('the pick buffer agrees with the picture', () => {
  const pick = new Pick(picture());
  expect([pick.at(0, 3), pick.at(0, 7), pick.at(5, 1), pick.at(5.9, 5.9), pick.at(8, 7)]).toEqual([
    undefined,
    0,
    1,
    1,
    undefined,
  ]);
});

test('others are dimmed around a selected block', () => {
  const placed = picture();
  const [kept, dimmed] = bandColors(placed, { ...PAINT, selected: 5 });
  expect(kept).toBe(bandColors(placed, PAINT)[0]);
  expect(dimmed).not.toBe(bandColors(placed, PAINT)[1]);
});

test('what stands out keeps its colour', () => {
  const placed = picture();
  const plain = bandColors(placed, PAINT);
  const lit = bandColors({ ...placed, isLit: true }, PAINT);
  expect(lit[0]).not.toBe(plain[0]);
  expect(lit[1]).toBe(plain[1]);
});

test('a moved scene lies on whole pixels', () => {
  const placed = { ...picture(), width: 300, height: 80, x: { from: 0, to: 3 } };
  const rect = { left: 66, top: 20, width: 100, height: 80 };
  const placement = place(placed, { from: 1.0049, to: 2.0049 }, { from: 0, to: 80 }, rect);
  expect(placement).toEqual({ x: { scale: 1, offset: -34 }, y: { scale: 1, offset: 20 } });
  const zoomed = place(placed, { from: 1, to: 1.5 }, { from: 0, to: 40 }, rect);
  expect(zoomed.x).toEqual({ scale: 2, offset: -134 });
  expect(zoomed.y.scale).toBe(2);
});

test('colours', () => {
  expect(unpacked(packed([1, 2, 3]))).toEqual([1, 2, 3]);
  expect(rgbOf('#fff')).toEqual([255, 255, 255]);
  expect(rgbOf('#1668dc')).toEqual([22, 104, 220]);
  expect(mix([0, 0, 0], [100, 200, 50], 0.5)).toEqual([50, 100, 25]);
  const size = colorTable({ kind: 'size', tone: 'dark' });
  expect(size(0, 1)).toBe(packed(rampColor('dark', 0)));
  expect(size(60, 1)).toBe(packed(rampColor('dark', 1)));
  const category = colorTable({ kind: 'category', tone: 'light' });
  expect(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8].map((key) => category(key, 0))).size).toBe(9);
  expect(category(NO_KEY, 0)).not.toBe(category(NO_KEY, 1));
});
