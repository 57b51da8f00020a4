import { expect, test } from 'vitest';
import { clockText, momentText, secondsText, spanText, typedNanos } from './moments';

test('a moment of a dump has all its digits, and is read back as written', () => {
  expect(secondsText(12_345_678_901)).toBe('12.345 678 901 s');
  expect(secondsText(5)).toBe('0.000 000 005 s');
  expect(momentText(12_345_678_901, 'ns')).toBe('12,345,678,901');
  expect(spanText(1_020_000, 'exact')).toBe('1 ms 20 µs');
  for (const ns of [0, 5, 999_999_999, 1_020_000, 12_345_678_901]) {
    expect(typedNanos(secondsText(ns))).toBe(ns);
    expect(typedNanos(momentText(ns, 'ns'))).toBe(ns);
    expect(typedNanos(spanText(ns, 'exact'))).toBe(ns);
  }
});

test('times are typed with any unit, and a bare number is of nanoseconds', () => {
  expect(typedNanos('1.5 ms')).toBe(1_500_000);
  expect(typedNanos('20us')).toBe(20_000);
  expect(typedNanos('20 μs')).toBe(20_000);
  expect(typedNanos('-1')).toBe(-1);
  expect(typedNanos('3 weeks')).toBeUndefined();
  expect(typedNanos('1 2 ms x')).toBeUndefined();
  expect(typedNanos('')).toBeUndefined();
});

test('the clock counts nanoseconds from the start that the file has', () => {
  const zero = BigInt(new Date(2026, 4, 27, 6, 22, 13).getTime()) * 1_000_000n + 999_999_999n;
  expect(clockText(1, zero.toString())).toBe('2026-05-27 06:22:14.000000000');
  expect(clockText(0, zero.toString())).toBe('2026-05-27 06:22:13.999999999');
});
