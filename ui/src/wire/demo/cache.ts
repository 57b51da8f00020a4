import type { CacheEngine, CacheState } from '../cache';

/** Indexes that nobody wrote. */
export function demoCache(): CacheEngine {
  let state: CacheState = { indexes: 3, bytes: 412 * 1024 ** 2, limit_gib: 4 };
  const change = (next: Partial<CacheState>): Promise<CacheState> => {
    state = { ...state, ...next };
    return Promise.resolve(state);
  };
  return {
    state: () => Promise.resolve(state),
    limit: (limit_gib) =>
      change(limit_gib === 0 ? { limit_gib, indexes: 0, bytes: 0 } : { limit_gib }),
    clear: () => change({ indexes: 0, bytes: 0 }),
  };
}
