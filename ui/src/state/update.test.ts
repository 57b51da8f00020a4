import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { length, middle } from '../base/span';
import { demoEngine } from '../wire/demo/engine';
import type { Axis, BlockDetails } from '../wire/known';
import { openedDemo } from '../testing';
import { bounds, cursorAt, extent, initial, shown, type Shared } from './shared';
import { lifeOf, update, type Intent } from './update';

const START = initial(await openedDemo());

const at = fc.double({ min: -1e5, max: 1e7, noNaN: true });
const span = fc
  .tuple(at, fc.double({ min: 1e-3, max: 1e7, noNaN: true }))
  .map(([from, by]) => ({ from, to: from + by }));
const bytes = fc
  .tuple(
    fc.double({ min: -1e9, max: 1e11, noNaN: true }),
    fc.double({ min: 1, max: 1e11, noNaN: true }),
  )
  .map(([from, by]) => ({ from, to: from + by }));
const factor = fc.double({ min: 0.01, max: 100, noNaN: true });
const intents: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({ kind: fc.constant('show' as const), x: span }),
  fc.record({ kind: fc.constant('zoom-x' as const), at, factor }),
  fc.record({ kind: fc.constant('zoom-y' as const), at, factor, y: bytes }),
  fc.record({ kind: fc.constant('pan-x' as const), by: at }),
  fc.record({ kind: fc.constant('pan-y' as const), by: at }),
  fc.record({ kind: fc.constant('box' as const), x: span, y: bytes }),
  fc.record({ kind: fc.constant('axis' as const), axis: fc.constantFrom<Axis>('event', 'time') }),
  fc.constant<Intent>({ kind: 'peak' }),
  fc.constant<Intent>({ kind: 'reset' }),
);

const after = (...list: readonly Intent[]): Shared => list.reduce(update, START);

test('whatever is asked, the view stays inside the recording', () => {
  fc.assert(
    fc.property(fc.array(intents, { maxLength: 12 }), (list) => {
      const shared = after(...list);
      const [x, whole] = [shown(shared), bounds(shared)];
      const slack = length(whole) * 1e-9;
      expect(x.from).toBeGreaterThanOrEqual(whole.from - slack);
      expect(x.to).toBeLessThanOrEqual(whole.to + slack);
      expect(length(x)).toBeGreaterThan(0);
      if (shared.height.kind === 'chosen') {
        expect(shared.height.span.from).toBeGreaterThanOrEqual(-1);
        expect(shared.height.span.to).toBeLessThanOrEqual(extent(shared).top * 1.000001);
        expect(length(shared.height.span)).toBeGreaterThan(0);
      }
    }),
  );
});

test('panning keeps the length', () => {
  fc.assert(
    fc.property(at, (by) => {
      const zoomed = after({ kind: 'show', x: { from: 100, to: 300 } });
      const panned = update(zoomed, { kind: 'pan-x', by });
      expect(length(shown(panned))).toBeCloseTo(200, 6);
    }),
  );
});

test('the peak is centred, marked, and nothing is selected', () => {
  const shared = after({ kind: 'show', x: { from: 100, to: 300 } }, { kind: 'peak' });
  expect(shared.cursor?.event).toBe(extent(shared).peak.event);
  expect(middle(shown(shared))).toBeCloseTo(cursorAt(shared) ?? 0, 6);
  expect(shared.selection).toEqual({ kind: 'none' });
});

test('reset shows everything at its own height', () => {
  const y = { from: 0, to: 1e9 };
  const shared = after({ kind: 'box', x: { from: 5, to: 50 }, y }, { kind: 'reset' });
  expect([shown(shared), shared.height.kind]).toEqual([bounds(shared), 'auto']);
});

test('a box zooms both ways and gives the drag back to panning', () => {
  const shared = after(
    { kind: 'mode', mode: 'box' },
    { kind: 'box', x: { from: 5, to: 50 }, y: { from: 1e9, to: 2e9 } },
  );
  expect(shown(shared)).toEqual({ from: 5, to: 50 });
  expect(shared.height).toEqual({ kind: 'chosen', span: { from: 1e9, to: 2e9 } });
  expect(shared.mode).toBe('pan');
});

test('zooming the bytes all the way out gives the height back to the data', () => {
  const y = { from: 0, to: START.extents[0]?.top ?? 0 };
  const near = after({ kind: 'zoom-y', at: 1e9, factor: 0.5, y });
  expect(near.height.kind).toBe('chosen');
  expect(update(near, { kind: 'zoom-y', at: 1e9, factor: 9, y }).height.kind).toBe('auto');
});

test('each axis keeps its own stretch, and the cursor is the same event on both', () => {
  const shared = after(
    { kind: 'show', x: { from: 5, to: 50 } },
    { kind: 'cursor', event: { event: 7, time_us: undefined } },
    { kind: 'axis', axis: 'time' },
  );
  expect([shown(shared), cursorAt(shared)]).toEqual([bounds(shared), undefined]);
  expect(shared.cursor?.event).toBe(7);
  expect(shown(update(shared, { kind: 'axis', axis: 'event' }))).toEqual({ from: 5, to: 50 });
});

test('an event is visited: the cursor goes there and it is in view', () => {
  const near = after({ kind: 'show', x: { from: 5, to: 50 } });
  const shared = update(near, { kind: 'visit', event: { event: 1000, time_us: undefined } });
  expect(shared.cursor?.event).toBe(1000);
  expect(shared.selection).toEqual({ kind: 'event', event: 1000 });
  expect(middle(shown(shared))).toBeCloseTo(1000.5, 6);
});

describe('the life of the selected block', async () => {
  const engine = demoEngine({ pace: 0 });
  await engine.open(1, { kind: 'sample', which: 'snapshot' }, () => undefined);
  const details: BlockDetails = await engine.block(1, 0, 300);
  const select = (wanted: Shared['wanted']): Intent => ({
    kind: 'select',
    selection: { kind: 'block', block: 300 },
    wanted,
  });
  const life = lifeOf(START, details);

  test('is fitted when that is wanted', () => {
    const x = shown(after(select('fit'), { kind: 'life', details }));
    expect(x.from).toBeLessThan(life.from);
    expect(x.to).toBeGreaterThan(life.to);
    expect(length(x)).toBeLessThan(length(life) * 1.5 + 8);
  });

  test('is brought into view when it is not there', () => {
    const far: Intent = { kind: 'show', x: { from: 3000, to: 3100 } };
    const x = shown(after(far, select('reveal'), { kind: 'life', details }));
    expect(x.from).toBeLessThanOrEqual(life.from);
    expect(x.to).toBeGreaterThanOrEqual(life.to);
  });

  test('moves nothing when it is in view or not wanted', () => {
    const near: Intent = { kind: 'show', x: { from: life.from - 20, to: life.to + 20 } };
    for (const wanted of ['reveal', 'nothing'] as const) {
      const shared = after(near, select(wanted), { kind: 'life', details });
      expect(shown(shared)).toEqual(shown(after(near)));
      expect(shared.wanted).toBe('nothing');
    }
  });

  test('of another block changes nothing', () => {
    const other = { ...details, block: 299 };
    expect(after(select('fit'), { kind: 'life', details: other })).toEqual(after(select('fit')));
  });
});

test('a recording without events has a flat picture, coloured by address', async () => {
  const shared = initial(await openedDemo('empty.pickle'));
  expect([bounds(shared), shared.color]).toEqual([{ from: -1, to: 0 }, 'address']);
  expect(update(shared, { kind: 'axis', axis: 'time' })).toBe(shared);
});
