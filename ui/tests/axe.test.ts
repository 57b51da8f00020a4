import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Desk } from '../src/app/desk';
import { idle, stage } from './stage';

/** What WCAG 2 asks for at levels A and AA, as far as a machine can tell. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** Every breach on the screen, with where it is; pictures on canvases are measured by numbers. */
async function breaches(): Promise<readonly string[]> {
  await idle();
  const { violations } = await axe.run(
    { include: ['body'], exclude: ['canvas'] },
    { runOnly: { type: 'tag', values: RULES }, resultTypes: ['violations'] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all }) =>
        `${id}: ${target.join(' ')}: ${[...any, ...all].map(({ message }) => message).join('; ')}`,
    ),
  );
}

beforeEach(async () => {
  localStorage.clear();
  // Whoever opens a recording without history for the first time is shown the guide.
  localStorage.setItem('tidemark.guide', '"shown"');
  await page.viewport(1400, 900);
});
afterEach(() => {
  localStorage.clear();
});

const press = (keys: string): Promise<void> => userEvent.keyboard(keys);

/** A screen by name: what is opened, and what is done there. */
const SCREENS: readonly (readonly [
  name: string,
  path: string | undefined,
  go: (desk: Desk) => Promise<void>,
])[] = [
  ['start page', undefined, () => Promise.resolve()],
  ['snapshot', '/r/rank0.pickle', () => Promise.resolve()],
  ['snapshot, a block selected', '/r/rank0.pickle', (desk) => select(desk, 300)],
  [
    'snapshot, a block pinned and another selected',
    '/r/rank0.pickle',
    async (desk) => {
      await select(desk, 300);
      await page.getByTestId('pin').click();
      await select(desk, 320);
    },
  ],
  ['snapshot, an event selected', '/r/rank0.pickle', () => visit()],
  ['snapshot, events', '/r/rank0.pickle', () => tab('tab-events')],
  ['snapshot, address map', '/r/rank0.pickle', () => tab('tab-map')],
  ['snapshot, pools', '/r/rank0.pickle', () => tab('tab-pools')],
  ['snapshot without history', '/r/empty.pickle', () => Promise.resolve()],
  ['nothing in it', '/r/nothing.pickle', () => Promise.resolve()],
  ['dump', '/r/dump.db', () => Promise.resolve()],
  ['dump, a block selected', '/r/dump.db', (desk) => select(desk, 30)],
  ['dump, events', '/r/dump.db', () => tab('tab-events')],
  ['dump with calls', '/r/dump-trace.db', () => Promise.resolve()],
  ['refused', '/r/refuse.pickle', () => Promise.resolve()],
  ['a bug', '/r/bug.pickle', () => Promise.resolve()],
  ['palette', '/r/rank0.pickle', () => press('{Control>}k{/Control}')],
  [
    'palette with hits',
    '/r/rank0.pickle',
    async () => {
      await press('{Control>}k{/Control}');
      await page.getByTestId('palette-field').fill('forward');
    },
  ],
  ['help', '/r/rank0.pickle', () => press('?')],
  [
    'guide',
    '/r/rank0.pickle',
    async () => {
      await press('?');
      await page.getByTestId('help-guide').click();
    },
  ],
];

describe.each(['light', 'dark'] as const)('%s', (tone) => {
  test.each(SCREENS)('%s', async (_, path, go) => {
    const desk = stage(undefined, tone);
    if (path !== undefined) await desk.open({ kind: 'file', path });
    await idle();
    await go(desk);
    expect(await breaches()).toEqual([]);
  });
});

function select(desk: Desk, block: number): Promise<void> {
  const selection = { kind: 'block', block } as const;
  desk.session.get()?.send({ kind: 'select', selection, wanted: 'reveal' });
  return idle();
}

async function visit(): Promise<void> {
  await press('{ArrowDown}');
}

async function tab(testid: string): Promise<void> {
  await page.getByTestId(testid).click();
  await idle();
}
