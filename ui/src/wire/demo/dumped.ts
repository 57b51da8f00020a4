import type { AccessView, DumpedBlock, DumpedRow } from '../known';
import type { DemoBlock, DemoRecording } from './recording';
import { useOf } from './uses';

/** C frames of the allocations that have them. */
const C_STACK = [
  '/usr/local/Ascend/lib64/libascend_hal.so(halMemAlloc+0x9c) [0xffff8f2c3a9c]',
  '/usr/local/Ascend/lib64/libascendcl.so(aclrtMallocAlign32+0x58) [0xffff8e1a2b58]',
  '/opt/venv/lib/python3.11/site-packages/torch_npu/lib/libtorch_npu.so(+0x7c1f40) [0xffff7d4c1f40]',
  '',
].join('\n');

/** Of the blocks of this stack. */
const WITH_C_STACK = 3;

/** A block that was there before, which the collector made a row for. */
const SHADOW = 0;

/** What a dump says of a block: written first, read until it is used no more. */
export function dumpedBlock(
  recording: DemoRecording,
  block: DemoBlock,
  row: number,
): DumpedBlock | undefined {
  if (recording.track === undefined) return undefined;
  const { process } = recording.track;
  const drawn = accessesOf(recording, row);
  const gaps = drawn.slice(1).map(({ time_us }, at) => time_us - (drawn[at]?.time_us ?? 0));
  const freed = block.freeCompleted;
  return {
    owner: block.owner,
    process,
    thread: process,
    allocation_id: row + 1,
    malloc_id: block.alloc,
    free_id: freed,
    malloc_us: recording.times[block.alloc] ?? 0,
    free_us: freed === undefined ? undefined : recording.times[freed],
    was_before: recording.track.pool === 'PTA' && row === SHADOW,
    was_after: false,
    attr: attrOf(recording, block.alloc, block, row),
    c_stack: block.stack === WITH_C_STACK ? C_STACK : undefined,
    accesses: drawn.length,
    first_access_us: drawn[0]?.time_us,
    last_access_us: drawn.at(-1)?.time_us,
    longest_gap_us: Math.max(0, ...gaps),
    drawn,
  };
}

function accessesOf(recording: DemoRecording, row: number): readonly AccessView[] {
  const { first, last, gap } = useOf(recording, row);
  if (first === undefined || last === undefined) return [];
  return [
    { time_us: first / 1000, kind: 'WRITE', name: 'aten::randn', offset: 0 },
    { time_us: (first + gap) / 1000, kind: 'READ', name: 'aten::mul', offset: 512 },
    { time_us: last / 1000, kind: 'READ', name: 'aten::add_', offset: 0 },
  ];
}

function attrOf(recording: DemoRecording, event: number, block: DemoBlock, row: number): string {
  const { track } = recording;
  const bytes = (column: readonly number[]): string => (column[event + 1] ?? 0).toString();
  return JSON.stringify({
    allocation_id: (row + 1).toString(),
    addr: `0x${block.address.toString(16)}`,
    size: block.size.toString(),
    ...(track?.has_total === true ? { total: bytes(recording.reserved) } : {}),
    ...(track?.has_used === true ? { used: bytes(recording.active) } : {}),
    ...(block.owner === undefined || event !== block.alloc ? {} : { owner: block.owner }),
  });
}

/** The row of a dump that an event is. */
export function dumpedRow(recording: DemoRecording, event: number): DumpedRow | undefined {
  const { track } = recording;
  if (track === undefined) return undefined;
  const row = recording.blocks.findIndex(
    ({ alloc, freeCompleted }) => alloc === event || freeCompleted === event,
  );
  const block = recording.blocks[row];
  const isMalloc = block?.alloc === event;
  return {
    // A row that is about no device comes first, and one of a kernel after every five.
    id: event + 1 + Math.floor(event / 5),
    time_us: recording.times[event] ?? 0,
    event: isMalloc ? 'MALLOC' : 'FREE',
    event_type: track.pool,
    name: 'N/A',
    process: track.process,
    thread: track.process,
    attr: block === undefined ? '{}' : attrOf(recording, event, block, row),
    c_stack: isMalloc && block.stack === WITH_C_STACK ? C_STACK : '',
  };
}
