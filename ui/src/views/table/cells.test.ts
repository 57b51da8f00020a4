import { expect, test } from 'vitest';
import { cellText, typedNumber } from './cells';
import { columnsOf, type ColumnSpec } from './columns';

function column(kind: 'blocks' | 'events', id: string): ColumnSpec {
  const found = columnsOf(kind).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no column ${id}`);
  return found;
}

test('sizes are written in the chosen unit', () => {
  const size = column('blocks', 'size');
  const write = (unit: 'auto' | 'B' | 'KiB' | 'MiB'): string => cellText(size, 1_572_864, unit);
  expect([write('auto'), write('B'), write('KiB'), write('MiB')]).toEqual([
    '1.50 MiB',
    '1,572,864',
    '1,536.00',
    '1.50',
  ]);
});

test('what is not there says why', () => {
  const text = (id: string): string => cellText(column('blocks', id), undefined, 'auto');
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
