import { flushSync } from 'svelte';
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
import { comparedAt, periodAt } from '../src/state/shared';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { SceneQuestion } from '../src/wire/known';
import { fresh, texts } from './tables';

interface Stand {
  readonly session: Session;
  readonly scenes: SceneQuestion[];
}

/** The page with an invented dump open: `PTA` over `HAL` on a device, pinned memory of the host. */
async function opened(demo = demoEngine({ pace: 0 })): Promise<Stand> {
  const scenes: SceneQuestion[] = [];
  const engine: Engine = {
    ...demo,
    scene: (question) => {
      if (question.detail === 'full') scenes.push(question);
      return demo.scene(question);
    },
  };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/dump.db' });
  await expect.element(page.getByTestId('decomposition')).toBeInTheDocument();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return { session, scenes };
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 40));
  await window.__tidemark?.idle();
};

async function key(name: string, target: EventTarget = window): Promise<void> {
  target.dispatchEvent(
    new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
  );
  await idle();
}

/** The cells of a part in the list. */
function part(name: string): readonly string[] {
  const row = page
    .getByTestId('part')
    .elements()
    .find((one) => one.querySelector('em')?.textContent === name);
  if (row === undefined) throw new Error(`no part ${name}`);
  return [...row.querySelectorAll('.number')].map((cell) => cell.textContent.trim());
}

function rowOf(name: string): HTMLElement {
  const row = page
    .getByTestId('part')
    .elements()
    .find((one) => one.querySelector('em')?.textContent === name);
  if (!(row instanceof HTMLElement)) throw new Error(`no part ${name}`);
  return row;
}

/** Opens a part of the list, if it is shut. */
async function open(name: string): Promise<void> {
  const row = rowOf(name);
  if (row.getAttribute('aria-expanded') === 'false') row.querySelector('button')?.click();
  await idle();
}

const values = (testid: string): readonly string[] =>
  [...page.getByTestId(testid).element().querySelectorAll('option')].map(
    (option) => option.textContent,
  );

async function choose(testid: string, label: string): Promise<void> {
  await page.getByTestId(testid).selectOptions(label);
  await idle();
}

const moment = () => page.getByTestId('decomposition-moment');
const path = (): string =>
  [...page.getByTestId('decomposition-path').element().querySelectorAll('button')]
    .map((button) => button.textContent.trim())
    .join(' › ');

/** A place in the picture where a part is called that; CSS pixels of the window. */
function placeOf(name: string): { readonly x: number; readonly y: number } {
  const map = page.getByTestId('treemap').element();
  const box = map.getBoundingClientRect();
  const canvas = map.querySelector('canvas');
  if (canvas === null) throw new Error('no picture');
  for (let y = 5; y < box.height; y += 6) {
    for (let x = 5; x < box.width; x += 8) {
      const at = { clientX: box.left + x, clientY: box.top + y };
      canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, ...at }));
      flushSync();
      const card = document.querySelector('[data-testid="part-card"] b');
      if (card?.textContent === name) return { x: at.clientX, y: at.clientY };
    }
  }
  throw new Error(`${name} is not in the picture`);
}

/** What a part is called at a share of the picture's width and height. */
function partAt(x: number, y: number): string | undefined {
  const map = page.getByTestId('treemap').element();
  const box = map.getBoundingClientRect();
  const at = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
  map.querySelector('canvas')?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, ...at }));
  flushSync();
  return document.querySelector('[data-testid="part-card"] b')?.textContent;
}

async function clickPart(name: string): Promise<void> {
  const { x, y } = placeOf(name);
  const map = page.getByTestId('treemap');
  const box = map.element().getBoundingClientRect();
  await userEvent.click(map, { position: { x: x - box.left, y: y - box.top } });
  await idle();
}

beforeEach(async () => {
  fresh();
  await page.viewport(1600, 1000);
});

test('a dump is opened on its time axis, with device and pool chosen apart', async () => {
  const { session, scenes } = await opened();
  expect(scenes[0]).toMatchObject({ axis: 'time', device: 0 });
  expect(values('device-select')).toEqual(['npu:0', 'cpu']);
  expect(values('pool-select')).toEqual(['PTA · 230.00 MiB peak', 'HAL · 480.00 MiB peak']);
  expect(values('color-select')).toEqual(['stack', 'address', 'size']);
  expect(document.querySelector('[data-testid="pool"]')).toBeNull();
  await choose('pool-select', 'HAL · 480.00 MiB peak');
  expect(session.shared.get().device).toBe(1);
  await choose('device-select', 'cpu');
  expect(session.shared.get().device).toBe(2);
  expect(values('pool-select')).toEqual(['HOST_PINNED · 16.00 MiB peak']);
});

test('lines are shown only where the pool tells of them', async () => {
  await opened();
  const pane = page.getByRole('region', { name: 'Lifecycle' });
  await expect.element(pane).toHaveTextContent('pool used');
  await expect.element(pane).toHaveTextContent('pool total');
  await choose('pool-select', 'HAL · 480.00 MiB peak');
  await expect.element(pane).not.toHaveTextContent('pool used');
  await expect.element(pane).not.toHaveTextContent('pool total');
  await expect.element(pane).not.toHaveTextContent('fit');
});

test('from step to step the leak is seen to grow', async () => {
  const { session } = await opened();
  await open('ops');
  await open('aten');
  await expect.element(moment()).toHaveTextContent('the peak');
  const seen: string[] = [];
  for (const end of ['14 s 250 ns', '24 s 250 ns', '34 s 250 ns']) {
    await key(']');
    await expect.element(moment()).toHaveTextContent(`at ${end}`);
    seen.push(part('leaks_mem')[0] ?? '');
  }
  expect(seen).toEqual(['40.00 MiB', '80.00 MiB', '120.00 MiB']);
  expect(periodAt(session.shared.get())).toEqual({ from: 30_000_000, to: 34_000_000.25 });
  await key('[');
  await expect.element(moment()).toHaveTextContent('at 24 s 250 ns');
});

test('the parts add up to what the process took, whatever is held', async () => {
  await opened();
  await key(']');
  // Six times 80 MiB are taken from the driver in all, 320 MiB of it and 80 beside PTA by now.
  expect(part('All of the process')).toEqual(['320.00 MiB', '', '100 %', '13']);
  expect(part('PTA')).toEqual(['88.00 MiB', '28 %', '28 %', '13']);
  expect(part('PTA: not handed out').slice(0, 2)).toEqual(['72.00 MiB', '23 %']);
  expect(part('Outside these pools').slice(0, 2)).toEqual(['160.00 MiB', '50 %']);
  await expect.element(page.getByTestId('decomposition-whole')).toHaveTextContent('HAL');
});

test('the moment stays when another pool is shown, and when it is the first again', async () => {
  const { session } = await opened();
  await key(']');
  await choose('pool-select', 'HAL · 480.00 MiB peak');
  await expect.element(moment()).toHaveTextContent('at 14 s 250 ns');
  expect(part('All of HAL')[0]).toBe('320.00 MiB');
  expect(part('HCCL')[0]).toBe('16.00 MiB');
  await choose('device-select', 'cpu');
  await choose('device-select', 'npu:0');
  await expect.element(moment()).toHaveTextContent('at 14 s 250 ns');
  expect(periodAt(session.shared.get())).toEqual({ from: 10_000_000, to: 14_000_000.25 });
});

test('two moments are compared: what grew comes first', async () => {
  const { session } = await opened();
  await key(']');
  await page.getByTestId('compare').click();
  await key(']');
  await key(']');
  await expect.element(moment()).toHaveTextContent('A: 14 s 250 ns · B: 34 s 250 ns');
  expect(comparedAt(session.shared.get())).toBe(14_000_000.25);
  await open('ops');
  await open('aten');
  // All that grew or shrank: 80 MiB of the leak and 80 MiB beside the pools.
  expect(part('leaks_mem')).toEqual(['40.00 MiB', '120.00 MiB', '+80.00 MiB', '50 %']);
  expect(part('model')).toEqual(['48.00 MiB', '48.00 MiB', '±0 B', '0 %']);
  await page.getByTestId('compare').click();
  await expect.element(moment()).toHaveTextContent('at 34 s 250 ns');
  expect(session.shared.get().compared).toBeUndefined();
});

test('a click goes into a part, Backspace out of it; the way stays while the cursor moves', async () => {
  await opened();
  await key(']');
  expect(path()).toBe('All of the process');
  await clickPart('leaks_mem');
  expect(path()).toBe('All of the process › PTA');
  await clickPart('leaks_mem');
  expect(path()).toBe('All of the process › PTA › ops');
  await key(']');
  expect(path()).toBe('All of the process › PTA › ops');
  const map = page.getByTestId('treemap').element();
  await key('Backspace', map);
  expect(path()).toBe('All of the process › PTA');
  await key('Escape', map);
  expect(path()).toBe('All of the process');
});

test('the wheel zooms into the picture, and F shows all of it again', async () => {
  await opened();
  // At the peak the pool has little in reserve: a strip at the right edge.
  expect(partAt(0.99, 0.5)).toBe('PTA: not handed out');
  for (let i = 0; i < 4; i += 1) {
    await userEvent.wheel(page.getByTestId('treemap'), { delta: { y: -120 } });
  }
  await idle();
  expect(partAt(0.99, 0.5)).not.toBe('PTA: not handed out');
  expect(partAt(0.01, 0.5)).toBe('Outside these pools');
  await key('f');
  expect(partAt(0.99, 0.5)).toBe('PTA: not handed out');
});

test('an owner is told about and its blocks are lit', async () => {
  const { session, scenes } = await opened();
  await key(']');
  await open('ops');
  await open('aten');
  rowOf('leaks_mem').click();
  await idle();
  expect(session.shared.get().selection).toEqual({
    kind: 'owner',
    tag: 'PTA@ops@aten@leaks_mem',
  });
  expect(scenes.at(-1)?.highlight).toEqual({ kind: 'owner', tag: 'PTA@ops@aten@leaks_mem' });
  await expect.element(page.getByTestId('owner-facts')).toHaveTextContent('PTA@ops@aten@leaks_mem');
  await expect.element(page.getByTestId('owner-bytes')).toHaveTextContent('40.00 MiB');
  expect(rowOf('leaks_mem').ariaSelected).toBe('true');
});

test('the blocks of an owner are shown in the table', async () => {
  await opened();
  await open('ops');
  await open('aten');
  rowOf('leaks_mem').click();
  await idle();
  await page.getByTestId('owner-table').click();
  await vi.waitFor(() => {
    expect(texts('owner')).toEqual(Array.from({ length: 3 }, () => 'PTA@ops@aten@leaks_mem'));
  });
});

test('a selected block marks the part it belongs to', async () => {
  const { session } = await opened();
  // The thirteenth block is the first that is kept: twelve of weights come before.
  session.send({ kind: 'select', selection: { kind: 'block', block: 12 }, wanted: 'nothing' });
  await vi.waitFor(() => {
    expect(rowOf('leaks_mem').ariaSelected).toBe('true');
  });
});

test('the list is walked by keys', async () => {
  await opened();
  await key('ArrowDown', rowOf('All of the process'));
  expect(rowOf('PTA').tabIndex).toBe(0);
  await key('ArrowLeft', rowOf('PTA'));
  expect(rowOf('PTA').getAttribute('aria-expanded')).toBe('false');
  await key('ArrowRight', rowOf('PTA'));
  await key('ArrowRight', rowOf('PTA'));
  expect(rowOf('ops').tabIndex).toBe(0);
  await key('Enter', rowOf('ops'));
  expect(path()).toBe('All of the process › PTA › ops');
});

test('where nobody knows the owners, it is said how to record them', async () => {
  const demo = demoEngine({ pace: 0 });
  await opened({
    ...demo,
    open: async (...asked) => {
      const as = await demo.open(...asked);
      const devices = as.summary.devices.map((device) => ({
        ...device,
        track: device.track && { ...device.track, has_owners: false },
      }));
      return { ...as, summary: { ...as.summary, devices } };
    },
    decompose: async (question) => {
      const found = await demo.decompose(question);
      return { ...found, parts: found.parts.filter(({ parent }) => (parent ?? 0) === 0) };
    },
  });
  await expect
    .element(page.getByTestId('no-owners'))
    .toHaveTextContent('--analysis=decompose --data-format=db');
  expect(document.querySelector('[data-testid="treemap"]')).toBeNull();
  // No option would make them known of this pool.
  await choose('device-select', 'cpu');
  await expect.element(page.getByTestId('no-owners')).toHaveTextContent('HOST_PINNED');
  await expect.element(page.getByTestId('no-owners')).not.toHaveTextContent('--analysis');
});

test('it folds to its head', async () => {
  await opened();
  await page.getByTestId('decomposition-fold').click();
  expect(document.querySelector('[data-testid="treemap"]')).toBeNull();
  await expect.element(moment()).toHaveTextContent('the peak');
  await page.getByTestId('decomposition-fold').click();
  await expect.element(page.getByTestId('treemap')).toBeInTheDocument();
});
