import { expect, test } from 'vitest';
import { openedDemo } from '../testing';
import { deviceName, homeOf, homes, trackThere, tracksOf } from './tracks';

const { summary } = await openedDemo('dump.db');
const TRACKS = tracksOf(summary.devices);

test('pools of one device and process belong together', () => {
  expect(homes(TRACKS).map(({ track }) => deviceName(track))).toEqual(['npu:0', 'cpu']);
});

test('another device is shown with the same pool, if it has that', () => {
  const npu = homeOf({ device: '0', process: 4242 });
  const cpu = homeOf({ device: 'cpu', process: 4242 });
  expect(trackThere(TRACKS, npu, 'HAL')?.track.pool).toBe('HAL');
  expect(trackThere(TRACKS, npu, 'ATB')?.track.pool).toBe('PTA');
  expect(trackThere(TRACKS, cpu, 'HAL')?.track.pool).toBe('HOST_PINNED');
  expect(trackThere(TRACKS, 'cpu 1', 'HAL')).toBeUndefined();
});

test('a snapshot has no tracks', async () => {
  expect(tracksOf((await openedDemo()).summary.devices)).toEqual([]);
});
