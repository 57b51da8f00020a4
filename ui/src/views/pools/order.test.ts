import { expect, test } from 'vitest';
import type { PoolRow } from '../../wire/pools';
import { decodeCurves, encodeCurves } from '../../wire/pools';
import { reordered, sorted } from './order';
import { areaPath, bandPath } from './path';

const peak = (bytes: number): PoolRow['peak_active'] => ({ bytes, event: 0, time_us: undefined });

const pool = (name: string, reserved: number, segments: number): PoolRow => ({
  pool: name,
  stream: '0x0',
  reserved,
  active: 0,
  free: reserved,
  largest_gap: reserved,
  segments,
  peak_reserved: peak(reserved),
  peak_active: peak(0),
});

const POOLS = [pool('(0, 0)', 5, 2), pool('(0, 1)', 9, 1), pool('(0, 2)', 5, 3)];

test('pools are sorted by any column, equals as they were', () => {
  const names = (...order: Parameters<typeof sorted>): readonly number[] =>
    sorted(...order).map(({ row }) => row);
  expect(names(POOLS, { column: 'reserved', isDescending: true })).toEqual([1, 0, 2]);
  expect(names(POOLS, { column: 'segments', isDescending: false })).toEqual([1, 0, 2]);
  expect(names(POOLS, { column: 'pool', isDescending: true })).toEqual([2, 1, 0]);
});

test('a column again turns the order round', () => {
  const first = reordered({ column: 'pool', isDescending: false }, 'free');
  expect(first).toEqual({ column: 'free', isDescending: true });
  expect(reordered(first, 'free')).toEqual({ column: 'free', isDescending: false });
});

test('curves are read as they were written, and drawn between their edges', () => {
  const of = (...values: readonly number[]): Float32Array => Float32Array.from(values);
  const line = {
    reservedLeast: of(2, 4),
    reservedMost: of(4, 4),
    activeLeast: of(0, 1),
    activeMost: of(2, 1),
  };
  const curves = decodeCurves(encodeCurves({ edge: of(0, 0.5, 1), lines: [line, line] }));
  expect(curves.lines).toHaveLength(2);
  expect(curves.lines[1]).toEqual(line);
  expect(areaPath(curves.edge, line.activeMost, 4)).toBe(
    'M0.00000 1V0.5000H0.50000V0.7500H1.00000V1Z',
  );
  expect(bandPath(curves.edge, line.reservedLeast, line.reservedMost, 4)).toBe(
    'M0.00000 0.0000V0.0000H0.50000V0.0000H1.00000V0.0000H0.50000V0.5000H0.00000Z',
  );
  expect(areaPath(curves.edge, of(), 4)).toBe('');
});
