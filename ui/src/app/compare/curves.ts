import { Latest } from '../../base/latest';
import { Store } from '../../base/store';
import type { Span } from '../../base/span';
import { bytesOf } from '../../views/lifecycle/height';
import { placedOf } from '../../views/lifecycle/question';
import type { AlignedStep, ComparedDevice } from '../../wire/compare';
import type { Engine } from '../../wire/engine';
import type { Axis, SceneQuestion } from '../../wire/known';
import { MOST_PX } from '../../wire/limits';
import { columnAt, type Scene } from '../../wire/scene';

/** Over what both sides are drawn. */
export const BASES = ['step', 'event', 'time'] as const satisfies readonly ('step' | Axis)[];
export type Basis = (typeof BASES)[number];

/** Bytes of one side at each place; nothing where the recording does not reach. */
export interface Curve {
  readonly allocated: readonly (number | undefined)[];
  readonly reserved: readonly (number | undefined)[];
}

/** Both sides at the same places. */
export interface Curves {
  readonly basis: Basis;
  /** Events or microseconds; of steps their place in the list. */
  readonly places: readonly number[];
  /** Numbers of steps, or nothing. */
  readonly steps: readonly string[];
  readonly a: Curve;
  readonly b: Curve;
}

/** The places of a curve over events or time. */
const PLACES = 800;

/** The most bytes in each step. */
export const ofSteps = (steps: readonly AlignedStep[]): Curves => ({
  basis: 'step',
  places: steps.map((_, place) => place),
  steps: steps.map(({ step, last }) => (step === last ? step : `${step}–${last}`)),
  a: { allocated: steps.map(({ a }) => a.allocated), reserved: steps.map(({ a }) => a.reserved) },
  b: { allocated: steps.map(({ b }) => b.allocated), reserved: steps.map(({ b }) => b.reserved) },
});

/** Curves of both over a stretch of the axis. */
export interface CurvesQuestion {
  readonly devices: readonly [ComparedDevice, ComparedDevice];
  readonly axis: Axis;
  readonly x: Span;
  /** No less than the most bytes of both. */
  readonly top: number;
}

/** Asks for both sides over the whole of the axis. */
export class CurveFeed {
  readonly curves = new Store<Curves | undefined>(undefined);
  readonly #latest: Latest<CurvesQuestion, readonly Scene[]>;
  #asked = '';

  constructor(engine: Engine, failed: (error: unknown) => void) {
    this.#latest = new Latest<CurvesQuestion, readonly Scene[]>(
      (question) => Promise.all(questionsOf(question).map((scene) => engine.scene(scene))),
      ([a, b], question) => {
        if (a !== undefined && b !== undefined) this.curves.set(curvesOf(question, a, b));
      },
      failed,
    );
  }

  want(question: CurvesQuestion): void {
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#latest.put(question);
  }

  stop(): void {
    this.#latest.drop();
  }
}

const questionsOf = ({ devices, axis, x, top }: CurvesQuestion): readonly SceneQuestion[] =>
  devices.map((device) => ({
    ...device,
    axis,
    x0: x.from,
    x1: x.to,
    y0: 0,
    y1: top,
    width_px: PLACES,
    // As fine as can be: bytes are read off pixels.
    height_px: MOST_PX,
    color: 'address',
    detail: 'lines',
    selected: undefined,
  }));

function curvesOf(question: CurvesQuestion, a: Scene, b: Scene): Curves {
  const { axis, x } = question;
  const unit = (x.to - x.from) / PLACES;
  return {
    basis: axis,
    places: Array.from({ length: PLACES }, (_, at) => x.from + (at + 0.5) * unit),
    steps: [],
    a: curveOf(question, a),
    b: curveOf(question, b),
  };
}

function curveOf(question: CurvesQuestion, scene: Scene): Curve {
  const [asked] = questionsOf(question);
  if (asked === undefined || scene.columns === 0) {
    const nothing = Array.from({ length: PLACES }, () => undefined);
    return { allocated: nothing, reserved: nothing };
  }
  const placed = placedOf(asked, scene);
  const [from, to] = [scene.edge[0] ?? 0, scene.edge[scene.columns] ?? 0];
  const columns = Array.from({ length: PLACES }, (_, at) => {
    const pixel = at + 0.5;
    return pixel < from || pixel > to ? undefined : columnAt(scene, pixel);
  });
  return {
    allocated: columns.map((column) =>
      column === undefined ? undefined : scene.allocated[column],
    ),
    reserved: columns.map((column) =>
      column === undefined ? undefined : bytesOf(placed, scene.lines.reserved, column),
    ),
  };
}

/** The most bytes of both. */
export const topOf = ({ a, b }: Curves): number =>
  [a.allocated, a.reserved, b.allocated, b.reserved]
    .flat()
    .reduce<number>((most, value) => Math.max(most, value ?? 0), 1);

/** B less A at each place. */
export const changesOf = ({ a, b }: Curves): readonly (number | undefined)[] =>
  a.allocated.map((value, at) => {
    const then = b.allocated[at];
    return value === undefined || then === undefined ? undefined : then - value;
  });

/** An SVG path through values; a gap where there is none. */
export function pathOf(
  values: readonly (number | undefined)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  let isOn = false;
  values.forEach((value, at) => {
    if (value === undefined) {
      isOn = false;
      return;
    }
    path += `${isOn ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    isOn = true;
  });
  return path;
}
