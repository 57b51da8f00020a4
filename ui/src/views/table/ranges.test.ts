import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wallClock } from '../../base/format';
import { typedDuration, typedMoment, UNITS } from './cells';
import { rangeOf } from './ranges';

test('times are read as people type them, in microseconds', () => {
  const read: readonly (readonly [string, number | undefined])[] = [
    ['1.5 ms', 1500],
    ['20 us', 20],
    ['20µs', 20],
    ['20 μs', 20],
    ['1,250', 1250],
    ['.5 s', 500_000],
    ['2min', 120_000_000],
    ['1 H', 3_600_000_000],
    ['500 ns', 0.5],
    ['-3 ms', -3000],
    ['−3', -3],
    ['', undefined],
    ['1.5.2', undefined],
    ['ms', undefined],
    ['3 weeks', undefined],
    ['1 m', undefined],
  ];
  expect(read.map(([text]) => [text, typedDuration(text)])).toEqual(read);
});

test('a moment is a date and time, or a time since the first event', () => {
  const first = Date.UTC(2026, 2, 4, 10, 20, 30) * 1000 + 123_456;
  expect(typedMoment('1.5 ms', first)).toBe(first + 1500);
  expect(typedMoment(wallClock(first), undefined)).toBe(first);
  expect(typedMoment(wallClock(first).slice(0, 19), first)).toBe(first - 123_456);
  expect(typedMoment('2026-03-04T10:20', first)).toBe(
    new Date(2026, 2, 4, 10, 20).getTime() * 1000,
  );
  expect(typedMoment('1.5 ms', undefined)).toBeUndefined();
  expect(typedMoment('yesterday', first)).toBeUndefined();
});

test('the ends of a range are written as they can be typed', () => {
  expect(rangeOf('duration', 'auto', undefined)?.write(1_500_000)).toBe('1.50 s');
  expect(rangeOf('duration', 'auto', undefined)?.read('1.50 s')).toBe(1_500_000);
  expect(rangeOf('time', 'auto', 7_000_000)?.write(7_020_000)).toBe('20.0 ms');
  expect(rangeOf('time', 'auto', 7_000_000)?.read('20.0 ms')).toBe(7_020_000);
  expect(rangeOf('bytes', 'MiB', undefined)?.read('2')).toBe(2 * 1024 ** 2);
  expect(rangeOf('range', 'MiB', undefined)?.read('2')).toBe(2);
  expect(rangeOf('pick', 'auto', undefined)).toBeUndefined();
});

test('a bound that was kept stands in its field as what reads as exactly it', () => {
  expect(rangeOf('bytes', 'auto', undefined)?.typed(3 * 1024)).toBe('3.00 KiB');
  expect(rangeOf('bytes', 'MiB', undefined)?.typed(1_234_567)).toBe('1234567 B');
  const kinds = ['range', 'bytes', 'duration', 'time', 'moment', 'nanos'] as const;
  const kept = fc.tuple(
    fc.constantFrom(...kinds),
    fc.constantFrom(...UNITS),
    fc.integer({ min: -1, max: 2 ** 45 }),
  );
  fc.assert(
    fc.property(kept, ([kind, unit, value]) => {
      const range = rangeOf(kind, unit, 1_700_000_000_000_000);
      expect(range?.read(range.typed(value))).toBe(value);
    }),
  );
});
