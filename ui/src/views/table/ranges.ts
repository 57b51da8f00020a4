import { count, duration } from '../../base/format';
import { en } from '../../text/en';
import { byteUnitOf, sizeText, typedDuration, typedMoment, typedNumber, type Unit } from './cells';
import type { FilterKind } from './columns';
import { momentText, NEVER, spanText, typedNanos } from './moments';

/** How the ends of a range are typed and written. */
export interface Range {
  /** What was typed, as the column counts; nothing when it is none. */
  readonly read: (typed: string) => number | undefined;
  readonly write: (value: number) => string;
  /** How to type one. */
  readonly hint: string;
}

/** How a column's range is typed; nothing when it is not filtered by one. */
export function rangeOf(
  filter: FilterKind,
  unit: Unit,
  firstUs: number | undefined,
): Range | undefined {
  const hint = en.table.typing;
  switch (filter) {
    case 'range':
      return { read: (typed) => typedNumber(typed, 1), write: count, hint: hint.number };
    case 'bytes': {
      const size = byteUnitOf(unit)?.size ?? 1;
      const write = (value: number): string => sizeText(value, unit);
      return { read: (typed) => typedNumber(typed, size), write, hint: hint.bytes };
    }
    case 'duration':
      return { read: typedDuration, write: duration, hint: hint.duration };
    case 'time':
      return {
        read: (typed) => typedMoment(typed, firstUs),
        write: (value) => duration(value - (firstUs ?? 0)),
        hint: hint.time,
      };
    case 'moment':
      return {
        read: typedNanos,
        write: (value) => (value === NEVER ? '−1' : momentText(value, 'exact')),
        hint: hint.moment,
      };
    case 'nanos':
      return { read: typedNanos, write: (value) => spanText(value, 'exact'), hint: hint.nanos };
    case 'text':
    case 'pick':
    case 'none':
      return undefined;
  }
}
