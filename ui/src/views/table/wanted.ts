import type { Holder } from '../../wire/holders';
import type { TableColumn, TableTest } from '../../wire/tables';

/** Rows that are to be shown; a new one each time somebody asks. */
export interface WantedRows {
  readonly rows: 'blocks' | 'events';
  readonly test: TableTest;
}

/** The column that is asked. A stack or a frame is asked of the row, whatever its columns. */
export function wantedColumn({ rows, test }: WantedRows, isDump: boolean): TableColumn {
  if (test.kind === 'contains') return 'owner';
  return rows === 'events' && isDump ? 'python_stack' : 'stack';
}

/** What a row must be to be of `holder`. */
export function wantedRows(holder: Holder, rows: WantedRows['rows']): WantedRows {
  return { rows, test: holder.kind === 'owner' ? ownerTest(holder.tag) : holder };
}

/** `ops@aten` for `PTA@ops@aten`: files do not always write the pool before the owner. */
function ownerTest(tag: string): TableTest {
  const [pool = '', ...levels] = tag.split('@');
  return { kind: 'contains', text: levels.length === 0 ? pool : levels.join('@') };
}
