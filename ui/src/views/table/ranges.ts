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
  /** How to type one. */
  readonly hint: string;
}

/** How a column's range is typed; nothing when it is not filtered by one. */
export function rangeOf(
  filter: FilterKind,
  unit: Unit,
  firstUs: number | undefined,
): Range | undefined {
  switch (filter) {
    case 'range':
      return {
        read: (typed) => typedNumber(typed, 1),
        write: count,
        hint: t('table.typing.number'),
      };
    case 'bytes': {
      const size = byteUnitOf(unit)?.size ?? 1;
      const write = (value: number): string => sizeText(value, unit);
      return { read: (typed) => typedNumber(typed, size), write, hint: t('table.typing.bytes') };
    }
    case 'duration':
      return { read: typedDuration, write: duration, hint: t('table.typing.duration') };
    case 'time':
      return {
        read: (typed) => typedMoment(typed, firstUs),
        write: (value) => duration(value - (firstUs ?? 0)),
        hint: t('table.typing.time'),
      };
    case 'moment':
      return {
        read: typedNanos,
        write: (value) => (value === NEVER ? '−1' : momentText(value, 'exact')),
        hint: t('table.typing.moment'),
      };
    case 'nanos':
      return {
        read: typedNanos,
        write: (value) => spanText(value, 'exact'),
        hint: t('table.typing.nanos'),
      };
    case 'text':
    case 'pick':
    case 'none':
      return undefined;
  }
}
