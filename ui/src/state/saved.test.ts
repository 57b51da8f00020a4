import fc from 'fast-check';
import { expect, test } from 'vitest';
import { length } from '../base/span';
import { openedDemo } from '../testing';
import { bounds, extent, initial, shown, stateAt, type Shared } from './shared';
import { restored, savedOf } from './saved';
import { update, type Intent } from './update';

const OPENED = await openedDemo();
const DUMP = await openedDemo('dump.db');
const START = initial(OPENED);
const after = (...list: readonly Intent[]): Shared => list.reduce(update, START);

/** To the disk and back. */
const kept = (shared: Shared): unknown => JSON.parse(JSON.stringify(savedOf(shared)));

const last = extent(START).events - 1;
const intents: fc.Arbitrary<Intent> = fc.oneof(
  fc.integer({ min: 0, max: last }).map((event): Intent => ({
    kind: 'select',
    selection: { kind: 'event', event },
    wanted: 'nothing',
  })),
  fc.integer({ min: 0, max: 1000 }).map((block): Intent => ({
    kind: 'select',
    selection: { kind: 'block', block },
    wanted: 'nothing',
  })),
  fc.integer({ min: 0, max: last - 9 }).map((from): Intent => ({
    kind: 'select',
    selection: { kind: 'period', from, to: from + 7, time: undefined },
    wanted: 'nothing',
  })),
  fc.record({
    kind: fc.constant('zoom-x' as const),
    at: fc.double({ min: 0, max: 4000, noNaN: true }),
    factor: fc.double({ min: 0.05, max: 2, noNaN: true }),
  }),
  fc.constantFrom<Intent>(
    { kind: 'side', side: 'before' },
    { kind: 'color', color: 'size' },
    { kind: 'axis', axis: 'time' },
    { kind: 'pool', layout: { order: 'free', grouping: 'by_pool' } },
    { kind: 'fit-reserved', fit: 'always' },
    { kind: 'box', x: { from: 10, to: 90 }, y: { from: 1e9, to: 2e9 } },
    { kind: 'peak' },
  ),
);

test('whatever a person did, it is found again', () => {
  fc.assert(
    fc.property(fc.array(intents, { maxLength: 12 }), (list) => {
      const shared = after(...list);
      const back = restored(kept(shared), OPENED);
      expect(kept(back)).toEqual(kept(shared));
      expect(back.session).toBe(OPENED.session);
    }),
  );
});

test('whatever was kept, the state is one the recording can have', () => {
  const word = fc.constantFrom('event', 'time', 'size', 'block', 'period', 'chosen', 'x', '');
  const number = fc.oneof(fc.integer({ min: -3, max: 9000 }), fc.double(), fc.constant(null));
  const span = fc.record({ from: number, to: number });
  const anything = fc.oneof(
    fc.anything(),
    fc.record(
      {
        device: fc.oneof(fc.constant(0), number),
        axis: word,
        color: word,
        x: fc.record({ event: span, time: span }),
        height: fc.record({ kind: word, span }),
        cursor: fc.record({ event: number, time_us: number, at: number }),
        compared: fc.record({ device: number, event: number, us: number, at: fc.anything() }),
        selection: fc.record({
          kind: fc.constantFrom('block', 'event', 'segment', 'owner', 'period', 'stack'),
          block: number,
          event: number,
          from: number,
          to: number,
          after: number,
          address: word,
          tag: word,
        }),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const back = restored(value, OPENED);
      const whole = bounds(back);
      const slack = length(whole) * 1e-9;
      expect(shown(back).from).toBeGreaterThanOrEqual(whole.from - slack);
      expect(shown(back).to).toBeLessThanOrEqual(whole.to + slack);
      expect(length(shown(back))).toBeGreaterThan(0);
      expect(stateAt(back)).toBeGreaterThanOrEqual(-1);
      expect(stateAt(back)).toBeLessThanOrEqual(last);
      const { selection } = back;
      if (selection.kind === 'block') {
        expect(selection.block).toBeLessThan(OPENED.summary.devices[0]?.blocks ?? 0);
      }
      if (selection.kind === 'period') expect(selection.from).toBeLessThanOrEqual(selection.to);
    }),
    { numRuns: 400 },
  );
});

test('a moment to compare with, a threshold and a pool of a dump are found again', () => {
  const [device, event, us] = [1, 3, 250_000.5];
  const shared: Shared = {
    ...update(initial(DUMP), { kind: 'device', device }),
    compared: { device: 0, event, at: { kind: 'time', us }, us },
    cursor: { event, time_us: 1, at: us },
    inefficient: { lazy: { ns: 5, percent: 10 }, delayed: {}, idle: { ns: undefined, percent: 3 } },
    selection: { kind: 'owner', tag: 'PTA@ops' },
  };
  expect(kept(restored(kept(shared), DUMP))).toEqual(kept(shared));
});

test('a recording without times has no time axis', () => {
  const devices = OPENED.summary.devices.map((device) => ({ ...device, time_range: undefined }));
  const untimed = { ...OPENED, summary: { ...OPENED.summary, devices } };
  const timed = after({ kind: 'axis', axis: 'time' });
  expect(timed.axis).toBe('time');
  expect(restored(kept(timed), untimed).axis).toBe('event');
});
