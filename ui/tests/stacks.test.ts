import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import type { Session } from '../src/app/session';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import { bytes } from '../src/base/format';
import type { Selection } from '../src/state/shared';
import { demoDump } from '../src/wire/demo/dump';
import { demoEngine } from '../src/wire/demo/engine';
import { demoRecording, LEAK_STACK } from '../src/wire/demo/recording';
import { cells, fresh, idle, rows, settled } from './tables';

beforeEach(fresh);

const BLOCKS = demoRecording().blocks;
const LEAKS = BLOCKS.flatMap((block, row) => (block.stack === LEAK_STACK ? [row] : []));
const MIB = 1024 ** 2;

async function opened(
  path = '/r/rank0.pickle',
  engine = demoEngine({ pace: 0 }),
): Promise<Session> {
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path });
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return session;
}

async function select(session: Session, selection: Selection): Promise<void> {
  session.send({ kind: 'select', selection, wanted: 'nothing' });
  await idle();
}

const selected = (session: Session): Selection => session.shared.get().selection;
const text = (id: string): string =>
  page.getByTestId(id).element().textContent.replace(/\s+/g, ' ').trim();

test('a block leads to its stack, whose details say what it holds', async () => {
  const session = await opened();
  await select(session, { kind: 'block', block: LEAKS[2] ?? 0 });
  await page.getByTestId('same-stack').click();
  await idle();
  expect(selected(session)).toEqual({ kind: 'stack', stack: LEAK_STACK });
  await expect.element(page.getByTestId('details-stack')).toHaveTextContent('_append_history');
  // One of 312 MiB a step, seven of them, none ever freed.
  expect(text('holder-all')).toBe(`7 blocks · ${bytes(7 * 312 * MIB)}`);
  await page.getByTestId('holder-largest').click();
  expect(selected(session)).toEqual({ kind: 'block', block: LEAKS[0] });
  session.send({ kind: 'back' });
  await idle();
  expect(selected(session)).toEqual({ kind: 'stack', stack: LEAK_STACK });
});

test('what a stack holds at the cursor follows it; a click on its chart moves it', async () => {
  const session = await opened();
  await select(session, { kind: 'stack', stack: LEAK_STACK });
  expect(page.getByTestId('holder-now').elements()).toHaveLength(0);
  const third = BLOCKS[LEAKS[2] ?? 0]?.alloc ?? 0;
  session.send({ kind: 'cursor', event: { event: third, time_us: undefined } });
  await idle();
  await vi.waitFor(() => {
    expect(text('holder-now')).toBe(`3 blocks · ${bytes(3 * 312 * MIB)}`);
  });
  const chart = page.getByTestId('holder-chart');
  await expect.element(page.getByTestId('holder-cursor')).toBeInTheDocument();
  const box = chart.element().getBoundingClientRect();
  await chart.click({ position: { x: box.width - 2, y: 20 } });
  await idle();
  // The last column's most is what all seven hold.
  await vi.waitFor(() => {
    expect(text('holder-now')).toBe(`7 blocks · ${bytes(7 * 312 * MIB)}`);
  });
  expect(selected(session).kind).toBe('stack');
  await page.getByTestId('holder-most').click();
  await idle();
  expect(session.shared.get().cursor?.event).toBe(BLOCKS[LEAKS[6] ?? 0]?.alloc);
});

test('a frame of a stack selects the blocks with it in any stack', async () => {
  const session = await opened();
  await select(session, { kind: 'block', block: LEAKS[0] ?? 0 });
  const frames = page.getByTestId('details-stack').getByTestId('frame-select').elements();
  const last = frames.at(-1);
  if (!(last instanceof HTMLElement)) throw new Error('no frame');
  last.click();
  await idle();
  expect(selected(session).kind).toBe('frame');
  await expect.element(page.getByTestId('frame-facts')).toHaveTextContent('training_step');
  // Only the leak comes through it.
  expect(text('holder-all')).toContain('7 blocks');
  expect(page.getByTestId('details').element().textContent).toContain('Frame');
});

test('the tables show the rows of a stack and nothing else, and say so', async () => {
  const session = await opened();
  await select(session, { kind: 'stack', stack: LEAK_STACK });
  await page.getByTestId('holder-blocks').click();
  await settled();
  await expect.element(page.getByTestId('statistics')).toHaveTextContent('7 of 1,155');
  await expect.element(page.getByTestId('holder-filter')).toHaveTextContent('only one stack');
  await page.getByTestId('holder-events').click();
  await settled();
  await expect.element(page.getByTestId('tab-events')).toHaveAttribute('aria-selected', 'true');
  expect(rows()).toHaveLength(7);
  await page.getByTestId('holder-filter').click();
  await settled();
  await expect.element(page.getByTestId('statistics')).not.toHaveTextContent(/^7 of/);
  expect(page.getByTestId('holder-filter').elements()).toHaveLength(0);
});

test('the rows of a stack are shown alone the next time as well', async () => {
  const engine = demoEngine({ pace: 0 });
  const session = await opened('/r/rank0.pickle', engine);
  await select(session, { kind: 'stack', stack: LEAK_STACK });
  await page.getByTestId('holder-blocks').click();
  await expect.element(page.getByTestId('statistics')).toHaveTextContent('7 of 1,155');
  session.project.flush();
  await idle();
  document.body.replaceChildren();
  await opened('/r/rank0.pickle', engine);
  await expect.element(page.getByTestId('statistics')).toHaveTextContent('7 of 1,155');
  await expect.element(page.getByTestId('holder-filter')).toHaveTextContent('only one stack');
});

test('a row of the table leads to its stack, by a click and by a key', async () => {
  const session = await opened();
  await page.getByTestId('filter-top_frame').fill('METRICS');
  await settled();
  cells('top_frame')[1]?.querySelector('button')?.click();
  await idle();
  expect(selected(session)).toEqual({ kind: 'stack', stack: LEAK_STACK });
  await select(session, { kind: 'none' });
  cells('size')[1]?.click();
  await idle();
  expect(selected(session).kind).toBe('block');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await idle();
  expect(selected(session)).toEqual({ kind: 'stack', stack: LEAK_STACK });
});

test('a period says who did what in it, and adds up', async () => {
  const session = await opened();
  const [from, to] = [540, 720];
  await select(session, { kind: 'period', from, to, time: undefined });
  const section = page.getByTestId('period-by');
  await expect.element(section).toBeInTheDocument();
  await vi.waitFor(() => {
    expect(section.getByTestId('period-row').elements().length).toBeGreaterThan(0);
  });
  const found = session.details.get();
  const period =
    found.phase === 'ready' && found.value.kind === 'period' ? found.value.period : undefined;
  if (period === undefined) throw new Error('no period');
  const change = period.after.allocated - period.before.allocated;
  await expect
    .element(page.getByTestId('period-whole'))
    .toHaveTextContent(`${change < 0 ? '−' : '+'}${bytes(Math.abs(change))}`);
  await page.getByTestId('period-order-unfreed').click();
  await idle();
  const left = period.unfreed.amount;
  await expect
    .element(page.getByTestId('period-whole'))
    .toHaveTextContent(`${left.count.toString()} ${bytes(left.size)}`);
  // A row leads to its stack, back to the period.
  const [row] = section.getByTestId('period-row').elements();
  row?.querySelector('button')?.click();
  await idle();
  expect(selected(session).kind).toBe('stack');
  session.send({ kind: 'back' });
  await idle();
  expect(selected(session)).toMatchObject({ kind: 'period', from, to });
});

test('a dump tells a period by owner too, and an owner over time', async () => {
  const session = await opened('/r/memscope_dump.db');
  const events = demoDump()[0]?.events ?? 0;
  await select(session, { kind: 'period', from: 0, to: events - 1, time: undefined });
  await page.getByTestId('period-by-owner').click();
  await idle();
  const owner = page.getByTestId('period-by').getByRole('button', { name: /leaks_mem/ });
  await owner.click();
  await idle();
  expect(selected(session)).toEqual({ kind: 'owner', tag: 'PTA@ops@aten@leaks_mem' });
  await expect.element(page.getByTestId('owner-facts')).toBeInTheDocument();
  await expect.element(page.getByTestId('holder-chart')).toBeInTheDocument();
});

test('a stack stays selected on another track, and a kept tab of it stays', async () => {
  const session = await opened('/r/memscope_dump.db');
  await select(session, { kind: 'stack', stack: 1 });
  await page.getByTestId('pin').click();
  session.send({ kind: 'device', device: 1 });
  await idle();
  expect(selected(session)).toEqual({ kind: 'stack', stack: 1 });
  await select(session, { kind: 'none' });
  await page.getByTestId('details').getByRole('tab', { name: 'Stack' }).click();
  await expect.element(page.getByTestId('holder-totals')).toBeInTheDocument();
});
