import { expect, test } from 'vitest';
import { decodeFlame, encodeFlame, type Flame } from './flame';

const FLAME: Flame = {
  count: 2,
  x0: Float32Array.of(-4.5, 10),
  x1: Float32Array.of(90.5, 60),
  depth: Uint32Array.of(0, 1),
  slice: Uint32Array.of(7, 4_000_000_000),
  calls: Uint32Array.of(1, 70_000),
  hits: Uint32Array.of(0, 9),
  key: Uint32Array.of(5, 0xffffffff),
  label: Uint32Array.of(2, 0),
  labels: ['', 'train 训练 <module>'],
  crowded: 12,
  selected: { x0: 10, x1: 60.25, depth: 3 },
};

test('a flame graph is read as it was written', () => {
  expect(decodeFlame(encodeFlame(FLAME))).toEqual(FLAME);
});

test('the bytes are those that the program writes', () => {
  const buffer = encodeFlame(FLAME);
  expect(new TextDecoder().decode(buffer.slice(0, 4))).toBe('TIDF');
  const text = new TextEncoder().encode('train 训练 <module>').length;
  expect([...new Uint32Array(buffer, 4, 7)]).toEqual([1, 2, 2, text, 12, 1, 3]);
  expect(buffer.byteLength).toBe(40 + 2 * 32 + 2 * 4 + text);
});

test('an empty flame graph has nothing', () => {
  const none = new Uint32Array();
  const empty: Flame = {
    count: 0,
    x0: new Float32Array(),
    x1: new Float32Array(),
    depth: none,
    slice: none,
    calls: none,
    hits: none,
    key: none,
    label: none,
    labels: [],
    crowded: 0,
    selected: undefined,
  };
  expect(decodeFlame(encodeFlame(empty))).toEqual(empty);
});

test('anything else is refused', () => {
  expect(() => decodeFlame(new ArrayBuffer(40))).toThrow('not a flame graph');
});
