import { expect, test } from 'vitest';
import { demoEngine } from '../../wire/demo/engine';
import { demoRecording } from '../../wire/demo/recording';
import { CurveFeed, topOf, type Curves } from './curves';

test('curves over events are the bytes of the lines, not places on a picture', async () => {
  const engine = demoEngine({ pace: 0 });
  const opened = await engine.open(1, { kind: 'file', path: '/r/one.pickle' }, () => undefined);
  const device = { session: opened.session, device: 0 };
  const { events, allocated, reserved } = demoRecording();
  const most = Math.max(...reserved);
  const feed = new CurveFeed(engine, (error) => {
    throw error;
  });
  const curves = await new Promise<Curves>((resolve) => {
    feed.curves.subscribe((found) => {
      if (found !== undefined) resolve(found);
    });
    feed.want({
      devices: [device, device],
      axis: 'event',
      x: { from: -1, to: events },
      top: most * 2,
    });
  });
  // Half a mebibyte is what single precision leaves of a line's place.
  expect(Math.abs(topOf(curves) - most)).toBeLessThan(2 ** 19);
  expect(Math.max(...curves.a.allocated.map((bytes) => bytes ?? 0))).toBe(Math.max(...allocated));
  curves.a.reserved.forEach((bytes, at) => {
    const held = curves.a.allocated[at];
    if (held !== undefined) expect((bytes ?? 0) + 2 ** 19).toBeGreaterThanOrEqual(held);
  });
});
