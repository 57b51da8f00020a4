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
import { demoEngine } from '../src/wire/demo/engine';
import { demoRecording, LEAK_STACK } from '../src/wire/demo/recording';
import { fresh, idle } from './tables';

beforeEach(fresh);

const RECORDING = demoRecording();

/** The page with the stacks of a recording. */
async function opened(path = '/r/rank0.pickle'): Promise<Session> {
  const busy = new Busy();
  const desk = new Desk(counted(demoEngine({ pace: 0 }), busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path });
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await page.getByTestId('tab-stacks').click();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return session;
}

const nodes = (): readonly HTMLElement[] =>
  page
    .getByTestId('stack-node')
    .elements()
    .filter((node) => node instanceof HTMLElement);
const named = (name: string): HTMLElement => {
  const node = nodes().find((one) => one.ariaLabel?.includes(name));
  if (node === undefined) throw new Error(`no ${name}`);
  return node;
};
const total = () => page.getByTestId('stacks-total');

test('the stacks of the peak add up to it, outermost frames first', async () => {
  await opened();
  await expect.element(total()).toHaveTextContent(bytes(Math.max(...RECORDING.allocated)));
  const tops = nodes().filter((node) => node.ariaLevel === '1');
  const percents = tops.map((node) => Number.parseFloat(node.style.width));
  expect(percents.reduce((sum, one) => sum + one, 0)).toBeCloseTo(100, 3);
  expect(tops.map((node) => node.ariaLabel)).toEqual([
    'no stack recorded',
    'train.py:88 <module>',
    'trainer.py:761 training_step',
  ]);
});

test('a click selects the stack or the frame, which is marked; its blocks are lit', async () => {
  const session = await opened();
  named('_append_history').click();
  await idle();
  expect(session.shared.get().selection).toEqual({ kind: 'stack', stack: LEAK_STACK });
  await vi.waitFor(() => {
    expect(named('_append_history').ariaSelected).toBe('true');
  });
  named('train.py:88').click();
  await idle();
  expect(session.shared.get().selection.kind).toBe('frame');
  await expect.element(page.getByTestId('frame-facts')).toHaveTextContent('<module>');
});

test('a double click shows only what a frame calls, and the path leads back', async () => {
  await opened();
  const whole = total().element().textContent;
  await userEvent.dblClick(named('train.py:88'));
  await idle();
  await vi.waitFor(() => {
    expect(nodes().some((node) => node.ariaLabel?.includes('train.py:88'))).toBe(false);
  });
  expect(total().element().textContent).not.toBe(whole);
  await expect.element(page.getByRole('navigation')).toHaveTextContent('train.py:88 <module>');
  await page.getByTestId('stacks-all').click();
  await idle();
  await vi.waitFor(() => {
    expect(total().element().textContent).toBe(whole);
  });
});

test('the cursor and the period decide which blocks there are', async () => {
  const session = await opened();
  await expect.element(page.getByTestId('stacks-allocated')).toBeDisabled();
  await page.getByTestId('stacks-at').click();
  session.send({ kind: 'cursor', event: { event: 300, time_us: undefined } });
  await idle();
  await expect.element(total()).toHaveTextContent(bytes(RECORDING.allocated[301] ?? 0));
  const selection = { kind: 'period', from: 540, to: 720, time: undefined } as const;
  session.send({ kind: 'select', selection, wanted: 'nothing' });
  await idle();
  await page.getByTestId('stacks-unfreed').click();
  await idle();
  const found = session.details.get();
  const left =
    found.phase === 'ready' && found.value.kind === 'period'
      ? found.value.period.unfreed.amount
      : undefined;
  await expect.element(total()).toHaveTextContent(bytes(left?.size ?? -1));
  // The period stays what is looked at while its stacks are.
  named('train.py:88').click();
  await idle();
  await expect.element(total()).toHaveTextContent(bytes(left?.size ?? -1));
});

test('what is looked for stands out and is added up; keys walk and select', async () => {
  const session = await opened();
  await page.getByTestId('stacks-find').fill('METRICS');
  await expect.element(page.getByTestId('stacks-found')).toHaveTextContent(/1 frame, .* GiB/);
  expect(named('train.py:88').classList.contains('is-dim')).toBe(true);
  expect(named('_append_history').classList.contains('is-dim')).toBe(false);
  page.getByTestId('stack-tree').element().focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowDown}{Enter}');
  await idle();
  expect(session.shared.get().selection).toEqual({ kind: 'stack', stack: LEAK_STACK });
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await idle();
  await expect.element(page.getByRole('navigation')).toHaveTextContent('_append_history');
  await userEvent.keyboard('{Backspace}');
  await idle();
  await vi.waitFor(() => {
    expect(page.getByRole('navigation').element().textContent).not.toContain('_append_history');
  });
});
