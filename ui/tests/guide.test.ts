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
import { idle } from './stage';

/** The page over the invented engine, whose recordings are of `family`. */
function stand(family = 'cuda'): Desk {
  const demo = demoEngine({ pace: 0 });
  const desk = new Desk(
    counted(
      {
        ...demo,
        open: async (...args) => {
          const opened = await demo.open(...args);
          return { ...opened, summary: { ...opened.summary, family } };
        },
      },
      new Busy(),
    ),
  );
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy: new Busy(), theme, drawing: 'raster' });
  return desk;
}

const guide = () => page.getByTestId('guide');

beforeEach(() => {
  localStorage.clear();
  const root = document.createElement('style');
  root.textContent = 'body > div { height: 100vh }';
  document.head.append(root);
});

test('the first page leads to it, and Esc back to where the focus was', async () => {
  stand();
  await page.getByTestId('guide-link').click();
  await expect.element(guide()).toHaveTextContent('torch.cuda.memory._record_memory_history(');
  await page.getByTestId('guide-npu').click();
  await expect.element(guide()).toHaveTextContent('torch_npu.npu.memory._dump_snapshot(');
  await page.getByTestId('guide-xpu').click();
  await expect.element(guide()).toHaveTextContent('torch.xpu.memory._record_memory_history(');
  await page.getByTestId('guide-memscope').click();
  await expect.element(guide()).toHaveTextContent('--analysis=decompose --data-format=db');
  await userEvent.keyboard('{Escape}');
  await expect.element(guide()).not.toBeInTheDocument();
  expect(document.activeElement).toBe(page.getByTestId('guide-link').element());
});

test('its code is copied as it stands', async () => {
  stand();
  await page.getByTestId('guide-link').click();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await page.getByTestId('guide-copy').first().click();
  expect(write.mock.calls[0]?.[0].split('\n')).toContain(
    'torch.cuda.memory._dump_snapshot("snapshot.pickle")',
  );
  await expect.element(page.getByTestId('guide-copy').first()).toHaveTextContent('Copied');
  await expect.element(page.getByTestId('guide-copy').last()).toHaveTextContent('Copy');
});

test('the keys lead to it', async () => {
  stand();
  await page.getByTestId('help-button').click();
  await page.getByTestId('help-guide').click();
  await expect.element(page.getByTestId('help-card')).not.toBeInTheDocument();
  await expect.element(guide()).toBeVisible();
});

test('a recording without history shows it once by itself, for its own device', async () => {
  const desk = stand('npu');
  await desk.open({ kind: 'file', path: '/r/empty.pickle' });
  await expect.element(guide()).toHaveTextContent('This recording has no history');
  await expect.element(page.getByTestId('guide-npu')).toHaveAttribute('aria-pressed', 'true');
  await page.getByTestId('guide-close').click();
  desk.close();
  await desk.open({ kind: 'file', path: '/r/empty.pickle' });
  await expect.element(page.getByTestId('banner-guide')).toBeInTheDocument();
  expect(guide().elements()).toEqual([]);
  await page.getByTestId('banner-guide').click();
  await expect.element(guide()).toHaveTextContent('torch_npu.npu.memory');
  expect(guide().element().textContent).not.toContain('This recording has no history');
});

test('a recording with history says nothing of it', async () => {
  const desk = stand();
  await desk.open({ kind: 'sample', which: 'snapshot' });
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  expect(guide().elements()).toEqual([]);
  expect(page.getByTestId('banner-guide').elements()).toEqual([]);
});

test('a recording that holds nothing has it in place of the picture', async () => {
  const desk = stand('npu');
  await desk.open({ kind: 'file', path: '/r/nothing.pickle' });
  await expect
    .element(page.getByTestId('no-memory'))
    .toHaveTextContent('torch_npu.npu.memory._record_memory_history(');
  expect(guide().elements()).toEqual([]);
});

test('in a small window it scrolls and stays inside', async () => {
  await page.viewport(1000, 600);
  stand();
  await page.getByTestId('guide-link').click();
  const box = guide().element().getBoundingClientRect();
  expect(box.top).toBeGreaterThanOrEqual(0);
  expect(box.bottom).toBeLessThanOrEqual(600);
  const card = guide().element();
  expect(card.scrollHeight).toBeGreaterThan(card.clientHeight);
  card.scrollTo(0, card.scrollHeight);
  const close = page.getByTestId('guide-close').element().getBoundingClientRect();
  expect(close.top).toBeGreaterThanOrEqual(box.top);
  await page.viewport(1280, 1000);
});
