import { expect, test } from 'vitest';
import { filtersOf, isEmpty, NO_SEARCH, termsOf, without, type Search } from './event-search';

const kinds = (text: string): readonly string[] =>
  termsOf(text).map((term) => `${term.kind} ${term.text}`);

test('words that look like an address are one, others are looked for in the stack', () => {
  expect(kinds('0x7f16 forward')).toEqual(['address 0x7f16', 'stack forward']);
  expect(kinds('7f16c')).toEqual(['address 7f16c']);
  expect(kinds('20697531023361')).toEqual(['address 20697531023361']);
  // Without a digit it is a word; short numbers are lines.
  expect(kinds('decade facade')).toEqual(['stack decade', 'stack facade']);
  expect(kinds('1762')).toEqual(['stack 1762']);
  expect(kinds('mlp.py:62')).toEqual(['stack mlp.py:62']);
});

test('quotes keep words together, and text that looks like an address', () => {
  expect(kinds('"call impl" "12345"')).toEqual(['stack call impl', 'stack 12345']);
  expect(kinds('0x7f "not yet closed')).toEqual(['address 0x7f', 'stack not yet closed']);
  expect(kinds('""  ')).toEqual([]);
});

test('one part is taken out and the others stay', () => {
  const text = '0x7f16  "call impl" linear';
  expect(termsOf(text).map((term) => without(text, term))).toEqual([
    '"call impl" linear',
    '0x7f16 linear',
    '0x7f16  "call impl"',
  ]);
});

test('everything has to match', () => {
  const search: Search = { text: '0x7f16 linear', mode: 'contains', actions: ['alloc'] };
  expect(filtersOf(search)).toEqual([
    { column: 'address', test: { kind: 'contains', text: '0x7f16' } },
    { column: 'stack', test: { kind: 'contains', text: 'linear' } },
    { column: 'action', test: { kind: 'is', names: ['alloc'] } },
  ]);
});

test('digits alone are tried as decimal and as hex', () => {
  const test = (text: string, mode: Search['mode']) =>
    filtersOf({ ...NO_SEARCH, text, mode })[0]?.test;
  expect(test('139737', 'exact')).toEqual({ kind: 'is', names: ['139737', '0x139737'] });
  expect(test('7f16c', 'exact')).toEqual({ kind: 'is', names: ['7f16c'] });
  expect(test('139737', 'holds')).toEqual({ kind: 'holds', addresses: ['139737', '0x139737'] });
});

test('a search for nothing is none', () => {
  expect(isEmpty(NO_SEARCH)).toBe(true);
  expect(isEmpty({ ...NO_SEARCH, text: '  "" ' })).toBe(true);
  expect(isEmpty({ ...NO_SEARCH, actions: ['oom'] })).toBe(false);
});
