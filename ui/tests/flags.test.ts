import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fresh } from './tables';
import { idle, open, stage } from './stage';

beforeEach(fresh);

test('a flag on the axis tells its note, and leads to its place by a click or a key', async () => {
  const desk = stage();
  await open(desk);
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  const select = (event: number): void => {
    session.send({ kind: 'select', selection: { kind: 'event', event }, wanted: 'nothing' });
  };
  const mark = async (event: number, note: string): Promise<void> => {
    select(event);
    await idle();
    const place = { device: 0, selection: session.shared.get().selection } as const;
    const mark = { event, time_us: undefined };
    const id = await session.project.mark({ ...place, mark, number: undefined, name: undefined });
    session.project.note(id ?? -1, note);
  };
  await mark(1200, '<b>twice</b> as much');
  await mark(300, '');
  const flags = page.getByTestId('flag');
  // From left to right.
  await expect.element(flags.nth(0)).toHaveAccessibleName('Event 300');
  await expect.element(flags.nth(1)).toHaveAccessibleName('Event 1,200: <b>twice</b> as much');

  const tip = page.getByText('<b>twice</b> as much');
  await expect.element(tip).not.toBeVisible();
  await flags.nth(1).hover();
  await expect.element(tip).toBeVisible();
  await flags.nth(1).click();
  expect(session.shared.get().selection).toEqual({ kind: 'event', event: 1200 });

  flags.nth(0).element().parentElement?.querySelector('button')?.focus();
  await userEvent.keyboard('{Enter}');
  expect(session.shared.get().selection).toEqual({ kind: 'event', event: 300 });

  // What is not in sight has no flag to come to.
  session.send({ kind: 'show', x: { from: 1000, to: 1400 } });
  await expect.poll(() => flags.elements().length).toBe(1);
  await expect.element(flags).toHaveAccessibleName(/^Event 1,200/);
});
