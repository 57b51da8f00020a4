import { expect, test } from 'vitest';
import type { AccessView, DumpedBlock } from '../../wire/known';
import { levelsOf, unusedOf, type OfDump } from './dump-facts';
import { near, nearest, stripOf } from './strip';

const access = (time_us: number, kind: string): AccessView => ({
  time_us,
  kind,
  name: `at ${time_us.toString()}`,
  offset: 0,
});

/** Allocated at 100 µs, freed at 1,100 µs: in a strip of 108 pixels, 10 µs are one of them. */
function block(more: Partial<DumpedBlock> = {}): DumpedBlock {
  const drawn = [access(200, 'WRITE'), access(201, 'WRITE'), access(300, 'READ'), access(900, 'X')];
  return {
    owner: undefined,
    process: 1,
    thread: 1,
    allocation_id: 1,
    malloc_id: 1,
    free_id: 2,
    malloc_us: 100,
    free_us: 1100,
    was_before: false,
    was_after: false,
    attr: undefined,
    c_stack: undefined,
    accesses: drawn.length,
    first_access_us: 200,
    last_access_us: 900,
    longest_gap_us: 600,
    drawn,
    ...more,
  };
}

const LENGTH = 2100;
const WIDTH = 108;

test('accesses lie at their time; those of one kind at one pixel are one tick', () => {
  const strip = stripOf(block(), LENGTH, WIDTH);
  expect(strip.life).toEqual({ from: 4, to: 104 });
  expect(strip.ticks).toEqual([
    { x: 14, way: 'write' },
    { x: 24, way: 'read' },
    { x: 84, way: 'other' },
  ]);
  expect([strip.first, strip.last]).toEqual([14, 84]);
  expect(strip.gap).toEqual({ from: 24, to: 84 });
  expect(strip.isOpen).toBe(false);
});

test('a block that is not freed lives to the end of the recording', () => {
  const strip = stripOf(block({ free_us: undefined }), LENGTH, WIDTH);
  expect(strip.isOpen).toBe(true);
  // 2,000 µs now lie on the same pixels.
  expect(strip.last).toBe(44);
  expect(stripOf(block({ was_after: true }), LENGTH, WIDTH).isOpen).toBe(true);
});

test('the longest gap is not drawn where the accesses around it are not all there', () => {
  const drawn = [access(200, 'WRITE'), access(900, 'READ')];
  expect(stripOf(block({ accesses: 9000, drawn }), LENGTH, WIDTH).gap).toBeUndefined();
  expect(stripOf(block({ longest_gap_us: 0, drawn: [] }), LENGTH, WIDTH).gap).toBeUndefined();
});

test('a block that lives for no time at all still has a strip', () => {
  const strip = stripOf(block({ free_us: 100, drawn: [access(100, 'READ')] }), LENGTH, WIDTH);
  expect(strip.ticks).toEqual([{ x: 4, way: 'read' }]);
});

test('the pointer finds the nearest access and tells of those it cannot tell apart', () => {
  expect(nearest(block(), LENGTH, WIDTH, 0)).toMatchObject({ at: 0, more: 1 });
  expect(nearest(block(), LENGTH, WIDTH, 30)).toMatchObject({ at: 2, more: 0 });
  expect(nearest(block(), LENGTH, WIDTH, 1000)).toMatchObject({ at: 3 });
  expect(nearest(block({ drawn: [] }), LENGTH, WIDTH, 5)).toBeUndefined();
  expect(near(block(), LENGTH, WIDTH, 4)).toBeUndefined();
});

test('an owner is told level by level', () => {
  expect(levelsOf('PTA@ops@aten')).toEqual([
    { name: 'PTA', tag: 'PTA' },
    { name: 'ops', tag: 'PTA@ops' },
    { name: 'aten', tag: 'PTA@ops@aten' },
  ]);
});

test('a block is inefficient only beyond a threshold, by time or by share of its life', () => {
  const track = {
    device: '0',
    pool: 'PTA',
    process: 1,
    has_used: true,
    has_total: true,
    has_owners: true,
    has_accesses: true,
  };
  const off = { ns: undefined, percent: undefined };
  const asked = (thresholds: OfDump['thresholds']): readonly string[] =>
    unusedOf(block(), {
      track,
      zeroNs: '0',
      lengthUs: LENGTH,
      hasPythonStacks: true,
      thresholds,
    }).map(({ kind, ns }) => `${kind} ${ns.toString()}`);
  // Lives 1,000 µs: unused for 100 before the first, 200 after the last, 600 in between.
  expect(asked(undefined)).toEqual([]);
  expect(asked({ lazy: off, delayed: off, idle: off })).toEqual([]);
  expect(
    asked({
      lazy: { ns: 100_000, percent: undefined },
      delayed: { ns: 199_999, percent: undefined },
      idle: { ns: undefined, percent: 60 },
    }),
  ).toEqual(['delayed_free 200000']);
  expect(
    asked({
      lazy: { ns: undefined, percent: 9.9 },
      delayed: { ns: undefined, percent: 100 },
      idle: { ns: undefined, percent: 59 },
    }),
  ).toEqual(['lazy_used 100000', 'long_idle 600000']);
});
