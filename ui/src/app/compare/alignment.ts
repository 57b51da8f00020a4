import type { Span } from '../../base/span';
import type { AlignedStep, StepSide } from '../../wire/compare';
import type { Axis } from '../../wire/known';

/** By what places of two recordings belong together. */
export type LinkMode = 'event' | 'time' | 'step' | 'free';

/** A place of the first axis and the one of the second that belongs to it. */
export interface Knot {
  readonly a: number;
  readonly b: number;
}

/** The way from one side to the other. */
export type Way = 'ab' | 'ba';

/**
 * Which places of two axes belong together: straight between knots, and at the same pace before the
 * first and after the last. Strictly rising, so that there and back is where one was.
 */
export class Alignment {
  readonly knots: readonly Knot[];

  /** Of `knots` those that do not rise in both are left out; without any, places are the same. */
  constructor(knots: readonly Knot[]) {
    const rising: Knot[] = [];
    for (const knot of knots) {
      const last = rising.at(-1);
      if (last === undefined || (knot.a > last.a && knot.b > last.b)) rising.push(knot);
    }
    this.knots = rising.length === 0 ? [{ a: 0, b: 0 }] : rising;
  }

  /** The place that belongs to `place`. */
  to(way: Way, place: number): number {
    const [from, to] = way === 'ab' ? (['a', 'b'] as const) : (['b', 'a'] as const);
    const after = this.#after(from, place);
    const [before, next] = [this.knots[after - 1], this.knots[after]];
    if (before === undefined) return next === undefined ? place : next[to] + (place - next[from]);
    if (next === undefined) return before[to] + (place - before[from]);
    const share = (place - before[from]) / (next[from] - before[from]);
    return before[to] + share * (next[to] - before[to]);
  }

  /** The stretch that belongs to `span`. */
  span(way: Way, span: Span): Span {
    return { from: this.to(way, span.from), to: this.to(way, span.to) };
  }

  /** The first knot beyond `place`. */
  #after(side: 'a' | 'b', place: number): number {
    let low = 0;
    let high = this.knots.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((this.knots[half]?.[side] ?? Infinity) <= place) low = half + 1;
      else high = half;
    }
    return low;
  }
}

/** Places that are the same. */
export const SAME = new Alignment([]);

/** Each step's beginning and the last one's end belong together; the rest goes along. */
export function byStep(steps: readonly AlignedStep[], axis: Axis): Alignment {
  const begin = (side: StepSide): number => (axis === 'event' ? side.from_event : side.from_us);
  const end = (side: StepSide): number => (axis === 'event' ? side.to_event : side.to_us);
  const knots = steps.flatMap(({ a, b }) => [
    { a: begin(a), b: begin(b) },
    { a: end(a), b: end(b) },
  ]);
  return new Alignment(knots);
}

/** How the places of two axes belong together; free ones do not. */
export function alignmentOf(
  mode: LinkMode,
  axis: Axis,
  steps: readonly AlignedStep[],
): Alignment | undefined {
  switch (mode) {
    case 'event':
    case 'time':
      return SAME;
    case 'step':
      return byStep(steps, axis);
    case 'free':
      return undefined;
  }
}

/** The smallest stretch around both. */
export const around = (one: Span, other: Span): Span => ({
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
});
