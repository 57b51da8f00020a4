import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROW_PX, furthest, placeAt, revealing, scrollHeight, scrollTopOf } from './scroll';

const HEIGHT = 300;

test('every row can be scrolled to, however many there are', () => {
  const rows = fc.integer({ min: 20, max: 20_000_000 });
  fc.assert(
    fc.property(rows, fc.double({ min: 0, max: 1, noNaN: true }), (count, share) => {
      const place = share * furthest(count, HEIGHT);
      const top = scrollTopOf(place, count, HEIGHT);
      expect(top).toBeLessThanOrEqual(scrollHeight(count) - HEIGHT + 1e-6);
      expect(placeAt(top, count, HEIGHT)).toBeCloseTo(place, 3);
    }),
  );
});

test('a row is brought into view and nothing moves when it is there', () => {
  const count = 10_000_000;
  expect(revealing(5, 3, count, HEIGHT)).toBe(3);
  expect(revealing(2, 3, count, HEIGHT)).toBe(2);
  const below = revealing(20, 3, count, HEIGHT);
  expect(below + HEIGHT / ROW_PX).toBeCloseTo(21, 6);
  const far = revealing(9_999_999, 3, count, HEIGHT);
  expect(far + HEIGHT / ROW_PX).toBeCloseTo(count, 6);
});
