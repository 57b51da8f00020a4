import { expect, test } from 'vitest';
import { demoScene } from '../../wire/demo/layout';
import { demoRecording } from '../../wire/demo/recording';
import type { SceneQuestion } from '../../wire/known';
import { autoHeight, bytesOf, countsReserved, mostIn } from './height';
import { placedOf } from './question';

const recording = demoRecording();
const GIB = 1024 ** 3;
const question: SceneQuestion = {
  session: 1,
  device: 0,
  axis: 'event',
  x0: -1,
  x1: recording.events,
  y0: 0,
  y1: 40 * GIB,
  width_px: 400,
  height_px: 500,
  color: 'stack',
  detail: 'full',
  selected: undefined,
};
const placed = placedOf(question, demoScene(recording, question));
const nowhere = { from: 0, to: GIB };

test('the most in view is read off the scene', () => {
  const most = mostIn(placed, { from: -1, to: recording.events });
  expect(most?.allocated).toBe(Math.max(...recording.allocated));
  const reserved = Math.max(...recording.reserved);
  expect(Math.abs((most?.reserved ?? 0) / reserved - 1)).toBeLessThan(1e-4);
  expect(mostIn(placed, { from: -20, to: 50 })).toBeUndefined();
});

test('a line outside the picture is not read', () => {
  const close = { ...question, y1: GIB };
  const near = placedOf(close, demoScene(recording, close));
  expect(bytesOf(near, near.scene.lines.reserved, 0)).toBeUndefined();
  expect(mostIn(near, { from: 0, to: 9 })?.reserved).toBe(Math.max(...recording.reserved));
});

test('the reserved line counts while it is near, or as the person says', () => {
  const [near, far] = [
    { allocated: 10, reserved: 24 },
    { allocated: 10, reserved: 26 },
  ];
  expect([countsReserved(near, 'near'), countsReserved(far, 'near')]).toEqual([true, false]);
  expect([countsReserved(far, 'always'), countsReserved(near, 'never')]).toEqual([true, false]);
});

test('the height leaves room, and stays while it still fits', () => {
  const most = { allocated: 10 * GIB, reserved: 100 * GIB };
  const height = autoHeight(most, 'near', nowhere);
  expect(height.to).toBeGreaterThanOrEqual(11 * GIB);
  expect(height.to).toBeLessThan(12 * GIB);
  expect(autoHeight({ ...most, allocated: 9.8 * GIB }, 'near', height)).toBe(height);
  expect(autoHeight({ ...most, allocated: 5 * GIB }, 'near', height).to).toBeLessThan(6 * GIB);
  expect(autoHeight(most, 'always', height).to).toBeGreaterThan(100 * GIB);
  expect(autoHeight({ allocated: 0, reserved: 0 }, 'near', height)).toBe(height);
});
