import { expect, test } from 'vitest';
import { cellText, cellTitle, typedNumber, type Writing } from './cells';
import type { TableKind } from '../../wire/tables';
import { columnsOf, type ColumnSpec } from './columns';
import { columnName } from './names';

function column(kind: TableKind, id: string): ColumnSpec {
  const found = columnsOf(kind).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no column ${id}`);
  return found;
}

const AUTO: Writing = { unit: 'auto', times: 'exact' };

test('sizes are written in the chosen unit', () => {
  const size = column('blocks', 'size');
  const write = (unit: 'auto' | 'B' | 'KiB' | 'MiB'): string =>
    cellText(size, 1_572_864, { unit, times: 'exact' });
  expect([write('auto'), write('B'), write('KiB'), write('MiB')]).toEqual([
    '1.50 MiB',
    '1,572,864',
    '1,536.00',
    '1.50',
  ]);
});

test('what is not there says why', () => {
  const text = (id: string): string => cellText(column('blocks', id), undefined, AUTO);
  expect([text('alloc_event'), text('free_event'), text('top_frame'), text('pool')]).toEqual([
    'before recording',
    'never',
    'no stack',
    '–',
  ]);
});

test('numbers are read as people type them', () => {
  expect(typedNumber('1,024', 1)).toBe(1024);
  expect(typedNumber('1.5 MiB', 1)).toBe(1_572_864);
  expect(typedNumber('2g', 1)).toBe(2 * 1024 ** 3);
  expect(typedNumber('3', 1024)).toBe(3072);
  expect(typedNumber('3 b', 1024)).toBe(3);
  expect(typedNumber('-320', 1)).toBe(-320);
  expect(typedNumber('', 1)).toBe(undefined);
  expect(typedNumber('many', 1)).toBe(undefined);
});

test('times of a dump are written to read or as nanoseconds, and told exactly', () => {
  const time = column('dump_blocks', 'malloc_time_ns');
  const gap = column('dump_blocks', 'longest_gap_ns');
  const plain: Writing = { unit: 'B', times: 'ns' };
  expect(cellText(time, 1_000_000_005, AUTO)).toBe('1.000 000 005 s');
  expect(cellText(time, 1_000_000_005, plain)).toBe('1,000,000,005');
  expect(cellText(gap, 1_500, AUTO)).toBe('1 µs 500 ns');
  expect(cellTitle(time, 1_500, undefined)).toBe('1,500 ns');
  expect(cellText(column('dump_blocks', 'first_access_ns'), -1, AUTO)).toBe('−1');
  expect(cellText(column('dump_blocks', 'free_time_ns'), undefined, AUTO)).toBe('not freed');
});

test('the columns of a dump are called as in the manual, with their unit when there is one', () => {
  const plain: Writing = { unit: 'B', times: 'ns' };
  const names = (writing: Writing): readonly string[] =>
    columnsOf('dump_blocks')
      .filter(({ isUsual }) => isUsual)
      .map(({ id }) => columnName('dump_blocks', id, writing));
  expect(names(plain)).toEqual([
    'ID',
    'Addr',
    'Size(bytes)',
    'Malloc Timestamp(ns)',
    'Free Timestamp(ns)',
    'Owner',
    'Process ID',
    'Thread ID',
    'First Access Timestamp(ns)',
    'Last Access Timestamp(ns)',
    'Max Access Interval(ns)',
    'Attr',
  ]);
  expect(names(AUTO).slice(1, 4)).toEqual(['Addr', 'Size', 'Malloc Timestamp']);
  expect(columnName('blocks', 'address', plain)).toBe('Address');
});
