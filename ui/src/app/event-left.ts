import type { Left } from '../base/left';
import type { EventHits } from './event-hits';
import { readSearch } from './event-search';

/** Searches for what was searched for when the list was left; whether the hits alone were shown. */
export function searchAsLeft(hits: EventHits, left: Left): boolean {
  const sought = readSearch(left.get('search'));
  if (sought !== undefined) hits.put(sought.search);
  return sought?.isOnly ?? false;
}

/** Keeps what is searched for, until the answer is called. */
export const keepSearch = (
  hits: EventHits,
  left: Left,
  { isOnly }: { readonly isOnly: boolean },
): (() => void) =>
  hits.search.subscribe((search) => {
    left.put('search', { ...search, isOnly });
  });
