import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { PoolCurvesQuestion } from '../src/wire/pools';

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

/** The page with the tab of the pools open, and what it asks. */
async function opened(): Promise<{
  readonly moments: number[];
  readonly questions: PoolCurvesQuestion[];
}> {
  const demo = demoEngine({ pace: 0 });
  const moments: number[] = [];
  const questions: PoolCurvesQuestion[] = [];
  const busy = new Busy();
  const engine = {
    ...demo,
    pools: (session: number, device: number, after: number) => {
      moments.push(after);
      return demo.pools(session, device, after);
    },
    poolCurves: (question: PoolCurvesQuestion) => {
      questions.push(question);
      return demo.poolCurves(question);
    },
  };
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await page.getByTestId('open-sample').click();
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await page.getByTestId('tab-pools').click();
  await expect.element(page.getByTestId('pools-row').first()).toBeInTheDocument();
  await vi.waitFor(() => {
    if (document.querySelector('path.active')?.getAttribute('d') === '') throw new Error('empty');
  });
  await idle();
  return { moments, questions };
}

const rows = (): readonly Element[] => page.getByTestId('pools-row').elements();

beforeEach(() => {
  localStorage.clear();
  const root = document.createElement('style');
  root.textContent = 'body > div { height: 100vh }';
  document.head.append(root);
});

test('a row a pool, by name, the largest first, with its curve', async () => {
  const { questions } = await opened();
  expect(rows().map((row) => row.textContent.includes('default pool'))).toEqual([true, false]);
  expect(rows()[1]?.textContent).toContain('(0, 1)');
  expect(questions.at(-1)?.pools).toEqual([0, 1]);
  expect(document.querySelectorAll('path.reserved')).toHaveLength(2);
  await page.getByTestId('pools-sort-segments').click();
  await page.getByTestId('pools-sort-segments').click();
  expect(rows()[0]?.textContent).toContain('(0, 1)');
});

test('a click on a curve puts the cursor there, and the figures are of that moment', async () => {
  const { moments, questions } = await opened();
  const question = questions.at(-1);
  const curve = page.getByTestId('pools-curve').first().element();
  const { left, top, width } = curve.getBoundingClientRect();
  const at = { bubbles: true, clientX: left + width / 2, clientY: top + 5 };
  curve.dispatchEvent(new MouseEvent('click', at));
  const middle = ((question?.x0 ?? 0) + (question?.x1 ?? 0)) / 2;
  await vi.waitFor(() => {
    expect(Math.abs((moments.at(-1) ?? 0) - middle)).toBeLessThan((question?.x1 ?? 0) / 100);
  });
  await vi.waitFor(() => {
    expect(document.querySelectorAll('line.cursor').length).toBe(2);
  });
});

test('its curves are of the part of the axis that is shown', async () => {
  const { questions } = await opened();
  const whole = questions.at(-1);
  window.dispatchEvent(new KeyboardEvent('keydown', { key: '+', cancelable: true }));
  await vi.waitFor(() => {
    const now = questions.at(-1);
    const span = (now?.x1 ?? 0) - (now?.x0 ?? 0);
    expect(span).toBeLessThan((whole?.x1 ?? 0) - (whole?.x0 ?? 0));
    expect(now?.width_px).toBe(512);
  });
});
