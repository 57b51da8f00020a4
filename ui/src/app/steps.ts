import { bounds, cursorAt, extent, periodAt, type Shared } from '../state/shared';
import type { Intent } from '../state/update';
import type { Engine } from '../wire/engine';
import type { AnnotationRange } from '../wire/known';
import { MOST_PX } from '../wire/limits';

type Step = AnnotationRange & { readonly from: number; readonly to: number };

/** Goes from one step of the program to the next. */
export class Steps {
  readonly #engine: Engine;
  readonly #shared: () => Shared;
  readonly #send: (intent: Intent) => void;
  #known: { readonly key: string; readonly steps: Promise<readonly Step[]> } | undefined;

  constructor(engine: Engine, shared: () => Shared, send: (intent: Intent) => void) {
    this.#engine = engine;
    this.#shared = shared;
    this.#send = send;
  }

  /** Selects the step before or after where the person is; nothing when there is none. */
  async go(way: 'before' | 'after'): Promise<void> {
    const asked = this.#shared();
    const steps = await this.#read(asked);
    const shared = this.#shared();
    if (keyOf(shared) !== keyOf(asked)) return;
    const step = neighbour(steps, placeOf(shared), way);
    if (step === undefined) return;
    if (shared.axis === 'time') {
      this.#send({ kind: 'carry', period: { from: step.from, to: step.to } });
      return;
    }
    const last = extent(shared).events - 1;
    const from = Math.max(0, Math.ceil(step.from));
    const to = Math.min(last, Math.ceil(step.to) - 1);
    if (to < from) return;
    const selection = { kind: 'period', from, to, time: undefined } as const;
    this.#send({ kind: 'select', selection, wanted: 'nothing' });
    const isSeen = shared.x.event.from <= from && shared.x.event.to >= to + 1;
    const margin = (to + 1 - from) * 0.1;
    if (!isSeen) this.#send({ kind: 'show', x: { from: from - margin, to: to + 1 + margin } });
  }

  #read(shared: Shared): Promise<readonly Step[]> {
    const key = keyOf(shared);
    if (this.#known?.key === key) return this.#known.steps;
    const { session, device, axis } = shared;
    const { from: x0, to: x1 } = bounds(shared);
    const steps = this.#engine
      // Steps are told apart as if the picture were as wide as can be.
      .annotations({ session, device, axis, x0, x1, width_px: MOST_PX })
      .then(({ ranges }) => ranges.filter(isStep).sort((a, b) => a.from - b.from));
    this.#known = { key, steps };
    return steps;
  }
}

const keyOf = ({ session, device, axis }: Shared): string => [session, device, axis].join();

const isStep = (range: AnnotationRange): range is Step =>
  (range.kind === 'step' || range.name.startsWith('ProfilerStep#')) &&
  range.from !== undefined &&
  range.to !== undefined;

/** Where the person is: the beginning of what is selected, or the cursor. */
const placeOf = (shared: Shared): number | undefined => periodAt(shared)?.from ?? cursorAt(shared);

/** The step whose beginning is next to `at`; without it the first one, or the last. */
export function neighbour<One extends { readonly from: number }>(
  steps: readonly One[],
  at: number | undefined,
  way: 'before' | 'after',
): One | undefined {
  const slack = 1e-6;
  return way === 'after'
    ? steps.find(({ from }) => from > (at ?? -Infinity) + slack)
    : steps.findLast(({ from }) => from < (at ?? Infinity) - slack);
}
