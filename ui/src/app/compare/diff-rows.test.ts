import { describe, expect, it } from 'vitest';
import type { Difference, DiffRow } from '../../wire/compare';
import { asText, FIRST_LOOK, looked, nameOf, onlyIn, shortOf, sumOf } from './diff-rows';

const amount = (size: number, count: number): DiffRow['a'] => ({ count, requested: size, size });

function row(name: string | undefined, a: number, b: number, counts = [1, 1]): DiffRow {
  const [one = 0, other = 0] = counts;
  return {
    lines: name === undefined ? undefined : ['torch/f.py:1 linear', name, 'train.py:9 <module>'],
    top_line: name === undefined ? undefined : 1,
    a: amount(a, one),
    b: amount(b, other),
    change: b - a,
    change_count: other - one,
    share: 0,
    block_a: undefined,
    block_b: undefined,
    stack_a: undefined,
    stack_b: undefined,
    in_a: one > 0,
    in_b: other > 0,
  };
}

const ROWS = [
  row('net.py:20 forward', 100, 500, [1, 3]),
  row('opt.py:7 step', 300, 0, [2, 0]),
  row(undefined, 40, 40),
  row('attn.py:2 qkv', 0, 60, [0, 1]),
];

const names = (rows: readonly DiffRow[]): readonly string[] => rows.map(nameOf);

describe('rows of a difference', () => {
  it('are ordered by any column, both ways', () => {
    const by = (order: typeof FIRST_LOOK.order, isDescending: boolean): readonly string[] =>
      names(looked(ROWS, { ...FIRST_LOOK, order, isDescending }));
    expect(by('change', true)).toEqual(['net.py:20 forward', 'opt.py:7 step', 'attn.py:2 qkv', '']);
    expect(by('a', true)[0]).toBe('opt.py:7 step');
    expect(by('b', false)[0]).toBe('opt.py:7 step');
    expect(by('count_b', true)[0]).toBe('net.py:20 forward');
    expect(by('name', false)).toEqual(['', 'attn.py:2 qkv', 'net.py:20 forward', 'opt.py:7 step']);
  });

  it('are found by every word, wherever in the stack it is', () => {
    const found = (search: string): readonly string[] =>
      names(looked(ROWS, { ...FIRST_LOOK, search }));
    expect(found('MODULE qkv')).toEqual(['attn.py:2 qkv']);
    expect(found('linear')).toHaveLength(3);
    expect(found('nowhere')).toEqual([]);
  });

  it('can be those of one side only', () => {
    const only = (which: typeof FIRST_LOOK.only): readonly string[] =>
      names(looked(ROWS, { ...FIRST_LOOK, only: which }));
    expect(only('only_a')).toEqual(['opt.py:7 step']);
    expect(only('only_b')).toEqual(['attn.py:2 qkv']);
    expect(only('changed')).toHaveLength(3);
    expect(only('grown')).toEqual(['net.py:20 forward', 'attn.py:2 qkv']);
    expect(ROWS.map(onlyIn)).toEqual([undefined, 'a', undefined, 'b']);
  });
});

describe('a copied difference', () => {
  it('has exact bytes, which add up to the total', () => {
    const { a, b } = sumOf(ROWS);
    const none = { bytes: 0, event: -1, time_us: undefined };
    const side = (live: DiffRow['a']): Difference['a'] => ({
      name: 'n',
      device: 'cuda:0',
      event: 1,
      time_us: undefined,
      live,
      totals: { allocated: live.size, active: live.size, reserved: live.size },
      peak: { allocated: none, active: none, reserved: none },
    });
    const rest = { rows: 0, a: amount(0, 0), b: amount(0, 0) };
    const found: Difference = {
      by: 'stack',
      a: side(a),
      b: side(b),
      change: b.size - a.size,
      rows: ROWS,
      smaller: rest,
      unchanged: rest,
      steps: [],
      steps_only_a: [],
      steps_only_b: [],
    };
    const text = asText(found, ROWS, ['A: one', 'B: two'], {
      heads: ['A', 'B', 'change', 'blocks', 'blocks', 'change', 'stack'],
      none: 'no stack',
      smaller: (rows) => `${rows.toString()} smaller`,
      unchanged: (rows) => `${rows.toString()} unchanged`,
      total: 'total',
    });
    const lines = text.split('\n').map((line) => line.split('\t'));
    expect(lines).toHaveLength(3 + ROWS.length + 1);
    expect(lines[3]).toEqual([
      '100',
      '500',
      '400',
      '1',
      '3',
      '2',
      'torch/f.py:1 linear < net.py:20 forward < train.py:9 <module>',
    ]);
    const total = lines.at(-1) ?? [];
    const sum = (column: number): string =>
      lines
        .slice(3, -1)
        .reduce((all, cells) => all + Number(cells[column]), 0)
        .toString();
    expect(total.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5].map(sum));
  });
});

it('a frame is named without the folders of its file, and an owner as it is', () => {
  expect(shortOf('cs/basics/nn.py:6 softmax')).toBe('nn.py:6 softmax');
  expect(shortOf('C:\\a b\\net.py:20 forward')).toBe('net.py:20 forward');
  expect(shortOf('at::native/empty')).toBe('at::native/empty');
  expect(shortOf('PTA@ops@aten')).toBe('PTA@ops@aten');
});
