import { fieldOf, listOf } from '../../base/json';
import { rememberedJson, rememberJson } from '../../base/remember';
import type { TableColumn, TableKind, TableOrder } from '../../wire/tables';
import { UNITS, type Unit } from './cells';
import { columnsOf, type ColumnSpec } from './columns';
import { TIMES, type Times } from './moments';

/** What a person chose of a kind of table, for this recording and the next. */
export interface Habit {
  readonly columns: readonly ColumnSpec[];
  readonly unit: Unit;
  /** How the times of a dump are written. */
  readonly times: Times;
  readonly order: readonly TableOrder[];
  /** Pixels of the columns that were resized. */
  readonly widths: ReadonlyMap<TableColumn, number>;
}

/** How narrow and how wide a column may be. */
export const LEAST_WIDTH = 40;
export const MOST_WIDTH = 1200;

const nameOf = (kind: TableKind): string => `table.${kind}`;

export function rememberHabit(
  kind: TableKind,
  { columns, unit, times, order, widths }: Habit,
): void {
  const ids = columns.map(({ id }) => id);
  rememberJson(nameOf(kind), { columns: ids, unit, times, order, widths: [...widths] });
}

/** What was chosen before; whatever cannot be read is as it is at first. */
export function rememberedHabit(kind: TableKind): Habit {
  const kept = rememberedJson(nameOf(kind));
  const all = columnsOf(kind);
  const find = (id: unknown): ColumnSpec | undefined => all.find((column) => column.id === id);
  const listed = listOf(fieldOf(kept, 'columns'));
  const columns = all.filter(({ id }) => listed.includes(id));
  const order = listOf(fieldOf(kept, 'order')).flatMap((one): readonly TableOrder[] => {
    const column = find(fieldOf(one, 'column'))?.id;
    const direction = fieldOf(one, 'direction');
    const isKnown = direction === 'ascending' || direction === 'descending';
    return column !== undefined && isKnown ? [{ column, direction }] : [];
  });
  const widths = listOf(fieldOf(kept, 'widths')).flatMap(
    (one): readonly (readonly [TableColumn, number])[] => {
      const [id, width] = listOf(one);
      const column = find(id)?.id;
      const isWide = typeof width === 'number' && width >= LEAST_WIDTH && width <= MOST_WIDTH;
      return column !== undefined && isWide ? [[column, width]] : [];
    },
  );
  return {
    columns: columns.length > 0 ? columns : all.filter(({ isUsual }) => isUsual),
    unit: UNITS.find((unit) => unit === fieldOf(kept, 'unit')) ?? 'auto',
    times: TIMES.find((times) => times === fieldOf(kept, 'times')) ?? 'exact',
    order,
    widths: new Map(widths),
  };
}
