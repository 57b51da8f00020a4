import { apply, clamp, mapping, type Span } from '../../base/span';
import type { AccessView, DumpedBlock } from '../../wire/known';
import { lifeOf } from './dump-facts';

/** Which way an access is drawn: a write above the life, a read below, what is neither across. */
export type Way = 'write' | 'read' | 'other';

/** Accesses of one kind that share a pixel. */
export interface Tick {
  readonly x: number;
  readonly way: Way;
}

/** Where things of a block's life lie in a strip, pixels. */
export interface Strip {
  readonly life: Span;
  readonly ticks: readonly Tick[];
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** The longest time without an access between two; nothing where it is not known where it lies. */
  readonly gap: Span | undefined;
  /** Whether the block is still there at the right end. */
  readonly isOpen: boolean;
}

/** Times that differ by less are one: microseconds are rounded where they hold nanoseconds. */
const INSTANT = 0.0015;

/** Room at both ends, so that what lies there is seen whole. */
const MARGIN = 4;

export function wayOf(kind: string): Way {
  if (kind === 'WRITE') return 'write';
  return kind === 'READ' ? 'read' : 'other';
}

/** Microseconds to pixels of a strip that is `width` wide. */
export function timeToX(
  block: DumpedBlock,
  lengthUs: number,
  width: number,
): (us: number) => number {
  const life = lifeOf(block, lengthUs);
  const span = life.to > life.from ? life : { from: life.from, to: life.from + 1 };
  const toX = mapping(span, { from: MARGIN, to: Math.max(width - MARGIN, MARGIN + 1) });
  return (us) => clamp(apply(toX, us), MARGIN, Math.max(width - MARGIN, MARGIN + 1));
}

/** Draws the accesses of a block over its life. */
export function stripOf(block: DumpedBlock, lengthUs: number, width: number): Strip {
  const toX = timeToX(block, lengthUs, width);
  const life = lifeOf(block, lengthUs);
  const seen = new Set<string>();
  const ticks: Tick[] = [];
  for (const { time_us, kind } of block.drawn) {
    const tick = { x: Math.round(toX(time_us)), way: wayOf(kind) };
    const key = `${tick.way} ${tick.x.toString()}`;
    if (!seen.has(key)) ticks.push(tick);
    seen.add(key);
  }
  const { first_access_us: first, last_access_us: last } = block;
  const gap = gapOf(block);
  return {
    life: { from: toX(life.from), to: toX(life.to) },
    ticks,
    first: first === undefined ? undefined : toX(first),
    last: last === undefined ? undefined : toX(last),
    gap: gap && { from: toX(gap.from), to: toX(gap.to) },
    isOpen: block.free_us === undefined || block.was_after,
  };
}

/** Between which two accesses the longest gap lies; of accesses that are not all there, maybe none. */
function gapOf({ drawn, longest_gap_us: gap }: DumpedBlock): Span | undefined {
  if (gap <= 0) return undefined;
  for (const [at, { time_us: to }] of drawn.entries()) {
    const from = drawn[at - 1]?.time_us;
    if (from !== undefined && Math.abs(to - from - gap) < INSTANT) return { from, to };
  }
  return undefined;
}

/** What is nearest to a pixel: one access, and how many more cannot be told from it there. */
export interface Near {
  /** Its place among those drawn. */
  readonly at: number;
  readonly access: AccessView;
  readonly more: number;
}

export function nearest(
  block: DumpedBlock,
  lengthUs: number,
  width: number,
  x: number,
): Near | undefined {
  const toX = timeToX(block, lengthUs, width);
  let best: { readonly at: number; readonly away: number } | undefined;
  for (const [at, access] of block.drawn.entries()) {
    const away = Math.abs(toX(access.time_us) - x);
    if (best === undefined || away < best.away) best = { at, away };
  }
  return best && near(block, lengthUs, width, best.at);
}

/** The access at a place among those drawn. */
export function near(
  block: DumpedBlock,
  lengthUs: number,
  width: number,
  at: number,
): Near | undefined {
  const access = block.drawn[at];
  if (access === undefined) return undefined;
  const toX = timeToX(block, lengthUs, width);
  const pixel = Math.round(toX(access.time_us));
  const alike = block.drawn.filter(({ time_us }) => Math.round(toX(time_us)) === pixel).length;
  return { at, access, more: alike - 1 };
}
