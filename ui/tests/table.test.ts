import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { demoEngine } from '../src/wire/demo/engine';
import { Refusal } from '../src/wire/error';
import type { RowsQuestion, TableOpened, TablePage, TableQuestion } from '../src/wire/tables';
import { cells, fresh, headers, opened, rows, selectedIndex, settled, texts } from './tables';

function shiftClick(testid: string): void {
  const button = page.getByTestId(testid).element();
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
}

beforeEach(fresh);

test('a column sorts largest first, then the other way, then as recorded', async () => {
  await opened();
  await page.getByTestId('unit').selectOptions('bytes');
  const sizes = (): readonly number[] =>
    texts('size').map((text) => Number(text.replaceAll(',', '')));
  const recorded = sizes();
  await page.getByTestId('sort-size').click();
  await settled();
  expect(sizes()).toEqual([...sizes()].sort((a, b) => b - a));
  expect(sizes()[0]).toBeGreaterThan(recorded[0] ?? 0);
  await page.getByTestId('sort-size').click();
  await settled();
  expect(sizes()).toEqual([...sizes()].sort((a, b) => a - b));
  await page.getByTestId('sort-size').click();
  await settled();
  expect(sizes()).toEqual(recorded);
});

test('Shift+click sorts by a second column', async () => {
  await opened();
  await page.getByTestId('sort-top_frame').click();
  shiftClick('sort-size');
  await settled();
  await expect.element(page.getByTestId('sort-size')).toHaveTextContent('Size▾2');
  await expect.element(page.getByTestId('sort-top_frame')).toHaveTextContent('Top user frame▴1');
});

test('filters narrow the rows, the count says so, and they can be cleared', async () => {
  await opened();
  const all = page.getByTestId('statistics').element().textContent;
  await page.getByTestId('filter-top_frame').fill('METRICS');
  await settled();
  expect(new Set(texts('top_frame'))).toEqual(new Set(['metrics.py:61 _append_history']));
  await page.getByTestId('filter-size-from').fill('312 MiB');
  await page.getByTestId('filter-size-to').fill('312 MiB');
  await settled();
  await expect.element(page.getByTestId('statistics')).toHaveTextContent('7 of 1,155');
  await page.getByTestId('filter-size-to').fill('311 MiB');
  await settled();
  await expect.element(page.getByTestId('table-empty')).toHaveTextContent('No row matches');
  await page.getByTestId('clear-filters').click();
  await settled();
  expect(page.getByTestId('statistics').element().textContent).toBe(all);
  await expect.element(page.getByTestId('filter-size-from')).toHaveValue('');
});

test('a range shows its bounds, and a state is picked from a list', async () => {
  await opened();
  const most = page.getByTestId('filter-alloc_event-to').element();
  await vi.waitFor(() => {
    expect(most.getAttribute('placeholder')).not.toBe('');
  });
  await page.getByTestId('filter-state').click();
  await page.getByRole('checkbox', { name: 'not yet allocated' }).click();
  await settled();
  expect(new Set(texts('state'))).toEqual(new Set(['not yet allocated']));
});

test('a click in the table selects everywhere and moves no row', async () => {
  await opened();
  await page.getByTestId('sort-size').click();
  await settled();
  const before = texts('id');
  cells('address')[3]?.click();
  await settled();
  expect(selectedIndex()).toBe(4);
  expect(texts('id')).toEqual(before);
  const address = texts('address')[3] ?? 'none';
  await expect.element(page.getByText(address).last()).toBeInTheDocument();
});

test('what is selected elsewhere is brought into view', async () => {
  await opened();
  const band = await vi.waitFor(() => {
    const found = window.__tidemark?.bandAt(0);
    if (found === undefined) throw new Error('no band yet');
    return found;
  });
  const canvas = page.getByTestId('lifecycle-canvas').element();
  for (const kind of ['pointermove', 'pointerdown', 'pointerup']) {
    const init = { bubbles: true, clientX: band.x, clientY: band.y, pointerId: 1, button: 0 };
    canvas.dispatchEvent(new PointerEvent(kind, init));
  }
  await settled();
  expect(selectedIndex()).toBe(band.block + 1);
});

test('what a period leaves behind is listed as its details add it up', async () => {
  await opened();
  expect(page.getByTestId('scope-kept').element().hasAttribute('disabled')).toBe(true);
  const canvas = page.getByTestId('lifecycle-canvas').element();
  const { left, top } = canvas.getBoundingClientRect();
  for (const [kind, x] of [
    ['pointerdown', 200],
    ['pointermove', 300],
    ['pointermove', 400],
    ['pointerup', 400],
  ] as const) {
    const at = { clientX: left + x, clientY: top + 60, pointerId: 1, button: 0 };
    canvas.dispatchEvent(new PointerEvent(kind, { bubbles: true, shiftKey: true, ...at }));
  }
  await settled();
  await page.getByTestId('scope-kept').click();
  await settled();
  const kept = /^(\d+) of/.exec(page.getByTestId('statistics').element().textContent.trim())?.[1];
  const details = page.getByRole('complementary').element().textContent.replace(/\s+/g, ' ');
  expect(details).toMatch(new RegExp(`Allocated and not freed in it Blocks ${kept ?? 'none'} `));
  // The period stays when something else is selected.
  cells('address')[0]?.click();
  await settled();
  await expect.element(page.getByTestId('statistics')).toHaveTextContent(`${kept ?? ''} of 1,155`);
});

test('the keys walk through the rows, to both ends', async () => {
  await opened();
  cells('address')[0]?.click();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await settled();
  expect(selectedIndex()).toBe(3);
  await userEvent.keyboard('{End}');
  await settled();
  expect(selectedIndex()).toBe(1155);
  await userEvent.keyboard('{Home}');
  await settled();
  expect(selectedIndex()).toBe(1);
});

test('an event of a block leads to the event, and the event table to the block', async () => {
  await opened();
  await page.getByTestId('filter-id').fill('100');
  await settled();
  const link = cells('alloc_event')
    .map((cell) => cell.querySelector('button'))
    .find((button) => button !== null);
  const event = link?.textContent ?? 'none';
  link?.click();
  await settled();
  await page.getByTestId('tab-events').click();
  await settled();
  const selected = rows().find((row) => row.ariaSelected === 'true');
  expect(selected?.children[0]?.textContent.trim()).toBe(event.replaceAll(',', ''));
  selected?.querySelector<HTMLElement>('button:not([data-testid="stack-cell"])')?.click();
  await settled();
  await page.getByTestId('tab-blocks').click();
  await settled();
  const block = rows().find((row) => row.ariaSelected === 'true');
  expect(block?.querySelector('button')?.textContent).toBe(event);
});

/** Where the table of blocks is put. */
const BLOCKS_SLOT = 1;

test('columns are chosen, and the folded panel asks nothing', async () => {
  const questions: TableQuestion[] = [];
  const demo = demoEngine({ pace: 0 });
  const tables = {
    ...demo.tables,
    open: (slot: number, question: TableQuestion, first: RowsQuestion): Promise<TableOpened> => {
      // The list beside the pool reads events too.
      if (slot === BLOCKS_SLOT) questions.push(question);
      return demo.tables.open(slot, question, first);
    },
  };
  await opened({ ...demo, tables });
  await page.getByTestId('columns').click();
  await page.getByTestId('column-time').click();
  await page.getByTestId('column-pool').click();
  await settled();
  expect(headers()).toContain('time');
  expect(headers()).not.toContain('pool');
  expect(texts('time').at(-1)).not.toBe('');
  expect(questions).toHaveLength(1);
  await page.getByTestId('tab-blocks').click();
  await expect.element(page.getByTestId('table-grid')).not.toBeInTheDocument();
});

test('ten million rows scroll to the last one', async () => {
  const demo = demoEngine({ pace: 0 });
  const MANY = 10_000_000;
  const rowsAt = ({ offset, count, columns }: RowsQuestion): TablePage => ({
    offset,
    rows: Array.from({ length: Math.min(count, MANY - offset) }, (_, at) => ({
      row: offset + at,
      event: offset + at,
      block: offset + at,
      stack: undefined,
      cells: columns.map(() => offset + at),
    })),
  });
  const tables = {
    ...demo.tables,
    open: async (slot: number, question: TableQuestion, first: RowsQuestion) => {
      const answer = await demo.tables.open(slot, question, first);
      const statistics = { ...answer.statistics, count: MANY, of: MANY };
      return { ...answer, statistics, page: rowsAt(first) };
    },
    rows: (_view: number, question: RowsQuestion) => Promise.resolve(rowsAt(question)),
  };
  await opened({ ...demo, tables });
  const grid = page.getByTestId('table-grid').element();
  grid.scrollTop = grid.scrollHeight;
  await settled();
  expect(rows().at(-1)?.ariaRowIndex).toBe('10000000');
  expect(texts('id').at(-1)).toBe('9999999');
  grid.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: -220 }));
  await settled();
  // Ten rows up; the last one may be cut.
  expect(['9999989', '9999990']).toContain(texts('id').at(-1));
  grid.scrollTop = grid.scrollHeight / 2;
  await settled();
  const middle = Number(texts('id')[0]);
  expect(Math.abs(middle - MANY / 2)).toBeLessThan(MANY / 100);
});

test('a table that fails says why, in its place, and can be asked again', async () => {
  const demo = demoEngine({ pace: 0 });
  let isBroken = false;
  const tables = {
    ...demo.tables,
    open: (slot: number, question: TableQuestion, first: RowsQuestion): Promise<TableOpened> =>
      isBroken
        ? Promise.reject(new Refusal('bug', 'out of range'))
        : demo.tables.open(slot, question, first),
  };
  await opened({ ...demo, tables });
  isBroken = true;
  await page.getByTestId('sort-id').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('out of range');
  isBroken = false;
  await page.getByText('Try again').click();
  await settled();
  expect(texts('id')).not.toHaveLength(0);
});
