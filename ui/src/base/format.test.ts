import { expect, test } from 'vitest';
import { setLanguage } from '../text/language.svelte';
import * as format from './format';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1024, '1.00 KiB'],
  [134_217_728, '128.00 MiB'],
  [1024 ** 3 * 39.806, '39.81 GiB'],
  [1024 ** 4 * 2.5, '2.50 TiB'],
])('%d bytes', (value, text) => {
  expect(format.bytes(value)).toBe(text);
});

test.each([
  [0, '0'],
  [1234567, '1,234,567'],
  [-1, '−1'],
])('count %d', (value, text) => {
  expect(format.count(value)).toBe(text);
});

test.each([
  [3, '3 µs'],
  [999, '999 µs'],
  [1500, '1.50 ms'],
  [38_200, '38.2 ms'],
  [214_000, '214 ms'],
  [1_250_000, '1.25 s'],
  [0, '0 µs'],
  [0.241, '241 ns'],
  [12.345, '12.3 µs'],
])('%d microseconds', (value, text) => {
  expect(format.duration(value)).toBe(text);
});

test.each([
  [0, '0 ns'],
  [241, '241 ns'],
  [23_584_400_241, '23 s 584 ms 400 µs 241 ns'],
  [10_000_000_000, '10 s'],
  [4_000_000_250, '4 s 250 ns'],
  [1_234_000_000_000, '1,234 s'],
  [-1_000, '−1 µs'],
])('the exact moment of %d ns', (ns, text) => {
  expect(format.exactMoment(ns)).toBe(text);
});

test('shares', () => {
  expect([0, 0.0002, 0.007, 0.12, 1].map(format.percent)).toEqual([
    '0 %',
    '< 0.1 %',
    '0.7 %',
    '12 %',
    '100 %',
  ]);
});

test('in Chinese a share has no blank before its sign; digits, units and thousands are as ever', () => {
  setLanguage('zh');
  expect([0.0002, 0.007, 1].map(format.percent)).toEqual(['< 0.1%', '0.7%', '100%']);
  expect(format.count(1_234_567)).toBe('1,234,567');
  expect(format.shortCount(1_234_567)).toBe('1.2 M');
  expect(format.bytes(1024 ** 3)).toBe('1.00 GiB');
  expect(format.duration(38_200)).toBe('38.2 ms');
  setLanguage('en');
});

test('labels say no more than their step', () => {
  const gib = 1024 ** 3;
  expect(format.byteLabel(12 * gib, 12 * gib, 48 * gib)).toBe('12 GiB');
  expect(format.byteLabel(0.5 * gib, 0.5 * gib, 2 * gib)).toBe('0.5 GiB');
  expect(format.countLabel(731_204, 1)).toBe('731,204');
  expect(format.countLabel(600_000, 200_000)).toBe('600 k');
  expect(format.countLabel(1_200_000, 200_000)).toBe('1.2 M');
  expect(format.timeLabel(0.95e6, 0.05e6, 1.1e6)).toBe('0.95 s');
  expect(format.timeLabel(250, 50, 400)).toBe('250 µs');
  expect(format.timeLabel(2.5, 0.5, 3)).toBe('2.5 µs');
  expect(format.timeLabel(23_584_400.241, 0.001, 23_584_400.25)).toBe('23.584400241 s');
});

test('a clock has microseconds', () => {
  expect(format.wallClock(1_779_863_412_000_123)).toMatch(/^2026-05-2\d \d\d:\d\d:12\.000123$/);
});

test('a time since a recording began has no date', () => {
  expect(format.wallClock(1_500_000.25)).toBe('1 s 500 ms 250 ns');
});
