import { describe, expect, it } from 'vitest';
import type { AlignedStep } from '../../wire/compare';
import { Alignment, around, byStep, SAME } from './alignment';

const side = (from: number, to: number): AlignedStep['a'] => ({
  from_event: from,
  to_event: to,
  from_us: from * 10,
  to_us: to * 10,
  allocated: 0,
  reserved: 0,
});

const step = (
  name: string,
  a: readonly [number, number],
  b: readonly [number, number],
): AlignedStep => ({
  step: name,
  last: name,
  a: side(...a),
  b: side(...b),
});

/** Numbers that look random and are the same every time. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 16807) % 2147483647;
    yield state / 2147483647;
  }
}

describe('alignment', () => {
  it('leaves places alone where nothing says otherwise', () => {
    expect(SAME.to('ab', 12.5)).toBe(12.5);
    expect(SAME.span('ba', { from: -1, to: 4 })).toEqual({ from: -1, to: 4 });
  });

  it('takes the beginning and the end of a step to those of its like', () => {
    const steps = [step('1', [10, 20], [5, 25]), step('2', [20, 30], [30, 40])];
    const events = byStep(steps, 'event');
    expect(events.to('ab', 10)).toBe(5);
    expect(events.to('ab', 15)).toBe(15);
    expect(events.to('ab', 30)).toBe(40);
    // Outside of the steps both go on at the same pace.
    expect(events.to('ab', 7)).toBe(2);
    expect(events.to('ba', 50)).toBe(40);
    expect(byStep(steps, 'time').to('ab', 150)).toBe(150);
  });

  it('leaves out steps that are empty, or in another order, on one side', () => {
    const steps = [
      step('1', [0, 10], [0, 20]),
      step('2', [10, 10], [20, 30]),
      step('3', [20, 30], [15, 18]),
      step('4', [30, 40], [50, 60]),
    ];
    const { knots } = byStep(steps, 'event');
    for (const [at, { a, b }] of knots.entries()) {
      const before = knots[at - 1];
      if (before !== undefined) expect(a > before.a && b > before.b).toBe(true);
    }
    expect(byStep(steps, 'event').to('ab', 40)).toBe(60);
  });

  it('leads back from wherever it leads to, and keeps the order', () => {
    const random = numbers(7);
    const next = (): number => random.next().value;
    for (let run = 0; run < 40; run += 1) {
      let [a, b] = [next() * 100, next() * 100];
      const knots = Array.from({ length: Math.floor(next() * 12) }, () => {
        // Some steps back, which is no step.
        a += next() * 50 - 5;
        b += next() * 50 - 5;
        return { a, b };
      });
      const alignment = new Alignment(knots);
      let before = -Infinity;
      const places = Array.from({ length: 30 }, () => next() * 800 - 100);
      for (const place of places.sort((one, other) => one - other)) {
        const there = alignment.to('ab', place);
        expect(there).toBeGreaterThanOrEqual(before);
        before = there;
        expect(alignment.to('ba', there)).toBeCloseTo(place, 6);
        expect(alignment.to('ab', alignment.to('ba', place))).toBeCloseTo(place, 6);
      }
    }
  });

  it('reaches around both', () => {
    expect(around({ from: -1, to: 5 }, { from: 0, to: 9 })).toEqual({ from: -1, to: 9 });
  });
});
