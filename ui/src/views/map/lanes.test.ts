import { expect, test } from 'vitest';
import type { LaneList } from '../../wire/map';
import { addressAt, laneAt, laneOf } from './lanes';

const LIST: LaneList = {
  total: 3072,
  lanes: [
    { address: '0x1000', size: 1024, at: 2048 },
    { address: '0xffffffff00000000', size: 2048, at: 0 },
  ],
};

test('a byte of the axis is found in its lane, with its address exact', () => {
  const lane = laneAt(LIST, 1025.5);
  expect(lane?.address).toBe('0xffffffff00000000');
  expect(lane && addressAt(lane, 1025.5)).toBe('0xffffffff00000401');
  expect(laneAt(LIST, 2048)?.address).toBe('0x1000');
  expect(laneAt(LIST, 3072)).toBeUndefined();
});

test('an address is found in the lane that holds it', () => {
  expect(laneOf(LIST, '0xffffffff000007ff')?.at).toBe(0);
  expect(laneOf(LIST, '0xffffffff00000800')).toBeUndefined();
  expect(laneOf(LIST, '0x1000')?.at).toBe(2048);
});
