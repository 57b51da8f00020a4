import { expect, test } from 'vitest';
import { ago, dayAndTime } from './ago';

const NOW = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;

test('the past is told in the largest unit it has one of', () => {
  const told = [0, 59_000, 60_000, 59 * 60_000, HOUR, 23 * HOUR, 24 * HOUR, 49 * HOUR].map((by) =>
    ago(NOW - by, NOW, 'en'),
  );
  expect(told).toEqual([
    undefined,
    undefined,
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
    '2 days ago',
  ]);
  expect(ago(NOW - 10 * 24 * HOUR, NOW, 'en')).toBe('last week');
  expect(ago(NOW - 800 * 24 * HOUR, NOW, 'en')).toBe('2 years ago');
});

test('a clock that was set back does not make a future of it', () => {
  expect(ago(NOW + HOUR, NOW, 'en')).toBeUndefined();
});

test('a moment is written out as people there write it', () => {
  expect(dayAndTime(NOW, 'en')).toContain('2026');
  expect(dayAndTime(NOW, 'zh')).toContain('2026年11月30日');
});
