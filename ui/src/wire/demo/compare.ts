import type {
  AlignedSteps,
  AlignedStepsQuestion,
  CompareEngine,
  DiffQuestion,
  DiffRest,
  DiffRow,
  DiffSide,
  DiffSideQuestion,
  Difference,
} from '../compare';
import { Refusal } from '../error';
import type { Amount, DeviceSummary, Opened } from '../known';
import { counterpart, groupOf } from './counterpart';
import { firstUsOf, type DemoRecording } from './recording';

/** What the invented engine knows of its open recordings. */
interface DemoOpen {
  readonly recording: (session: number, device: number) => DemoRecording;
  readonly opened: ReadonlyMap<number, Opened>;
}

/** Two invented recordings beside each other, the slow way. */
export function demoCompare(
  recording: DemoOpen['recording'],
  opened: DemoOpen['opened'],
): CompareEngine {
  const open = { recording, opened };
  return {
    difference: (question) => attempt(() => difference(open, question)),
    alignedSteps: (question) => attempt(() => alignedSteps(open, question)),
    counterpart: (question) => attempt(() => counterpart(recording, question)),
  };
}

async function attempt<T>(answer: () => T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return answer();
}

const NONE: Amount = { count: 0, requested: 0, size: 0 };

const plus = (sum: Amount, block: { requested: number; size: number }, count = 1): Amount => ({
  count: sum.count + count,
  requested: sum.requested + block.requested,
  size: sum.size + block.size,
});

interface Group {
  readonly lines: readonly string[] | undefined;
  readonly stack: number | undefined;
  amount: Amount;
  block: number;
}

function difference(open: DemoOpen, question: DiffQuestion): Difference {
  const sides = [question.a, question.b].map((side) => held(open, side, question.by));
  const [a, b] = sides;
  if (a === undefined || b === undefined) throw new Error('two sides');
  const keys = [...new Set([...a.groups.keys(), ...b.groups.keys()])];
  const changes = keys.map((key) => rowOf(key, a, b));
  const all = changes.reduce((sum, { change }) => sum + Math.abs(change), 0);
  const order = (one: DiffRow, other: DiffRow): number =>
    Math.abs(other.change) - Math.abs(one.change) ||
    other.a.size + other.b.size - one.a.size - one.b.size;
  const rows = changes
    .map((row) => ({ ...row, share: all === 0 ? 0 : (Math.abs(row.change) * 100) / all }))
    .sort(order);
  const isChanged = ({ a: one, b: other }: DiffRow): boolean =>
    one.size !== other.size || one.count !== other.count;
  const changed = rows.filter(isChanged);
  const same = rows.filter((row) => !isChanged(row));
  const listed = changed.slice(0, question.top);
  const listedToo = question.unchanged === true ? same.slice(0, question.top - listed.length) : [];
  return {
    by: question.by,
    a: a.side,
    b: b.side,
    change: b.side.live.size - a.side.live.size,
    rows: [...listed, ...listedToo],
    smaller: restOf(changed.slice(listed.length)),
    unchanged: restOf(same.slice(listedToo.length)),
    steps: [],
    steps_only_a: [],
    steps_only_b: [],
  };
}

const restOf = (rows: readonly DiffRow[]): DiffRest => ({
  rows: rows.length,
  a: rows.reduce((sum, { a }) => plus(sum, a, a.count), NONE),
  b: rows.reduce((sum, { b }) => plus(sum, b, b.count), NONE),
});

interface Held {
  readonly side: DiffSide;
  readonly groups: ReadonlyMap<string, Group>;
  readonly known: ReadonlySet<string>;
}

function rowOf(key: string, a: Held, b: Held): DiffRow {
  const [one, other] = [a.groups.get(key), b.groups.get(key)];
  const [was, is] = [one?.amount ?? NONE, other?.amount ?? NONE];
  return {
    lines: one?.lines ?? other?.lines,
    top_line: one?.lines === undefined && other?.lines === undefined ? undefined : 0,
    a: was,
    b: is,
    change: is.size - was.size,
    change_count: is.count - was.count,
    share: 0,
    block_a: one?.block,
    block_b: other?.block,
    stack_a: one?.stack,
    stack_b: other?.stack,
    in_a: a.known.has(key),
    in_b: b.known.has(key),
  };
}

function held(open: DemoOpen, question: DiffSideQuestion, by: DiffQuestion['by']): Held {
  const recording = open.recording(question.session, question.device);
  const summary = open.opened.get(question.session)?.summary;
  const device = summary?.devices[question.device];
  if (summary === undefined || device === undefined) throw new Error('no such device');
  if (by === 'owner' && recording.track === undefined) {
    throw new Refusal('bug', 'no difference by owner: a snapshot has none');
  }
  const state = stateOf(recording, device, question);
  const groups = new Map<string, Group>();
  let live = NONE;
  recording.blocks.forEach((block, row) => {
    const isHeld = block.alloc < state && (block.freeCompleted ?? Infinity) >= state;
    if (!isHeld) return;
    live = plus(live, block);
    const { key, lines } = groupOf(block, by);
    const stack = lines === undefined ? undefined : block.stack + 1;
    const group = groups.get(key) ?? { lines, stack, amount: NONE, block: row };
    const largest = recording.blocks[group.block];
    if (block.size > (largest?.size ?? 0)) group.block = row;
    group.amount = plus(group.amount, block);
    groups.set(key, group);
  });
  const totals = {
    allocated: recording.allocated[state] ?? 0,
    active: recording.active[state] ?? 0,
    reserved: recording.reserved[state] ?? 0,
  };
  const time = recording.times[state - 1];
  const side: DiffSide = {
    name: summary.name,
    device: device.name,
    event: state - 1,
    time_us: time === undefined ? undefined : firstUsOf(recording) + time,
    live,
    totals,
    peak: device.peak,
  };
  return { side, groups, known: new Set(recording.blocks.map((block) => groupOf(block, by).key)) };
}

function stateOf(
  recording: DemoRecording,
  device: DeviceSummary,
  { at }: DiffSideQuestion,
): number {
  if (at === undefined) return device.peak.allocated.event + 1;
  if (at.kind === 'event') return Math.min(at.event, recording.events - 1) + 1;
  const after = recording.times.findIndex((time) => time > at.us);
  return after < 0 ? recording.events : after;
}

function alignedSteps(open: DemoOpen, { a, b }: AlignedStepsQuestion): AlignedSteps {
  const [one, other] = [a, b].map(({ session, device }) =>
    stepsOf(open.recording(session, device)),
  );
  const steps = [...(one ?? [])].flatMap(([step, side]) => {
    const there = other?.get(step);
    return there === undefined ? [] : [{ step, last: step, a: side, b: there }];
  });
  const lonely = (
    mine: ReturnType<typeof stepsOf> | undefined,
    theirs: ReturnType<typeof stepsOf> | undefined,
  ): AlignedSteps['only_a'] => {
    const first = [...(mine?.keys() ?? [])].filter((step) => theirs?.has(step) !== true);
    return { count: first.length, first };
  };
  return { steps, each: 1, only_a: lonely(one, other), only_b: lonely(other, one) };
}

function stepsOf(recording: DemoRecording): Map<string, AlignedSteps['steps'][number]['a']> {
  const isStep = (name: string): boolean => /^(ProfilerStep#|step )\d+$/.test(name);
  const most = (column: readonly number[], from: number, to: number): number =>
    Math.max(0, ...column.slice(from, to + 1));
  return new Map(
    recording.ranges
      .filter(({ name }) => isStep(name))
      .map(({ name, from, to, time }) => [
        name.replace(/^\D+/, ''),
        {
          from_event: from,
          to_event: to,
          from_us: time?.from ?? recording.times[from] ?? 0,
          to_us: time?.to ?? recording.times[to] ?? 0,
          allocated: most(recording.allocated, from, to),
          reserved: most(recording.reserved, from, to),
        },
      ]),
  );
}
