import { expect, test } from 'vitest';
import { mapping } from '../../base/span';
import type { Load } from '../../base/load';
import type { Found } from '../../state/found';
import { initial, type Selection, type Shared } from '../../state/shared';
import { openedDemo } from '../../testing';
import { demoEngine } from '../../wire/demo/engine';
import type { WireError } from '../../wire/known';
import { changesAt, marksOf, type GrowthMark } from './marks';

const SEGMENT: Selection = { kind: 'segment', address: '0x7f16c8000000', after: -1 };

async function sharedWith(selection: Selection): Promise<Shared> {
  return { ...initial(await openedDemo()), selection };
}

/** What is known of the segment at `address`, with two changes. */
async function known(address: string): Promise<Load<Found, WireError>> {
  const engine = demoEngine({ pace: 0 });
  const opened = await engine.open(1, { kind: 'sample', which: 'snapshot' }, () => undefined);
  const segment = await engine.segment(opened.session, 0, -1, address);
  const at = (event: number) => ({ event, time_us: 1_779_863_412_000_000 + event * 10 });
  const changes = [
    { at: at(3), bytes: 4096 },
    { at: at(9), bytes: -4096 },
  ];
  const found: Found = { kind: 'segment', segment: { ...segment, changes }, after: -1, address };
  return { phase: 'ready', value: found };
}

test('marks stand where the selected segment grew and shrank, on both axes', async () => {
  const details = await known('0x7f16c8000000');
  const shared = await sharedWith(SEGMENT);
  expect(marksOf(shared, details).map(({ at, change }) => [at, change.bytes])).toEqual([
    [3, 4096],
    [9, -4096],
  ]);
  // On the time axis: microseconds after the first event.
  expect(marksOf({ ...shared, axis: 'time' }, details).map(({ at }) => at)).toEqual([30, 90]);
});

test('nothing else that is selected has marks', async () => {
  const details = await known('0x7f16c8000000');
  expect(marksOf(await sharedWith({ kind: 'none' }), details)).toEqual([]);
  expect(marksOf(await sharedWith({ kind: 'event', event: 3 }), details)).toEqual([]);
  // Another segment is being read about.
  const other = await sharedWith({ ...SEGMENT, address: '0x7f16d0000000' });
  expect(marksOf(other, details)).toEqual([]);
  const loading = { phase: 'loading', stale: undefined } as const;
  expect(marksOf(await sharedWith(SEGMENT), loading)).toEqual([]);
});

test('the pointer finds the marks near it on the axis', () => {
  const plot = { left: 60, top: 20, width: 100, height: 80 };
  const view = {
    frame: { plot, scale: 1, width: 200, height: 120, strips: { top: 0, height: 0, rows: 0 } },
    toX: mapping({ from: 0, to: 100 }, { from: 60, to: 160 }),
  };
  const mark = (at: number): GrowthMark => ({
    at,
    change: { at: { event: at, time_us: undefined }, bytes: 1 },
  });
  const marks = [mark(10), mark(14), mark(50)];
  const eventsAt = (x: number, y: number): readonly number[] =>
    changesAt(view, marks, x, y).map(({ at }) => at.event);
  expect(eventsAt(72, 98)).toEqual([10, 14]);
  expect(eventsAt(110, 98)).toEqual([50]);
  expect(eventsAt(110, 60)).toEqual([]);
  expect(eventsAt(90, 98)).toEqual([]);
});
