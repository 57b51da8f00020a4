import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { demoEngine } from '../src/wire/demo/engine';
import type { RowsQuestion, TableOpened, TableQuestion } from '../src/wire/tables';
import { cells, fresh, headers, opened, settled, texts } from './tables';

beforeEach(fresh);

afterEach(() => {
  vi.restoreAllMocks();
});

/** How wide the cells of a column are. */
const widthOf = (column: string): number => cells(column)[0]?.getBoundingClientRect().width ?? 0;

function drag(testid: string, by: number): void {
  const grip = page.getByTestId(testid).element();
  const { left, top } = grip.getBoundingClientRect();
  // The grip holds the pointer, which only a real one lets it do.
  vi.spyOn(grip as HTMLElement, 'setPointerCapture').mockImplementation(() => undefined);
  for (const [kind, x] of [
    ['pointerdown', 0],
    ['pointermove', by],
    ['pointerup', by],
  ] as const) {
    const at = { clientX: left + x, clientY: top + 2, pointerId: 1, button: 0 };
    grip.dispatchEvent(new PointerEvent(kind, { bubbles: true, ...at }));
  }
}

test('lives are filtered by a time with its unit, whose bounds are shown', async () => {
  const asked: TableQuestion[] = [];
  const demo = demoEngine({ pace: 0 });
  const tables = {
    ...demo.tables,
    open: (slot: number, question: TableQuestion, first: RowsQuestion): Promise<TableOpened> => {
      asked.push(question);
      return demo.tables.open(slot, question, first);
    },
  };
  await opened({ ...demo, tables });
  await page.getByTestId('columns').click();
  await page.getByTestId('column-lifetime_us').click();
  await settled();
  await page.getByTestId('sort-lifetime_us').click();
  await settled();
  const longest = texts('lifetime_us')[0] ?? 'none';
  const field = page.getByTestId('filter-lifetime_us-to');
  await vi.waitFor(() => {
    expect(field.element().getAttribute('placeholder')).toBe(longest);
    expect(field.element().getAttribute('title')).toContain(`to ${longest}`);
  });
  await page.getByTestId('filter-lifetime_us-from').fill('1.5 ms');
  await field.fill('0.2 s');
  await settled();
  const between = asked.at(-1)?.filters.find(({ column }) => column === 'lifetime_us')?.test;
  expect(between).toEqual({ kind: 'between', from: 1500, to: 200_000 });
  await expect.element(page.getByTestId('statistics')).not.toHaveTextContent('1,155 of 1,155');
  expect(texts('lifetime_us')).not.toHaveLength(0);
  for (const text of texts('lifetime_us')) {
    expect(Number.parseFloat(text) * (text.endsWith('µs') ? 1e-3 : 1)).toBeLessThanOrEqual(200);
  }
  await field.fill('2 weeks');
  await settled();
  expect(field.element().getAttribute('aria-invalid')).toBe('true');
});

test('times are filtered since the first event', async () => {
  await opened();
  await page.getByTestId('tab-events').click();
  await settled();
  const all = texts('time');
  const since = (text: string | undefined): number =>
    new Date((text ?? '').slice(0, 23)).getTime() - new Date((all[0] ?? '').slice(0, 23)).getTime();
  await page.getByTestId('filter-time-from').fill('100 ms');
  await settled();
  expect(since(texts('time')[0])).toBeGreaterThanOrEqual(99);
  expect(since(texts('time')[0])).toBeLessThan(120);
  // What is copied off a cell can be pasted.
  const pasted = texts('time')[3] ?? 'none';
  await page.getByTestId('filter-time-from').fill(pasted);
  await settled();
  expect(texts('time')[0]).toBe(pasted);
});

test('a column is resized by its edge, and fitted by a double click', async () => {
  await opened();
  const before = { address: widthOf('address'), size: widthOf('size') };
  drag('width-address', 60);
  await expect.poll(() => widthOf('address')).toBe(before.address + 60);
  expect(widthOf('size')).toBe(before.size);
  drag('width-address', -1000);
  await expect.poll(() => widthOf('address')).toBe(40);
  page
    .getByTestId('width-address')
    .element()
    .dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  await expect.poll(() => widthOf('address')).toBeGreaterThan(60);
  const [cell] = cells('address');
  // Wide enough, and no wider than that.
  expect(cell?.scrollWidth).toBe(cell?.clientWidth);
  const text = document.createRange();
  text.selectNodeContents(cell ?? document.body);
  expect(widthOf('address') - text.getBoundingClientRect().width).toBeLessThan(26);
});

test('columns, widths, unit and order are there again with the next recording, for each table', async () => {
  await opened();
  await page.getByTestId('columns').click();
  await page.getByTestId('column-pool').click();
  await page.getByTestId('columns').click();
  drag('width-address', 60);
  await settled();
  const width = widthOf('address');
  await page.getByTestId('unit').selectOptions('KiB');
  await page.getByTestId('sort-size').click();
  await settled();
  const largest = texts('size')[0];
  await page.getByTestId('tab-close').click();
  await page.getByTestId('open-button').click();
  await vi.waitFor(() => {
    expect(texts('size')[0]).toBe(largest);
  });
  await expect.element(page.getByTestId('sort-size')).toHaveTextContent('Size▾');
  expect(headers()).not.toContain('pool');
  expect(widthOf('address')).toBe(width);
  await expect.element(page.getByTestId('unit')).toHaveValue('KiB');
  await page.getByTestId('tab-events').click();
  await settled();
  expect(headers()).toContain('pool');
  await expect.element(page.getByTestId('unit')).toHaveValue('auto');
});

test('what was kept of a table and makes no sense is passed over', async () => {
  localStorage.setItem(
    'tidemark.table.blocks',
    JSON.stringify({
      columns: ['size', 'colour'],
      unit: 'furlong',
      order: [{ column: 'size', direction: 'sideways' }, 7],
      widths: [['size', 'wide'], ['size', -4], 'x'],
    }),
  );
  localStorage.setItem('tidemark.table.events', '{not json');
  await opened();
  expect(headers()).toEqual(['size']);
  await expect.element(page.getByTestId('unit')).toHaveValue('auto');
  await expect.element(page.getByTestId('sort-size')).toHaveTextContent(/^Size$/);
  await page.getByTestId('tab-events').click();
  await settled();
  expect(headers()).toContain('action');
});

test('Ctrl+C copies a cell, with Shift its row, exact', async () => {
  await opened();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await page.getByTestId('unit').selectOptions('bytes');
  await page.getByTestId('sort-size').click();
  await settled();
  const size = texts('size')[2]?.replaceAll(',', '');
  await page.getByTestId('unit').selectOptions('MiB');
  await settled();
  cells('size')[2]?.click();
  await settled();
  await userEvent.keyboard('{Control>}c{/Control}');
  expect(write.mock.lastCall?.[0]).toBe(size);
  await userEvent.keyboard('{Control>}{Shift>}c{/Shift}{/Control}');
  const row = write.mock.lastCall?.[0].split('\t') ?? [];
  expect(row).toHaveLength(headers().length);
  expect(row[headers().indexOf('size')]).toBe(size);
  expect(row[headers().indexOf('address')]).toBe(texts('address')[2]);
  expect(row[headers().indexOf('alloc_event')]).toBe(texts('alloc_event')[2]?.replace(/\D/g, ''));
  await userEvent.keyboard('{ArrowDown}');
  await settled();
  await userEvent.keyboard('{Control>}c{/Control}');
  expect(write.mock.lastCall?.[0]).not.toBe('');
  expect(Number(write.mock.lastCall?.[0])).toBeLessThanOrEqual(Number(size));
});
