import { expect, test } from 'vitest';
import { ticksOf } from './accesses';
import { frameOf } from './frame';

const frame = frameOf({ width: 1080, height: 400, scale: 1 }, 0);
const { left } = frame.plot;
/** A microsecond a pixel, from the left edge of the plot. */
const view = { frame, toX: { scale: 1, offset: left } };
const placement = { x: { scale: 1, offset: left }, y: { scale: 1, offset: 0 } };
const pieces = [
  { x: { from: 100, to: 200 }, top: 50, bottom: 60 },
  { x: { from: 200, to: 300 }, top: 80, bottom: 90 },
];

test('an access stands in the piece of the block that is there then', () => {
  expect(ticksOf([150, 250], view, placement, pieces)).toEqual([
    { x: left + 150, top: 50, bottom: 60 },
    { x: left + 250, top: 80, bottom: 90 },
  ]);
});

test('accesses closer than a pixel are one tick; those out of the picture are none', () => {
  expect(ticksOf([-5, 150, 150.4, 150.9, 151.1, 5000], view, placement, pieces)).toHaveLength(2);
});
