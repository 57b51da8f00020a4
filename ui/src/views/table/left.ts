import { fieldOf, finite, listOf, oneOf, textOf, wholeIn } from '../../base/json';
import { readThresholds } from '../../state/saved';
import type { TableColumn, TableOrder, TableTest } from '../../wire/tables';
import type { ColumnSpec } from './columns';
import type { Choice, Scope } from './model';

/** Rows are counted in 32 bits. */
const MOST_ROWS = 0xffff_ffff;

const SCOPES: readonly Scope[] = ['all', 'period', 'kept'];

/** What is kept of a table of one recording: what was looked for in it, and in which order. */
export const leftOf = ({ filters, scope, thresholds, order }: Choice, device: number): unknown => ({
  device,
  filters: [...filters],
  scope,
  thresholds,
  order,
});

/** What was kept of a table, as far as its columns are there and it is of the device shown. */
export function readLeft(
  value: unknown,
  columns: readonly ColumnSpec[],
  device: number,
): Partial<Choice> {
  if (wholeIn(fieldOf(value, 'device'), 0, device) !== device) return {};
  const columnOf = (id: unknown): TableColumn | undefined =>
    columns.find((column) => column.id === id)?.id;
  const filters = listOf(fieldOf(value, 'filters')).flatMap(
    (one): readonly (readonly [TableColumn, TableTest])[] => {
      const [id, kept] = listOf(one);
      const test = readTest(kept);
      // Only one stack or frame is asked of the row, whether a column shows it or not.
      const ofRow = isOfHolder(test) ? oneOf(id, ['stack', 'python_stack'] as const) : undefined;
      const column = ofRow ?? columnOf(id);
      return column === undefined || test === undefined ? [] : [[column, test]];
    },
  );
  const order = listOf(fieldOf(value, 'order')).flatMap((one): readonly TableOrder[] => {
    const column = columnOf(fieldOf(one, 'column'));
    const direction = oneOf(fieldOf(one, 'direction'), ['ascending', 'descending'] as const);
    return column === undefined || direction === undefined ? [] : [{ column, direction }];
  });
  return {
    filters: new Map(filters),
    scope: oneOf(fieldOf(value, 'scope'), SCOPES) ?? 'all',
    thresholds: readThresholds(fieldOf(value, 'thresholds')),
    order,
  };
}

const isOfHolder = (test: TableTest | undefined): boolean =>
  test?.kind === 'stack' || test?.kind === 'frame';

function readTest(value: unknown): TableTest | undefined {
  const texts = (name: string): readonly string[] =>
    listOf(fieldOf(value, name)).flatMap((one) => textOf(one) ?? []);
  switch (fieldOf(value, 'kind')) {
    case 'contains': {
      const text = textOf(fieldOf(value, 'text'));
      return text === undefined ? undefined : { kind: 'contains', text };
    }
    case 'between':
      return {
        kind: 'between',
        from: finite(fieldOf(value, 'from')),
        to: finite(fieldOf(value, 'to')),
      };
    case 'is':
      return { kind: 'is', names: texts('names') };
    case 'holds':
      return { kind: 'holds', addresses: texts('addresses') };
    case 'stack': {
      const stack = wholeIn(fieldOf(value, 'stack'), 0, MOST_ROWS);
      return stack === undefined ? undefined : { kind: 'stack', stack };
    }
    case 'frame': {
      const frame = wholeIn(fieldOf(value, 'frame'), 0, MOST_ROWS);
      return frame === undefined ? undefined : { kind: 'frame', frame };
    }
    default:
      return undefined;
  }
}
