import { expect, test } from 'vitest';
import type { SceneQuestion } from '../known';
import { demoScene } from './layout';
import { demoRecording } from './recording';

const recording = demoRecording();
const question: SceneQuestion = {
  session: 1,
  device: 0,
  axis: 'event',
  x0: -1,
  x1: recording.events,
  y0: 0,
  y1: 30 * 1024 ** 3,
  width_px: 300,
  height_px: 400,
  color: 'stack',
  detail: 'full',
  selected: undefined,
};

test.each(['event', 'time'] as const)(
  'bands and remainder make up the allocated bytes (%s)',
  (axis) => {
    const x1 = axis === 'event' ? recording.events : (recording.times.at(-1) ?? 0);
    const scene = demoScene(recording, { ...question, axis, x1 });
    const unit = (question.y1 - question.y0) / question.height_px;
    for (let column = 0; column < scene.columns; column += 1) {
      const center = ((scene.edge[column] ?? 0) + (scene.edge[column + 1] ?? 0)) / 2;
      let drawn = scene.remainder[column] ?? 0;
      for (let row = 0; row < scene.bands.count; row += 1) {
        const isHere = (scene.bands.x0[row] ?? 0) <= center && center < (scene.bands.x1[row] ?? 0);
        if (isHere) drawn += ((scene.bands.bottom[row] ?? 0) - (scene.bands.top[row] ?? 0)) * unit;
      }
      const allocated = scene.allocated[column] ?? 0;
      expect(Math.abs(drawn - allocated)).toBeLessThan(allocated * 1e-4);
    }
  },
);

test('close up every state is a column', () => {
  const scene = demoScene(recording, { ...question, x0: 10, x1: 20 });
  expect([...scene.state]).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
});
