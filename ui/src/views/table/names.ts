import { en } from '../../text/en';
import type { TableColumn, TableKind } from '../../wire/tables';
import type { Writing } from './cells';
import { columnsOf, isOfDump } from './columns';

/** What a column is called; in a dump, as in the collector's manual. */
export function columnName(kind: TableKind, id: TableColumn, { unit, times }: Writing): string {
  if (!isOfDump(kind)) return en.table.columns[id];
  const name = en.table.dumpColumns[id] ?? en.table.columns[id];
  const found = columnsOf(kind).find((column) => column.id === id);
  if (found?.kind === 'bytes' && unit !== 'auto') return `${name}(${en.table.units[unit]})`;
  const isTime = found?.kind === 'moment' || found?.kind === 'nanos';
  return isTime && times === 'ns' ? `${name}(ns)` : name;
}
