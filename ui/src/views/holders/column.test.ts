import { expect, test } from 'vitest';
import { columnAt } from './column';

test('a column is found by where it lies, as a walk finds it', () => {
  const edge = [0.1, 0.2, 0.25, 0.7, 1];
  const walked = (x: number): number | undefined => {
    for (let at = edge.length - 2; at >= 0; at -= 1) {
      if (x >= (edge[at] ?? 0) && x <= 1) return at;
    }
    return undefined;
  };
  for (let x = 0; x <= 1.1; x += 0.005) expect(columnAt(edge, x)).toBe(walked(x));
  expect(columnAt(edge, 1)).toBe(3);
  expect(columnAt([], 0.5)).toBeUndefined();
  expect(columnAt([0], 0)).toBeUndefined();
});
