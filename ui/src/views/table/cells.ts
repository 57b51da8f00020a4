import { amount, bytes, count, duration, wallClock, type ByteUnit } from '../../base/format';
import type { Key } from '../../text/keys';
import { named, t } from '../../text/t';
import type { TableCell, TableColumn } from '../../wire/tables';
import type { ColumnSpec } from './columns';
import { clockText, momentText, NEVER, spanText, type Times } from './moments';

/** How sizes are written. */
export type Unit = 'auto' | 'B' | 'KiB' | 'MiB';

export const UNITS: readonly Unit[] = ['auto', 'B', 'KiB', 'MiB'];

const SIZES: Readonly<Record<Exclude<Unit, 'auto'>, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2 };

/** A chosen unit; nothing when every value has its own. */
export const byteUnitOf = (unit: Unit): ByteUnit | undefined =>
  unit === 'auto' ? undefined : { name: unit, size: SIZES[unit] };

/** `value` bytes in the chosen unit. */
export function sizeText(value: number, unit: Unit): string {
  const chosen = byteUnitOf(unit);
  return chosen === undefined ? bytes(value) : amount(value, chosen);
}

/** How values are written. */
export interface Writing {
  readonly unit: Unit;
  readonly times: Times;
}

/** What stands in a cell. */
export function cellText(column: ColumnSpec, cell: TableCell, { unit, times }: Writing): string {
  if (cell === undefined) return nothing(column);
  if (typeof cell === 'string') return codeText(column.id, cell);
  switch (column.kind) {
    case 'bytes':
      return sizeText(cell, unit);
    case 'event':
      return count(cell);
    case 'duration':
      return duration(cell);
    case 'time':
      return wallClock(cell);
    case 'moment':
      return cell === NEVER ? '−1' : momentText(cell, times);
    case 'nanos':
      return spanText(cell, times);
    case 'number':
      return column.id === 'lifetime' ? count(cell) : cell.toString();
    case 'block':
    case 'address':
    case 'text':
      return cell.toString();
  }
}

/** What a code in a column is called: in its cells, and where it is picked. */
export function codeText(id: TableColumn, code: string): string {
  if (id !== 'state' && id !== 'origin' && id !== 'size_source') return code;
  const name = code.replaceAll(' ', '_');
  const text = named(`table.codes.${id}`, name);
  return text === name ? code : text;
}

/** What is there to know about a cell beyond its text; `zeroNs` is when a dump begins. */
export function cellTitle(
  column: ColumnSpec,
  cell: TableCell,
  zeroNs: string | undefined,
): string | undefined {
  if (typeof cell === 'number' && column.kind === 'moment') {
    if (cell === NEVER) return t('table.neverAccessed');
    const exact = `${count(cell)} ns`;
    return zeroNs === undefined ? exact : `${clockText(cell, zeroNs)}\n${exact}`;
  }
  if (typeof cell === 'number' && column.kind === 'nanos') return `${count(cell)} ns`;
  if (typeof cell === 'number' && column.kind === 'bytes') return `${count(cell)} B`;
  return typeof cell === 'string' && column.kind === 'text' ? cell : undefined;
}

/** What is copied of a cell: exact, without units. */
export const exactText = (cell: TableCell): string => cell?.toString() ?? '';

const nothing = ({ id }: ColumnSpec): string => t(NOTHING[id] ?? 'table.nothing');

/** What stands where nothing is, where that means something. */
const NOTHING: Partial<Record<TableColumn, Key>> = {
  alloc_event: 'table.before',
  free_event: 'table.never',
  malloc_time_ns: 'table.before',
  free_time_ns: 'table.notFreed',
  stack: 'table.noStack',
  top_frame: 'table.noStack',
};

const SUFFIXES: Readonly<Record<string, number>> = {
  '': 0,
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
};

/** A number as typed into a range filter: `1,024`, `1.5 MiB`, `2g`; bare ones are of `size`. */
export function typedNumber(text: string, size: number): number | undefined {
  const found = /^([-−]?[\d.]+)\s*([kmgtb]?)(i?b|ytes)?$/i.exec(text.trim().replace(/[,_\s]/g, ''));
  const value = Number((found?.[1] ?? '').replace('−', '-'));
  if (found === null || Number.isNaN(value)) return undefined;
  const factor = SUFFIXES[(found[2] ?? '').toLowerCase()] ?? 0;
  return value * (factor === 0 ? size : factor);
}

const MICROSECONDS: Readonly<Record<string, number>> = {
  ns: 1e-3,
  us: 1,
  µs: 1,
  ms: 1e3,
  s: 1e6,
  min: 60e6,
  h: 3600e6,
};

/** A time as typed into a range filter, in microseconds: `1.5 ms`, `20us`; bare ones are those. */
export function typedDuration(text: string): number | undefined {
  // There are two signs that look like a µ.
  const plain = text
    .trim()
    .toLowerCase()
    .replace('μ', 'µ')
    .replace(/[,_\s]/g, '');
  const found = /^([-−]?(?:\d+\.?\d*|\.\d+))([a-zµ]*)$/.exec(plain);
  const unit = MICROSECONDS[found?.[2] === '' ? 'us' : (found?.[2] ?? '')];
  return found === null || unit === undefined
    ? undefined
    : Number((found[1] ?? '').replace('−', '-')) * unit;
}

/** A moment as typed: date and time as the cells write them, or the time since the first event. */
export function typedMoment(text: string, firstUs: number | undefined): number | undefined {
  const clock = /^(\d{4})-(\d\d?)-(\d\d?)[ t]+(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/i.exec(
    text.trim(),
  );
  if (clock !== null) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = clock
      .slice(1, 7)
      .map((part) => Number(part || 0));
    const date = new Date(year, month - 1, day, hour, minute, second);
    return date.getTime() * 1000 + Number((clock[7] ?? '').padEnd(6, '0'));
  }
  const since = typedDuration(text);
  return since === undefined || firstUs === undefined ? undefined : firstUs + since;
}
