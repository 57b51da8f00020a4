import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import { shown, type Shared } from '../src/state/shared';
import type { SeenCall } from '../src/views/flame/view';
import { demoThreads } from '../src/wire/demo/calls';
import { stepEnd } from '../src/wire/demo/dump';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { FlameQuestion } from '../src/wire/flame';

interface Stand {
  readonly asked: FlameQuestion[];
  readonly shared: () => Shared;
  readonly desk: Desk;
}

beforeEach(() => {
  localStorage.clear();
});

/** The whole page over the invented engine, with that recording open. */
async function opened(path: string): Promise<Stand> {
  await page.viewport(1280, 820);
  const demo = demoEngine({ pace: 0 });
  const asked: FlameQuestion[] = [];
  const flame = {
    ...demo.flame,
    flame: (question: FlameQuestion) => {
      asked.push(question);
      return demo.flame.flame(question);
    },
  };
  const engine: Engine = { ...demo, flame };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path });
  await idle();
  const shared = (): Shared => {
    const session = desk.session.get();
    if (session === undefined) throw new Error('nothing is open');
    return session.shared.get();
  };
  return { asked, shared, desk };
}

const idle = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    await window.__tidemark?.idle();
  }
};

const calls = (): readonly SeenCall[] => window.__tidemark?.calls() ?? [];

/** What is drawn of the first call with that name. */
function seen(name: string, thread = 0): SeenCall {
  const rows = demoThreads()[thread]?.calls ?? [];
  const drawn = [...calls()].sort((a, b) => a.slice - b.slice);
  const found = drawn.find((call) => rows[call.slice]?.name === name);
  if (found === undefined) throw new Error(`${name} is not drawn`);
  return found;
}

function pointer(kind: string, { x, y }: { readonly x: number; readonly y: number }): void {
  const target = page.getByTestId('flame-canvas').element().parentElement;
  const at = { clientX: x, clientY: y, bubbles: true, cancelable: true, button: 0 };
  const event = kind.startsWith('pointer')
    ? new PointerEvent(kind, { ...at, pointerId: 1 })
    : new MouseEvent(kind, at);
  target?.dispatchEvent(event);
}

const click = async (at: SeenCall): Promise<void> => {
  pointer('pointerdown', at);
  pointer('pointerup', at);
  await idle();
};

const STEP = '/app/train.py(31): train_one_step';

test('a recording without threads has no pane of calls', async () => {
  await opened('/r/dump.db');
  expect(page.getByTestId('flame').query()).toBeNull();
});

test('calls are drawn by depth over the time of the memory below', async () => {
  const { asked, shared } = await opened('/r/dump_trace.db');
  await expect.element(page.getByTestId('flame-summary')).toHaveTextContent('6 depths');
  expect(shared().axis).toBe('time');
  const module = seen('start: /app/train.py(60): <module>');
  const step = seen(STEP);
  expect([module.depth, step.depth]).toEqual([0, 1]);
  // A step lasts 4 of the 35 s and a bit that are shown, with the axis' margins.
  const { from, to } = shown(shared());
  const canvas = page.getByTestId('flame-canvas').element().getBoundingClientRect();
  const width = ((canvas.width - 80) * (stepEnd(1) - 10_000_000)) / (to - from);
  expect(Math.abs(step.width - width)).toBeLessThan(2);
  expect(asked.at(-1)?.narrow).toBe('joined');
});

test('narrow calls are one rectangle until compression is off', async () => {
  const { asked } = await opened('/r/dump_trace.db');
  await page.getByTestId('flame-thread').selectOptions('4250 (process 4242)');
  await idle();
  const joined = calls().filter(({ depth }) => depth === 1);
  expect(joined.map((call) => call.calls).sort((a, b) => b - a)).toEqual([3000, 1]);
  await page.getByTestId('flame-compress').click();
  await idle();
  expect(asked.at(-1)?.narrow).toBe('apart');
  expect(
    calls()
      .filter(({ depth }) => depth === 1)
      .every((call) => call.calls === 1),
  ).toBe(true);
});

test('choosing a call makes its events the period, a call without events moves the cursor', async () => {
  const { shared } = await opened('/r/dump_trace.db');
  await click(seen(STEP));
  const { selection } = shared();
  if (selection.kind !== 'period') throw new Error(`selected ${selection.kind}`);
  expect(selection.time).toEqual({ from: 10_000_000, to: stepEnd(1) });
  await expect.element(page.getByTestId('flame-chosen')).toHaveTextContent('train_one_step');
  await expect.element(page.getByTestId('flame-chosen')).toHaveTextContent('allocated');
  // The twelve weights come before; the step's first event is the one after them.
  expect(selection.from).toBe(12);
  // Nothing happens in the loading but the weights of before it: 12 events, 120 ms apart.
  await click(seen('/app/optim.py(80): step'));
  await expect.element(page.getByTestId('flame-chosen')).toHaveTextContent('allocated nothing');
  expect(shared().cursor?.event).toBe(selection.to);
});

test('what a call allocated is told of the device that is shown', async () => {
  const { desk, shared } = await opened('/r/dump_trace.db');
  await click(seen(STEP));
  const told = page.getByTestId('flame-chosen');
  // The first step: 40 MiB, and five layers of 8 and 2; four gradients of 3.
  await expect.element(told).toHaveTextContent('allocated 15 blocks, 102.00 MiB');
  await expect.element(told).toHaveTextContent('not freed by its end: 1 block, 40.00 MiB');
  desk.session.get()?.send({ kind: 'device', device: 2 });
  await idle();
  expect(shared().device).toBe(2);
  await expect.element(told).toHaveTextContent('allocated nothing on this device');
});

test('a double click fits a call, and the wheel zooms both views at the pointer', async () => {
  const { shared } = await opened('/r/dump_trace.db');
  const step = seen(STEP);
  await click(step);
  pointer('dblclick', step);
  await idle();
  const fitted = shown(shared());
  const length = stepEnd(1) - 10_000_000;
  expect(fitted.to - fitted.from).toBeCloseTo(length * 1.06, 0);
  const target = page.getByTestId('flame-canvas').element().parentElement;
  const middle = seen('/app/model.py(12): forward');
  const wheel = {
    deltaY: -200,
    clientX: middle.x,
    clientY: middle.y,
    bubbles: true,
    cancelable: true,
  };
  target?.dispatchEvent(new WheelEvent('wheel', wheel));
  await idle();
  const zoomed = shown(shared());
  expect(zoomed.to - zoomed.from).toBeLessThan((fitted.to - fitted.from) * 0.8);
  expect(zoomed.from).toBeGreaterThan(fitted.from);
});

test('a search keeps terms, counts each, walks the hits and shows them', async () => {
  const { asked, shared } = await opened('/r/dump_trace.db');
  const field = page.getByTestId('flame-search');
  await field.fill('TRAIN_ONE');
  await idle();
  await expect.element(page.getByTestId('flame-hits')).toHaveTextContent('1 / 3');
  expect(seen(STEP).hits).toBe(1);
  expect(seen('/app/train.py(40): load').hits).toBe(0);
  await userEvent.keyboard('{Enter}');
  await idle();
  await expect.element(page.getByTestId('flame-term')).toHaveTextContent('TRAIN_ONE 3');
  expect(asked.at(-1)?.search?.terms).toEqual(['TRAIN_ONE']);
  await userEvent.keyboard('{Enter}');
  await idle();
  await expect.element(page.getByTestId('flame-hits')).toHaveTextContent('2 / 3');
  const { from, to } = shown(shared());
  expect(from <= 20_000_000 && stepEnd(2) <= to).toBe(true);
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await idle();
  await expect.element(page.getByTestId('flame-hits')).toHaveTextContent('1 / 3');
  await field.fill('backward');
  await idle();
  await expect.element(page.getByTestId('flame-hits')).toHaveTextContent('/ 6');
  await page.getByTestId('flame-fit-exact').click();
  await idle();
  await expect.element(page.getByTestId('flame-hits')).toHaveTextContent('/ 3');
});

test('the place under the pointer is marked in the memory below too', async () => {
  const { desk } = await opened('/r/dump_trace.db');
  const step = seen(STEP);
  pointer('pointermove', step);
  await idle();
  await expect.element(page.getByTestId('flame-card')).toHaveTextContent(STEP);
  const line = document.querySelector<HTMLElement>('.picture .crosshair');
  expect(line?.hidden).toBe(false);
  expect(Math.abs((line?.getBoundingClientRect().left ?? 0) - step.x)).toBeLessThan(2);
  expect(desk.session.get()?.pointer.get()).toBeGreaterThan(10_000_000);
  pointer('pointerleave', step);
  await idle();
  expect(line?.hidden).toBe(true);
});

test('on the axis of events the pane says why it is not there and leads back', async () => {
  const { desk, shared } = await opened('/r/dump_trace.db');
  desk.session.get()?.send({ kind: 'axis', axis: 'event' });
  await idle();
  await expect.element(page.getByTestId('flame-on-events')).toBeVisible();
  expect(page.getByTestId('flame-canvas').query()).toBeNull();
  await page.getByText('Show time').click();
  await idle();
  expect(shared().axis).toBe('time');
  expect(calls().length).toBeGreaterThan(0);
});
