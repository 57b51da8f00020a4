import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { ProjectOpened } from '../src/wire/projects';

interface Stand {
  readonly engine: Engine;
  readonly desk: Desk;
  /** The window is closed, and another one opened over the same program. */
  readonly again: () => Promise<Stand>;
}

function stand(change: (engine: Engine) => Engine = (engine) => engine): Stand {
  return over(change(demoEngine({ pace: 0 })));
}

function over(engine: Engine): Stand {
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  const rendered = render(App, { desk, busy, theme, drawing: 'raster' });
  return {
    engine,
    desk,
    again: async () => {
      for (const { id } of desk.tabs.get()) desk.close(id);
      await (await rendered).unmount();
      return over(engine);
    },
  };
}

beforeEach(async () => {
  // In a small window the panes are folded.
  await page.viewport(1400, 900);
});

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

async function open(desk: Desk, path: string): Promise<void> {
  await desk.open({ kind: 'file', path });
  await expect.element(page.getByTestId('panel').getByTestId('lifecycle-canvas')).toBeVisible();
  await idle();
}

const rows = (): readonly HTMLElement[] => page.getByTestId('recent').elements() as HTMLElement[];
const names = (): readonly (string | null | undefined)[] =>
  rows().map((row) => row.querySelector('b')?.textContent);

/** Three files, opened in this order. */
async function listed(): Promise<Stand> {
  const standing = stand();
  for (const path of ['/a/one.pickle', '/b/two.pickle', '/c/dump_three.db']) {
    await open(standing.desk, path);
  }
  const next = await standing.again();
  await expect.element(page.getByTestId('recent').nth(2)).toBeInTheDocument();
  return next;
}

test('who opens the program for the first time is told what the list is for', async () => {
  stand();
  await expect.element(page.getByTestId('recents-none')).toBeInTheDocument();
  await expect.element(page.getByTestId('open-button')).toBeInTheDocument();
});

test('what was opened is listed, the latest first, with what it is', async () => {
  await listed();
  expect(names()).toEqual(['dump_three.db', 'two.pickle', 'one.pickle']);
  expect(rows()[2]?.textContent).toContain('/a');
  expect(rows()[2]?.textContent).toContain('PyTorch · CUDA');
  expect(rows()[0]?.textContent).toContain('msMemScope');
  expect(rows()[2]?.querySelector('polyline')).not.toBeNull();
});

test('the list is searched as one types, by name, folder and kind', async () => {
  await listed();
  const field = page.getByTestId('recents-search');
  for (const [text, found] of [
    ['TWO', ['two.pickle']],
    ['/a', ['one.pickle']],
    ['pytorch cuda', ['two.pickle', 'one.pickle']],
    ['nowhere', []],
  ] as const) {
    await field.fill(text);
    expect(names()).toEqual(found);
  }
  await expect.element(page.getByText('Nothing here has “nowhere”')).toBeInTheDocument();
});

test('a project is pinned to the top, and removed, from the keys too', async () => {
  await listed();
  await page.getByRole('button', { name: 'Pin one.pickle' }).click();
  await vi.waitFor(() => {
    expect(names()).toEqual(['one.pickle', 'dump_three.db', 'two.pickle']);
  });
  await page.getByTestId('recents-search').click();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Delete}');
  await vi.waitFor(() => {
    expect(names()).toEqual(['one.pickle', 'two.pickle']);
  });
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  await expect.element(page.getByText('two.pickle').first()).toBeInTheDocument();
});

test('one with bookmarks is not removed without a question', async () => {
  const standing = stand();
  await open(standing.desk, '/a/one.pickle');
  await userEvent.keyboard('pm');
  await expect.element(page.getByTestId('bookmark-note')).toHaveFocus();
  await standing.again();
  await page.getByTestId('recent-remove').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('1 bookmark');
  expect(names()).toEqual(['one.pickle']);
  await page.getByTestId('recent-remove-yes').click();
  await expect.element(page.getByTestId('recents-none')).toBeInTheDocument();
});

test('a file that is gone says so, and is found elsewhere', async () => {
  let chosen = '/new/changed.pickle';
  const standing = stand((engine) => ({ ...engine, chooseFile: () => Promise.resolve(chosen) }));
  await open(standing.desk, '/old/missing.pickle');
  await standing.again();
  await expect.element(page.getByTestId('recent-missing')).toBeInTheDocument();
  await page.getByTestId('recent-find').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('changed.pickle has other');
  chosen = '/new/one.pickle';
  await page.getByRole('button', { name: 'Choose again…' }).click();
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  const { projects } = await standing.engine.projects.list();
  expect(projects.map(({ path }) => path)).toEqual(['/new/one.pickle']);
});

test('a file that changed says so before and after it is read', async () => {
  const standing = stand((engine) => ({
    ...engine,
    projects: {
      ...engine.projects,
      opened: async (session): Promise<ProjectOpened | undefined> => {
        const opened = await engine.projects.opened(session);
        return opened && { ...opened, left: 'changed', state: undefined };
      },
    },
  }));
  await open(standing.desk, '/a/changed.pickle');
  await expect.element(page.getByTestId('file-changed')).toBeInTheDocument();
  await standing.again();
  await expect.element(page.getByTestId('recent-changed')).toBeInTheDocument();
});

test('a project reopens where it was left', async () => {
  const standing = stand();
  await open(standing.desk, '/a/one.pickle');
  const session = standing.desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  session.send({ kind: 'show', x: { from: 100, to: 400 } });
  session.send({ kind: 'color', color: 'size' });
  session.send({ kind: 'cursor', event: { event: 222, time_us: undefined } });
  session.send({ kind: 'select', selection: { kind: 'block', block: 30 }, wanted: 'nothing' });
  await idle();
  (page.getByTestId('pin').element() as HTMLElement).click();
  await page.getByTestId('event-search').fill('alloc');
  (page.getByTestId('tab-events').element() as HTMLElement).click();
  // What is typed is searched for, and kept, when the hand rests.
  await expect.poll(() => session.project.left.get('search')).toMatchObject({ text: 'alloc' });
  await idle();
  const next = await standing.again();
  await page.getByRole('button', { name: 'Open one.pickle' }).click();
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  const shared = next.desk.session.get()?.shared.get();
  expect(shared?.x.event).toEqual({ from: 100, to: 400 });
  expect(shared?.color).toBe('size');
  expect(shared?.cursor?.event).toBe(222);
  expect(shared?.selection).toEqual({ kind: 'block', block: 30 });
  expect(next.desk.session.get()?.kept.get()).toHaveLength(1);
  await expect.element(page.getByTestId('event-search')).toHaveValue('alloc');
  await expect.element(page.getByTestId('tab-events')).toHaveAttribute('aria-selected', 'true');
});

test('what cannot be kept is told, and the recording is open all the same', async () => {
  const standing = stand((engine) => ({
    ...engine,
    projects: {
      ...engine.projects,
      opened: () => Promise.reject(new Error('the disk is full')),
    },
  }));
  await open(standing.desk, '/a/one.pickle');
  await expect.element(page.getByText('the disk is full')).toBeInTheDocument();
});

test('a bookmark is made, written to, gone to and removed, and is there the next time', async () => {
  const standing = stand();
  await open(standing.desk, '/a/one.pickle');
  const session = standing.desk.session.get();
  session?.send({ kind: 'select', selection: { kind: 'event', event: 55 }, wanted: 'nothing' });
  await idle();
  await userEvent.keyboard('m');
  await expect.element(page.getByTestId('bookmark-note')).toHaveFocus();
  await userEvent.keyboard('<b>here</b> m{Enter}');
  await expect.element(page.getByTestId('bookmarks')).toHaveTextContent('Bookmarks 1');
  // The same place is not kept twice.
  await page.getByTestId('bookmark-add').click();
  await idle();
  expect(page.getByTestId('bookmark').elements()).toHaveLength(1);
  const next = await standing.again();
  await open(next.desk, '/a/one.pickle');
  next.desk.session.get()?.send({ kind: 'reset' });
  next.desk.session.get()?.send({ kind: 'visit', event: { event: 3, time_us: undefined } });
  await page.getByTestId('bookmarks').click();
  await expect.element(page.getByTestId('bookmark-note')).toHaveValue('<b>here</b> m');
  await page.getByRole('button', { name: 'Event 55', exact: true }).click();
  await idle();
  const shared = next.desk.session.get()?.shared.get();
  expect(shared?.selection).toEqual({ kind: 'event', event: 55 });
  expect(shared?.cursor?.event).toBe(55);
  await page.getByTestId('bookmark-remove').click();
  await expect.element(page.getByTestId('bookmarks')).toHaveTextContent(/^Bookmarks▾$/);
});

test('what the indexes on disk take is told, limited and deleted', async () => {
  stand();
  const note = page.getByTestId('cache');
  await expect.element(note).toHaveTextContent('3 indexes');
  await page.getByTestId('cache-limit').selectOptions('16.00 GiB');
  await expect.element(page.getByTestId('cache-limit')).toHaveValue('16');
  await page.getByTestId('cache-clear').click();
  await expect.element(note).toHaveTextContent('0 indexes');
  await expect.element(page.getByTestId('cache-clear')).not.toBeInTheDocument();
});
