import type { Busy } from '../base/busy';

/**
 * What the start page does without: fetched when it is first shown, or before that, when the page
 * has nothing else to do. Each is told by what fetches it, once.
 */
export function partsLater(busy: Busy) {
  const once = <T>(fetch: () => Promise<{ readonly default: T }>): (() => Promise<T>) => {
    let asked: Promise<T> | undefined;
    return () => (asked ??= during(fetch(), busy));
  };
  return {
    workbench: once(() => import('./Workbench.svelte')),
    palette: once(() => import('./Palette.svelte')),
    help: once(() => import('../parts/HelpCard.svelte')),
    guide: once(() => import('../parts/Guide.svelte')),
    compare: once(() => import('./compare/Compare.svelte')),
    about: once(() => import('../parts/AboutBox.svelte')),
  };
}

export type PartsLater = ReturnType<typeof partsLater>;

/** Fetches all of it, one after the other. */
export async function fetchAll(parts: PartsLater): Promise<void> {
  for (const fetch of Object.values(parts)) await fetch();
}

async function during<T>(fetched: Promise<{ readonly default: T }>, busy: Busy): Promise<T> {
  const end = busy.begin();
  try {
    return (await fetched).default;
  } finally {
    end();
  }
}
