import { expect, test } from 'vitest';
import type { Decomposition, Part } from '../../wire/decompose';
import { asText, columnsOf, listed } from './rows';
import { treeOf } from './tree';

const part = (
  parent: number | undefined,
  kind: Part['kind'],
  tag: string,
  bytes: number,
  then: number,
): Part => ({
  parent,
  kind,
  tag,
  bytes,
  blocks: kind === 'outside' ? 0 : 2,
  then_bytes: then,
  then_blocks: 2,
});

const FOUND: Decomposition = {
  at_us: 0,
  then_us: 1,
  at_ns: 0,
  then_ns: 1000,
  whole: 'process',
  parts: [
    part(undefined, 'whole', '', 4096, 6144),
    part(0, 'owner', 'PTA', 3072, 5120),
    part(1, 'owner', 'PTA@ops', 2048, 4096),
    part(1, 'unclassified', 'PTA', 1024, 1024),
    part(0, 'outside', '', 1024, 1024),
  ],
};

const treeFor = (look: 'moment' | 'change') => {
  const tree = treeOf(FOUND, 'PTA', look);
  if (tree === undefined) throw new Error('no tree');
  return tree;
};

test('the text has every part and every digit', () => {
  expect(asText(treeFor('moment'), 'moment').split('\n')).toEqual([
    'Part\tBytes\tParent\tWhole\tBlocks',
    'All of the process\t4096\t\t1\t2',
    'PTA\t3072\t0.75\t0.75\t2',
    `PTA@ops\t2048\t${(2 / 3).toString()}\t0.5\t2`,
    `PTA (Unclassified)\t1024\t${(1 / 3).toString()}\t0.25\t2`,
    'Outside these pools\t1024\t0.25\t0.25\t0',
  ]);
  expect(asText(treeFor('change'), 'change').split('\n').slice(0, 3)).toEqual([
    'Part\tA\tB\tChange',
    'All of the process\t4096\t6144\t2048',
    'PTA\t3072\t5120\t2048',
  ]);
});

test('shares are of what changed in all, when two moments are compared', () => {
  const tree = treeFor('change');
  const share = columnsOf('change').find(({ id }) => id === 'of-change');
  expect(listed(tree, () => true).map((branch) => share?.text(branch))).toEqual([
    '100 %',
    '100 %',
    '100 %',
    '0 %',
    '0 %',
  ]);
});

test('only parts whose parts above are open are listed', () => {
  const shut = listed(treeFor('moment'), ({ depth }) => depth === 0);
  expect(shut.map(({ name }) => name)).toEqual([
    'All of the process',
    'PTA',
    'Outside these pools',
  ]);
});
