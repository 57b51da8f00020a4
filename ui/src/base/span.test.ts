import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply, fitted, length, mapping, ordered, unapply, zoomed, type Span } from './span';

const number = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const span = fc
  .tuple(number, fc.double({ min: 1e-3, max: 1e9, noNaN: true }))
  .map(([from, by]): Span => ({ from, to: from + by }))
  .filter((candidate) => length(candidate) > 0);

test('a map and its inverse give the place back', () => {
  fc.assert(
    fc.property(span, span, fc.double({ min: 0, max: 1, noNaN: true }), (source, target, share) => {
      const map = mapping(source, target);
      const at = source.from + share * length(source);
      const back = unapply(map, apply(map, at));
      const scale = Math.max(Math.abs(at), length(source), 1);
      const lost = Math.abs(target.from) / Math.abs(map.scale) + Math.abs(source.from);
      expect(Math.abs(back - at)).toBeLessThanOrEqual((scale + lost) * 1e-12);
    }),
  );
});

test('a map takes the ends to the ends, also upside down', () => {
  const map = mapping({ from: 0, to: 10 }, { from: 100, to: 0 });
  expect([apply(map, 0), apply(map, 10), apply(map, 5)]).toEqual([100, 0, 50]);
});

test('what is fitted lies inside and is long enough', () => {
  fc.assert(
    fc.property(span, span, fc.double({ min: 0, max: 100, noNaN: true }), (any, bounds, least) => {
      const inside = fitted(any, bounds, least);
      const slack = (Math.abs(bounds.from) + Math.abs(bounds.to)) * 1e-12;
      expect(inside.from).toBeGreaterThanOrEqual(bounds.from - slack);
      expect(inside.to).toBeLessThanOrEqual(bounds.to + slack);
      expect(length(inside)).toBeGreaterThanOrEqual(Math.min(least, length(bounds)) - slack);
    }),
  );
});

test('zooming keeps the place under the pointer while there is room', () => {
  const bounds = { from: -1000, to: 1000 };
  const next = zoomed({ from: 0, to: 100 }, 25, 0.5, bounds, 1);
  expect(next).toEqual({ from: 12.5, to: 62.5 });
});

test('zooming out stops at the bounds', () => {
  const bounds = { from: 0, to: 100 };
  expect(zoomed({ from: 10, to: 60 }, 20, 100, bounds, 1)).toEqual(bounds);
});

test('two places in order', () => {
  expect(ordered(5, 2)).toEqual({ from: 2, to: 5 });
});
