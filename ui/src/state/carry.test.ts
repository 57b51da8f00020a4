import { expect, test } from 'vitest';
import { openedDemo } from '../testing';
import { cursorAt, decomposeQuestion, initial, periodAt, type Shared } from './shared';
import { update, type Intent } from './update';

/** `PTA` and `HAL` of a device, and pinned memory of the host. */
const START = initial(await openedDemo('dump.db'));

const after = (...list: readonly Intent[]): Shared => list.reduce(update, START);

const AT_12_S: Intent = { kind: 'cursor', event: { event: 30, time_us: 12_000_000.5 } };

test('a dump begins on its time axis', () => {
  expect(START.axis).toBe('time');
});

test('the cursor is where it was in time on another track, before its event is known', () => {
  const shared = after(AT_12_S, { kind: 'device', device: 1 });
  expect(shared.cursor).toBeUndefined();
  expect(cursorAt(shared)).toBe(12_000_000.5);
  expect(decomposeQuestion(shared)).toMatchObject({
    device: 1,
    at: { kind: 'time', us: 12_000_000.5 },
  });
});

test('a moment that is no event of the track stays that moment', () => {
  const moved = after(AT_12_S, { kind: 'device', device: 1 });
  const { carried } = moved;
  if (carried === undefined) throw new Error('nothing is carried');
  const cursor = { event: 4, time_us: 9_999_000 };
  const landed = update(moved, { kind: 'landed', carried, landed: { cursor, period: undefined } });
  expect(landed.cursor?.event).toBe(4);
  expect(cursorAt(landed)).toBe(12_000_000.5);
  // Its own time arriving changes nothing, and neither does yet another track.
  const timed = update(landed, { kind: 'timed', event: cursor });
  expect(cursorAt(timed)).toBe(12_000_000.5);
  expect(cursorAt(update(timed, { kind: 'device', device: 2 }))).toBe(12_000_000.5);
  expect(cursorAt(update(timed, { kind: 'cursor', event: cursor }))).toBe(9_999_000);
});

test('what lands late, after the person went elsewhere, is dropped', () => {
  const moved = after(AT_12_S, { kind: 'device', device: 1 });
  const { carried } = moved;
  if (carried === undefined) throw new Error('nothing is carried');
  const elsewhere = update(moved, { kind: 'cursor', event: { event: 1, time_us: 220_000 } });
  const landed = { cursor: { event: 4, time_us: 9_999_000 }, period: undefined };
  expect(update(elsewhere, { kind: 'landed', carried, landed })).toBe(elsewhere);
});

test('a stretch of time becomes the events in it, and stays where there are none', () => {
  const period = { from: 10_000_000, to: 14_000_000.25 };
  const asked = after({ kind: 'carry', period });
  expect(periodAt(asked)).toEqual(period);
  const { carried } = asked;
  if (carried === undefined) throw new Error('nothing is carried');
  const cursor = { event: 40, time_us: 13_000_000 };
  const some = { cursor, period: { from: 12, to: 40 } };
  const there = update(asked, { kind: 'landed', carried, landed: some });
  expect(there.selection).toEqual({ kind: 'period', from: 12, to: 40, time: period });
  expect(cursorAt(there)).toBe(14_000_000.25);
  const none = { cursor, period: { from: 41, to: 40 } };
  const empty = update(asked, { kind: 'landed', carried, landed: none });
  expect(empty.selection.kind).toBe('none');
  expect(periodAt(empty)).toEqual(period);
  expect(cursorAt(empty)).toBe(14_000_000.25);
});

test('the stretch shown is kept, and all of it stays all of it', () => {
  const zoomed = after({ kind: 'show', x: { from: 5e6, to: 8e6 } }, { kind: 'device', device: 1 });
  expect(zoomed.x.time).toEqual({ from: 5e6, to: 8e6 });
  expect(after({ kind: 'device', device: 1 }).x.time).toEqual(START.x.time);
});

test('an owner stays selected on another track, a block does not', () => {
  const owner = { kind: 'owner', tag: 'PTA@ops' } as const;
  const block = { kind: 'block', block: 3 } as const;
  const there: Intent = { kind: 'device', device: 1 };
  expect(after({ kind: 'select', selection: owner, wanted: 'nothing' }, there).selection).toBe(
    owner,
  );
  expect(after({ kind: 'select', selection: block, wanted: 'nothing' }, there).selection.kind).toBe(
    'none',
  );
});

test('two moments are asked about in their order, each the way its own device knows it', () => {
  const kept = {
    device: 0,
    event: 30,
    at: { kind: 'event', event: 30 },
    us: 12_000_000.5,
  } as const;
  const two = after(
    { kind: 'compare', with: kept },
    {
      kind: 'cursor',
      event: { event: 60, time_us: 22_000_000 },
    },
  );
  expect(decomposeQuestion(two)).toMatchObject({
    at: { kind: 'event', event: 30 },
    then: { kind: 'event', event: 60 },
  });
  expect(decomposeQuestion(update(two, { kind: 'device', device: 1 }))).toMatchObject({
    at: { kind: 'time', us: 12_000_000.5 },
    then: { kind: 'time', us: 22_000_000 },
  });
});
