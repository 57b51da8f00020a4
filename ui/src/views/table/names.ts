import { isText, t, tIn } from '../../text/t';
import { language, type Language } from '../../text/language.svelte';
import type { TableColumn, TableKind } from '../../wire/tables';
import type { Writing } from './cells';
import { columnsOf, isOfDump } from './columns';

/** What a column is called, as in the manual of who wrote the recording. */
export function columnName(kind: TableKind, id: TableColumn, { unit, times }: Writing): string {
  const name = nameIn(language(), kind, id);
  if (!isOfDump(kind)) return name;
  const found = columnsOf(kind).find((column) => column.id === id);
  if (found?.kind === 'bytes' && unit !== 'auto') return `${name}(${t(`table.units.${unit}`)})`;
  const isTime = found?.kind === 'moment' || found?.kind === 'nanos';
  return isTime && times === 'ns' ? `${name}(ns)` : name;
}

/** A column's name in the other language; nothing where the manuals have none. */
export const otherName = (kind: TableKind, id: TableColumn): string | undefined =>
  isText(headerKey(kind, id)) ? nameIn(language() === 'en' ? 'zh' : 'en', kind, id) : undefined;

function nameIn(which: Language, kind: TableKind, id: TableColumn): string {
  const header = headerKey(kind, id);
  return tIn(which, isText(header) ? header : `table.columns.${id}`);
}

const headerKey = (kind: TableKind, id: TableColumn): string => `table.headers.${kind}.${id}`;
