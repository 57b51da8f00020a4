import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import type { Comparison } from '../src/app/compare/comparison';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import { savedOf } from '../src/state/saved';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import { Refusal } from '../src/wire/error';
import { fresh } from './tables';

interface Stand {
  readonly desk: Desk;
  /** Recordings that were closed. */
  readonly closed: number[];
}

beforeEach(fresh);

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 40));
  await window.__tidemark?.idle();
};

/** The page with two recordings open, the second one in front. */
async function opened(): Promise<Stand> {
  const demo = demoEngine({ pace: 0 });
  const closed: number[] = [];
  const close = (session: number): Promise<void> => {
    closed.push(session);
    return demo.close(session);
  };
  const busy = new Busy();
  const desk = new Desk(counted({ ...demo, close }, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/one.pickle' });
  await desk.open({ kind: 'file', path: '/r/other.pickle' });
  await idle();
  return { desk, closed };
}

test('the recording in front is compared with another one that is open', async () => {
  const { desk } = await opened();
  await page.getByTestId('compare-button').click();
  const choices = page.getByTestId('compare-choice').elements();
  expect(choices.map((choice) => choice.textContent)).toEqual([
    'one.pickle',
    'A file…',
    'Itself, at another moment or on another device',
  ]);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByTestId('diff-total')).toBeInTheDocument();
  const front = desk.tabs.get().find(({ id }) => id === desk.active.get());
  expect(front?.kind).toBe('compare');
  const [first] = page.getByTestId('tab').elements().slice(-1);
  expect(first?.textContent).toContain('other.pickle | one.pickle');
});

test('a recording is compared with one that was opened before', async () => {
  const { desk } = await opened();
  const [one, two] = desk.tabs.get();
  if (one?.kind !== 'recording' || two?.kind !== 'recording') throw new Error('two recordings');
  // What was beside it once is not opened along with it.
  const third = await desk.open({ kind: 'file', path: '/r/third.pickle' }, 'behind');
  if (third === undefined) throw new Error('the demo opens anything');
  desk.compare(one.session, third);
  one.session.project.flush();
  for (const { id } of desk.tabs.get()) if (id !== two.id) desk.close(id);
  desk.show(two.id);
  await page.getByTestId('compare-button').click();
  const choices = page.getByTestId('compare-choice');
  await expect
    .poll(() => choices.elements().map(({ textContent }) => textContent.trim()))
    .toEqual([
      'third.pickle /r',
      'one.pickle /r',
      'A file…',
      'Itself, at another moment or on another device',
    ]);
  await choices.nth(1).click();
  await expect.element(page.getByTestId('diff-total')).toBeInTheDocument();
  const names = (): string[] =>
    page
      .getByTestId('tab')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(names).toHaveLength(3);
  expect(names()[2]).toContain('other.pickle | one.pickle');
});

test('what is compared stays open until the comparison is closed', async () => {
  const { desk, closed } = await opened();
  const [one, two] = desk.tabs.get();
  if (one?.kind !== 'recording' || two?.kind !== 'recording') throw new Error('two recordings');
  desk.compare(two.session, one.session);
  await idle();
  desk.close(one.id);
  await idle();
  expect(closed).toEqual([]);
  expect(page.getByTestId('diff-row').elements().length).toBeGreaterThan(3);
  const comparing = desk.active.get();
  desk.close(comparing);
  await idle();
  expect(closed).toEqual([one.session.opened.session]);
  desk.close(two.id);
  await idle();
  expect(closed).toEqual([one.session.opened.session, two.session.opened.session]);
});

test('a recording is compared with itself', async () => {
  const { desk, closed } = await opened();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  desk.compare(session, session);
  await idle();
  await expect.element(page.getByTestId('diff-change')).toHaveTextContent('0 B');
  await page.getByTestId('diff-moment-b').selectOptions('the end');
  await idle();
  expect(page.getByTestId('diff-change').element().textContent).not.toBe('0 B');
  desk.close();
  await idle();
  expect(closed).toEqual([]);
});

test('a recording that was left beside another one is beside it again', async () => {
  const engine = demoEngine({ pace: 0 });
  const opened = new Desk(engine);
  const a = await opened.open({ kind: 'file', path: '/r/one.pickle' });
  const b = await opened.open({ kind: 'file', path: '/r/other.pickle' });
  if (a === undefined || b === undefined) throw new Error('the demo opens anything');
  opened.compare(a, b);
  // Its tab is closed and the comparison is not: as the window is.
  opened.close(opened.tabs.get()[0]?.id);

  const again = new Desk(engine);
  const names = (desk: Desk): string[] =>
    desk.tabs
      .get()
      .map((tab) => (tab.kind === 'compare' ? tab.comparison.name.join(' | ') : tab.kind));
  await again.open({ kind: 'file', path: '/r/one.pickle' });
  await expect
    .poll(() => names(again))
    .toEqual(['recording', 'recording', 'one.pickle | other.pickle']);
  expect(again.active.get()).toBe(again.tabs.get().at(-1)?.id);

  // Who ends the comparison has ended it for the next time as well.
  again.close();
  again.tabs.get().forEach((tab) => {
    if (tab.kind === 'recording') tab.session.project.flush();
  });
  const last = new Desk(engine);
  await last.open({ kind: 'file', path: '/r/one.pickle' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(names(last)).toEqual(['recording']);
});

test('what is opened again was listed before: nothing else may be', async () => {
  const demo = demoEngine({ pace: 0 });
  const before = new Desk(demo);
  const a = await before.open({ kind: 'file', path: '/r/one.pickle' });
  const b = await before.open({ kind: 'file', path: '/r/other.pickle' });
  if (a === undefined || b === undefined) throw new Error('the demo opens anything');
  before.compare(a, b);
  before.close(before.tabs.get()[0]?.id);

  // As the program does: named on the command line, or listed.
  const allowed = new Set(['/r/one.pickle']);
  const strict: Engine = {
    ...demo,
    open: (request, source, progress) =>
      source.kind === 'file' && !allowed.has(source.path)
        ? Promise.reject(new Refusal('unreadable', 'not chosen'))
        : demo.open(request, source, progress),
    projects: {
      ...demo.projects,
      list: async () => {
        const list = await demo.projects.list();
        await new Promise((resolve) => setTimeout(resolve, 30));
        for (const { path } of list.projects) allowed.add(path);
        return list;
      },
    },
  };
  const desk = new Desk(strict);
  await desk.open({ kind: 'file', path: '/r/one.pickle' });
  await expect.poll(() => desk.tabs.get().at(-1)?.kind).toBe('compare');
  expect(desk.trouble.get()).toBeUndefined();
});

/** The comparison in front. */
function comparisonIn(desk: Desk): Comparison | undefined {
  const front = desk.tabs.get().find(({ id }) => id === desk.active.get());
  return front?.kind === 'compare' ? front.comparison : undefined;
}

/** The page with what `desk` opens, once two recordings are compared on it. */
async function comparing(engine: Engine, open: (desk: Desk) => Promise<void>): Promise<Comparison> {
  document.body.replaceChildren();
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  void render(App, {
    desk,
    busy,
    theme: new ThemeSwitch(document.documentElement),
    drawing: 'raster',
  });
  await open(desk);
  await expect.element(page.getByTestId('diff-total')).toBeInTheDocument();
  const comparison = comparisonIn(desk);
  if (comparison === undefined) throw new Error('no comparison is in front');
  await vi.waitFor(() => {
    expect(comparison.steps.get().phase).toBe('ready');
  });
  await idle();
  return comparison;
}

test('what was compared is looked at as it was left', async () => {
  const engine = demoEngine({ pace: 0 });
  let end = (): void => undefined;
  const before = await comparing(engine, async (desk) => {
    const a = await desk.open({ kind: 'file', path: '/r/other.pickle' });
    const b = await desk.open({ kind: 'file', path: '/r/one.pickle' });
    if (a === undefined || b === undefined) throw new Error('the demo opens anything');
    end = () => {
      desk.close(desk.tabs.get()[0]?.id);
    };
    desk.compare(a, b);
  });
  await page.getByTestId('compare-swap').click();
  await page.getByTestId('link-step').click();
  await page.getByTestId('diff-moment-b').selectOptions('the end');
  await page.getByTestId('diff-by').selectOptions('by stack: function');
  await page.getByTestId('diff-only').selectOptions('only in A');
  await page.getByTestId('diff-search').fill('forward');
  const [, second] = before.sessions;
  const last = second.opened.summary.devices[0]?.events ?? 0;
  // Beyond its own end, which the first one goes on from.
  second.send({ kind: 'show', x: { from: last * 0.7, to: last + 40 } });
  second.send({ kind: 'cursor', event: { event: last - 20, time_us: undefined } });
  second.send({ kind: 'select', selection: { kind: 'block', block: 40 }, wanted: 'nothing' });
  await idle();
  const told = {
    states: before.shared.map((shared) => savedOf(shared.get())),
    by: before.by.get(),
    counterpart: page.getByTestId('counterpart').element().textContent,
    total: page.getByTestId('diff-total').element().textContent,
  };
  expect(told.states[1]?.x.event.to).toBeGreaterThan(last);
  await page.getByTestId('compare-tab-tables').click();
  await idle();
  end();

  const after = await comparing(engine, async (desk) => {
    await desk.open({ kind: 'file', path: '/r/other.pickle' });
    await idle();
    expect(comparisonIn(desk)).toBeDefined();
    const there = page.getByTestId('compare-tab-tables');
    await expect.element(there).toHaveAttribute('aria-selected', 'true');
    await page.getByTestId('compare-tab-difference').click();
  });
  expect(after.linking.mode.get()).toBe('step');
  expect(after.linking.leader.get()).toBe(1);
  expect(after.order.get()).toEqual([1, 0]);
  expect(after.shared.map((shared) => savedOf(shared.get()))).toEqual(told.states);
  expect(after.by.get()).toBe(told.by);
  expect(page.getByTestId('counterpart').element().textContent).toBe(told.counterpart);
  expect(page.getByTestId('diff-total').element().textContent).toBe(told.total);
  await expect.element(page.getByTestId('diff-search')).toHaveValue('forward');
  await expect.element(page.getByTestId('diff-only')).toHaveValue('only_a');
  await expect.element(page.getByTestId('diff-moment-b')).toHaveValue('end');
});
