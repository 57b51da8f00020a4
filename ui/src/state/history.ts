import { isSameSelection, type Place, type Shared } from './shared';

/** How many places are kept. */
const MOST = 200;

const placeOf = ({ selection, cursor }: Shared): Place => ({ selection, cursor });

/** The state with where it is now as a place to come back to. Nothing selected is no place. */
export function remembered(shared: Shared): Shared {
  const { past, selection } = shared;
  const last = past.at(-1);
  const isKnown = last !== undefined && isSameSelection(last.selection, selection);
  if (selection.kind === 'none' || isKnown) return { ...shared, future: [] };
  return { ...shared, past: [...past, placeOf(shared)].slice(-MOST), future: [] };
}

/** What was selected before. */
export function back(shared: Shared): Shared {
  const place = shared.past.at(-1);
  if (place === undefined) return shared;
  return {
    ...arrived(shared, place),
    past: shared.past.slice(0, -1),
    future: left(shared, shared.future),
  };
}

/** What was selected before `back`. */
export function forward(shared: Shared): Shared {
  const place = shared.future.at(-1);
  if (place === undefined) return shared;
  return {
    ...arrived(shared, place),
    past: left(shared, shared.past),
    future: shared.future.slice(0, -1),
  };
}

const left = (shared: Shared, list: readonly Place[]): readonly Place[] =>
  shared.selection.kind === 'none' ? list : [...list, placeOf(shared)];

/** The view follows once what is there is known. */
const arrived = (shared: Shared, { selection, cursor }: Place): Shared => ({
  ...shared,
  selection,
  cursor,
  wanted: 'reveal',
});
