import { bytes, count } from '../../base/format';
import { fieldOf, oneOf, textOf } from '../../base/json';
import type { Amount } from '../../wire/known';
import type { Difference, DiffRow } from '../../wire/compare';

const ORDERS = ['name', 'a', 'b', 'change', 'share', 'count_a', 'count_b', 'change_count'] as const;

/** A column to order by. */
export type DiffOrder = (typeof ORDERS)[number];

/** Which rows are shown. */
export const DIFF_ONLY = ['all', 'changed', 'grown', 'shrunk', 'only_a', 'only_b'] as const;
export type DiffOnly = (typeof DIFF_ONLY)[number];

/** How the rows are looked at. */
export interface DiffLook {
  readonly order: DiffOrder;
  readonly isDescending: boolean;
  readonly only: DiffOnly;
  readonly search: string;
}

export const FIRST_LOOK: DiffLook = {
  order: 'change',
  isDescending: true,
  only: 'all',
  search: '',
};

/** How the rows were looked at, out of what was kept of it. */
export const readLook = (value: unknown): DiffLook => ({
  order: oneOf(fieldOf(value, 'order'), ORDERS) ?? FIRST_LOOK.order,
  isDescending: fieldOf(value, 'isDescending') !== false,
  only: oneOf(fieldOf(value, 'only'), DIFF_ONLY) ?? FIRST_LOOK.only,
  search: textOf(fieldOf(value, 'search')) ?? FIRST_LOOK.search,
});

/** The frame that tells most about who allocated, or the owner; empty where none is recorded. */
export const nameOf = ({ lines, top_line: top }: DiffRow): string =>
  lines?.[top ?? 0] ?? lines?.[0] ?? '';

/** A frame without the folders of its file; what is none stays as it is. */
export const shortOf = (name: string): string => name.replace(/^.*[\\/](?=[^\\/]+:\d+ )/, '');

/** Which side alone holds something at its moment. */
export function onlyIn({ a, b }: DiffRow): 'a' | 'b' | undefined {
  if (a.count > 0 && b.count === 0) return 'a';
  return b.count > 0 && a.count === 0 ? 'b' : undefined;
}

const isShown = (row: DiffRow, { only }: DiffLook): boolean => {
  switch (only) {
    case 'all':
      return true;
    case 'changed':
      return row.change !== 0 || row.change_count !== 0;
    case 'grown':
      return row.change > 0;
    case 'shrunk':
      return row.change < 0;
    case 'only_a':
      return onlyIn(row) === 'a';
    case 'only_b':
      return onlyIn(row) === 'b';
  }
};

/** Whether each word is somewhere in the row's lines. */
function isFound({ lines = [] }: DiffRow, search: string): boolean {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const text = lines.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function valueOf(row: DiffRow, order: DiffOrder): number {
  switch (order) {
    case 'name':
      return 0;
    case 'a':
      return row.a.size;
    case 'b':
      return row.b.size;
    case 'change':
    case 'share':
      return Math.abs(row.change);
    case 'count_a':
      return row.a.count;
    case 'count_b':
      return row.b.count;
    case 'change_count':
      return Math.abs(row.change_count);
  }
}

/** The rows that are looked at, in their order; of equals the one that comes first stays first. */
export function looked(rows: readonly DiffRow[], look: DiffLook): readonly DiffRow[] {
  const sign = look.isDescending ? -1 : 1;
  const by = (a: DiffRow, b: DiffRow): number =>
    look.order === 'name'
      ? sign * nameOf(a).localeCompare(nameOf(b))
      : sign * (valueOf(a, look.order) - valueOf(b, look.order));
  return rows.filter((row) => isShown(row, look) && isFound(row, look.search)).sort(by);
}

/** What rows hold together on both sides. */
export interface Sum {
  readonly a: Amount;
  readonly b: Amount;
}

const NOTHING: Amount = { count: 0, requested: 0, size: 0 };

const joined = (one: Amount, other: Amount): Amount => ({
  count: one.count + other.count,
  requested: one.requested + other.requested,
  size: one.size + other.size,
});

export const sumOf = (rows: readonly Sum[]): Sum => ({
  a: rows.reduce((sum, { a }) => joined(sum, a), NOTHING),
  b: rows.reduce((sum, { b }) => joined(sum, b), NOTHING),
});

/** `+1.20 GiB`, `−12 KiB`, `0 B`. */
export const changeText = (change: number): string =>
  change > 0 ? `+${bytes(change)}` : bytes(change);

/** `+3`, `−1`, `0`. */
export const countChangeText = (change: number): string =>
  change > 0 ? `+${count(change)}` : count(change);

/** What a text of a difference says besides numbers. */
export interface DiffWords {
  readonly heads: readonly string[];
  readonly none: string;
  readonly smaller: (rows: number) => string;
  readonly unchanged: (rows: number) => string;
  readonly total: string;
}

/** The whole difference as a table, its cells apart by tabs: exact bytes, then the lines. */
export function asText(
  found: Difference,
  rows: readonly DiffRow[],
  titles: readonly string[],
  words: DiffWords,
): string {
  const line = (a: Amount, b: Amount, name: string): string =>
    [
      a.size,
      b.size,
      b.size - a.size,
      a.count,
      b.count,
      b.count - a.count,
      name.replaceAll(/[\t\n]/g, ' '),
    ].join('\t');
  const rests = [
    { rest: found.smaller, name: words.smaller },
    { rest: found.unchanged, name: words.unchanged },
  ].filter(({ rest }) => rest.rows > 0);
  return [
    ...titles,
    words.heads.join('\t'),
    ...rows.map((row) => line(row.a, row.b, row.lines?.join(' < ') ?? words.none)),
    ...rests.map(({ rest, name }) => line(rest.a, rest.b, name(rest.rows))),
    line(found.a.live, found.b.live, words.total),
  ].join('\n');
}
