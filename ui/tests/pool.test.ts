import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import { demoRecording } from '../src/wire/demo/recording';
import type { Engine } from '../src/wire/engine';
import type { PoolQuestion, SceneQuestion } from '../src/wire/known';
import { blockName } from './names';

const BLOCKS = demoRecording().blocks;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Stand {
  readonly pools: PoolQuestion[];
  readonly scenes: SceneQuestion[];
  readonly desk: Desk;
}

/** The whole page over the invented engine, with a recording open. */
async function opened(file = '/r/rank0.pickle'): Promise<Stand> {
  const demo = demoEngine({ pace: 0 });
  const pools: PoolQuestion[] = [];
  const scenes: SceneQuestion[] = [];
  const engine: Engine = {
    ...demo,
    pool: (question) => {
      pools.push(question);
      return demo.pool(question);
    },
    scene: (question) => {
      if (question.detail === 'full') scenes.push(question);
      return demo.scene(question);
    },
  };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  void render(App, {
    desk,
    busy,
    theme: new ThemeSwitch(document.documentElement),
    drawing: 'raster',
  });
  await desk.open({ kind: 'file', path: file });
  await expect.element(page.getByTestId('pool')).toBeInTheDocument();
  await idle();
  return { pools, scenes, desk };
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await window.__tidemark?.idle();
};

/** A block that is to be seen in the pool; `isFreed`: one whose life ends in the recording. */
async function poolBlock(
  from: number,
  isFreed = false,
): Promise<Place & { readonly block: number }> {
  return vi.waitFor(() => {
    for (let block = from; block < 1155; block += 1) {
      if (isFreed && BLOCKS[block]?.freeCompleted === undefined) continue;
      const at = window.__tidemark?.poolBlockAt(block);
      if (at !== undefined) return { ...at, block };
    }
    throw new Error('no block in the pool yet');
  });
}

function pointer(testid: string, kind: string, at: Place, more: PointerEventInit = {}): void {
  const init = { bubbles: true, clientX: at.x, clientY: at.y, pointerId: 1, button: 0, ...more };
  page.getByTestId(testid).element().dispatchEvent(new PointerEvent(kind, init));
}

function click(testid: string, at: Place, more: PointerEventInit = {}): void {
  for (const kind of ['pointermove', 'pointerdown', 'pointerup']) pointer(testid, kind, at, more);
}

function key(name: string, more: KeyboardEventInit = {}): void {
  window.dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true, ...more }));
}

const details = () => page.getByTestId('details');
const moment = () => page.getByTestId('pool-moment');

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

test('a block clicked in the pool is told about, and its life comes into view', async () => {
  const { desk, scenes } = await opened();
  const session = desk.session.get();
  session?.send({ kind: 'show', x: { from: 3500, to: 3600 } });
  await idle();
  const at = await poolBlock(600, true);
  click('pool-canvas', at);
  await expect.element(details()).toHaveTextContent(blockName(at.block));
  await idle();
  const found = session?.details.get();
  const block = found?.phase === 'ready' && found.value.kind === 'block' ? found.value.block : null;
  expect(block?.block).toBe(at.block);
  const x = session?.shared.get().x.event;
  expect(x?.from).toBeLessThanOrEqual(block?.alloc?.event ?? -1);
  expect(x?.to).toBeGreaterThan(block?.alloc?.event ?? 1e9);
  expect(scenes.at(-1)?.selected).toBe(at.block);
});

test('a block there before the recording links from the pool too', async () => {
  await opened();
  const at = await poolBlock(0);
  click('pool-canvas', at);
  await expect.element(details()).toHaveTextContent(blockName(at.block));
  await expect.element(details()).toHaveTextContent('before the recording');
});

test('a segment is selected with Shift, and what ever lay in it stands out', async () => {
  const { scenes, desk } = await opened();
  click('pool-canvas', await poolBlock(600), { shiftKey: true });
  await expect.element(details()).toHaveTextContent('Blocks ever');
  await idle();
  expect(scenes.at(-1)?.highlight?.kind).toBe('segment');
  expect(desk.session.get()?.shared.get().selection.kind).toBe('segment');
});

test('hovering a block tells of it and of its segment', async () => {
  await opened();
  pointer('pool-canvas', 'pointermove', await poolBlock(0));
  await expect.element(page.getByTestId('pool-card')).toHaveTextContent('256.04 MiB');
  await expect.element(page.getByTestId('pool-card')).toHaveTextContent('segment 0x7f16c8000000');
});

test('arrows step event by event and the pool follows; a key shows it right before', async () => {
  const { pools, desk } = await opened();
  desk.session.get()?.send({ kind: 'visit', event: { event: 100, time_us: undefined } });
  await idle();
  key('ArrowDown');
  key('ArrowDown');
  await expect.element(moment()).toHaveTextContent('right after event 102');
  await expect.element(details()).toHaveTextContent('Event 102');
  await idle();
  expect(pools.at(-1)?.after).toBe(102);
  key('ArrowUp');
  key(',');
  await expect.element(moment()).toHaveTextContent('right before event 101');
  await idle();
  expect(pools.at(-1)?.after).toBe(100);
});

test('a click in the event list selects the event; the list stays where it is', async () => {
  const { desk } = await opened();
  await vi.waitFor(() => {
    expect(page.getByTestId('event-list').element().textContent).toContain('0x7f');
  });
  const list = page.getByTestId('event-list');
  const row = list.getByRole('option').nth(3);
  const name = row.element().getAttribute('title') ?? '';
  await row.click();
  const event = desk.session.get()?.shared.get().cursor?.event ?? -1;
  expect(name.replace(',', '')).toContain(`event ${event.toString()}`);
  await idle();
  expect(list.getByRole('option').nth(3).element().getAttribute('title')).toBe(name);
  await expect.element(row).toHaveAttribute('aria-selected', 'true');
});

test('the list follows the cursor that was moved elsewhere', async () => {
  const { desk } = await opened();
  desk.session.get()?.send({ kind: 'visit', event: { event: 3000, time_us: undefined } });
  const selected = page.getByTestId('event-list').getByRole('option', { selected: true });
  await expect.element(selected).toHaveAttribute('title', expect.stringContaining('3,000'));
});

test('playing steps forward and stops when told', async () => {
  const { desk } = await opened();
  desk.session.get()?.send({ kind: 'visit', event: { event: 10, time_us: undefined } });
  await page.getByTestId('event-play').click();
  const at = (): number => desk.session.get()?.shared.get().cursor?.event ?? -1;
  await vi.waitFor(() => {
    expect(at()).toBeGreaterThan(11);
  });
  await page.getByTestId('event-play').click();
  const stopped = at();
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(at()).toBe(stopped);
});

test('Alt and the arrows walk back and forward, buttons do too', async () => {
  await opened();
  const first = await poolBlock(0);
  const second = await poolBlock(600);
  click('pool-canvas', first);
  await expect.element(details()).toHaveTextContent(blockName(first.block));
  click('pool-canvas', second);
  await expect.element(details()).toHaveTextContent(blockName(second.block));
  key('ArrowLeft', { altKey: true });
  await expect.element(details()).toHaveTextContent(`${blockName(first.block)} Pin`);
  key('ArrowRight', { altKey: true });
  await expect.element(details()).toHaveTextContent(`${blockName(second.block)} Pin`);
  await page.getByTestId('back').click();
  await expect.element(details()).toHaveTextContent(`${blockName(first.block)} Pin`);
});

test('a pinned tab stays beside what is selected next', async () => {
  await opened();
  const first = await poolBlock(0);
  click('pool-canvas', first);
  await page.getByTestId('pin').click();
  const second = await poolBlock(600);
  click('pool-canvas', second);
  await expect.element(page.getByTestId('details-address')).not.toHaveTextContent('0x7f16c8000000');
  await page.getByRole('tab', { name: blockName(first.block) }).click();
  await expect.element(page.getByTestId('details-address')).toHaveTextContent('0x7f16c8000000');
});

test('Shift and a drag select a period: shaded, told about, its blocks stand out', async () => {
  const { scenes, desk } = await opened();
  const canvas = page.getByTestId('lifecycle-canvas').element().getBoundingClientRect();
  const from = { x: canvas.left + 200, y: canvas.top + 120 };
  const to = { x: canvas.left + 400, y: canvas.top + 130 };
  pointer('lifecycle-canvas', 'pointerdown', from, { shiftKey: true });
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => undefined);
  pointer('lifecycle-canvas', 'pointermove', to, { shiftKey: true });
  pointer('lifecycle-canvas', 'pointerup', to, { shiftKey: true });
  await expect.element(details()).toHaveTextContent('Allocated and not freed in it');
  await idle();
  const shared = desk.session.get()?.shared.get();
  expect(shared?.selection).toMatchObject({ kind: 'period' });
  expect(scenes.at(-1)?.highlight).toMatchObject({ kind: 'period' });
  expect(shared?.cursor?.event).toBe(
    shared?.selection.kind === 'period' ? shared.selection.to : undefined,
  );
  vi.restoreAllMocks();
});

test('grouped and sorted as asked', async () => {
  const { pools } = await opened();
  await page.getByTestId('pool-group').click();
  await page.getByTestId('pool-order').selectOptions('free');
  await idle();
  expect(pools.at(-1)).toMatchObject({ order: 'free', grouping: 'by_pool' });
});

test('a recording without events shows its pool, without a list', async () => {
  await opened('/r/empty.pickle');
  await expect.element(moment()).toHaveTextContent('when the file was written');
  expect(page.getByTestId('event-list').elements()).toEqual([]);
  click('pool-canvas', await poolBlock(0));
  await expect.element(details()).toHaveTextContent('Block −1');
});

test('a recording that holds nothing says so, and how to record', async () => {
  const demo = demoEngine({ pace: 0 });
  const busy = new Busy();
  const desk = new Desk(counted(demo, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/nothing.pickle' });
  await expect.element(page.getByTestId('no-memory')).toHaveTextContent('Nothing to show');
  await expect.element(page.getByTestId('no-memory')).toHaveTextContent('_record_memory_history');
  expect(page.getByTestId('lifecycle-canvas').elements()).toEqual([]);
});
