import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bands } from '../../wire/scene';
import { Columned, columnOf } from './columns';

interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
}

function bandsOf(boxes: readonly Box[]): Bands {
  const floats = (of: (box: Box) => number): Float32Array => Float32Array.from(boxes, of);
  const words = new Uint32Array(boxes.length);
  return {
    count: boxes.length,
    x0: floats(({ x0 }) => x0),
    x1: floats(({ x1 }) => x1),
    top: floats(({ top }) => top),
    bottom: floats(({ bottom }) => bottom),
    block: words,
    key: words,
  };
}

test('a column is found between its edges, and nothing beside them', () => {
  const edge = Float32Array.from([2, 3, 5.5, 6]);
  expect([1.9, 2, 2.9, 3, 5.4, 5.5, 6, 6.1].map((x) => columnOf(edge, 3, x))).toEqual([
    undefined,
    0,
    0,
    1,
    1,
    2,
    2,
    undefined,
  ]);
  expect(columnOf(new Float32Array(), 0, 0)).toBeUndefined();
});

test('a rectangle is found where it is, over all of its columns', () => {
  const edge = Float32Array.from([0, 1, 2, 3]);
  // As the program writes them: by the column they begin in, so not from the top in every column.
  const holes = new Columned(
    bandsOf([
      { x0: 0, x1: 3, top: 40, bottom: 50 },
      { x0: 1, x1: 2, top: 10, bottom: 20 },
      { x0: 1, x1: 3, top: 20, bottom: 30 },
    ]),
    edge,
    3,
  );
  const at = (column: number): readonly (number | undefined)[] =>
    [5, 10, 19.9, 20, 30, 40, 49, 50].map((y) => holes.at(column, y));
  const none = undefined;
  expect(at(0)).toEqual([none, none, none, none, none, 0, 0, none]);
  expect(at(1)).toEqual([none, 1, 1, 2, none, 0, 0, none]);
  expect(at(2)).toEqual([none, none, none, 2, none, 0, 0, none]);
});

test('what is found is what a walk over all rectangles finds', () => {
  const runs = fc.array(
    fc.record({
      column: fc.nat(5),
      wide: fc.integer({ min: 1, max: 6 }),
      row: fc.nat(9),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(runs, fc.nat(5), fc.nat(19), (list, column, half) => {
      const edge = Float32Array.from([0, 1, 2.5, 3, 4, 6, 7]);
      const taken = new Set<number>();
      const boxes = list.flatMap(({ column: from, wide, row }) => {
        const to = Math.min(6, from + wide);
        const cells = Array.from({ length: to - from }, (_, i) => (from + i) * 10 + row);
        if (cells.some((cell) => taken.has(cell))) return [];
        for (const cell of cells) taken.add(cell);
        return [{ x0: edge[from] ?? 0, x1: edge[to] ?? 0, top: row, bottom: row + 1 }];
      });
      const y = half / 2;
      const [left, right] = [edge[column] ?? 0, edge[column + 1] ?? 0];
      const walked = boxes.findIndex(
        ({ x0, x1, top, bottom }) => x0 <= left && right <= x1 && top <= y && y < bottom,
      );
      const found = new Columned(bandsOf(boxes), edge, 6).at(column, y);
      expect(found ?? -1).toBe(walked);
    }),
  );
});
