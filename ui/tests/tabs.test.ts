import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import { packed, unpacked } from '../src/app/handover';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { Drop, Engine } from '../src/wire/engine';

interface Stand {
  readonly desk: Desk;
  readonly closed: number[];
  readonly cancelled: number[];
  readonly scenes: number[];
  readonly drop: (drop: Drop) => void;
}

/** The whole page over the invented engine, told what is asked of it. */
function stand(options: { readonly pace?: number; readonly hasChanged?: boolean } = {}): Stand {
  const [closed, cancelled, scenes]: [number[], number[], number[]] = [[], [], []];
  const listeners: ((drop: Drop) => void)[] = [];
  const demo = demoEngine({ pace: options.pace ?? 0 });
  const engine: Engine = {
    ...demo,
    scene: (question) => {
      scenes.push(question.session);
      return demo.scene(question);
    },
    close: (session) => {
      closed.push(session);
      return demo.close(session);
    },
    cancel: (request) => {
      cancelled.push(request);
      return demo.cancel(request);
    },
    changed: () => Promise.resolve(options.hasChanged === true),
    onDrop: (listener) => {
      listeners.push(listener);
      return Promise.resolve(() => undefined);
    },
  };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  const drop = (what: Drop): void => {
    for (const listener of listeners) listener(what);
  };
  return { desk, closed, cancelled, scenes, drop };
}

const file = (path: string): { readonly kind: 'file'; readonly path: string } => ({
  kind: 'file',
  path,
});

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

async function opened(
  paths: readonly string[],
  options: Parameters<typeof stand>[0] = {},
): Promise<Stand> {
  const made = stand(options);
  for (const path of paths) await made.desk.open(file(path));
  await idle();
  return made;
}

const tab = (name: string | RegExp) => page.getByRole('tab', { name });
const names = (): readonly string[] =>
  [...document.querySelectorAll('[data-testid="tab"] [role="tab"] > span')].map(
    (one) => one.textContent,
  );
const front = (): string =>
  document.querySelector('header [role="tab"][aria-selected="true"] span')?.textContent ?? '';

/** A key pressed with Ctrl; whether the page took it. */
function control(key: string, more: KeyboardEventInit = {}): boolean {
  const init = { key, ctrlKey: true, cancelable: true, bubbles: true, ...more };
  return !document.body.dispatchEvent(new KeyboardEvent('keydown', init));
}

beforeEach(() => {
  localStorage.clear();
  const root = document.createElement('style');
  root.textContent = 'body > div { height: 100vh }';
  document.head.append(root);
});

test('each file has a tab, the last one opened in front', async () => {
  await opened(['/r/a.pickle', '/r/b.pickle']);
  expect(names()).toEqual(['a.pickle', 'b.pickle']);
  await expect.element(tab(/b.pickle/)).toHaveAttribute('aria-selected', 'true');
  await expect.element(tab(/a.pickle/)).toHaveAttribute('title', '/r/a.pickle');
  expect(page.getByTestId('panel').elements()).toHaveLength(1);
  await expect
    .element(page.getByTestId('panel').getByTestId('status'))
    .toHaveTextContent('b.pickle');
});

test('a tab that is closed makes way for the one before it, or else the one beside it', async () => {
  const { desk } = stand();
  await desk.openAll(['/r/a.pickle', '/r/b.pickle', '/r/c.pickle']);
  await idle();
  expect(front()).toBe('a.pickle');
  await tab(/c.pickle/).click();
  desk.close();
  await idle();
  expect(front()).toBe('a.pickle');
  // Nobody has looked at the last one.
  desk.close();
  await idle();
  expect(front()).toBe('b.pickle');
  desk.close();
  await idle();
  await expect.element(page.getByTestId('recents')).toBeInTheDocument();
});

test('going to another tab and back loses nothing', async () => {
  const { desk, scenes } = await opened(['/r/a.pickle', '/r/b.pickle']);
  const here = (id: string) => page.getByTestId('panel').getByTestId(id);
  desk.session
    .get()
    ?.send({ kind: 'select', selection: { kind: 'block', block: 5 }, wanted: 'nothing' });
  await expect.element(here('details-stack')).toBeInTheDocument();
  await here('tab-events').click();
  await idle();
  const table = page.getByTestId('panel').getByTestId('table-row').first();
  await expect.element(table).toBeInTheDocument();
  const scroller = [...document.querySelectorAll('[data-testid="panel"] *')].find(
    (one) =>
      one.scrollHeight > one.clientHeight + 500 && getComputedStyle(one).overflowY !== 'visible',
  );
  if (scroller === undefined) throw new Error('nothing scrolls');
  scroller.scrollTop = 333;
  await idle();
  const mine = desk.session.get()?.opened.session;
  const asked = (): number => scenes.filter((session) => session === mine).length;
  const before = asked();
  await tab(/a.pickle/).click();
  await idle();
  await expect.element(here('details')).toHaveTextContent('Nothing selected');
  await tab(/b.pickle/).click();
  await idle();
  await expect.element(here('details-stack')).toBeInTheDocument();
  expect(scroller.isConnected).toBe(true);
  await expect.element(here('tab-events')).toHaveAttribute('aria-selected', 'true');
  expect(scroller.scrollTop).toBe(333);
  // Nothing had to be asked again.
  expect(asked()).toBe(before);
});

test('keys go to the tab in front alone', async () => {
  const { desk } = await opened(['/r/a.pickle', '/r/b.pickle']);
  const [a, b] = desk.tabs.get().map((one) => (one.kind === 'recording' ? one.session : undefined));
  const before = a?.shared.get();
  window.dispatchEvent(new KeyboardEvent('keydown', { key: '+', cancelable: true }));
  await idle();
  expect(b?.shared.get()).not.toEqual(before);
  expect(a?.shared.get()).toBe(before);
});

test('a tab behind draws nothing', async () => {
  const { desk, scenes } = await opened(['/r/a.pickle', '/r/b.pickle']);
  const a = desk.tabs.get()[0];
  if (a?.kind !== 'recording') throw new Error('not open');
  const asked = scenes.filter((session) => session === a.session.opened.session).length;
  a.session.send({ kind: 'axis', axis: 'time' });
  await idle();
  const count = (): number =>
    scenes.filter((session) => session === a.session.opened.session).length;
  expect(count()).toBe(asked);
  await tab(/a.pickle/).click();
  await vi.waitFor(() => {
    expect(count()).toBeGreaterThan(asked);
  });
});

test('the keys of tabs: next, previous, by number, close, a new one', async () => {
  await opened(['/r/a.pickle', '/r/b.pickle', '/r/c.pickle']);
  expect(front()).toBe('c.pickle');
  expect(control('Tab')).toBe(true);
  await vi.waitFor(() => {
    expect(front()).toBe('a.pickle');
  });
  control('Tab', { shiftKey: true });
  await vi.waitFor(() => {
    expect(front()).toBe('c.pickle');
  });
  control('2');
  await vi.waitFor(() => {
    expect(front()).toBe('b.pickle');
  });
  control('9');
  await vi.waitFor(() => {
    expect(front()).toBe('c.pickle');
  });
  expect(control('w')).toBe(true);
  await vi.waitFor(() => {
    expect(names()).toEqual(['a.pickle', 'b.pickle']);
  });
  // Where one was before.
  expect(front()).toBe('b.pickle');
  control('t');
  await expect.element(page.getByTestId('open-sample')).toBeVisible();
  expect(front()).toBe('Start');
  control('w');
  await vi.waitFor(() => {
    expect(front()).toBe('b.pickle');
  });
});

test('closing the last tab shows the start page, and gives the recording back', async () => {
  const { desk, closed } = await opened(['/r/a.pickle']);
  const session = desk.session.get()?.opened.session;
  await page.getByTestId('tab-close').click();
  await expect.element(page.getByTestId('open-sample')).toBeVisible();
  expect(closed).toEqual([session]);
  expect(page.getByTestId('lifecycle-canvas').elements()).toEqual([]);
});

test('the middle button and Delete close, arrows go along the tabs', async () => {
  await opened(['/r/a.pickle', '/r/b.pickle', '/r/c.pickle']);
  const first = tab(/a.pickle/).element() as HTMLElement;
  first.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
  await vi.waitFor(() => {
    expect(names()).toEqual(['b.pickle', 'c.pickle']);
  });
  expect(front()).toBe('c.pickle');
  (tab(/c.pickle/).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await vi.waitFor(() => {
    expect(front()).toBe('b.pickle');
  });
  await userEvent.keyboard('{Delete}');
  await vi.waitFor(() => {
    expect(names()).toEqual(['c.pickle']);
  });
});

test('a file that is open is not opened twice', async () => {
  const { desk } = await opened(['/r/a.pickle', '/r/b.pickle']);
  await desk.open(file('/r/a.pickle'));
  await idle();
  expect(names()).toEqual(['a.pickle', 'b.pickle']);
  expect(front()).toBe('a.pickle');
  expect(page.getByTestId('changed').elements()).toEqual([]);
});

test('a file that was changed since is read again if one wants to', async () => {
  const { desk, closed } = await opened(['/r/a.pickle', '/r/b.pickle'], { hasChanged: true });
  const before = desk.tabs.get()[0];
  await desk.open(file('/r/a.pickle'));
  await expect.element(page.getByTestId('changed')).toHaveTextContent('a.pickle has changed');
  await page.getByTestId('read-again').click();
  await vi.waitFor(() => {
    const now = desk.tabs.get()[0];
    if (now?.kind !== 'recording' || before?.kind !== 'recording') throw new Error('not read yet');
    expect(now.session).not.toBe(before.session);
    expect(closed).toEqual([before.session.opened.session]);
  });
  expect(names()).toEqual(['a.pickle', 'b.pickle']);
  await expect.element(page.getByTestId('changed')).not.toBeInTheDocument();
});

test('several dropped files open side by side, each with its progress and its own cross', async () => {
  const { desk, drop, cancelled } = stand({ pace: 200 });
  await expect.element(page.getByTestId('open-sample')).toBeVisible();
  drop({ kind: 'dropped', paths: ['/r/a.pickle', '/r/b.pickle', '/r/c.pickle'] });
  await vi.waitFor(() => {
    expect(names()).toEqual(['a.pickle', 'b.pickle', 'c.pickle']);
  });
  expect(front()).toBe('a.pickle');
  await expect.element(tab(/b.pickle/)).toHaveTextContent(/opening · \d+/);
  await page.getByTitle('Stop opening b.pickle').click();
  await vi.waitFor(() => {
    expect(names()).toEqual(['a.pickle', 'c.pickle']);
  });
  expect(cancelled).toHaveLength(1);
  await vi.waitFor(
    () => {
      expect(desk.tabs.get().map((one) => one.kind)).toEqual(['recording', 'recording']);
    },
    { timeout: 14_000 },
  );
  expect(front()).toBe('a.pickle');
  expect(page.getByTestId('notice').elements()).toEqual([]);
});

test('files of one name are told apart by their folder', async () => {
  await opened(['/r/run1/a.pickle', '/r/run2/a.pickle']);
  await expect.element(tab(/a.pickle run1/)).toBeInTheDocument();
  await expect.element(tab(/a.pickle run2/)).toBeInTheDocument();
});

test('tabs are put in another order with the pointer', async () => {
  await opened(['/r/a.pickle', '/r/b.pickle', '/r/c.pickle']);
  const at = (name: RegExp): DOMRect => tab(name).element().getBoundingClientRect();
  const start = at(/a.pickle/);
  const init = { bubbles: true, pointerId: 1, button: 0, clientY: 20 };
  const name = tab(/a.pickle/).element();
  name.dispatchEvent(new PointerEvent('pointerdown', { ...init, clientX: start.left + 5 }));
  const to = at(/c.pickle/).right - 2;
  name.dispatchEvent(new PointerEvent('pointermove', { ...init, clientX: to }));
  name.dispatchEvent(new PointerEvent('pointerup', { ...init, clientX: to }));
  await vi.waitFor(() => {
    expect(names()).toEqual(['b.pickle', 'c.pickle', 'a.pickle']);
  });
});

test('many tabs scroll, and the one in front is in sight', async () => {
  const many = Array.from({ length: 14 }, (_, index) => `/r/nothing${index.toString()}.pickle`);
  await opened(many);
  const box = tab(/nothing13/)
    .element()
    .getBoundingClientRect();
  expect(box.right).toBeLessThanOrEqual(innerWidth);
  control('1');
  await vi.waitFor(() => {
    const first = tab(/nothing0.pickle/)
      .element()
      .getBoundingClientRect();
    expect(first.left).toBeGreaterThanOrEqual(0);
    expect(first.right).toBeLessThanOrEqual(innerWidth);
  });
});

test('the menu of a tab closes others and leads to a window of its own', async () => {
  const { desk, closed } = await opened(['/r/a.pickle', '/r/b.pickle', '/r/c.pickle']);
  const move = vi.spyOn(desk.engine, 'moveToWindow');
  const a = desk.tabs.get()[0];
  if (a?.kind !== 'recording') throw new Error('not open');
  a.session.send({ kind: 'select', selection: { kind: 'block', block: 7 }, wanted: 'nothing' });
  await tab(/a.pickle/).click({ button: 'right' });
  await expect.element(page.getByTestId('tab-menu')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Move to a new window' }).click();
  await vi.waitFor(() => {
    expect(names()).toEqual(['b.pickle', 'c.pickle']);
  });
  await expect.element(page.getByTestId('tab-menu')).not.toBeInTheDocument();
  // It goes as it is, and is not closed.
  expect(closed).toEqual([]);
  const [session, state] = move.mock.calls[0] ?? [];
  expect(session).toBe(a.session.opened.session);
  expect(unpacked(state ?? '').shared.selection).toEqual({ kind: 'block', block: 7 });
  await tab(/c.pickle/).click({ button: 'right' });
  await page.getByTestId('tab-menu-others').click();
  await vi.waitFor(() => {
    expect(names()).toEqual(['c.pickle']);
  });
  await tab(/c.pickle/).click({ button: 'right' });
  const window = page.getByTestId('tab-menu-window');
  await expect.element(window).toBeDisabled();
  await expect.element(window).toHaveTextContent('It is the only one in this window.');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByTestId('tab-menu')).not.toBeInTheDocument();
});

test('a recording that is compared goes to a window once the comparison is ended', async () => {
  const { desk, closed } = await opened(['/r/a.pickle', '/r/b.pickle']);
  const move = vi.spyOn(desk.engine, 'moveToWindow');
  const [a, b] = desk.tabs.get();
  if (a?.kind !== 'recording' || b?.kind !== 'recording') throw new Error('not open');
  desk.compare(a.session, b.session);
  await expect.poll(names).toEqual(['a.pickle', 'b.pickle', 'a.pickle | b.pickle']);
  const window = page.getByTestId('tab-menu-window');
  await page.getByTestId('tab').nth(2).getByRole('tab').click({ button: 'right' });
  await expect.element(window).toBeDisabled();
  await expect.element(window).toHaveTextContent('move one of them');
  await userEvent.keyboard('{Escape}');
  await page.getByTestId('tab').nth(1).getByRole('tab').click({ button: 'right' });
  await expect.element(window).toHaveTextContent('End the comparison, move to a new window');
  await window.click();
  await expect.poll(names).toEqual(['a.pickle']);
  expect(move.mock.calls.map(([session]) => session)).toEqual([b.session.opened.session]);
  expect(closed).toEqual([]);
});

test('a window made for a recording shows it as it was', async () => {
  const demo = demoEngine({ pace: 0 });
  const first = new Desk(demo);
  const session = await first.open(file('/r/a.pickle'));
  if (session === undefined) throw new Error('not open');
  session.send({ kind: 'select', selection: { kind: 'block', block: 7 }, wanted: 'nothing' });
  session.send({ kind: 'axis', axis: 'time' });
  const state = packed(file('/r/a.pickle'), session);
  const startup = { paths: [], handover: { opened: session.opened, state } };
  const busy = new Busy();
  const desk = new Desk(counted({ ...demo, startup: () => Promise.resolve(startup) }, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await expect.element(page.getByTestId('details-stack')).toBeInTheDocument();
  expect(names()).toEqual(['a.pickle']);
  const shared = desk.session.get()?.shared.get();
  expect([shared?.axis, shared?.selection]).toEqual(['time', { kind: 'block', block: 7 }]);
});

test('files that the program is asked for later open in tabs', async () => {
  const demo = demoEngine({ pace: 0 });
  let ask: (() => void) | undefined;
  let paths: readonly string[] = ['/r/a.pickle', '/r/b.pickle'];
  const engine: Engine = {
    ...demo,
    startup: () => {
      const now = paths;
      paths = [];
      return Promise.resolve({ paths: now, handover: undefined });
    },
    onAsked: (listener) => {
      ask = listener;
      return Promise.resolve(() => undefined);
    },
  };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await vi.waitFor(() => {
    expect(names()).toEqual(['a.pickle', 'b.pickle']);
  });
  paths = ['/r/c.pickle'];
  ask?.();
  await vi.waitFor(() => {
    expect(front()).toBe('c.pickle');
  });
});
