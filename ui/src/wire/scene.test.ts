import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeScene } from './encode';
import { columnAt, decodeScene, type Bands, type Line, type Scene } from './scene';

const f32 = fc.float({ noNaN: true, noDefaultInfinity: true });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const floats = (n: number): fc.Arbitrary<Float32Array> =>
  fc.array(f32, { minLength: n, maxLength: n }).map((list) => Float32Array.from(list));
const words = (n: number): fc.Arbitrary<Uint32Array> =>
  fc.array(u32, { minLength: n, maxLength: n }).map((list) => Uint32Array.from(list));
const doubles = (n: number): fc.Arbitrary<Float64Array> =>
  fc
    .array(fc.double({ noNaN: true }), { minLength: n, maxLength: n })
    .map((list) => Float64Array.from(list));
const line = (n: number): fc.Arbitrary<Line> => fc.record({ low: floats(n), high: floats(n) });
const bands = (n: number): fc.Arbitrary<Bands> =>
  fc.record({
    count: fc.constant(n),
    x0: floats(n),
    x1: floats(n),
    top: floats(n),
    bottom: floats(n),
    block: words(n),
    key: words(n),
  });
const size = fc.integer({ min: 0, max: 9 });
const scenes: fc.Arbitrary<Scene> = fc.tuple(size, size, size).chain(([n, m, k]) =>
  fc.record({
    columns: fc.constant(n),
    mostAllocated: fc.integer({ min: 0, max: 2 ** 50 }),
    mostReserved: fc.integer({ min: 0, max: 2 ** 50 }),
    allocated: doubles(n),
    remainder: doubles(n),
    edge: floats(n + 1),
    state: words(n),
    lines: fc.record({ allocated: line(n), active: line(n), reserved: line(n) }),
    remainderCount: words(n),
    bands: bands(m),
    outline: bands(k),
    lit: words(m),
  }),
);

test('every scene is read back as it was written', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      expect(decodeScene(encodeScene(scene))).toEqual(scene);
    }),
  );
});

test('the layout is the one of crates/wire/src/scene.rs', () => {
  const bytes = new ArrayBuffer(64 + 4 + 52 + 24 + 4);
  const view = new DataView(bytes);
  [0x4d444954, 1, 1, 1, 0].forEach((word, i) => {
    view.setUint32(i * 4, word, true);
  });
  view.setFloat64(32, 1000, true);
  view.setFloat64(40, 2000, true);
  view.setFloat64(64, 900, true);
  view.setFloat64(72, 100, true);
  const f = (at: number, value: number): void => {
    view.setFloat32(at, value, true);
  };
  f(80, 0);
  f(84, 10);
  view.setUint32(88, 7, true);
  [1, 2, 3, 4, 5, 6].forEach((value, i) => {
    f(92 + i * 4, value);
  });
  view.setUint32(116, 3, true);
  [10, 20, 30, 40].forEach((value, i) => {
    f(120 + i * 4, value);
  });
  view.setUint32(136, 42, true);
  view.setUint32(140, 0xffffffff, true);
  view.setUint32(144, 1, true);
  const scene = decodeScene(bytes);
  expect([...scene.lit]).toEqual([1]);
  expect([scene.mostAllocated, scene.mostReserved]).toEqual([1000, 2000]);
  expect([scene.allocated[0], scene.remainder[0], scene.state[0]]).toEqual([900, 100, 7]);
  expect(scene.lines.reserved).toEqual({ low: Float32Array.of(5), high: Float32Array.of(6) });
  expect([scene.remainderCount[0], scene.bands.top[0], scene.bands.block[0]]).toEqual([3, 30, 42]);
  expect([scene.bands.key[0], scene.outline.count]).toEqual([0xffffffff, 0]);
});

test('bytes that are no scene are refused', () => {
  expect(() => decodeScene(new ArrayBuffer(64))).toThrow('not a scene');
});

test('finds the column at a pixel', () => {
  const [sample] = fc.sample(scenes, { seed: 1, numRuns: 1 });
  if (sample === undefined) throw new Error('no sample');
  const scene = decodeScene(encodeScene(sample));
  const wide = { ...scene, columns: 3, edge: Float32Array.of(0, 10, 20, 30) };
  expect([-5, 0, 9.9, 10, 25, 99].map((x) => columnAt(wide, x))).toEqual([0, 0, 0, 1, 2, 2]);
});
