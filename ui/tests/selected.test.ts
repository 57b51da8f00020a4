import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
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
import { demoEngine } from '../src/wire/demo/engine';
import { demoRecording } from '../src/wire/demo/recording';

const BLOCKS = demoRecording().blocks;

interface Place {
  readonly x: number;
  readonly y: number;
}

async function opened(): Promise<Session> {
  const busy = new Busy();
  const desk = new Desk(counted(demoEngine({ pace: 0 }), busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/rank0.pickle' });
  await expect.element(page.getByTestId('pool')).toBeInTheDocument();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return session;
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 120));
  await window.__tidemark?.idle();
};

/** The colour in the middle of a block of the pool. */
function colorOf(block: number): string {
  const at = window.__tidemark?.poolBlockAt(block);
  const canvas = page.getByTestId('pool-canvas').element().previousElementSibling;
  if (at === undefined || !(canvas instanceof HTMLCanvasElement)) return 'not there';
  const box = canvas.getBoundingClientRect();
  const x = Math.floor(((at.x - box.left) * canvas.width) / box.width);
  const y = Math.floor(((at.y - box.top) * canvas.height) / box.height);
  return canvas.getContext('2d')?.getImageData(x, y, 1, 1).data.join() ?? '';
}

/** The largest blocks that are held right after `event` and pass, so that they are seen. */
function heldAfter(event: number, passes: (alloc: number) => boolean): readonly number[] {
  return BLOCKS.map((block, row) => ({ ...block, row }))
    .filter(({ alloc, freeRequested }) => alloc <= event && (freeRequested ?? 1e9) > event)
    .filter(({ alloc }) => passes(alloc))
    .sort((a, b) => b.size - a.size)
    .slice(0, 3)
    .map(({ row }) => row);
}

function pointer(testid: string, kind: string, at: Place, more: PointerEventInit = {}): void {
  const init = { bubbles: true, clientX: at.x, clientY: at.y, pointerId: 1, button: 0, ...more };
  page.getByTestId(testid).element().dispatchEvent(new PointerEvent(kind, init));
}

function click(testid: string, at: Place, more: PointerEventInit = {}): void {
  for (const kind of ['pointermove', 'pointerdown', 'pointerup']) pointer(testid, kind, at, more);
}

const marks = () => window.__tidemark?.growthMarks() ?? [];

/** Selects the segment around a block that was allocated in the recording. */
async function segmentSelected(session: Session): Promise<void> {
  session.send({ kind: 'visit', event: { event: 900, time_us: undefined } });
  await idle();
  const [block = -1] = heldAfter(900, (alloc) => alloc > 100);
  const at = window.__tidemark?.poolBlockAt(block);
  if (at === undefined) throw new Error('no block in the pool');
  click('pool-canvas', at, { shiftKey: true });
  await vi.waitFor(() => {
    expect(marks().length).toBeGreaterThan(0);
  });
}

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

test('the pool shows which blocks were allocated in the selected period', async () => {
  const session = await opened();
  const [from, to] = [540, 720];
  session.send({ kind: 'visit', event: { event: to, time_us: undefined } });
  await idle();
  const inside = heldAfter(to, (alloc) => alloc >= from);
  const outside = heldAfter(to, (alloc) => alloc < from);
  expect([inside.length, outside.length]).toEqual([3, 3]);
  const before = { inside: inside.map(colorOf), outside: outside.map(colorOf) };
  const selection = { kind: 'period', from, to, time: undefined } as const;
  session.send({ kind: 'select', selection, wanted: 'nothing' });
  await idle();
  expect(inside.map(colorOf)).toEqual(before.inside);
  // Its details say how much was allocated in it and not freed in it: that is what is left.
  const found = session.details.get();
  const left =
    found.phase === 'ready' && found.value.kind === 'period'
      ? found.value.period.unfreed.amount
      : undefined;
  await expect
    .element(page.getByTestId('pool-period'))
    .toHaveTextContent(
      `${(left?.count ?? 0).toString()} blocks of the period, ${bytes(left?.size ?? 0)}`,
    );
  outside.forEach((block, index) => {
    expect(colorOf(block)).not.toBe(before.outside[index]);
  });
  session.send({ kind: 'select', selection: { kind: 'none' }, wanted: 'nothing' });
  await idle();
  expect(outside.map(colorOf)).toEqual(before.outside);
});

test('where the selected segment grew and shrank is marked on the axis', async () => {
  const session = await opened();
  expect(marks()).toEqual([]);
  await segmentSelected(session);
  const found = session.details.get();
  const segment =
    found.phase === 'ready' && found.value.kind === 'segment' ? found.value.segment : undefined;
  expect(marks().map(({ event, bytes }) => [event, bytes])).toEqual(
    segment?.changes.map(({ at, bytes }) => [at.event, bytes]),
  );
  // They stand where their event is, whatever is shown.
  const first = marks()[0]?.event ?? 0;
  session.send({ kind: 'show', x: { from: first - 50, to: first + 50 } });
  await idle();
  const box = page.getByTestId('lifecycle-canvas').element().getBoundingClientRect();
  const middle = (box.left + 66 + (box.right - 14)) / 2;
  expect(marks()[0]?.x).toBeCloseTo(middle, 0);
  session.send({ kind: 'pan-x', by: 25 });
  await idle();
  expect(marks()[0]?.x).toBeCloseTo(middle - (box.width - 80) / 4, 0);
  session.send({ kind: 'select', selection: { kind: 'none' }, wanted: 'nothing' });
  await idle();
  expect(marks()).toEqual([]);
});

test('a mark tells what happened there; a click puts the cursor there', async () => {
  const session = await opened();
  await segmentSelected(session);
  const mark = marks()[0];
  if (mark === undefined) throw new Error('no mark');
  pointer('lifecycle-canvas', 'pointermove', mark);
  await expect.element(page.getByText(/▲ the segment grew by/)).toBeInTheDocument();
  click('lifecycle-canvas', mark);
  await idle();
  const shared = session.shared.get();
  expect(shared.cursor?.event).toBe(mark.event);
  expect(shared.selection.kind).toBe('segment');
  expect(marks().length).toBeGreaterThan(0);
});
