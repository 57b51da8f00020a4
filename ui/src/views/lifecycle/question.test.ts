import fc from 'fast-check';
import { expect, test } from 'vitest';
import { length } from '../../base/span';
import { bounds, initial, shown, type Shared } from '../../state/shared';
import { update } from '../../state/update';
import { openedDemo } from '../../testing';
import { frameOf } from './frame';
import { isEnough, sceneQuestion } from './question';

const START = initial(await openedDemo());
const y = { from: 0, to: 4e10 };
const frameOfWidth = (width: number) => frameOf({ width: width + 80, height: 500, scale: 1 }, 1);
const zoomed = (from: number, by: number): Shared =>
  update(START, { kind: 'show', x: { from, to: from + by } });

test('one screen more on both sides, a column a pixel, on whole pixels', () => {
  const shared = zoomed(1000, 100);
  const frame = frameOfWidth(1000);
  const question = sceneQuestion(shared, shown(shared), y, frame);
  expect([question.width_px, question.x0, question.x1]).toEqual([3000, 900, 1200]);
});

test('no more than there is', () => {
  const frame = frameOfWidth(1000);
  const question = sceneQuestion(START, shown(START), y, frame);
  expect([question.width_px, question.x0, question.x1]).toEqual([
    1000,
    bounds(START).from,
    bounds(START).to,
  ]);
});

test('never more columns than the limit, and what is shown stays sharp while it can', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 6000 }),
      fc.double({ min: 0, max: 3000, noNaN: true }),
      fc.double({ min: 4, max: 3000, noNaN: true }),
      (width, from, by) => {
        const shared = zoomed(from, by);
        const frame = frameOfWidth(width);
        const question = sceneQuestion(shared, shown(shared), y, frame);
        expect(question.width_px).toBeLessThanOrEqual(4096);
        expect(question.x0).toBeLessThanOrEqual(shown(shared).from);
        expect(question.x1).toBeGreaterThanOrEqual(shown(shared).to - 1e-9);
        const perColumn = (question.x1 - question.x0) / question.width_px;
        const perPixel = length(shown(shared)) / frame.plot.width;
        if (width <= 3200) expect(perColumn / perPixel).toBeCloseTo(1, 6);
        expect(isEnough(question, shared, shown(shared), y, frame)).toBe(true);
      },
    ),
  );
});

test('panning asks again only near the edge; zooming and another height always', () => {
  const shared = zoomed(1000, 100);
  const frame = frameOfWidth(1000);
  const asked = sceneQuestion(shared, shown(shared), y, frame);
  const enough = (next: Shared, height = y): boolean =>
    isEnough(asked, next, shown(next), height, frame);
  expect(enough(update(shared, { kind: 'pan-x', by: 50 }))).toBe(true);
  expect(enough(update(shared, { kind: 'pan-x', by: 90 }))).toBe(false);
  expect(enough(update(shared, { kind: 'zoom-x', at: 1050, factor: 0.9 }))).toBe(false);
  expect(enough(shared, { from: 0, to: 5e10 })).toBe(false);
  expect(enough({ ...shared, color: 'size' })).toBe(false);
  expect(enough({ ...shared, selection: { kind: 'block', block: 3 } })).toBe(false);
});
