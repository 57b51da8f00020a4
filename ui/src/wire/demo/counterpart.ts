import type { Counterpart, CounterpartQuestion, DiffBy } from '../compare';
import { stackOf } from './facts';
import type { DemoBlock, DemoRecording } from './recording';
import { blockAround, BLOCKS_EACH, segmentMates } from './segments';

/** What in one invented recording stands for something of another, the slow way. */
export function counterpart(
  recording: (session: number, device: number) => DemoRecording,
  { a, b, by, of }: CounterpartQuestion,
): Counterpart {
  const here = recording(a.session, a.device);
  const there = recording(b.session, b.device);
  switch (of.kind) {
    case 'owner':
      return there.blocks.some(({ owner }) => owner?.startsWith(of.tag) === true) ? of : UNKNOWN;
    case 'stack': {
      const isKnown = there.blocks.some(({ stack, alloc }) => alloc >= 0 && stack === of.stack - 1);
      return isKnown ? { ...of, count: 1 } : UNKNOWN;
    }
    case 'frame': {
      const isKnown = there.blocks.some(
        ({ stack, alloc }) => alloc >= 0 && stackOf(stack).some(({ id }) => id === of.frame),
      );
      return isKnown ? { ...of, count: 1 } : UNKNOWN;
    }
    case 'segment':
      return segmentThere(here, there, Number(of.address));
    case 'event':
      return eventThere(here, there, of.event, by);
    case 'block':
      return blockThere(here, there, of.block, by);
  }
}

const UNKNOWN: Counterpart = { kind: 'none', why: 'unknown' };

function blockThere(
  here: DemoRecording,
  there: DemoRecording,
  row: number,
  by: DiffBy,
): Extract<Counterpart, { readonly kind: 'block' | 'none' }> {
  const block = here.blocks[row];
  if (block === undefined) throw new Error('no such block');
  const { key, lines } = groupOf(block, by);
  if (lines === undefined) return { kind: 'none', why: 'unrecorded' };
  const alike = (recording: DemoRecording): number[] =>
    recording.blocks.flatMap((one, at) => (groupOf(one, by).key === key ? [at] : []));
  const [mine, theirs] = [alike(here), alike(there)];
  const place = mine.indexOf(row);
  const nearest = Math.min(place, theirs.length - 1);
  const found = theirs[nearest];
  if (found === undefined) return { kind: 'none', why: 'unknown' };
  return {
    kind: 'block',
    block: found,
    how: by === 'owner' ? 'owner' : 'stack',
    place_a: place + 1,
    place_b: nearest + 1,
    count_a: mine.length,
    count_b: theirs.length,
  };
}

/** Segments are all of one shape. */
function segmentThere(here: DemoRecording, there: DemoRecording, address: number): Counterpart {
  const place = Math.floor(blockAround(here, address) / BLOCKS_EACH);
  const count = (recording: DemoRecording): number =>
    Math.ceil(recording.blocks.length / BLOCKS_EACH);
  const nearest = Math.min(place, count(there) - 1);
  const mates = segmentMates(there, nearest * BLOCKS_EACH).flatMap(
    (row) => there.blocks[row] ?? [],
  );
  const [first] = mates;
  if (first === undefined) return { kind: 'none', why: 'unrecorded' };
  return {
    kind: 'segment',
    address: `0x${first.address.toString(16)}`,
    from: Math.min(...mates.map(({ alloc }) => alloc)),
    to: Math.max(...mates.map(({ freeCompleted }) => (freeCompleted ?? there.events) - 1)),
    how: 'shape',
    place_a: place + 1,
    place_b: nearest + 1,
    count_a: count(here),
    count_b: count(there),
  };
}

const TURNS = ['alloc', 'freeRequested', 'freeCompleted'] as const;

function eventThere(
  here: DemoRecording,
  there: DemoRecording,
  event: number,
  by: DiffBy,
): Counterpart {
  for (const turn of TURNS) {
    const row = here.blocks.findIndex((block) => block[turn] === event);
    if (row < 0) continue;
    const found = blockThere(here, there, row, by);
    if (found.kind === 'none') return found;
    const at = there.blocks[found.block]?.[turn];
    if (at === undefined || at < 0) return { kind: 'none', why: 'outside' };
    return { ...found, kind: 'event', event: at };
  }
  return { kind: 'none', why: 'unrecorded' };
}

/** By what blocks are alike. */
export function groupOf(
  block: DemoBlock,
  by: DiffBy,
): { readonly key: string; readonly lines: readonly string[] | undefined } {
  if (by === 'owner') {
    return { key: block.owner ?? '', lines: block.owner === undefined ? undefined : [block.owner] };
  }
  const lines = block.alloc < 0 ? [] : stackOf(block.stack).map((frame) => lineOf(frame, by));
  return lines.length === 0
    ? { key: '', lines: undefined }
    : { key: `${block.stack.toString()} ${lines.join()}`, lines };
}

function lineOf({ file, line, name }: ReturnType<typeof stackOf>[number], by: DiffBy): string {
  const short = file.replace(/^.*site-packages\//, '').replace(/^\/workspace\/llm\//, '');
  if (by === 'function' || file === '??') return name;
  return by === 'stack' ? `${short}:${(line ?? 0).toString()} ${name}` : `${short} ${name}`;
}
