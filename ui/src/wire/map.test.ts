import { expect, test } from 'vitest';
import { decodeMap, encodeMap, type AddressMap } from './map';
import type { Bands } from './scene';

const bands = (count: number, first: number): Bands => ({
  count,
  x0: Float32Array.from({ length: count }, (_, i) => first + i),
  x1: Float32Array.from({ length: count }, (_, i) => first + i + 0.5),
  top: Float32Array.from({ length: count }, (_, i) => first * 2 + i),
  bottom: Float32Array.from({ length: count }, (_, i) => first * 3 + i),
  block: Uint32Array.from({ length: count }, (_, i) => first * 5 + i),
  key: Uint32Array.from({ length: count }, () => 0xffffffff),
});

const MAP: AddressMap = {
  columns: 3,
  edge: Float32Array.of(0, 10, 20.5, 30),
  state: Uint32Array.of(4, 5, 6),
  hidden: Uint32Array.of(0, 7, 1),
  blocks: bands(2, 1),
  outline: bands(1, 2),
  segments: bands(4, 3),
  holes: bands(3, 4),
  lit: Uint32Array.of(1, 0),
};

test('a map is read as it was written', () => {
  expect(decodeMap(encodeMap(MAP))).toEqual(MAP);
});

test('the bytes are those that the program writes', () => {
  const buffer = encodeMap(MAP);
  expect(new TextDecoder().decode(buffer.slice(0, 4))).toBe('TIDA');
  expect([...new Uint32Array(buffer, 4, 7)]).toEqual([1, 3, 2, 1, 4, 3, 0]);
  expect(buffer.byteLength).toBe(32 + 4 * 4 + 6 * 4 + 10 * 24 + 2 * 4);
});

test('an empty map has one edge and nothing else', () => {
  const none = bands(0, 0);
  const empty: AddressMap = {
    columns: 0,
    edge: Float32Array.of(0),
    state: new Uint32Array(),
    hidden: new Uint32Array(),
    blocks: none,
    outline: none,
    segments: none,
    holes: none,
    lit: new Uint32Array(),
  };
  expect(decodeMap(encodeMap(empty))).toEqual(empty);
});

test('anything else is refused', () => {
  expect(() => decodeMap(new ArrayBuffer(36))).toThrow('not a map');
});
