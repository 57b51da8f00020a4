import { expect, test } from 'vitest';
import { length } from '../../base/span';
import { demoPool } from '../../wire/demo/pool';
import { demoRecording } from '../../wire/demo/recording';
import type { PoolQuestion } from '../../wire/known';
import {
  areaOfBlock,
  areaOfSegment,
  heightOf,
  segmentAround,
  shapeOf,
  spotAt,
  targetOf,
} from './shape';
import { inside, showing, whole, zoomedAt } from './window';

const question: PoolQuestion = {
  session: 1,
  device: 0,
  after: 1500,
  order: 'free',
  grouping: 'by_pool',
  color: 'stack',
};
const pool = demoPool(demoRecording(), question);
const shape = shapeOf(pool, 'by_pool');

test('every block and every segment is found where it lies', () => {
  for (let row = 0; row < pool.blocks.count; row += 1) {
    const area = areaOfBlock(shape, row);
    const spot = spotAt(shape, area.x + area.width / 2, area.y + 0.5);
    expect(spot?.block).toBe(row);
    expect(spot?.segment).toBe(pool.blocks.segment[row]);
  }
  for (let segment = 0; segment < pool.segments.count; segment += 1) {
    const area = areaOfSegment(shape, segment);
    expect(spotAt(shape, area.x + area.width * 0.99, area.y + 0.5)?.segment).toBe(segment);
    const address = `0x${(pool.segments.addr[segment] ?? 0n).toString(16)}`;
    expect(segmentAround(pool, address)).toBe(segment);
  }
});

test('gaps add up to the free bytes, and the largest says so', () => {
  for (let segment = 0; segment < pool.segments.count; segment += 1) {
    const area = areaOfSegment(shape, segment);
    const first = pool.segments.firstBlock[segment] ?? 0;
    const count = pool.segments.blocks[segment] ?? 0;
    const ends = Array.from({ length: count }, (_, i) => {
      const row = first + i;
      return (pool.blocks.offset[row] ?? 0) + (pool.blocks.size[row] ?? 0);
    });
    const gaps = new Map<string, { readonly bytes: number; readonly isLargest: boolean }>();
    for (const offset of [0, ...ends]) {
      const spot = spotAt(shape, area.x + offset, area.y + 0.5);
      if (spot?.segment !== segment || spot.block !== undefined) continue;
      const target = targetOf(shape, spot);
      if (target.kind === 'gap') gaps.set(target.address, target);
    }
    const sum = [...gaps.values()].reduce((total, gap) => total + gap.bytes, 0);
    expect(sum).toBe(pool.segments.free[segment]);
    expect(gaps.size === 0 || [...gaps.values()].some((gap) => gap.isLargest)).toBe(true);
  }
});

test('a heading takes room of its own, and nothing lies there', () => {
  expect(shape.groups.length).toBeGreaterThan(1);
  for (const group of shape.groups) expect(spotAt(shape, 10, group.top + 0.3)).toBeUndefined();
  expect(heightOf(shape)).toBeGreaterThan(pool.rows);
  expect(heightOf(shapeOf(pool, 'together'))).toBe(pool.rows);
});

test('zooming keeps the place under the pointer and stays inside', () => {
  const plot = { left: 12, top: 6, width: 800, height: 200 };
  const world = { width: pool.rowBytes, height: heightOf(shape) };
  const all = whole(world, plot, 1);
  const at = { x: pool.rowBytes * 0.3, y: 2 };
  const near = zoomedAt(all, at, 0.5, world, plot, 1);
  const share = (window: typeof all): number => (at.x - window.x.from) / length(window.x);
  expect(share(near)).toBeCloseTo(share(all), 9);
  expect(zoomedAt(near, at, 100, world, plot, 1).x).toEqual(all.x);
  const lost = { x: { from: -5e12, to: -5e12 + length(near.x) }, y: near.y };
  expect(inside(lost, world, plot, 1).x.from).toBe(0);
  const area = { x: pool.rowBytes * 0.9, width: 512, y: 3 };
  const moved = showing(near, area);
  expect(moved.x.to).toBeGreaterThanOrEqual(area.x + area.width);
  expect(length(moved.x)).toBeCloseTo(length(near.x), 3);
  expect(showing(moved, area)).toEqual(moved);
});
