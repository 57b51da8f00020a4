import { fieldOf, finite, numberIn, wholeIn } from '../base/json';
import { fitted, length, type Span } from '../base/span';
import type { MomentQuestion } from '../wire/decompose';
import type { Opened } from '../wire/known';
import type { Threshold, Thresholds } from '../wire/tables';
import { readCursor, readSelection, readSpan, rowsOf, wordOf } from './located';
import {
  initial,
  leastSpan,
  NO_SELECTION,
  wholeOf,
  type Height,
  type Kept,
  type Shared,
} from './shared';

/** What is kept of where a recording was left: what a person chose, and no answer to it. */
export type SavedShared = Pick<
  Shared,
  | 'device'
  | 'axis'
  | 'color'
  | 'x'
  | 'height'
  | 'fitReserved'
  | 'cursor'
  | 'inefficient'
  | 'compared'
  | 'side'
  | 'pool'
  | 'selection'
>;

export const savedOf = (shared: Shared): SavedShared => ({
  device: shared.device,
  axis: shared.axis,
  color: shared.color,
  x: shared.x,
  height: shared.height,
  fitReserved: shared.fitReserved,
  cursor: shared.cursor,
  inefficient: shared.inefficient,
  compared: shared.compared,
  side: shared.side,
  pool: shared.pool,
  selection: shared.selection,
});

/** The state as it was left. Of what was kept, whatever means nothing here is as it is at first. */
export function restored(value: unknown, opened: Opened): Shared {
  const start = initial(opened);
  const device = wholeIn(fieldOf(value, 'device'), 0, start.extents.length - 1);
  const extent = device === undefined ? undefined : start.extents[device];
  if (device === undefined || extent === undefined) return start;
  const rows = rowsOf(opened, device);
  const axis = wordOf(value, 'axis', ['event', 'time'], start.axis);
  const pool = fieldOf(value, 'pool');
  const base: Shared = {
    ...start,
    device,
    axis: extent.time === undefined ? 'event' : axis,
    x: wholeOf(extent),
    color: wordOf(value, 'color', ['stack', 'address', 'size', 'stream', 'pool'], start.color),
    height: readHeight(fieldOf(value, 'height'), extent.top),
    fitReserved: wordOf(value, 'fitReserved', ['near', 'always', 'never'], start.fitReserved),
    cursor: readCursor(fieldOf(value, 'cursor'), rows),
    inefficient: readThresholds(fieldOf(value, 'inefficient')),
    compared: readKept(fieldOf(value, 'compared'), opened),
    side: wordOf(value, 'side', ['before', 'after'], start.side),
    pool: {
      order: wordOf(pool, 'order', ['size', 'address', 'free'], start.pool.order),
      grouping: wordOf(pool, 'grouping', ['by_pool', 'together'], start.pool.grouping),
    },
    selection: readSelection(fieldOf(value, 'selection'), rows) ?? NO_SELECTION,
  };
  return { ...base, x: readX(fieldOf(value, 'x'), base) };
}

function readX(value: unknown, base: Shared): Shared['x'] {
  const within = (axis: 'event' | 'time'): Span => {
    const [whole, least] = [base.x[axis], leastSpan({ ...base, axis })];
    const span = readSpan(fieldOf(value, axis));
    if (span === undefined) return whole;
    const isInside = span.from >= whole.from && span.to <= whole.to && length(span) >= least;
    return isInside ? span : fitted(span, whole, least);
  };
  return { event: within('event'), time: within('time') };
}

/** The height that was chosen, below `top` bytes. */
export function readHeight(value: unknown, top: number): Height {
  const span = fieldOf(value, 'kind') === 'chosen' ? readSpan(fieldOf(value, 'span')) : undefined;
  if (span === undefined || span.from < 0 || span.to > top * 1.01) return { kind: 'auto' };
  return { kind: 'chosen', span };
}

/** What counts as inefficient, as it was kept. */
export function readThresholds(value: unknown): Thresholds | undefined {
  const [lazy, delayed, idle] = ['lazy', 'delayed', 'idle'].map((name) => {
    const field = fieldOf(value, name);
    return typeof field === 'object' && field !== null ? readThreshold(field) : undefined;
  });
  if (lazy === undefined || delayed === undefined || idle === undefined) return undefined;
  return { lazy, delayed, idle };
}

const readThreshold = (value: unknown): Threshold => ({
  ns: numberIn(fieldOf(value, 'ns'), 0, Number.MAX_SAFE_INTEGER),
  percent: numberIn(fieldOf(value, 'percent'), 0, 100),
});

function readKept(value: unknown, opened: Opened): Kept | undefined {
  const device = wholeIn(fieldOf(value, 'device'), 0, opened.summary.devices.length - 1);
  if (device === undefined) return undefined;
  const most = rowsOf(opened, device).events - 1;
  const event = wholeIn(fieldOf(value, 'event'), -1, most);
  const us = finite(fieldOf(value, 'us'));
  const at = readMoment(fieldOf(value, 'at'), most);
  if (event === undefined || us === undefined || at === undefined) return undefined;
  return { device, event, at, us };
}

function readMoment(value: unknown, most: number): MomentQuestion | undefined {
  if (fieldOf(value, 'kind') === 'time') {
    const us = finite(fieldOf(value, 'us'));
    return us === undefined ? undefined : { kind: 'time', us };
  }
  const event = wholeIn(fieldOf(value, 'event'), -1, most);
  return event === undefined ? undefined : { kind: 'event', event };
}
