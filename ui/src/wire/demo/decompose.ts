import type {
  DecomposeQuestion,
  Decomposition,
  MomentQuestion,
  Part,
  PartKind,
} from '../decompose';
import type { DemoRecording } from './recording';

type Both = readonly [number, number];

interface Node {
  readonly below: Map<string, Node>;
  bytes: Both;
  blocks: Both;
}

const node = (): Node => ({ below: new Map(), bytes: [0, 0], blocks: [0, 0] });

const plus = (a: Both, b: Both): Both => [a[0] + b[0], a[1] + b[1]];

/** Pools that are of other memory than the framework's. */
const isAlone = (pool: string | undefined): boolean =>
  pool === 'HAL' || pool === 'HOST' || pool === 'HOST_PINNED';

/** Who holds memory in an invented dump, the slow way. */
export function demoDecompose(
  devices: readonly DemoRecording[],
  question: DecomposeQuestion,
): Decomposition {
  const recording = devices[question.device];
  if (recording?.track === undefined) throw new Error('a snapshot has no owners');
  const { track } = recording;
  const moments = [question.at, question.then ?? question.at].map((moment) =>
    momentOf(recording, moment),
  );
  const [at = 0, then = 0] = moments.map(({ us }) => us);
  const isKin = (one: DemoRecording): boolean =>
    one.track?.device === track.device && one.track.process === track.process;
  const shown = devices.filter(
    (one) => one === recording || (!isAlone(track.pool) && isKin(one) && !isAlone(one.track?.pool)),
  );
  const tree = node();
  const free: Both[] = [];
  for (const pool of shown) {
    const states = moments.map(({ us, state }) => (pool === recording ? state : stateAt(pool, us)));
    grow(tree, pool, states);
    if (pool.track?.has_total === true && !isAlone(pool.track.pool)) {
      free.push(both(states.map((s) => (pool.reserved[s] ?? 0) - (pool.allocated[s] ?? 0))));
    }
  }
  const hal = isAlone(track.pool)
    ? undefined
    : devices.find((one) => isKin(one) && one.track?.pool === 'HAL');
  const process = hal && both([at, then].map((us) => hal.allocated[stateAt(hal, us)] ?? 0));
  return {
    at_us: at,
    then_us: question.then === undefined ? undefined : then,
    at_ns: Math.round(at * 1000),
    then_ns: question.then === undefined ? undefined : Math.round(then * 1000),
    whole: process === undefined ? 'pools' : 'process',
    parts: list(tree, free.reduce(plus, [0, 0]), process, track.pool),
  };
}

const both = ([at = 0, then = 0]: readonly number[]): Both => [at, then];

const stateAt = ({ times }: DemoRecording, us: number): number =>
  times.filter((time) => time <= us).length;

function momentOf(
  recording: DemoRecording,
  moment: MomentQuestion,
): { readonly us: number; readonly state: number } {
  if (moment.kind === 'time') return { us: moment.us, state: stateAt(recording, moment.us) };
  const state = moment.event + 1;
  return { us: recording.times[moment.event] ?? 0, state };
}

function grow(tree: Node, pool: DemoRecording, states: readonly number[]): void {
  for (const block of pool.blocks) {
    const lives = states.map(
      (state) =>
        block.alloc < state && (block.freeCompleted === undefined || state <= block.freeCompleted),
    );
    const tag = block.owner ?? pool.track?.pool ?? '';
    let at = tree;
    for (const level of tag.split('@')) {
      const next = at.below.get(level) ?? node();
      at.below.set(level, next);
      at = next;
    }
    at.bytes = plus(at.bytes, both(lives.map((isThere) => (isThere ? block.size : 0))));
    at.blocks = plus(at.blocks, both(lives.map(Number)));
  }
}

const total = (one: Node, of: 'bytes' | 'blocks'): Both =>
  [...one.below.values()].reduce((sum, below) => plus(sum, total(below, of)), one[of]);

function list(tree: Node, free: Both, process: Both | undefined, pool: string): readonly Part[] {
  const parts: Part[] = [];
  const push = (
    parent: number | undefined,
    kind: PartKind,
    tag: string,
    bytes: Both,
    blocks: Both,
  ) =>
    parts.push({
      parent,
      kind,
      tag,
      bytes: bytes[0],
      blocks: blocks[0],
      then_bytes: bytes[1],
      then_blocks: blocks[1],
    }) - 1;
  const sum = plus(total(tree, 'bytes'), free);
  push(undefined, 'whole', '', process ?? sum, total(tree, 'blocks'));
  const below = (one: Node, place: number, above: string): void => {
    const entries = [...one.below].sort(
      ([, a], [, b]) => total(b, 'bytes')[0] - total(a, 'bytes')[0],
    );
    for (const [level, child] of entries) {
      const tag = above === '' ? level : `${above}@${level}`;
      const bytes = total(child, 'bytes');
      const blocks = total(child, 'blocks');
      if (bytes[0] + bytes[1] === 0) continue;
      const at = push(place, 'owner', tag, bytes, blocks);
      below(child, at, tag);
      const isOwn = child.below.size > 0 && child.bytes[0] + child.bytes[1] > 0;
      if (isOwn) push(at, 'unclassified', tag, child.bytes, child.blocks);
    }
  };
  below(tree, 0, '');
  if (free[0] + free[1] > 0) push(0, 'pool_free', pool, free, [0, 0]);
  if (process !== undefined) {
    push(0, 'outside', '', [process[0] - sum[0], process[1] - sum[1]], [0, 0]);
  }
  return parts;
}
