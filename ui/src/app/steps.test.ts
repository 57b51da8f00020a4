import { expect, test } from 'vitest';
import { neighbour } from './steps';

const STEPS = [{ from: 10 }, { from: 20 }, { from: 30 }];

test.each([
  ['the first, from nowhere', undefined, 'after', 10],
  ['the last, from nowhere', undefined, 'before', 30],
  ['the next, from where one begins', 20, 'after', 30],
  ['the one before, from where one begins', 20, 'before', 10],
  ['the one the cursor is in', 25, 'before', 20],
  ['none behind the last', 30, 'after', undefined],
  ['none before the first', 10, 'before', undefined],
] as const)('%s', (_, at, way, from) => {
  expect(neighbour(STEPS, at, way)?.from).toBe(from);
});
