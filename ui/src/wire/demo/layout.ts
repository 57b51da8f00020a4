import { mapping, apply, clamp } from '../../base/span';
import type { ColorBy, Highlight, SceneQuestion } from '../known';
import { MOST_PX } from '../limits';
import type { Bands, Line, Scene } from '../scene';
import { isOf } from './holders';
import { blockAround, segmentMates } from './segments';
import { inefficientRows } from './uses';
import type { DemoBlock, DemoRecording } from './recording';

const LEAST_PX = 1;
const NO_KEY = 0xffffffff;

interface Piece {
  readonly block: number;
  readonly x0: number;
  x1: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Columns {
  readonly edge: number[];
  readonly state: number[];
  readonly first: number[];
  readonly last: number[];
}

/** Where `state` begins on the asked axis. */
export function beginOf(recording: DemoRecording, axis: 'event' | 'time', state: number): number {
  if (axis === 'event') return state - 1;
  return state === 0 ? timeRange(recording).from : (recording.times[state - 1] ?? 0);
}

export function timeRange(recording: DemoRecording): {
  readonly from: number;
  readonly to: number;
} {
  if (recording.lengthUs !== undefined) return { from: 0, to: recording.lengthUs };
  const end = recording.times.at(-1) ?? 0;
  const margin = Math.max(1, end * 0.01);
  return { from: -margin, to: end + margin };
}

/** The pixels that the program would draw. */
const limited = (asked: SceneQuestion): SceneQuestion => ({
  ...asked,
  width_px: clamp(asked.width_px, 1, MOST_PX),
  height_px: clamp(asked.height_px, 1, MOST_PX),
});

/** A scene laid out the slow way: every column visits every block. */
export function demoScene(recording: DemoRecording, asked: SceneQuestion): Scene {
  const question = limited(asked);
  const columns = columnsOf(recording, question);
  const n = columns.state.length;
  const yOf = yMap(question);
  const pieces = new Map<number, Piece>();
  const done: Piece[] = [];
  const remainder = new Float64Array(n);
  const remainderCount = new Uint32Array(n);
  columns.state.forEach((state, column) => {
    let below = 0;
    const seen = new Set<number>();
    recording.blocks.forEach((block, row) => {
      if (!isAlive(block, state)) return;
      const bottom = yOf(below);
      const top = yOf(below + block.size);
      below += block.size;
      const isWanted = row === question.selected;
      if (bottom - top < LEAST_PX && !isWanted) {
        remainder[column] = (remainder[column] ?? 0) + block.size;
        remainderCount[column] = (remainderCount[column] ?? 0) + 1;
        return;
      }
      seen.add(row);
      extend(pieces, done, {
        block: row,
        x0: columns.edge[column] ?? 0,
        x1: columns.edge[column + 1] ?? 0,
        top,
        bottom,
      });
    });
    for (const row of [...pieces.keys()]) if (!seen.has(row)) flush(pieces, done, row);
  });
  for (const row of [...pieces.keys()]) flush(pieces, done, row);
  done.sort((a, b) => a.block - b.block || a.x0 - b.x0);
  const inView = done.filter((piece) => piece.bottom > 0 && piece.top < question.height_px);
  const lit = litBlocks(recording, question.highlight);
  const isFull = question.detail === 'full';
  const chosen = done.filter((piece) => piece.block === question.selected);
  return {
    columns: n,
    ...most(recording, columns),
    allocated: Float64Array.from(columns.state, (state) => recording.allocated[state] ?? 0),
    remainder,
    edge: Float32Array.from(columns.edge),
    state: Uint32Array.from(columns.state),
    lines: {
      allocated: lineOf(recording.allocated, columns, yOf, question.height_px),
      active: lineOf(recording.active, columns, yOf, question.height_px),
      reserved: lineOf(recording.reserved, columns, yOf, question.height_px),
    },
    remainderCount,
    bands: bandsOf(isFull ? inView : [], recording, question),
    outline: bandsOf(isFull ? chosen : [], recording, question),
    lit: Uint32Array.from(isFull ? inView : [], (piece) => (lit.has(piece.block) ? 1 : 0)),
  };
}

/** The blocks that stand out. */
export function litBlocks(
  recording: DemoRecording,
  highlight: Highlight | undefined,
): ReadonlySet<number> {
  if (highlight === undefined) return new Set();
  if (highlight.kind === 'segment') {
    return new Set(segmentMates(recording, blockAround(recording, Number(highlight.address))));
  }
  if (highlight.kind === 'inefficient') return inefficientRows(recording, highlight.thresholds);
  const chosen = recording.blocks.flatMap((block, row) =>
    isChosen(recording, block, highlight) ? [row] : [],
  );
  return new Set(chosen);
}

function isChosen(
  recording: DemoRecording,
  block: DemoBlock,
  highlight: Exclude<Highlight, { readonly kind: 'segment' | 'inefficient' }>,
): boolean {
  switch (highlight.kind) {
    case 'period':
      return block.alloc >= highlight.from && block.alloc <= highlight.to;
    case 'stack_of':
      return block.stack === recording.blocks[highlight.block]?.stack;
    case 'stack':
    case 'frame':
    case 'owner':
      return isOf(block, highlight);
  }
}

function yMap(question: SceneQuestion): (bytes: number) => number {
  const map = mapping({ from: question.y0, to: question.y1 }, { from: question.height_px, to: 0 });
  return (bytes) => apply(map, bytes);
}

const isAlive = (block: DemoBlock, state: number): boolean =>
  block.alloc < state && (block.freeRequested === undefined || state <= block.freeRequested);

function extend(pieces: Map<number, Piece>, done: Piece[], next: Piece): void {
  const open = pieces.get(next.block);
  if (open?.top === next.top && open.x1 === next.x0) {
    open.x1 = next.x1;
    return;
  }
  if (open !== undefined) done.push(open);
  pieces.set(next.block, next);
}

function flush(pieces: Map<number, Piece>, done: Piece[], row: number): void {
  const open = pieces.get(row);
  if (open !== undefined) done.push(open);
  pieces.delete(row);
}

/** One column a state when the states are wide, else one a pixel with the fullest of its states. */
export function columnsOf(recording: DemoRecording, question: SceneQuestion): Columns {
  const { axis, x0, x1, width_px: width } = question;
  const map = mapping({ from: x0, to: x1 }, { from: 0, to: width });
  const columns: Columns = { edge: [], state: [], first: [], last: [] };
  const push = (edge: number, first: number, last: number): void => {
    columns.edge.push(edge);
    columns.first.push(first);
    columns.last.push(last);
    columns.state.push(fullest(recording, first, last));
  };
  const from = stateAt(recording, axis, x0);
  const to = stateAt(recording, axis, x1 - (x1 - x0) * 1e-9);
  if (to - from + 1 <= width / 2) {
    for (let state = from; state <= to; state += 1) {
      push(clamp(apply(map, beginOf(recording, axis, state)), 0, width), state, state);
    }
  } else {
    for (let pixel = 0; pixel < width; pixel += 1) {
      const at = (px: number): number => stateAt(recording, axis, x0 + ((x1 - x0) * px) / width);
      push(pixel, at(pixel), Math.max(at(pixel), at(pixel + 1) - 1));
    }
  }
  columns.edge.push(width);
  return columns;
}

function stateAt(recording: DemoRecording, axis: 'event' | 'time', x: number): number {
  if (axis === 'event') return clamp(Math.floor(x + 1), 0, recording.events);
  let low = 0;
  let high = recording.times.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if ((recording.times[half] ?? 0) <= x) low = half + 1;
    else high = half;
  }
  return low;
}

function fullest(recording: DemoRecording, first: number, last: number): number {
  let best = first;
  for (let state = first + 1; state <= last; state += 1) {
    if ((recording.allocated[state] ?? 0) > (recording.allocated[best] ?? 0)) best = state;
  }
  return best;
}

function lineOf(
  values: readonly number[],
  columns: Columns,
  yOf: (bytes: number) => number,
  height: number,
): Line {
  const pixel = (bytes: number): number => clamp(yOf(bytes), -height, 2 * height);
  const within = (column: number): readonly number[] =>
    values.slice(columns.first[column], (columns.last[column] ?? 0) + 1);
  return {
    low: Float32Array.from(columns.state, (_, column) => pixel(Math.min(...within(column)))),
    high: Float32Array.from(columns.state, (_, column) => pixel(Math.max(...within(column)))),
  };
}

function most(
  recording: DemoRecording,
  columns: Columns,
): { readonly mostAllocated: number; readonly mostReserved: number } {
  const states = [columns.first[0] ?? 0, (columns.last.at(-1) ?? 0) + 1] as const;
  return {
    mostAllocated: Math.max(0, ...recording.allocated.slice(...states)),
    mostReserved: Math.max(0, ...recording.reserved.slice(...states)),
  };
}

function bandsOf(
  pieces: readonly Piece[],
  recording: DemoRecording,
  question: SceneQuestion,
): Bands {
  return {
    count: pieces.length,
    x0: Float32Array.from(pieces, (piece) => piece.x0),
    x1: Float32Array.from(pieces, (piece) => piece.x1),
    top: Float32Array.from(pieces, (piece) => piece.top),
    bottom: Float32Array.from(pieces, (piece) => piece.bottom),
    block: Uint32Array.from(pieces, (piece) => piece.block),
    key: Uint32Array.from(pieces, (piece) => keyOf(recording.blocks[piece.block], question)),
  };
}

export function keyOf(block: DemoBlock | undefined, question: { readonly color: ColorBy }): number {
  if (block === undefined) return NO_KEY;
  switch (question.color) {
    case 'address':
      return Math.imul(Math.floor(block.address / 512), 0x9e3779b1) >>> 0;
    case 'stack':
      return block.alloc < 0 && block.stack === 3 ? NO_KEY : block.stack;
    case 'size':
      return Math.floor(Math.log2(block.size));
    case 'stream':
      return block.stream;
    case 'pool':
      return block.stream === 0 ? 0 : NO_KEY;
  }
}
