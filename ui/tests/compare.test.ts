import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Compare from '../src/app/compare/Compare.svelte';
import { Comparison } from '../src/app/compare/comparison';
import { counted } from '../src/app/counted';
import '../src/app/lifecycle.css';
import { installProbe } from '../src/app/testing';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import { Frames } from '../src/base/frames';
import { Left } from '../src/base/left';
import { loaded } from '../src/base/load';
import type { Selection } from '../src/state/shared';
import { demoEngine } from '../src/wire/demo/engine';
import { stackOf } from '../src/wire/demo/facts';
import { fresh } from './tables';

interface Stand {
  readonly comparison: Comparison;
  readonly failures: unknown[];
}

let standing: Stand | undefined;

beforeEach(async () => {
  fresh();
  await page.viewport(1400, 900);
});

afterEach(() => {
  const { comparison, failures } = standing ?? {};
  comparison?.stop();
  standing = undefined;
  expect(failures ?? []).toEqual([]);
});

/** Two invented recordings beside each other. */
async function compared(
  a = '/r/one.pickle',
  b = '/r/other.pickle',
  left = new Left(),
): Promise<Comparison> {
  const busy = new Busy();
  const failures: unknown[] = [];
  const fail = (error: unknown): number => failures.push(error);
  const engine = counted(demoEngine({ pace: 0 }), busy);
  const open = (request: number, path: string): ReturnType<typeof engine.open> =>
    engine.open(request, { kind: 'file', path }, () => undefined);
  const comparison = new Comparison(engine, await open(1, a), await open(2, b), left);
  standing = { comparison, failures };
  const theme = new ThemeSwitch(document.documentElement);
  const holder = document.createElement('div');
  holder.style.cssText = 'position: fixed; inset: 0; display: grid';
  document.body.replaceChildren(holder);
  installProbe(window, busy);
  void render(
    Compare,
    {
      comparison,
      engine,
      frames: new Frames(busy, fail),
      theme: theme.theme,
      drawing: 'raster',
      fail,
      isFront: true,
    },
    { baseElement: holder },
  );
  await idle();
  return comparison;
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 40));
  await window.__tidemark?.idle();
};

const rows = (): readonly HTMLElement[] =>
  page
    .getByTestId('diff-row')
    .elements()
    .filter((row) => row instanceof HTMLElement);

const cells = (row: Element | undefined): readonly string[] =>
  [...(row?.querySelectorAll(':scope > [role="cell"]') ?? [])].map((cell) =>
    cell.textContent.trim(),
  );

/** The exact bytes of a row on both sides. */
const exact = (row: Element | undefined): readonly number[] =>
  [...(row?.querySelectorAll(':scope > [role="cell"]') ?? [])]
    .slice(1, 3)
    .map((cell) => Number((cell.getAttribute('title') ?? '').replaceAll(',', '')));

test('the rows of a difference add up to what both sides hold', async () => {
  await compared();
  const total = exact(page.getByTestId('diff-total').element());
  const rest = page.getByTestId('diff-unchanged').elements();
  const sum = [...rows(), ...rest]
    .map(exact)
    .reduce(([a = 0, b = 0], [one = 0, other = 0]) => [a + one, b + other], [0, 0]);
  expect(sum).toEqual(total);
  expect(total[0]).toBeGreaterThan(0);
  expect(total[0]).not.toBe(total[1]);
});

test('a click on a row selects on both sides', async () => {
  const comparison = await compared();
  const row = rows().find((one) => !cells(one)[0]?.startsWith('only'));
  row?.click();
  await idle();
  const kinds = comparison.sessions.map(({ shared }) => shared.get().selection.kind);
  expect(kinds).toEqual(['stack', 'stack']);
  expect(row?.getAttribute('aria-selected')).toBe('true');
});

test('rows are ordered, searched and narrowed', async () => {
  await compared();
  await page.getByTestId('diff-sort-b').click();
  const sizes = rows().map((row) => exact(row)[1] ?? 0);
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  const many = rows().length;
  await page.getByTestId('diff-search').fill('metrics.py');
  expect(rows().length).toBeLessThan(many);
  expect(rows().length).toBeGreaterThan(0);
  await page.getByTestId('diff-search').fill('nowhere at all');
  expect(rows()).toHaveLength(0);
});

test('swapping turns signs and letters round', async () => {
  await compared();
  const change = (): string => page.getByTestId('diff-change').element().textContent;
  const before = change();
  await page.getByTestId('compare-swap').click();
  await idle();
  const sign = (text: string): string => (text.startsWith('+') ? '−' : '+');
  expect(change()).toBe(`${sign(before)}${before.slice(1)}`);
  const first = page.getByTestId('compare-picture-a').element();
  expect(first.getAttribute('aria-label')).toBe('A: other.pickle');
});

test('a click on a step compares its end on both sides', async () => {
  const comparison = await compared();
  const chart = page.getByTestId('diff-chart').element().querySelector('svg');
  const box = chart?.getBoundingClientRect();
  if (chart == null || box === undefined) throw new Error('no chart');
  const at = { clientX: box.right - 12, clientY: box.top + 40, bubbles: true };
  chart.dispatchEvent(new PointerEvent('pointermove', at));
  chart.dispatchEvent(new MouseEvent('click', at));
  await idle();
  const steps = loaded(comparison.steps.get())?.steps ?? [];
  const last = steps.at(-1);
  expect(comparison.moments.get()).toEqual([
    { kind: 'step', step: last?.last },
    { kind: 'step', step: last?.last },
  ]);
  expect(comparison.sessions[0].shared.get().cursor?.event).toBe((last?.a.to_event ?? 0) - 1);
  expect(page.getByTestId('diff-reading').element().textContent).toContain(
    `Step ${last?.step ?? ''}`,
  );
  expect(page.getByTestId('diff-lonely').element().textContent).toContain('2 steps only in B');
});

test('what is selected has its counterpart named, or is said to have none', async () => {
  const comparison = await compared();
  const select = (block: number): void => {
    comparison.sessions[0].send({
      kind: 'select',
      selection: { kind: 'block', block },
      wanted: 'nothing',
    });
  };
  select(200);
  await idle();
  await expect
    .element(page.getByTestId('counterpart'))
    .toHaveTextContent(/In B: block .* of the same stack/);
  select(0);
  await idle();
  await expect.element(page.getByTestId('counterpart')).toHaveTextContent(/No counterpart in B/);
});

test('a frame, a segment, an event and a period have their counterparts', async () => {
  const comparison = await compared();
  const [first, second] = comparison.sessions;
  const select = (selection: Selection): void => {
    first.send({ kind: 'select', selection, wanted: 'nothing' });
  };
  const note = page.getByTestId('counterpart');
  const there = (): Selection => second.shared.get().selection;

  const frame = stackOf(4)[0]?.id ?? 0;
  select({ kind: 'frame', frame });
  await expect.element(note).toHaveTextContent('In B: the same frame');
  expect(there()).toEqual({ kind: 'frame', frame });

  first.send({ kind: 'cursor', event: { event: 240, time_us: undefined } });
  select({ kind: 'segment', address: '0x7f16c8000000', after: 240 });
  await expect
    .element(note)
    .toHaveTextContent(/In B: segment 1 of \d+ of the same size, stream and pool/);
  expect(there()).toEqual({ kind: 'segment', address: '0x7f16c8000000', after: 240 });

  select({ kind: 'frame', frame: 9999 });
  await expect.element(note).toHaveTextContent('No counterpart in B: no stack has that frame');
  expect(there().kind).toBe('none');

  // To select an event is to be there, and the cursors go by their axes: it is shown when asked for.
  select({ kind: 'event', event: 3 });
  await expect
    .element(note)
    .toHaveTextContent(/In B: the same event of block .* of the same stack/);
  expect(there().kind).toBe('none');
  expect(second.shared.get().cursor?.event).toBe(3);
  await page.getByTestId('counterpart-show').click();
  expect(there().kind).toBe('event');
  expect(first.shared.get().selection).toEqual({ kind: 'event', event: 3 });

  select({ kind: 'period', from: 10, to: 40, time: undefined });
  await expect.element(note).toHaveTextContent('In B: the same events');
  expect(there()).toMatchObject({ kind: 'period', from: 10, to: 40 });
  await page.getByTestId('link-free').click();
  await expect.element(note).toHaveTextContent('No counterpart in B: the axes are not linked');
});

test('details have no room until something is selected, and then keep it', async () => {
  const comparison = await compared();
  const details = page.getByTestId('details');
  const rail = page.getByTestId('compare-details-rail');
  await expect.element(rail).toBeVisible();
  await expect.element(details).not.toBeInTheDocument();
  const select = (selection: Selection): void => {
    comparison.sessions[0].send({ kind: 'select', selection, wanted: 'nothing' });
  };
  select({ kind: 'block', block: 200 });
  await expect.element(details).toBeVisible();
  await expect.element(rail).not.toBeInTheDocument();
  const { width } = details.element().getBoundingClientRect();
  select({ kind: 'none' });
  await idle();
  expect(details.element().getBoundingClientRect().width).toBe(width);
});

test('both pictures have one height, unless each is to have its own', async () => {
  const comparison = await compared();
  const most = { allocated: 1, reserved: 1 };
  const height = (): unknown => comparison.scale.of(0).want(most, 'near');
  expect(height()).toBeDefined();
  await page.getByTestId('same-scale').click();
  expect(height()).toBeUndefined();
  expect(localStorage.getItem('tidemark.compare-scale')).toBe('"own"');
});

test('pools, tables and decompositions lie side by side', async () => {
  await compared();
  await page.getByTestId('compare-tab-pool').click();
  await idle();
  expect(page.getByTestId('pool-summary').elements()).toHaveLength(2);
  await page.getByTestId('compare-tab-tables').click();
  await idle();
  expect(page.getByTestId('tables').elements()).toHaveLength(2);
  for (const table of page.getByTestId('tables').elements()) {
    expect(table.querySelectorAll('[data-testid="table-row"]').length).toBeGreaterThan(3);
  }
});

test('tables are as they were left when another view was looked at, and the next time', async () => {
  const comparison = await compared();
  const first = page.getByTestId('compare-lower-a');
  const isAsLeft = async (): Promise<void> => {
    await expect.element(first.getByTestId('filter-top_frame')).toHaveValue('metrics');
    await expect.element(first.getByTestId('statistics')).toHaveTextContent(/^7 of/);
    const sorted = first.getByRole('columnheader', { name: /^Size/ });
    await expect.element(sorted).toHaveAttribute('aria-sort', 'descending');
    const second = page.getByTestId('compare-lower-b');
    await expect.element(second.getByTestId('filter-top_frame')).toHaveValue('');
  };
  await page.getByTestId('compare-tab-tables').click();
  await first.getByTestId('filter-top_frame').fill('metrics');
  await first.getByTestId('sort-size').click();
  await isAsLeft();
  await page.getByTestId('compare-tab-difference').click();
  await expect.element(page.getByTestId('diff-total')).toBeInTheDocument();
  await page.getByTestId('compare-tab-tables').click();
  await isAsLeft();
  await page.getByTestId('compare-tab-pool').click();
  await page.getByTestId('compare-tab-tables').click();
  await isAsLeft();
  await idle();
  comparison.stop();
  await compared('/r/one.pickle', '/r/other.pickle', new Left(comparison.left.all()));
  await isAsLeft();
});

test('dumps are compared by owner and decomposed side by side', async () => {
  await compared('/r/one-dump.db', '/r/two-dump.db');
  expect(page.getByTestId('diff-by').element()).toHaveValue('owner');
  await page.getByTestId('compare-tab-decomposition').click();
  await idle();
  expect(page.getByTestId('decomposition').elements()).toHaveLength(2);
  expect(page.getByTestId('compare-tab-pool').elements()).toHaveLength(0);
});

test('what cannot be said of a snapshot and a dump is said', async () => {
  await compared('/r/one.pickle', '/r/two-dump.db');
  await expect.element(page.getByTestId('diff-remark')).toBeInTheDocument();
  expect(page.getByTestId('link-step').element()).toBeDisabled();
});

test('keys move the side under the pointer, and the other one along', async () => {
  const comparison = await compared();
  const [first, second] = comparison.sessions;
  await userEvent.keyboard('w');
  await idle();
  const whole = first.opened.summary.devices[0]?.event_range;
  expect(first.shared.get().x.event).not.toEqual(whole);
  expect(second.shared.get().x.event).toEqual(first.shared.get().x.event);
});
