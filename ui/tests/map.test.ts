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
  await expect.element(details()).toHaveTextContent(`Block ${at.block.toString()}`);
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
