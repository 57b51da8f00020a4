import { describe, expect, test } from 'vitest';
import type { Decomposition, Part, PartKind } from '../../wire/decompose';
import { changeOf, flat, found, nearest, ownerTag, pathTo, stepTowards, treeOf } from './tree';

const part = (
  parent: number | undefined,
  kind: PartKind,
  tag: string,
  bytes: number,
  then = bytes,
): Part => ({ parent, kind, tag, bytes, blocks: 1, then_bytes: then, then_blocks: 1 });

const DUMP: Decomposition = {
  at_us: 1,
  then_us: 2,
  at_ns: 1000,
  then_ns: 2000,
  whole: 'process',
  parts: [
    part(undefined, 'whole', '', 100, 120),
    part(0, 'owner', 'PTA', 70, 80),
    part(1, 'owner', 'PTA@ops', 50, 30),
    part(2, 'owner', 'PTA@ops@aten', 40, 25),
    part(2, 'unclassified', 'PTA@ops', 10, 5),
    part(1, 'owner', 'PTA@model', 20, 50),
    part(0, 'pool_free', 'PTA', 20, 10),
    part(0, 'outside', '', 10, 30),
  ],
};

const tree = (look: 'moment' | 'then' | 'change' = 'moment') => {
  const root = treeOf(DUMP, 'PTA', look);
  if (root === undefined) throw new Error('no tree');
  return root;
};

const names = (look?: 'moment' | 'then' | 'change'): readonly string[] =>
  flat(tree(look)).map(({ name, depth }) => `${'-'.repeat(depth)}${name}`);

test('a part is called by the last level of its tag, and what is no owner by words', () => {
  expect(names()).toEqual([
    'All of the process',
    '-PTA',
    '--ops',
    '---aten',
    '---Unclassified',
    '--model',
    '-PTA: not handed out',
    '-Outside these pools',
  ]);
});

test('what changed most comes first when two moments are compared', () => {
  // model +30, ops −20; below ops: aten −15, unclassified −5; of the whole: outside +20, PTA and
  // its reserve 10 each, of which PTA holds more.
  expect(names('change')).toEqual([
    'All of the process',
    '-Outside these pools',
    '-PTA',
    '--model',
    '--ops',
    '---aten',
    '---Unclassified',
    '-PTA: not handed out',
  ]);
});

test('parts and their changes add up to the part above', () => {
  for (const { part: above, below } of flat(tree()).filter((branch) => branch.below.length > 0)) {
    expect(below.reduce((sum, child) => sum + child.part.bytes, 0)).toBe(above.bytes);
    expect(below.reduce((sum, child) => sum + changeOf(child.part), 0)).toBe(changeOf(above));
  }
});

describe('finding', () => {
  test('an owner that holds nothing is found as the one above it', () => {
    expect(nearest(tree(), 'PTA@ops@aten@leaks').part.tag).toBe('PTA@ops@aten');
    expect(nearest(tree(), 'MINDSPORE@x').depth).toBe(0);
  });

  test('a tag that does not begin with a pool lies below its pool', () => {
    expect(ownerTag(tree(), 'PTA@ops@aten', 'PTA')).toBe('PTA@ops@aten');
    expect(ownerTag(tree(), '@my_cache', 'PTA')).toBe('PTA@my_cache');
    expect(ownerTag(tree(), undefined, 'PTA')).toBe('PTA');
  });

  test('a click goes one level down towards what was hit', () => {
    const root = tree();
    const aten = nearest(root, 'PTA@ops@aten');
    const pta = stepTowards(root, aten);
    expect(pta.part.tag).toBe('PTA');
    expect(stepTowards(pta, aten).part.tag).toBe('PTA@ops');
    const ops = stepTowards(pta, aten);
    expect(stepTowards(ops, aten)).toBe(ops);
    expect(pathTo(aten).map(({ name }) => name)).toEqual([
      'All of the process',
      'PTA',
      'ops',
      'aten',
    ]);
    expect(found(root, 'outside ')?.part.bytes).toBe(10);
  });
});
