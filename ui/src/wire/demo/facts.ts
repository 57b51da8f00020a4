import type { DumpSummary } from '../decompose';
import type { Amount, BlockDetails, DeviceSummary, FrameView, Peak, Summary } from '../known';
import { dumpedBlock } from './dumped';
import { timeRange } from './layout';
import { segmentMates } from './segments';
import { firstUsOf, LEAK_STACK, type DemoBlock, type DemoRecording } from './recording';

const TORCH = '/opt/venv/lib/python3.11/site-packages/torch';

let frames = 0;

const frame = (kind: string, name: string, file: string, line: number): FrameView => ({
  id: (frames += 1),
  kind,
  name,
  file,
  line,
});

const TAIL: readonly FrameView[] = [
  frame('user', 'forward', '/workspace/llm/model/transformer.py', 233),
  frame('library', '_call_impl', `${TORCH}/nn/modules/module.py`, 1762),
  frame('library', '_wrapped_call_impl', `${TORCH}/nn/modules/module.py`, 1751),
  frame('user', 'training_step', '/workspace/llm/trainer.py', 745),
  frame('user', '<module>', '/workspace/llm/train.py', 88),
];

/** Compiled code, and the line of the model it is for. */
const COMPILED: FrameView = {
  ...frame('library', 'forward', '<eval_with_key>.7', 12),
  traced: {
    op: 'call_function',
    name: 'softmax',
    target: 'aten._softmax.default',
    line: {
      file: '/workspace/llm/model/attention.py',
      line: 139,
      name: 'forward',
      code: 'weights = scores.softmax(-1)',
    },
    trace:
      '  File "/workspace/llm/model/attention.py", line 139, in forward\n    weights = scores.softmax(-1)\n',
  },
};

const HEADS: readonly (readonly FrameView[])[] = [
  [
    frame('native', 'at::native::empty_cuda(c10::ArrayRef<long>)', '??', 0),
    frame('library', 'linear', `${TORCH}/nn/functional.py`, 2319),
    frame('library', 'forward', `${TORCH}/nn/modules/linear.py`, 125),
    frame('user', 'forward', '/workspace/llm/model/mlp.py', 62),
    frame('library', '_call_impl', `${TORCH}/nn/modules/module.py`, 1762),
    frame('user', 'forward', '/workspace/llm/model/block.py', 103),
  ],
  [
    frame('library', 'softmax', `${TORCH}/nn/functional.py`, 2140),
    COMPILED,
    frame('user', 'forward', '/workspace/llm/model/attention.py', 141),
    frame('user', 'forward', '/workspace/llm/model/block.py', 97),
  ],
];

const LEAK: readonly FrameView[] = [
  frame('library', 'detach', `${TORCH}/_tensor.py`, 61),
  frame('user', '_append_history', '/workspace/llm/metrics.py', 61),
  frame('user', 'training_step', '/workspace/llm/trainer.py', 761),
];

/** The frames of a stack, innermost first. */
export function stackOf(stack: number): readonly FrameView[] {
  if (stack === LEAK_STACK) return LEAK;
  return [...(HEADS[stack % HEADS.length] ?? []), ...TAIL];
}

/** A recording of the same shape whose history was not recorded. */
export function emptyRecording(): DemoRecording {
  const size = 2 * 1024 ** 3;
  const block = (row: number): DemoBlock => ({
    address: 0x7f0000000000 + row * size,
    size: size / (row + 1),
    requested: size / (row + 1),
    alloc: -1,
    freeRequested: undefined,
    freeCompleted: undefined,
    stack: 0,
    stream: 0,
  });
  const blocks = [0, 1, 2, 3, 4].map(block);
  const total = blocks.reduce((sum, one) => sum + one.size, 0);
  return {
    blocks,
    events: 0,
    times: [],
    allocated: [total],
    active: [total],
    reserved: [total * 1.2],
    ranges: [],
  };
}

/** A recording of a device on which nothing happened. */
export const nothingRecording = (): DemoRecording => ({
  blocks: [],
  events: 0,
  times: [],
  allocated: [0],
  active: [0],
  reserved: [0],
  ranges: [],
});

/** A summary of `devices`, the tracks of a dump or the one device of a snapshot. */
export function describeRecording(devices: readonly DemoRecording[], name: string): Summary {
  const dump = devices[0]?.track === undefined ? undefined : describeDump(devices);
  return {
    name,
    bytes: 139_460_608,
    carrier: dump === undefined ? 'pickle' : 'sqlite',
    protocol: dump === undefined ? 4 : undefined,
    family: dump === undefined ? 'cuda' : 'npu',
    opened_ms: 214,
    devices: devices.map(describeDevice),
    busiest: 0,
    stacks: 12,
    frames: 41,
    settings: [{ key: 'expandable_segments', value: 'False' }],
    remarks: [
      {
        code: 'demo',
        count: 1,
        message: 'This recording is invented: the page runs without the program.',
      },
    ],
    dump,
  };
}

const describeDump = (devices: readonly DemoRecording[]): DumpSummary => ({
  zero_ns: '1779863412000000123',
  length_us: devices[0]?.lengthUs ?? 0,
  rows: devices.reduce((sum, { events }) => sum + events, 0),
  processes: [...new Set(devices.map(({ track }) => track?.process ?? 0))],
  threads: 0,
  has_python_stacks: true,
  has_c_stacks: false,
});

function nameOf({ track }: DemoRecording): string {
  if (track === undefined) return 'cuda:0';
  const device = /^\d+$/.test(track.device) ? `npu:${track.device}` : track.device;
  return `${device} ${track.pool}`;
}

function describeDevice(recording: DemoRecording): DeviceSummary {
  const hasTime = recording.events > 0;
  const at = (column: readonly number[], index: number): number => column.at(index) ?? 0;
  const totals = (index: number): DeviceSummary['start'] => ({
    allocated: at(recording.allocated, index),
    active: at(recording.active, index),
    reserved: at(recording.reserved, index),
  });
  const before = recording.blocks.filter((block) => block.alloc < 0);
  return {
    name: nameOf(recording),
    events: recording.events,
    actions: [{ action: 'alloc', count: recording.events }],
    blocks: recording.blocks.length,
    blocks_before: 0,
    blocks_ghost: before.length,
    segments: recording.blocks.length === 0 || recording.track !== undefined ? 0 : 31,
    final_blocks: 120,
    has_time: hasTime,
    first_us: hasTime ? firstUsOf(recording) : undefined,
    last_us: hasTime ? firstUsOf(recording) + at(recording.times, -1) : undefined,
    event_range: { from: -1, to: recording.events },
    time_range: hasTime ? timeRange(recording) : undefined,
    peak: {
      allocated: peakOf(recording, recording.allocated),
      active: peakOf(recording, recording.active),
      reserved: peakOf(recording, recording.reserved),
    },
    peak_requested: peakOf(recording, recording.active),
    start: totals(0),
    end: totals(-1),
    start_live: amountOf(before),
    end_active: amountOf(recording.blocks.filter((block) => block.freeCompleted === undefined)),
    pools: [],
    streams: ['0x0', '0x1', '0x2', '0x3'],
    steps: recording.ranges.filter((range) => range.depth === 0).length,
    annotations: recording.ranges.length,
    events_without_stack: Math.round(recording.events * 0.12),
    track: recording.track,
  };
}

export function peakOf(recording: DemoRecording, column: readonly number[]): Peak {
  const bytes = Math.max(...column);
  const event = column.indexOf(bytes) - 1;
  const time = recording.times[event];
  return { bytes, event, time_us: time === undefined ? undefined : firstUsOf(recording) + time };
}

export const amountOf = (blocks: readonly DemoBlock[]): Amount => ({
  count: blocks.length,
  requested: blocks.reduce((sum, block) => sum + block.requested, 0),
  size: blocks.reduce((sum, block) => sum + block.size, 0),
});

/** What people know a block by: the event that allocated it, or −1, −2, … in the order of rows. */
export function numberOf(recording: DemoRecording, row: number | undefined): number | undefined {
  const block = row === undefined ? undefined : recording.blocks[row];
  if (block === undefined || block.alloc >= 0) return block?.alloc;
  return -recording.blocks.slice(0, (row ?? 0) + 1).filter(({ alloc }) => alloc < 0).length;
}

export function describeBlock(recording: DemoRecording, row: number): BlockDetails {
  const block = recording.blocks[row];
  if (block === undefined) throw new Error(`no block ${row.toString()}`);
  const event = (at: number | undefined): BlockDetails['alloc'] =>
    at === undefined || at < 0
      ? undefined
      : { event: at, time_us: firstUsOf(recording) + (recording.times[at] ?? 0) };
  const end = block.freeRequested ?? recording.events;
  const alloc = event(block.alloc);
  const freed = event(block.freeRequested);
  const isBefore = block.alloc < 0;
  const alike = recording.blocks.filter((other) => other.stack === block.stack);
  const frames = isBefore ? [] : stackOf(block.stack);
  const top = frames.find((candidate) => candidate.kind === 'user');
  const previous = row > 20 ? row - 17 : undefined;
  const next = row + 17 < recording.blocks.length ? row + 17 : undefined;
  return {
    block: row,
    number: numberOf(recording, row) ?? row,
    address: `0x${block.address.toString(16)}`,
    size: block.size,
    size_source: block.freeRequested === undefined ? 'stated' : 'computed',
    requested: block.requested,
    origin: isBefore ? 'ghost' : 'traced',
    stream: `0x${block.stream.toString(16)}`,
    pool: '(0, 0)',
    segment: {
      address: `0x${(recording.blocks[segmentMates(recording, row)[0] ?? row]?.address ?? 0).toString(16)}`,
      size: 1024 ** 3,
      kind: 'large',
      is_expandable: false,
    },
    alloc,
    free_requested: freed,
    free_completed: event(block.freeCompleted),
    life_events: end - Math.max(0, block.alloc),
    life_us: alloc && freed ? (freed.time_us ?? 0) - (alloc.time_us ?? 0) : undefined,
    within: recording.ranges
      .filter((range) => range.from <= block.alloc && block.alloc < range.to)
      .map((range) => range.name),
    alloc_stack: isBefore
      ? { frames: [], missing: 'before_recording' }
      : { id: block.stack, frames, missing: undefined },
    free_stack: freed === undefined ? undefined : { frames: [], missing: 'empty' },
    top_frame:
      top && `${top.file.split('/').at(-1) ?? ''}:${(top.line ?? 0).toString()} ${top.name}`,
    fallback_frame: undefined,
    notes: [],
    previous,
    next,
    previous_number: numberOf(recording, previous),
    next_number: numberOf(recording, next),
    same_stack: {
      all: amountOf(alike),
      at_peak: amountOf(alike.slice(0, Math.ceil(alike.length / 3))),
      unfreed: amountOf(alike.filter((other) => other.freeCompleted === undefined)),
    },
    dump: dumpedBlock(recording, block, row),
  };
}
