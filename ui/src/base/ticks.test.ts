import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticks, type TickKind } from './ticks';

const kinds = fc.constantFrom<TickKind>('bytes', 'count', 'time');

test('ticks lie inside, evenly, and are few', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1, max: 1e12, noNaN: true }),
      fc.double({ min: 1, max: 1e12, noNaN: true }),
      fc.integer({ min: 2, max: 20 }),
      kinds,
      (from, by, most, kind) => {
        const { values, step } = ticks({ from, to: from + by }, most, kind);
        expect(values.length).toBeLessThanOrEqual(most + 1);
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(from - step * 1e-6);
          expect(value).toBeLessThanOrEqual(from + by + step * 1e-6);
        }
      },
    ),
  );
});

test('events are whole', () => {
  expect(ticks({ from: -1, to: 2 }, 20, 'count')).toEqual({ values: [-1, 0, 1, 2], step: 1 });
});

test('bytes step by round binary amounts', () => {
  const gib = 1024 ** 3;
  expect(ticks({ from: 0, to: 48 * gib }, 4, 'bytes').step).toBe(12 * gib);
});
