import fc from 'fast-check';
import { expect, test } from 'vitest';
import { middle } from '../base/span';
import { openedDemo } from '../testing';
import { demoEngine } from '../wire/demo/engine';
import {
  cursorAt,
  eventAt,
  extent,
  highlightOf,
  initial,
  isSameSelection,
  NO_SELECTION,
  periodAt,
  shown,
  stateAt,
  type Shared,
} from './shared';
import { update, type Intent } from './update';

const START = initial(await openedDemo());
const after = (...list: readonly Intent[]): Shared => list.reduce(update, START);

const engine = demoEngine({ pace: 0 });
await engine.open(1, { kind: 'sample', which: 'snapshot' }, () => undefined);
const last = extent(START).events - 1;
const event = (number: number): Intent => ({
  kind: 'select',
  selection: { kind: 'event', event: number },
  wanted: 'nothing',
});
const block = (number: number): Intent => ({
  kind: 'select',
  selection: { kind: 'block', block: number },
  wanted: 'reveal',
});
const links: fc.Arbitrary<Intent> = fc.oneof(
  fc.integer({ min: 0, max: last }).map(event),
  fc.integer({ min: 0, max: 1000 }).map(block),
  fc.record({ kind: fc.constant('step' as const), by: fc.integer({ min: -9, max: 9 }) }),
  fc.constant<Intent>({ kind: 'select', selection: NO_SELECTION, wanted: 'nothing' }),
  fc.constant<Intent>({ kind: 'side', side: 'before' }),
  fc.constant<Intent>({ kind: 'back' }),
  fc.constant<Intent>({ kind: 'forward' }),
  fc.constant<Intent>({ kind: 'peak' }),
);

test('an event is selected: the cursor is there, before and after are one apart', () => {
  const shared = after(event(0));
  expect([eventAt(shared), stateAt(shared)]).toEqual([0, 0]);
  expect(stateAt(update(shared, { kind: 'side', side: 'before' }))).toBe(-1);
});

test('whatever is done, the pool is asked at a state there is, and the event selected is there', () => {
  fc.assert(
    fc.property(fc.array(links, { maxLength: 20 }), (list) => {
      const shared = after(...list);
      expect(stateAt(shared)).toBeGreaterThanOrEqual(-1);
      expect(stateAt(shared)).toBeLessThanOrEqual(last);
      if (shared.selection.kind === 'event') {
        expect(shared.cursor?.event).toBe(shared.selection.event);
      }
    }),
  );
});

test('back undoes a selection and forward does it again', () => {
  fc.assert(
    fc.property(fc.array(links, { maxLength: 12 }), fc.nat({ max: 1000 }), (list, number) => {
      const before = after(...list);
      const chosen = update(before, block(number));
      fc.pre(!isSameSelection(before.selection, chosen.selection));
      fc.pre(before.selection.kind !== 'none');
      const returned = update(chosen, { kind: 'back' });
      expect(returned.selection).toEqual(before.selection);
      expect(returned.cursor).toEqual(before.cursor);
      expect(update(returned, { kind: 'forward' }).selection).toEqual(chosen.selection);
    }),
  );
});

test('steps go one by one, stop at the ends and leave one place behind', () => {
  const start = after(block(5), event(last - 1));
  const stepped = [1, 1, 1].reduce((one, by) => update(one, { kind: 'step', by }), start);
  expect(eventAt(stepped)).toBe(last);
  expect(eventAt(update(after(event(0)), { kind: 'step', by: -1 }))).toBe(0);
  expect(stepped.past.length).toBe(start.past.length);
});

test('a block that is not in the pool at the cursor takes the cursor to its life', async () => {
  const details = await engine.block(1, 0, 300);
  const born = details.alloc?.event ?? 0;
  const freed = details.free_completed?.event ?? 0;
  const at = (number: number): Shared =>
    after(event(number), { kind: 'side', side: 'after' }, block(300), { kind: 'life', details });
  expect(eventAt(at(0))).toBe(born);
  expect(eventAt(at(freed))).toBe(born);
  expect(eventAt(at(freed - 1))).toBe(freed - 1);
  const before = after(event(born), { kind: 'side', side: 'before' }, block(300));
  expect(stateAt(update(before, { kind: 'life', details }))).toBe(born);
});

test('a block without an allocation is revealed too', async () => {
  const details = await engine.block(1, 0, 3);
  expect(details.alloc).toBeUndefined();
  const shared = after(block(3), { kind: 'life', details });
  expect(shared.wanted).toBe('nothing');
  expect(eventAt(shared)).toBe(extent(START).peak.event);
});

test('a segment brings its life into view', async () => {
  const address = (await engine.block(1, 0, 400)).address;
  const at = extent(START).peak.event;
  const segment = await engine.segment(1, 0, at, address);
  const selection = { kind: 'segment', address, after: at } as const;
  const shared = after(
    { kind: 'show', x: { from: 3500, to: 3600 } },
    { kind: 'select', selection, wanted: 'reveal' },
    { kind: 'held', selection, details: segment },
  );
  const mapped = segment.mapped?.event ?? 0;
  expect(shown(shared).from).toBeLessThanOrEqual(mapped);
  expect(shown(shared).to).toBeGreaterThan(mapped);
  expect(highlightOf(shared)).toEqual({ kind: 'segment', address, after: at });
});

test('a period is where its events are, on either axis', () => {
  const selection = { kind: 'period', from: 10, to: 20, time: undefined } as const;
  const shared = after({ kind: 'select', selection, wanted: 'nothing' });
  expect([periodAt(shared), eventAt(shared)]).toEqual([{ from: 10, to: 21 }, 20]);
  const onTime = update(shared, { kind: 'axis', axis: 'time' });
  expect(periodAt(onTime)).toBeUndefined();
  const first = extent(START).firstUs ?? 0;
  const timed = update(onTime, {
    kind: 'period-timed',
    from: { event: 10, time_us: first + 100 },
    to: { event: 20, time_us: first + 300 },
  });
  expect(periodAt(timed)).toEqual({ from: 100, to: 300 });
});

test('on the time axis an event comes into view once its time is known', async () => {
  const { time_us } = await engine.event(1, 0, 3000);
  const near = after(
    { kind: 'axis', axis: 'time' },
    { kind: 'show', x: { from: 0, to: 5000 } },
    { kind: 'visit', event: { event: 3000, time_us: undefined } },
  );
  expect(shown(near)).toEqual({ from: 0, to: 5000 });
  const shared = update(near, { kind: 'timed', event: { event: 3000, time_us } });
  expect(middle(shown(shared))).toBeCloseTo(cursorAt(shared) ?? 0, 6);
});
