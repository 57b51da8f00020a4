import { t } from '../../text/t';
import { zhColumns } from '../../text/zh-table';
import type { TableColumn, TableKind } from '../../wire/tables';
import type { Writing } from './cells';
import { columnsOf, isOfDump } from './columns';

/** Languages that the manuals name the columns in. */
export type HeaderLanguage = 'en' | 'zh';

/** The one of a machine whose system speaks `language`. */
export const headerLanguage = (language: string): HeaderLanguage =>
  language.toLowerCase().startsWith('zh') ? 'zh' : 'en';

/** What a column is called; in a dump, as in the collector's manual. */
export function columnName(
  kind: TableKind,
  id: TableColumn,
  { unit, times }: Writing,
  language: HeaderLanguage = 'en',
): string {
  const name = nameIn(language, kind, id);
  if (!isOfDump(kind)) return name;
  const found = columnsOf(kind).find((column) => column.id === id);
  if (found?.kind === 'bytes' && unit !== 'auto') return `${name}(${t(`table.units.${unit}`)})`;
  const isTime = found?.kind === 'moment' || found?.kind === 'nanos';
  return isTime && times === 'ns' ? `${name}(ns)` : name;
}

/** A column's name in the other language; nothing where the manuals have none. */
export function otherName(
  kind: TableKind,
  id: TableColumn,
  language: HeaderLanguage,
): string | undefined {
  if (zhColumns[kind][id] === undefined) return undefined;
  return nameIn(language === 'en' ? 'zh' : 'en', kind, id);
}

function nameIn(language: HeaderLanguage, kind: TableKind, id: TableColumn): string {
  const chinese = language === 'zh' ? zhColumns[kind][id] : undefined;
  const own = isOfDump(kind) && id === 'address' ? t('table.dumpColumns.address') : undefined;
  return chinese ?? own ?? t(`table.columns.${id}`);
}
