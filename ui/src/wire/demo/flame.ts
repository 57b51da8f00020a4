import { Refusal } from '../error';
import {
  decodeFlame,
  encodeFlame,
  type Flame,
  type FlameEngine,
  type FlameQuestion,
  type FlameSearchAnswer,
  type FlameSearchQuestion,
  type SliceAllocations,
  type SliceDetails,
  type SliceSearch,
} from '../flame';
import { demoThreads, describeThread, type DemoCall, type DemoThread } from './calls';
import type { DemoRecording } from './recording';

const NO_KEY = 0xffffffff;
const LABEL_PX = 16;

/** The threads of every invented recording, asked the slow way. */
export function demoFlame(
  recordingOf: (session: number, device: number) => DemoRecording,
): FlameEngine {
  const threads = demoThreads();
  const threadOf = (row: number): DemoThread => {
    const thread = threads[row];
    if (thread === undefined) throw new Refusal('bug', `no thread in row ${row.toString()}`);
    return thread;
  };
  return {
    threads: () => later(() => threads.map(describeThread)),
    flame: (question) =>
      later(() => decodeFlame(encodeFlame(sceneOf(threadOf(question.thread), question)))),
    slice: (session, thread, slice, device) =>
      later(() => describe(threadOf(thread), thread, slice, recordingOf(session, device))),
    search: (question) => later(() => find(threadOf(question.thread), question)),
  };
}

async function later<T>(answer: () => T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return answer();
}

const functionOf = (name: string): string => /^.*?\(\d+\): (.*)$/.exec(name)?.[1] ?? name;

const fits = (name: string, term: string, { fit }: SliceSearch): boolean =>
  fit === 'exact'
    ? name === term || functionOf(name) === term
    : name.toLowerCase().includes(term.toLowerCase());

const isHit = (call: DemoCall, search: SliceSearch | undefined): boolean =>
  search?.terms.some((term) => fits(call.name, term, search)) === true;

function keyOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 2147483647;
  return hash;
}

interface Rectangle {
  readonly rows: number[];
  readonly depth: number;
  readonly isNarrow: boolean;
  end: number;
}

/** Every call looked at in turn, with the law of `crates/layout/src/flame.rs`. */
function sceneOf(thread: DemoThread, question: FlameQuestion): Flame {
  const scale = question.width_px / (question.x1 - question.x0);
  const last = new Map<number, Rectangle>();
  const rectangles: Rectangle[] = [];
  thread.calls.forEach(({ start, end, depth }, row) => {
    const isWanted =
      depth >= question.first_depth && depth < question.first_depth + question.depths;
    if (!isWanted || start >= question.x1 || end <= question.x0) return;
    const isNarrow = (end - start) * scale < 1;
    const before = last.get(depth);
    const isNear = before !== undefined && (start - before.end) * scale < 1;
    if (question.narrow === 'joined' && isNarrow && isNear && before.isNarrow) {
      before.rows.push(row);
      before.end = end;
      return;
    }
    const rectangle = { rows: [row], depth, isNarrow, end };
    last.set(depth, rectangle);
    rectangles.push(rectangle);
  });
  return flameOf(thread, question, rectangles);
}

function flameOf(
  thread: DemoThread,
  question: FlameQuestion,
  rectangles: readonly Rectangle[],
): Flame {
  const scale = question.width_px / (question.x1 - question.x0);
  const px = (at: number): number => (at - question.x0) * scale;
  const callOf = (row: number): DemoCall => thread.calls[row] ?? NO_CALL;
  const longest = ({ rows }: Rectangle): number =>
    rows.reduce(
      (best, row) => (lasts(callOf(row)) > lasts(callOf(best)) ? row : best),
      rows[0] ?? 0,
    );
  const labels: string[] = [];
  const labelOf = (each: Rectangle): number => {
    const first = callOf(each.rows[0] ?? 0);
    if (each.rows.length > 1 || lasts(first) * scale < LABEL_PX) return 0;
    const text = functionOf(first.name);
    if (!labels.includes(text)) labels.push(text);
    return labels.indexOf(text) + 1;
  };
  const words = (of: (each: Rectangle) => number): Uint32Array => Uint32Array.from(rectangles, of);
  const floats = (of: (each: Rectangle) => number): Float32Array =>
    Float32Array.from(rectangles, of);
  const { selected } = question;
  const marked = selected === undefined ? undefined : callOf(selected);
  return {
    count: rectangles.length,
    x0: floats(({ rows }) => px(callOf(rows[0] ?? 0).start)),
    x1: floats(({ end }) => px(end)),
    depth: words(({ depth }) => depth),
    slice: words(longest),
    calls: words(({ rows }) => rows.length),
    hits: words(({ rows }) => rows.filter((row) => isHit(callOf(row), question.search)).length),
    key: words((each) => (each.rows.length > 1 ? NO_KEY : keyOf(callOf(each.rows[0] ?? 0).name))),
    label: words(labelOf),
    labels,
    crowded: 0,
    selected: marked && { x0: px(marked.start), x1: px(marked.end), depth: marked.depth },
  };
}

const NO_CALL: DemoCall = { start: 0, end: 0, depth: 0, name: '', isOpen: false };

const lasts = ({ start, end }: DemoCall): number => end - start;

function describe(
  { process, thread, calls }: DemoThread,
  inThread: number,
  slice: number,
  recording: DemoRecording,
): SliceDetails {
  const call = calls[slice] ?? NO_CALL;
  const inside = calls.filter(
    ({ start, end, depth }) => depth === call.depth + 1 && start >= call.start && end <= call.end,
  );
  const place = /^(?:start: )?(.*?)\((\d+)\): /.exec(call.name);
  const parents: { readonly slice: number; readonly name: string }[] = [];
  for (let row = slice - 1, depth = call.depth; row >= 0 && depth > 0; row -= 1) {
    const outer = calls[row];
    if (outer?.depth !== depth - 1) continue;
    parents.push({ slice: row, name: outer.name });
    depth -= 1;
  }
  return {
    slice,
    in_thread: inThread,
    process,
    thread,
    name: call.name,
    function: functionOf(call.name),
    file: place?.[1],
    line: place === null ? undefined : Number(place[2]),
    start_us: call.start,
    end_us: call.end,
    duration_us: lasts(call),
    self_us: lasts(call) - inside.reduce((sum, each) => sum + lasts(each), 0),
    depth: call.depth,
    is_open: call.isOpen,
    is_without_start: false,
    parents,
    children: inside.length,
    allocations: allocationsIn(call, recording),
  };
}

function allocationsIn({ start, end }: DemoCall, recording: DemoRecording): SliceAllocations {
  const before = recording.times.filter((time) => time < start).length;
  const after = recording.times.filter((time) => time < end).length;
  const born = recording.blocks.filter(({ alloc }) => alloc >= before && alloc < after);
  const amount = (blocks: typeof born): SliceAllocations['allocated'] => ({
    count: blocks.length,
    requested: blocks.reduce((sum, { requested }) => sum + requested, 0),
    size: blocks.reduce((sum, { size }) => sum + size, 0),
  });
  const isKept = ({ freeCompleted }: (typeof born)[number]): boolean =>
    freeCompleted === undefined || freeCompleted >= after;
  return {
    first_event: after > before ? before : undefined,
    last_event: after > before ? after - 1 : undefined,
    before_event: before - 1,
    is_own: true,
    allocated: amount(born),
    unfreed: amount(born.filter(isKept)),
  };
}

function find({ calls }: DemoThread, { search, step }: FlameSearchQuestion): FlameSearchAnswer {
  const rows = calls.flatMap((call, row) => (isHit(call, search) ? [row] : []));
  const by_term = search.terms.map(
    (term) => calls.filter(({ name }) => fits(name, term, search)).length,
  );
  const at = ordinalOf(rows, calls, step);
  const row = rows[at];
  const call = row === undefined ? undefined : calls[row];
  if (row === undefined || call === undefined)
    return { total: rows.length, by_term, hit: undefined };
  const { name, start, end, depth } = call;
  const hit = { ordinal: at, slice: row, name, start_us: start, end_us: end, depth };
  return { total: rows.length, by_term, hit };
}

function ordinalOf(
  rows: readonly number[],
  calls: readonly DemoCall[],
  step: FlameSearchQuestion['step'],
): number {
  const first = (wanted: (row: number) => boolean): number => Math.max(0, rows.findIndex(wanted));
  switch (step.kind) {
    case 'from':
      return first((row) => (calls[row]?.start ?? 0) >= step.at_us);
    case 'after':
      return first((row) => row > step.slice);
    case 'before': {
      const before = rows.filter((row) => row < step.slice).length;
      return before > 0 ? before - 1 : rows.length - 1;
    }
  }
}
