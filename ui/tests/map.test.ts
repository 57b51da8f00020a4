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
import type { Engine } from '../src/wire/engine';
import type { SceneQuestion } from '../src/wire/known';
import type { AddressMapQuestion } from '../src/wire/map';
import { blockName } from './names';

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Stand {
  readonly maps: AddressMapQuestion[];
  readonly scenes: SceneQuestion[];
  readonly desk: Desk;
}

/** The whole page over the invented engine, with a recording open and its address map shown. */
async function opened(): Promise<Stand> {
  const demo = demoEngine({ pace: 0 });
  const maps: AddressMapQuestion[] = [];
  const scenes: SceneQuestion[] = [];
  const engine: Engine = {
    ...demo,
    addressMap: (question) => {
      maps.push(question);
      return demo.addressMap(question);
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
  await desk.open({ kind: 'file', path: '/r/rank0.pickle' });
  await page.getByTestId('tab-map').click();
  await expect.element(page.getByTestId('map-summary')).toHaveTextContent('lanes');
  await idle();
  return { maps, scenes, desk };
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await window.__tidemark?.idle();
};

const blockOnMap = (): Promise<Place & { readonly block: number }> =>
  vi.waitFor(() => {
    const at = window.__tidemark?.mapBlockAt(0);
    if (at === undefined) throw new Error('no block in the map yet');
    return at;
  });

const canvas = (): Element => page.getByTestId('map-canvas').element();

function pointer(kind: string, at: Place): void {
  const init = { bubbles: true, clientX: at.x, clientY: at.y, pointerId: 1, button: 0 };
  canvas().dispatchEvent(new PointerEvent(kind, init));
}

function click(at: Place): void {
  for (const kind of ['pointermove', 'pointerdown', 'pointerup']) pointer(kind, at);
}

function wheel(at: Place, deltaY: number, ctrlKey: boolean): void {
  const init = { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y, deltaY, ctrlKey };
  canvas().dispatchEvent(new WheelEvent('wheel', init));
}

const details = () => page.getByTestId('details');

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

test('a block clicked in the address map is selected, told about, and outlined in both views', async () => {
  const { desk, maps, scenes } = await opened();
  const at = await blockOnMap();
  click(at);
  await expect.element(details()).toHaveTextContent(blockName(at.block));
  await idle();
  expect(desk.session.get()?.shared.get().selection).toEqual({ kind: 'block', block: at.block });
  expect(maps.at(-1)?.scene.selected).toBe(at.block);
  expect(scenes.at(-1)?.selected).toBe(at.block);
  await expect.element(page.getByTestId('map-card')).toHaveTextContent('lane 0x7f');
});

test('free space selects its segment at the event under the pointer', async () => {
  const { desk } = await opened();
  const at = await blockOnMap();
  for (let i = 0; i < 6; i += 1) {
    wheel(at, -200, true);
    await idle();
  }
  const { left, right, top, bottom } = canvas().getBoundingClientRect();
  let selection = desk.session.get()?.shared.get().selection;
  for (let y = top + 8; y < bottom - 26 && selection?.kind !== 'segment'; y += 6) {
    for (let x = left + 80; x < right - 20 && selection?.kind !== 'segment'; x += 40) {
      click({ x, y });
      selection = desk.session.get()?.shared.get().selection;
    }
  }
  expect(selection?.kind).toBe('segment');
  if (selection?.kind !== 'segment') return;
  expect(selection.address).toMatch(/^0x7f/);
  await expect.element(details()).toHaveTextContent('Blocks ever');
  expect(desk.session.get()?.shared.get().cursor?.event).toBe(selection.after);
});

test('the wheel zooms the shared axis, with Ctrl the addresses; R shows all of both', async () => {
  const { desk, maps } = await opened();
  const whole = maps.at(-1)?.scene;
  const at = await blockOnMap();
  const before = desk.session.get()?.shared.get().x.event;
  wheel(at, -300, true);
  await idle();
  const zoomed = maps.at(-1)?.scene;
  expect((zoomed?.y1 ?? 0) - (zoomed?.y0 ?? 0)).toBeLessThan((whole?.y1 ?? 0) * 0.8);
  expect(desk.session.get()?.shared.get().x.event).toEqual(before);
  wheel(at, -300, false);
  await idle();
  const x = desk.session.get()?.shared.get().x.event;
  expect((x?.to ?? 0) - (x?.from ?? 0)).toBeLessThan((before?.to ?? 0) * 0.8);
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', cancelable: true }));
  await idle();
  expect(desk.session.get()?.shared.get().x.event).toEqual(before);
  expect(maps.at(-1)?.scene.y1).toBe(whole?.y1);
});

test('lanes are sorted by size on demand, and the map is asked anew', async () => {
  const { maps } = await opened();
  await page.getByTestId('map-order').selectOptions('size');
  await idle();
  expect(maps.at(-1)?.order).toBe('size');
  await blockOnMap();
});

/** Drags over the map, from one place to another. */
function drag(from: Place, to: Place, shiftKey = false): void {
  // The picture holds the pointer, which only a real one lets it do.
  const host = canvas().parentElement;
  if (host === null) throw new Error('the map is in no picture');
  vi.spyOn(host, 'setPointerCapture').mockImplementation(() => undefined);
  for (const [kind, at] of [
    ['pointerdown', from],
    ['pointermove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }],
    ['pointermove', to],
    ['pointerup', to],
  ] as const) {
    const init = { bubbles: true, clientX: at.x, clientY: at.y, pointerId: 1, button: 0, shiftKey };
    canvas().dispatchEvent(new PointerEvent(kind, init));
  }
}

const key = (name: string): void => {
  window.dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true }));
};

/** The plot of the map: what is left of the margins. */
function plot(): {
  readonly left: number;
  readonly top: number;
  readonly wide: number;
  readonly high: number;
} {
  const { left, top, width, height } = canvas().getBoundingClientRect();
  return { left: left + 66, top: top + 4, wide: width - 80, high: height - 26 };
}

test('B and a drag show that part of the axis and of the addresses, and end box zoom', async () => {
  const { desk, maps } = await opened();
  const whole = maps.at(-1)?.scene;
  const { left, top, wide, high } = plot();
  key('b');
  drag({ x: left + wide / 4, y: top + high / 2 }, { x: left + wide / 2, y: top + high / 4 });
  await idle();
  const shared = desk.session.get()?.shared.get();
  const last = shared?.extents[0]?.event.to ?? 0;
  expect(shared?.mode).toBe('pan');
  expect((shared?.x.event.from ?? 0) / last).toBeCloseTo(1 / 4, 2);
  expect((shared?.x.event.to ?? 0) / last).toBeCloseTo(1 / 2, 2);
  const total = whole?.y1 ?? 0;
  // Bytes grow upwards.
  expect((maps.at(-1)?.scene.y0 ?? 0) / total).toBeCloseTo(1 / 2, 1);
  expect((maps.at(-1)?.scene.y1 ?? 0) / total).toBeCloseTo(3 / 4, 1);
  // The lifecycle's own bytes are left alone.
  expect(shared?.height.kind).toBe('auto');
});

test('Shift and a drag select the events between, on both axes', async () => {
  const { desk } = await opened();
  const { left, top, wide } = plot();
  const from = { x: left + wide * 0.25, y: top + 20 };
  const to = { x: left + wide * 0.5, y: top + 90 };
  const selected = () => desk.session.get()?.shared.get().selection;
  drag(to, from, true);
  await idle();
  const events = desk.session.get()?.shared.get().extents[0]?.events ?? 0;
  const first = selected();
  if (first?.kind !== 'period') throw new Error('no period');
  expect(first.from / events).toBeCloseTo(0.25, 1);
  expect(first.to / events).toBeCloseTo(0.5, 1);
  await expect.element(details()).toHaveTextContent('Allocated and not freed in it');
  await page.getByTestId('axis-time').click();
  await idle();
  drag(from, to, true);
  await idle();
  const second = selected();
  if (second?.kind !== 'period') throw new Error('no period');
  const times = desk.session.get()?.shared.get().extents[0]?.time?.to ?? 0;
  expect(second.time?.from ?? 0).toBeGreaterThan(times * 0.23);
  expect(second.time?.to ?? 0).toBeLessThan(times * 0.52);
});

test('order and zoom are there again after another tab was looked at', async () => {
  const { maps } = await opened();
  await page.getByTestId('map-order').selectOptions('size');
  await idle();
  wheel(await blockOnMap(), -300, true);
  await idle();
  const before = maps.at(-1);
  await page.getByTestId('tab-blocks').click();
  await page.getByTestId('tab-map').click();
  await expect.element(page.getByTestId('map-summary')).toHaveTextContent('lanes');
  await idle();
  await expect.element(page.getByTestId('map-order')).toHaveValue('size');
  expect(maps.at(-1)?.order).toBe('size');
  expect(maps.at(-1)?.scene.y0).toBe(before?.scene.y0);
  expect(maps.at(-1)?.scene.y1).toBe(before?.scene.y1);
});

test('the lane of the selected segment has a line around it', async () => {
  const { desk } = await opened();
  const ink = (): number => {
    const over = canvas() as HTMLCanvasElement;
    const context = over.getContext('2d');
    // In the last column of pixels of the plot only the line around a lane is drawn in ink.
    const x = over.width - Math.round(14 * devicePixelRatio) - 1;
    const data = context?.getImageData(x, 0, 1, over.height).data ?? new Uint8ClampedArray();
    const color = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
    const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const isInk = wanted.every((part, i) => Math.abs((data[at + i] ?? 0) - part) < 12);
      if (isInk && (data[at + 3] ?? 0) > 240) count += 1;
    }
    return count;
  };
  expect(ink()).toBe(0);
  const { left, top, wide, high } = plot();
  let selection = desk.session.get()?.shared.get().selection;
  for (let y = top + 4; y < top + high && selection?.kind !== 'segment'; y += 3) {
    click({ x: left + wide / 2, y });
    selection = desk.session.get()?.shared.get().selection;
  }
  expect(selection?.kind).toBe('segment');
  await idle();
  expect(ink()).toBeGreaterThan(3);
});
