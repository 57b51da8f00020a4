import { expect, test } from 'vitest';
import type { StackNode } from '../../wire/stack-tree';
import { bytesOf, matching, pathTo, step } from './walk';

const node = (
  parent: number | undefined,
  frame: number | undefined,
  name: string,
  size: number,
): StackNode => ({
  parent,
  depth: 0,
  kind: frame === undefined ? 'rest' : 'user',
  frame,
  stack: undefined,
  name,
  file: '/w/train.py',
  frames: 0,
  offset: 0,
  amount: { count: 1, requested: size, size },
  own: 0,
});

/** `main` calls `forward` twice over, and `step`; the rest is too small. */
const NODES = [
  node(undefined, 5, 'main', 100),
  node(0, 6, 'forward', 70),
  node(1, 6, 'forward', 50),
  node(0, 7, 'step', 20),
  node(0, undefined, '', 10),
];

test('a node is reached by the frames above it', () => {
  expect(pathTo(NODES, 2)).toEqual([5, 6, 6]);
  expect(pathTo(NODES, 0)).toEqual([5]);
  expect(pathTo(NODES, 4)).toBeUndefined();
  expect(pathTo(NODES, 9)).toBeUndefined();
});

test('keys walk to callers, to what is called, and beside', () => {
  expect(step(NODES, undefined, 'ArrowDown')).toBe(0);
  expect(step(NODES, 0, 'ArrowDown')).toBe(1);
  expect(step(NODES, 2, 'ArrowDown')).toBe(2);
  expect(step(NODES, 2, 'ArrowUp')).toBe(1);
  expect(step(NODES, 0, 'ArrowUp')).toBe(0);
  expect(step(NODES, 1, 'ArrowRight')).toBe(3);
  expect(step(NODES, 1, 'ArrowLeft')).toBe(1);
  expect(step(NODES, 4, 'ArrowRight')).toBe(4);
  expect(step(NODES, 1, 'q')).toBeUndefined();
  expect(step([], undefined, 'ArrowDown')).toBeUndefined();
});

test('what is found is counted once, however deep it calls itself', () => {
  const found = matching(NODES, 'FORWARD');
  expect([...found]).toEqual([1, 2]);
  expect(bytesOf(NODES, found)).toBe(70);
  expect(bytesOf(NODES, matching(NODES, 'train.py'))).toBe(100);
  expect(matching(NODES, ' ').size).toBe(0);
});
