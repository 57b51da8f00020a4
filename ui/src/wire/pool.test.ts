import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePool, encodePool, type Pool } from './pool';

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes = fc.integer({ min: 0, max: 2 ** 50 });
const longs = (n: number): fc.Arbitrary<BigUint64Array> =>
  fc.array(u64, { minLength: n, maxLength: n }).map((list) => BigUint64Array.from(list));
const doubles = (n: number): fc.Arbitrary<Float64Array> =>
  fc.array(bytes, { minLength: n, maxLength: n }).map((list) => Float64Array.from(list));
const words = (n: number): fc.Arbitrary<Uint32Array> =>
  fc.array(u32, { minLength: n, maxLength: n }).map((list) => Uint32Array.from(list));
const size = fc.integer({ min: 0, max: 7 });

const pools: fc.Arbitrary<Pool> = fc.tuple(size, size).chain(([n, m]) =>
  fc.record({
    rows: u32,
    state: u32,
    outside: u32,
    rowBytes: bytes,
    reserved: bytes,
    allocated: bytes,
    pending: bytes,
    requested: bytes,
    free: bytes,
    largestGap: bytes,
    segments: fc.record({
      count: fc.constant(n),
      addr: longs(n),
      x: doubles(n),
      size: doubles(n),
      allocated: doubles(n),
      pending: doubles(n),
      requested: doubles(n),
      free: doubles(n),
      largestGap: doubles(n),
      row: words(n),
      stream: words(n),
      pool: words(n),
      kind: words(n),
      gaps: words(n),
      firstBlock: words(n),
      blocks: words(n),
    }),
    blocks: fc.record({
      count: fc.constant(m),
      addr: longs(m),
      offset: doubles(m),
      size: doubles(m),
      requested: doubles(m),
      segment: words(m),
      block: words(m),
      key: words(m),
      flags: words(m),
    }),
  }),
);

test('every pool is read back as it was written', () => {
  fc.assert(
    fc.property(pools, (pool) => {
      expect(decodePool(encodePool(pool))).toEqual(pool);
    }),
  );
});

test('the layout is the one of crates/wire/src/pool.rs', () => {
  const buffer = new ArrayBuffer(96 + 92 + 48);
  const view = new DataView(buffer);
  [0x50444954, 1, 1, 1, 3, 42, 5, 0].forEach((word, i) => {
    view.setUint32(i * 4, word, true);
  });
  [1000, 900, 500, 50, 540, 350, 200].forEach((value, i) => {
    view.setFloat64(32 + i * 8, value, true);
  });
  view.setBigUint64(96, 2n ** 63n + 512n, true);
  [7, 900, 500, 50, 540, 350, 200].forEach((value, i) => {
    view.setFloat64(104 + i * 8, value, true);
  });
  view.setBigUint64(160, 2n ** 63n + 612n, true);
  [100, 550, 540].forEach((value, i) => {
    view.setFloat64(168 + i * 8, value, true);
  });
  [2, 1, 0xffffffff, 5, 2, 0, 1].forEach((word, i) => {
    view.setUint32(192 + i * 4, word, true);
  });
  [0, 77, 9, 3].forEach((word, i) => {
    view.setUint32(220 + i * 4, word, true);
  });
  const { segments, blocks, ...totals } = decodePool(buffer);
  expect(totals).toEqual({
    rows: 3,
    state: 42,
    outside: 5,
    rowBytes: 1000,
    reserved: 900,
    allocated: 500,
    pending: 50,
    requested: 540,
    free: 350,
    largestGap: 200,
  });
  expect([segments.addr[0], segments.x[0], segments.size[0], segments.largestGap[0]]).toEqual([
    2n ** 63n + 512n,
    7,
    900,
    200,
  ]);
  expect([segments.row[0], segments.stream[0], segments.pool[0], segments.kind[0]]).toEqual([
    2, 1, 0xffffffff, 5,
  ]);
  expect([segments.gaps[0], segments.firstBlock[0], segments.blocks[0]]).toEqual([2, 0, 1]);
  expect([blocks.addr[0], blocks.offset[0], blocks.size[0], blocks.requested[0]]).toEqual([
    2n ** 63n + 612n,
    100,
    550,
    540,
  ]);
  expect([blocks.segment[0], blocks.block[0], blocks.key[0], blocks.flags[0]]).toEqual([
    0, 77, 9, 3,
  ]);
});

test('bytes that are no pool are refused', () => {
  expect(() => decodePool(new ArrayBuffer(96))).toThrow('not a pool');
});
