import { count, duration } from '../../base/format';
import { t } from '../../text/t';
import { byteUnitOf, sizeText, typedDuration, typedMoment, typedNumber, type Unit } from './cells';
import type { FilterKind } from './columns';
import { momentText, NEVER, spanText, typedNanos } from './moments';

/** How the ends of a range are typed and written. */
export interface Range {
  /** What was typed, as the column counts; nothing when it is none. */
  readonly read: (typed: string) => number | undefined;
  readonly write: (value: number) => string;
  /** What reads as exactly `value`. */
  readonly typed: (value: number) => string;
  /** How to type one. */
  readonly hint: string;
}

/** How a column's range is typed; nothing when it is not filtered by one. */
export function rangeOf(
  filter: FilterKind,
  unit: Unit,
  firstUs: number | undefined,
): Range | undefined {
  const way = wayOf(filter, unit, firstUs);
  if (way === undefined) return undefined;
  const typed = (value: number): string => {
    const short = way.write(value);
    return way.read(short) === value ? short : way.exact(value);
  };
  return { read: way.read, write: way.write, typed, hint: way.hint };
}

interface Way extends Omit<Range, 'typed'> {
  /** All digits, where the usual writing is rounded. */
  readonly exact: (value: number) => string;
}

function wayOf(filter: FilterKind, unit: Unit, firstUs: number | undefined): Way | undefined {
  switch (filter) {
    case 'range':
      return {
        read: (typed) => typedNumber(typed, 1),
        write: count,
        exact: String,
        hint: t('table.typing.number'),
      };
    case 'bytes': {
      const size = byteUnitOf(unit)?.size ?? 1;
      const write = (value: number): string => sizeText(value, unit);
      return {
        read: (typed) => typedNumber(typed, size),
        write,
        exact: (value) => `${value.toString()} B`,
        hint: t('table.typing.bytes'),
      };
    }
    case 'duration':
      return {
        read: typedDuration,
        write: duration,
        exact: (value) => `${value.toString()} us`,
        hint: t('table.typing.duration'),
      };
    case 'time':
      return {
        read: (typed) => typedMoment(typed, firstUs),
        write: (value) => duration(value - (firstUs ?? 0)),
        exact: (value) => `${(value - (firstUs ?? 0)).toString()} us`,
        hint: t('table.typing.time'),
      };
    case 'moment':
      return {
        read: typedNanos,
        write: (value) => (value === NEVER ? '−1' : momentText(value, 'exact')),
        exact: String,
        hint: t('table.typing.moment'),
      };
    case 'nanos':
      return {
        read: typedNanos,
        write: (value) => spanText(value, 'exact'),
        exact: String,
        hint: t('table.typing.nanos'),
      };
    case 'text':
    case 'pick':
    case 'none':
      return undefined;
  }
}
