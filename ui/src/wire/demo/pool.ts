import type {
  EventDetails,
  EventRef,
  PeriodDetails,
  PoolQuestion,
  SegmentChange,
  SegmentDetails,
  Spread,
} from '../known';
import { DIM, PENDING, type Pool } from '../pool';
import { dumpedRow } from './dumped';
import { describeBlock, numberOf } from './facts';
import { keyOf, litBlocks } from './layout';
import { blockAround, BLOCKS_EACH, segmentMates } from './segments';
import { firstUsOf, type DemoBlock, type DemoRecording } from './recording';

/** Bytes left free at the end of every segment. */
const SPARE = 0.06;

interface Held {
  readonly row: number;
  readonly block: DemoBlock;
}

interface DemoSegment {
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  readonly ever: readonly Held[];
  readonly alive: readonly Held[];
  readonly largestGap: number;
  readonly gaps: number;
}

const hex = (value: number): string => `0x${value.toString(16)}`;

const isHeld = (block: DemoBlock, after: number): boolean =>
  block.alloc <= after && (block.freeCompleted === undefined || after < block.freeCompleted);

const isPending = (block: DemoBlock, after: number): boolean =>
  block.freeRequested !== undefined && block.freeRequested <= after;

function segmentOf(recording: DemoRecording, rows: readonly number[], after: number): DemoSegment {
  const ever = rows.flatMap((row) => {
    const block = recording.blocks[row];
    return block === undefined ? [] : [{ row, block }];
  });
  const alive = ever.filter(({ block }) => isHeld(block, after));
  const address = ever[0]?.block.address ?? 0;
  const last = ever.at(-1)?.block;
  const filled = last === undefined ? 0 : last.address + last.size - address;
  const size = Math.ceil((filled * (1 - SPARE)) / 512) * 512;
  const bounded = Math.max(size, ...alive.map(({ block }) => block.address + block.size - address));
  const gaps = gapsOf(alive, address, bounded);
  return {
    address,
    size: bounded,
    stream: ever[0]?.block.stream ?? 0,
    ever,
    alive,
    largestGap: Math.max(0, ...gaps),
    gaps: gaps.length,
  };
}

function gapsOf(alive: readonly Held[], address: number, size: number): readonly number[] {
  const gaps: number[] = [];
  let at = address;
  for (const { block } of alive) {
    if (block.address > at) gaps.push(block.address - at);
    at = block.address + block.size;
  }
  if (address + size > at) gaps.push(address + size - at);
  return gaps;
}

const sum = (list: readonly Held[], of: (block: DemoBlock) => number): number =>
  list.reduce((total, { block }) => total + of(block), 0);

const freeOf = (segment: DemoSegment): number =>
  segment.size - sum(segment.alive, (block) => block.size);

/** The pool right after an event. */
export function demoPool(recording: DemoRecording, question: PoolQuestion): Pool {
  const { after } = question;
  const segments: DemoSegment[] = [];
  for (let row = 0; row < recording.blocks.length; row += BLOCKS_EACH) {
    const segment = segmentOf(recording, segmentMates(recording, row), after);
    if (segment.alive.length > 0) segments.push(segment);
  }
  const { place, rows, width } = placed(segments, question);
  const pendingOf = ({ alive }: DemoSegment): number =>
    sum(alive, (block) => (isPending(block, after) ? block.size : 0));
  const numbers = (of: (segment: DemoSegment) => number): Float64Array =>
    Float64Array.from(segments, of);
  const words = (of: (segment: DemoSegment) => number): Uint32Array =>
    Uint32Array.from(segments, of);
  let first = 0;
  const columns = {
    size: numbers(({ size }) => size),
    allocated: numbers((s) => sum(s.alive, (block) => block.size) - pendingOf(s)),
    pending: numbers(pendingOf),
    requested: numbers(({ alive }) => sum(alive, (block) => block.requested)),
    free: numbers(freeOf),
    largestGap: numbers(({ largestGap }) => largestGap),
  };
  const total = (column: Float64Array): number => column.reduce((a, b) => a + b, 0);
  return {
    rows,
    state: after + 1,
    outside: 0,
    rowBytes: width,
    reserved: total(columns.size),
    allocated: total(columns.allocated),
    pending: total(columns.pending),
    requested: total(columns.requested),
    free: total(columns.free),
    largestGap: Math.max(0, ...columns.largestGap),
    segments: {
      ...columns,
      count: segments.length,
      addr: BigUint64Array.from(segments, ({ address }) => BigInt(address)),
      x: Float64Array.from(place, ({ x }) => x),
      row: Uint32Array.from(place, ({ row }) => row),
      stream: words(({ stream }) => stream),
      pool: words(() => 0),
      kind: words(() => 1),
      gaps: words(({ gaps }) => gaps),
      firstBlock: words(({ alive }) => {
        first += alive.length;
        return first - alive.length;
      }),
      blocks: words(({ alive }) => alive.length),
    },
    blocks: blocksOf(recording, segments, question),
  };
}

function blocksOf(
  recording: DemoRecording,
  segments: readonly DemoSegment[],
  question: PoolQuestion,
): Pool['blocks'] {
  const { after, highlight } = question;
  const lit = litBlocks(recording, highlight);
  const flagsOf = ({ block, row }: Held): number =>
    (isPending(block, after) ? PENDING : 0) + (highlight !== undefined && !lit.has(row) ? DIM : 0);
  const blocks = segments.flatMap(({ alive, address }, segment) =>
    alive.map((held) => ({ ...held, segment, offset: held.block.address - address })),
  );
  return {
    count: blocks.length,
    addr: BigUint64Array.from(blocks, ({ block }) => BigInt(block.address)),
    offset: Float64Array.from(blocks, ({ offset }) => offset),
    size: Float64Array.from(blocks, ({ block }) => block.size),
    requested: Float64Array.from(blocks, ({ block }) => block.requested),
    segment: Uint32Array.from(blocks, ({ segment }) => segment),
    block: Uint32Array.from(blocks, ({ row }) => row),
    key: Uint32Array.from(blocks, ({ block }) => keyOf(block, question)),
    flags: Uint32Array.from(blocks, flagsOf),
  };
}

interface Places {
  readonly place: readonly { readonly row: number; readonly x: number }[];
  readonly rows: number;
  readonly width: number;
}

/** Rows as wide as the largest segment, filled one after the other. */
function placed(segments: readonly DemoSegment[], { order, grouping }: PoolQuestion): Places {
  const key = {
    size: (a: DemoSegment, b: DemoSegment) => b.size - a.size,
    address: (a: DemoSegment, b: DemoSegment) => a.address - b.address,
    free: (a: DemoSegment, b: DemoSegment) => freeOf(b) - freeOf(a),
  }[order];
  const group = (segment: DemoSegment): number => (grouping === 'by_pool' ? segment.stream : 0);
  const sorted = segments
    .map((segment, index) => ({ segment, index }))
    .sort((a, b) => group(a.segment) - group(b.segment) || key(a.segment, b.segment));
  const width = Math.max(1, ...segments.map(({ size }) => size));
  const place = segments.map(() => ({ row: 0, x: 0 }));
  let [row, x, last] = [-1, Infinity, -1];
  for (const { segment, index } of sorted) {
    if (x + segment.size > width || group(segment) !== last) [row, x] = [row + 1, 0];
    place[index] = { row, x };
    x += segment.size;
    last = group(segment);
  }
  return { place, rows: row + 1, width };
}

const refOf = (recording: DemoRecording, event: number | undefined): EventRef | undefined => {
  const time = event === undefined ? undefined : recording.times[event];
  if (event === undefined || time === undefined) return undefined;
  return { event, time_us: firstUsOf(recording) + time };
};

const totalsOf = (recording: DemoRecording, after: number): EventDetails['totals'] => ({
  allocated: recording.allocated[after + 1] ?? 0,
  active: recording.active[after + 1] ?? 0,
  reserved: recording.reserved[after + 1] ?? 0,
});

/** All of one event. */
export function describeEvent(recording: DemoRecording, event: number): EventDetails {
  const time = recording.times[event];
  if (time === undefined) throw new Error(`no event ${event.toString()}`);
  const row = recording.blocks.findIndex(
    (block) =>
      block.alloc === event || block.freeRequested === event || block.freeCompleted === event,
  );
  const block = recording.blocks[row];
  const details = block && describeBlock(recording, row);
  const action =
    block === undefined
      ? 'segment_alloc'
      : block.alloc === event
        ? 'alloc'
        : block.freeRequested === event
          ? 'free_requested'
          : 'free_completed';
  const isAlloc = action === 'alloc' && details !== undefined;
  return {
    event,
    time_us: firstUsOf(recording) + time,
    action,
    address: hex(block?.address ?? 0x7f0000000000),
    size: block?.requested ?? 4 * 1024 ** 3,
    device_free: undefined,
    stream: hex(block?.stream ?? 0),
    pool: '(0, 0)',
    totals: totalsOf(recording, event),
    stack: isAlloc ? details.alloc_stack : { frames: [], missing: 'empty' },
    top_frame: isAlloc ? details.top_frame : undefined,
    notes: [],
    block: block && row,
    block_number: block && numberOf(recording, row),
    segment: details?.segment,
    within: recording.ranges
      .filter((range) => range.from <= event && event < range.to)
      .map((range) => range.name),
    dump: dumpedRow(recording, event),
  };
}

/** A segment grows in two halves, at the blocks that need them, and goes as a whole. */
function changesOf(
  recording: DemoRecording,
  { ever, size }: DemoSegment,
  end: number | undefined,
): readonly SegmentChange[] {
  const middle = ever[ever.length >> 1];
  const half = Math.floor(size / 2);
  const steps = [
    { event: ever[0]?.block.alloc, bytes: half },
    { event: middle?.block.alloc, bytes: size - half },
    { event: end, bytes: -size },
  ];
  return steps.flatMap(({ event, bytes }) => {
    const at = refOf(recording, event);
    return at === undefined ? [] : [{ at, bytes }];
  });
}

/** The segment around an address right after an event. */
export function describeSegment(
  recording: DemoRecording,
  after: number,
  address: string,
): SegmentDetails {
  const row = blockAround(recording, Number(address));
  const segment = segmentOf(recording, segmentMates(recording, Math.max(0, row)), after);
  const first = segment.ever[0];
  const mapped = refOf(recording, first?.block.alloc);
  const ends = segment.ever.map(({ block }) => block.freeCompleted);
  const end = ends.includes(undefined) ? undefined : Math.max(...ends.map((one) => one ?? 0));
  const pending = sum(segment.alive, (block) => (isPending(block, after) ? block.size : 0));
  return {
    segment: {
      address: hex(segment.address),
      size: segment.size,
      kind: 'large',
      is_expandable: false,
    },
    stream: hex(segment.stream),
    pool: '(0, 0)',
    allocated: sum(segment.alive, (block) => block.size) - pending,
    pending,
    requested: sum(segment.alive, (block) => block.requested),
    free: freeOf(segment),
    gaps: segment.gaps,
    largest_gap: segment.largestGap,
    blocks: segment.alive.length,
    ever: segment.ever.length,
    mapped,
    unmapped: refOf(recording, end),
    growths: mapped === undefined ? [] : [mapped],
    changes: changesOf(recording, segment, end),
    stack: describeBlock(recording, first?.row ?? 0).alloc_stack,
  };
}

/** What happened from one event to another. */
export function describePeriod(recording: DemoRecording, from: number, to: number): PeriodDetails {
  const isIn = (event: number | undefined): boolean =>
    event !== undefined && event >= from && event <= to;
  const spread = (isWanted: (block: DemoBlock) => boolean): Spread => {
    const blocks = recording.blocks.filter(isWanted);
    const sizes = blocks.map(({ size }) => size);
    const total = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
    return {
      amount: {
        count: blocks.length,
        requested: total(blocks.map(({ requested }) => requested)),
        size: total(sizes),
      },
      largest: Math.max(0, ...sizes),
      smallest: sizes.length === 0 ? 0 : Math.min(...sizes),
    };
  };
  return {
    from,
    to,
    allocated: spread((block) => isIn(block.alloc)),
    freed: spread((block) => isIn(block.freeCompleted)),
    unfreed: spread((block) => isIn(block.alloc) && !isIn(block.freeCompleted)),
    before: totalsOf(recording, from - 1),
    after: totalsOf(recording, to),
  };
}
