import { expect, test } from 'vitest';
import { Busy } from './busy';

test('is idle at once when nothing is under way', async () => {
  await expect(new Busy().idle()).resolves.toBeUndefined();
});

test('waits for everything, also for what begins when something ends', async () => {
  const busy = new Busy();
  const first = busy.begin();
  let isIdle = false;
  const idle = busy.idle().then(() => {
    isIdle = true;
  });
  first();
  const second = busy.begin();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isIdle).toBe(false);
  second();
  second();
  await idle;
  expect(isIdle).toBe(true);
});
