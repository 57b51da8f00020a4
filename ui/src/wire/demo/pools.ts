import type { Axis, Peak } from '../known';
import type { PoolCurves, PoolCurvesQuestion, PoolList } from '../pools';
import { beginOf } from './layout';
import type { DemoRecording } from './recording';

/** The default pool has three quarters of everything, a private one the rest. */
const SHARES = [0.75, 0.25];
const COLUMNS = 256;

const peakOf = (values: readonly number[], share: number): Peak => {
  const most = Math.max(...values);
  return { bytes: most * share, event: values.indexOf(most) - 1, time_us: undefined };
};

/** The invented pools right after event `after`. */
export function demoPools(recording: DemoRecording, after: number): PoolList {
  if (recording.blocks.length === 0) return { pools: [] };
  const state = Math.max(0, Math.min(recording.events, Math.floor(after) + 1));
  const reserved = recording.reserved[state] ?? 0;
  const active = recording.active[state] ?? 0;
  const row = (share: number, index: number): PoolList['pools'][number] => ({
    pool: `(0, ${index.toString()})`,
    stream: '0x0',
    reserved: reserved * share,
    active: active * share,
    free: (reserved - active) * share,
    largest_gap: ((reserved - active) * share) / 2,
    segments: 8 - 6 * index,
    peak_reserved: peakOf(recording.reserved, share),
    peak_active: peakOf(recording.active, share),
  });
  return { pools: SHARES.map(row) };
}

/** The last state that begins at `x` or before. */
function stateAt(recording: DemoRecording, axis: Axis, x: number): number {
  let [low, high] = [0, recording.events];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (beginOf(recording, axis, middle) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The invented pools over a stretch. */
export function demoCurves(recording: DemoRecording, question: PoolCurvesQuestion): PoolCurves {
  const { axis, x0, x1, pools } = question;
  const at = (column: number): number => x0 + ((x1 - x0) * column) / COLUMNS;
  const edge = Float32Array.from({ length: COLUMNS + 1 }, (_, column) => column / COLUMNS);
  const stretch = (values: readonly number[], share: number, column: number): readonly number[] => {
    const [from, to] = [at(column), at(column + 1)].map((x) => stateAt(recording, axis, x));
    const found = values.slice(from ?? 0, (to ?? 0) + 1).map((value) => value * share);
    return found.length > 0 ? found : [0];
  };
  const columns = (
    values: readonly number[],
    share: number,
    pick: (...values: readonly number[]) => number,
  ): Float32Array =>
    Float32Array.from({ length: COLUMNS }, (_, column) => pick(...stretch(values, share, column)));
  const lines = pools.map((row) => {
    const share = SHARES[row] ?? 0;
    return {
      reservedLeast: columns(recording.reserved, share, Math.min),
      reservedMost: columns(recording.reserved, share, Math.max),
      activeLeast: columns(recording.active, share, Math.min),
      activeMost: columns(recording.active, share, Math.max),
    };
  });
  return { edge, lines };
}
