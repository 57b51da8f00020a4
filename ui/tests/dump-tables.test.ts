import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { TableQuestion } from '../src/wire/tables';
import { cells, fresh, headers, idle, opened, selectedIndex, settled, texts } from './tables';

beforeEach(fresh);

/** An engine with a dump, whatever is opened. */
function dump(): Engine {
  const engine = demoEngine({ pace: 0 });
  const source = { kind: 'file', path: '/recordings/memscope_dump.db' } as const;
  return { ...engine, open: (request, _, progress) => engine.open(request, source, progress) };
}

/** The dump with what is asked of its tables. */
function watched(): { readonly engine: Engine; readonly asked: TableQuestion[] } {
  const engine = dump();
  const asked: TableQuestion[] = [];
  const open: Engine['tables']['open'] = (slot, question, first) => {
    asked.push(question);
    return engine.tables.open(slot, question, first);
  };
  return { engine: { ...engine, tables: { ...engine.tables, open } }, asked };
}

test('blocks of a dump have the columns of the manual, and link to their block', async () => {
  await opened(dump());
  expect(headers().slice(0, 6)).toEqual([
    'id',
    'address',
    'size',
    'malloc_time_ns',
    'free_time_ns',
    'owner',
  ]);
  await expect.element(page.getByTestId('sort-address')).toHaveTextContent('Addr');
  expect(texts('malloc_time_ns')[0]).toBe('0.500 000 000 s');
  expect(texts('free_time_ns')[0]).toBe('not freed');
  // The time since the start, and by the clock.
  expect(cells('malloc_time_ns')[0]?.title).toMatch(/^\d{4}-\d\d-\d\d .*\n500,000,000 ns$/);
  await page.getByTestId('columns').click();
  await page.getByTestId('times').selectOptions('ns');
  expect(texts('malloc_time_ns')[0]).toBe('500,000,000');
  await expect
    .element(page.getByTestId('sort-malloc_time_ns'))
    .toHaveTextContent('Malloc Timestamp(ns)');
  cells('address')[2]?.click();
  await settled();
  expect(selectedIndex()).toBe(3);
  await expect.element(page.getByTestId('details')).toBeInTheDocument();
});

test('times of a dump are filtered in nanoseconds, with any unit', async () => {
  await opened(dump());
  await page.getByTestId('filter-malloc_time_ns-from').fill('9.9 s');
  await page.getByTestId('filter-malloc_time_ns-to').fill('10 s 60 ms');
  await settled();
  expect(texts('malloc_time_ns')).toEqual(['10.000 000 000 s']);
});

test('events of a dump include those of no device and of no block; a block links', async () => {
  await opened(dump());
  await page.getByTestId('tab-events').click();
  await settled();
  expect(headers().slice(0, 5)).toEqual(['id', 'event', 'event_type', 'name', 'time_ns']);
  expect(texts('event').slice(0, 2)).toEqual(['SYSTEM', 'MALLOC']);
  cells('id')[1]?.click();
  await settled();
  expect(selectedIndex()).toBe(2);
  // A row that is no event of the pool selects nothing.
  cells('id')[0]?.click();
  await settled();
  expect(selectedIndex()).toBe(2);
  await page.getByTestId('filter-event').click();
  await page.getByRole('checkbox', { name: /KERNEL_LAUNCH/ }).click();
  await settled();
  expect(new Set(texts('event'))).toEqual(new Set(['KERNEL_LAUNCH']));
});

test('nothing is inefficient until a threshold is set; then it is counted, tagged and lit', async () => {
  const { engine, asked } = watched();
  await opened(engine);
  await page.getByTestId('inefficient').click();
  await expect.element(page.getByText('Nothing counts as inefficient')).toBeInTheDocument();
  await expect.element(page.getByTestId('only-inefficient')).toBeDisabled();
  await page.getByTestId('preset-idle').click();
  await settled();
  expect(asked.at(-1)?.thresholds?.idle).toEqual({ ns: undefined, percent: 10 });
  await expect.element(page.getByTestId('limit-idle-share')).toHaveValue('10');
  const totals = page.getByTestId('inefficient-totals');
  await expect.element(totals).toHaveTextContent('Idle for long');
  const idleRow = totals.element().querySelectorAll('tr')[3];
  const counted = Number(idleRow?.children[1]?.textContent);
  expect(counted).toBeGreaterThan(0);
  expect(page.getByTestId('table-row').elements()[0]?.querySelector('.tag')?.textContent).toBe(
    'idle',
  );
  await page.getByTestId('only-inefficient').click();
  await settled();
  await expect
    .element(page.getByTestId('statistics'))
    .toHaveTextContent(new RegExp(`^${counted.toString()} of`));
  await page.getByTestId('light-inefficient').click();
  await settled();
  await expect.element(page.getByTestId('light-inefficient')).toBeChecked();
});

test('what is inefficient leads to its stack and to its owner', async () => {
  const { engine } = watched();
  const desk = await opened(engine);
  await page.getByTestId('inefficient').click();
  await page.getByTestId('preset-idle').click();
  const selected = (): unknown => desk.session.get()?.shared.get().selection;
  await page.getByTestId('inefficient-stack').first().click();
  expect(selected()).toMatchObject({ kind: 'stack' });
  await expect.element(page.getByTestId('holder-totals')).toBeInTheDocument();
  // It stays open, so that one row after the other can be looked at.
  await page.getByTestId('inefficient-owner').first().click();
  expect(selected()).toMatchObject({ kind: 'owner' });
});

test('thresholds are typed as times with units', async () => {
  const { engine, asked } = watched();
  await opened(engine);
  await page.getByTestId('inefficient').click();
  await page.getByTestId('limit-lazy-time').fill('1.5 s');
  await settled();
  await vi.waitFor(() => {
    expect(asked.at(-1)?.thresholds?.lazy.ns).toBe(1_500_000_000);
  });
  await page.getByTestId('limit-lazy-time').fill('soon');
  await settled();
  await expect.element(page.getByTestId('limit-lazy-time')).toHaveAttribute('aria-invalid', 'true');
  expect(asked.at(-1)?.thresholds).toBeUndefined();
});

test('a pool without accesses says why there is nothing to judge', async () => {
  const engine = dump();
  await opened({
    ...engine,
    open: async (...asked) => {
      const found = await engine.open(...asked);
      return { ...found, summary: { ...found.summary, busiest: 1 } };
    },
  });
  await idle();
  const button = page.getByRole('button', { name: 'Inefficient memory…' });
  await expect.element(button).toBeDisabled();
});
