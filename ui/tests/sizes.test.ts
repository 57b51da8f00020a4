import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { idle, open, stage } from './stage';

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('tidemark.guide', '"shown"');
});
afterEach(() => {
  localStorage.clear();
});

const box = (testid: string): DOMRect => page.getByTestId(testid).element().getBoundingClientRect();

/** Buttons and fields that stand out of the pane they are in, or have no room at all. */
function cutOff(): readonly string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    '[data-pane] :is(button, select, input, [role=tab])',
  );
  return [...controls].flatMap((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const name = control.dataset.testid ?? control.textContent.trim();
    const scroller = control.closest(SCROLLED);
    if (width === 0 || scroller !== null) return [];
    const pane = control.closest('[data-pane]')?.getBoundingClientRect();
    if (pane === undefined) return [];
    const isOut =
      left < pane.left - 1 ||
      right > pane.right + 1 ||
      top < pane.top - 4 ||
      bottom > pane.bottom + 4;
    return isOut ? [`${name} at ${[left, right, top, bottom].map(Math.round).join()}`] : [];
  });
}

/** What may be scrolled to. */
const SCROLLED =
  '[data-testid=table-grid], [data-testid=event-list], [data-testid=pools-list], [data-testid=parts], .scroll, .tabs, [role=tablist], .picture, .trend';

describe.each([
  [1000, 700],
  [1280, 800],
  [1920, 1080],
  [3840, 2160],
])('%i × %i', (width, height) => {
  test.each([
    ['a snapshot', '/r/rank0.pickle', 90],
    ['a dump', '/r/dump.db', 90],
    ['a dump with calls', '/r/dump-trace.db', 90],
  ])('%s: nothing is cut off, and the picture has room', async (_, path, least) => {
    await page.viewport(width, height);
    await open(stage(), path);
    const root = document.documentElement;
    expect([root.scrollWidth, root.scrollHeight]).toEqual([width, height]);
    expect(cutOff()).toEqual([]);
    // Without head and slider.
    expect(box('lifecycle').height - 78).toBeGreaterThanOrEqual(Math.max(least, height * 0.2));
    expect(box('tables').bottom).toBeLessThanOrEqual(box('status').top + 1);
  });
});

test('every pane folds to its head, what is left takes the room, and that is remembered', async () => {
  await page.viewport(1280, 800);
  await open(stage());
  const before = box('lifecycle').height;
  await page.getByTestId('pool-fold').click();
  expect(box('pool').height).toBeLessThan(32);
  expect(box('lifecycle').height).toBeGreaterThan(before + 80);
  await page.getByTestId('lifecycle-fold').click();
  expect(box('lifecycle').height).toBeLessThan(32);
  expect(box('tables').bottom).toBeCloseTo(box('status').top, 0);
  await userEvent.keyboard('{Control>}k{/Control}');
  await page.getByTestId('palette-field').fill('fold or unfold the lifecycle');
  await userEvent.keyboard('{Enter}');
  expect(box('lifecycle').height).toBeGreaterThan(before);
  expect(localStorage.getItem('tidemark.pool-open')).toBe('0');
});

test('nothing jumps while a recording is read', async () => {
  await page.viewport(1280, 800);
  let answer: (() => void) | undefined;
  const desk = stage((engine) => ({
    pool: async (question) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return engine.pool(question);
    },
  }));
  await desk.open({ kind: 'file', path: '/r/rank0.pickle' });
  await expect.element(page.getByTestId('status')).toBeInTheDocument();
  await expect.poll(() => answer).toBeDefined();
  const boxes = (): readonly string[] =>
    ['lifecycle', 'pool', 'tables', 'details', 'status', 'event-list'].map((testid) => {
      const { left, top, right, bottom } = box(testid);
      return `${testid} ${[left, top, right, bottom].map(Math.round).join()}`;
    });
  const before = boxes();
  answer?.();
  await idle();
  expect(boxes()).toEqual(before);
});
