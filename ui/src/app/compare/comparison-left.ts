import { fieldOf, listOf, oneOf, textOf } from '../../base/json';
import type { Left } from '../../base/left';
import type { Span } from '../../base/span';
import { readSpan } from '../../state/located';
import { readHeight } from '../../state/saved';
import { extent, type Height, type Shared } from '../../state/shared';
import type { DiffBy } from '../../wire/compare';
import type { LinkMode } from './alignment';
import type { Comparison, MomentChoice } from './comparison';
import type { Side } from './linking';

const SIDES: readonly Side[] = [0, 1];

/** Which side stands for something, if it was kept under `name`. */
export const sideLeft = (left: Left, name: string): Side | undefined =>
  oneOf(left.get(name), SIDES);

/** What the project of a side is to go on from. */
export const stateLeft = (left: Left, side: Side): unknown => listOf(left.get('sides'))[side];

export const modeLeft = (left: Left, modes: readonly LinkMode[]): LinkMode | undefined =>
  oneOf(left.get('mode'), modes);

export const byLeft = (left: Left, matches: readonly DiffBy[]): DiffBy | undefined =>
  oneOf(left.get('by'), matches);

/** Which of the two is A, and which B. */
export const orderLeft = (left: Left): readonly [Side, Side] =>
  sideLeft(left, 'first') === 1 ? [1, 0] : [0, 1];

/** The moments that are compared: the peaks at first. */
export function momentsLeft(left: Left): readonly [MomentChoice, MomentChoice] {
  const [a, b] = listOf(left.get('moments'));
  return [readMoment(a), readMoment(b)];
}

function readMoment(value: unknown): MomentChoice {
  const kind = oneOf(fieldOf(value, 'kind'), ['peak', 'end', 'cursor', 'step'] as const) ?? 'peak';
  if (kind !== 'step') return { kind };
  const step = textOf(fieldOf(value, 'step'));
  return step === undefined ? { kind: 'peak' } : { kind, step };
}

/** What the picture of a side showed: more than its recording has, where the other is larger. */
export interface Looked {
  readonly x: Span | undefined;
  readonly height: Height;
}

/** What `side` showed, once both are in `shared`. */
export function lookedLeft(
  left: Left,
  side: Side,
  shared: readonly [Shared, Shared],
): Looked | undefined {
  const kept = fieldOf(stateLeft(left, side), 'shared');
  if (kept === undefined) return undefined;
  const top = Math.max(...shared.map((each) => extent(each).top));
  return {
    x: readSpan(fieldOf(fieldOf(kept, 'x'), shared[side].axis)),
    height: readHeight(fieldOf(kept, 'height'), top),
  };
}

/** Keeps how a comparison is looked at; `isReady` says whether it is as it was left by now. */
export function keepComparison(comparison: Comparison, isReady: () => boolean): () => void {
  const { by, counterpart, left, linking, moments, order, sessions } = comparison;
  const keepSides = (): void => {
    if (!isReady()) return;
    const states = sessions.map(({ project, shared }) => project.stateOf(shared.get()));
    left.put('sides', states);
  };
  const keep = (name: string) => (value: unknown) => {
    left.put(name, value);
  };
  const ends = [
    ...sessions.flatMap(({ project, shared }) => [
      shared.subscribe(keepSides),
      project.left.changes.subscribe(keepSides),
    ]),
    by.subscribe(keep('by')),
    linking.mode.subscribe(keep('mode')),
    linking.leader.subscribe(keep('leader')),
    moments.subscribe(keep('moments')),
    order.subscribe(([first]) => {
      left.put('first', first);
    }),
    counterpart.subscribe((paired) => {
      if (isReady()) left.put('paired', paired?.side);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
