import { expect, test } from 'vitest';
import { attributesOf } from './attributes';

const lines = (text: string): readonly string[] =>
  attributesOf(text).map(({ key, value }) => `${key}=${value}`);

test('an Attr of JSON is told key by key, as it stands', () => {
  expect(lines('{"allocation_id":"4","addr":"0x12c0","size":"16384","MID":7}')).toEqual([
    'allocation_id=4',
    'addr=0x12c0',
    'size=16384',
    'MID=7',
  ]);
});

test('an Attr of a CSV file is cut at its keys, whatever is in its values', () => {
  expect(
    lines('"{allocation_id:4,addr:0x12c0,shape:torch.Size([1, 3]),owner:PTA@a:b@c,dtype:f32}"'),
  ).toEqual([
    'allocation_id=4',
    'addr=0x12c0',
    'shape=torch.Size([1, 3])',
    'owner=PTA@a:b@c',
    'dtype=f32',
  ]);
});

test('an Attr that is nearly JSON is read by its keys too', () => {
  expect(
    lines('{"size":"64","owner":"PTA@my "label"","inefficient_type":"early_allocation,x"}'),
  ).toEqual(['size=64', 'owner=PTA@my "label"', 'inefficient_type=early_allocation,x']);
});

test('an empty Attr says nothing; one that nobody knows is shown whole', () => {
  for (const text of ['', '{}', ' {} ', 'N/A']) expect(lines(text)).toEqual([]);
  expect(lines('whatever it is')).toEqual(['=whatever it is']);
  expect(lines('[1,2]')).toEqual(['=[1,2]']);
});
