import type * as wire from './bindings';
import type { Known } from './known';

export type CacheState = Known<wire.CacheState>;

/** The indexes on disk, from which a recording opens again without being read. */
export interface CacheEngine {
  /** Nothing where there are none, whatever is set. */
  state(): Promise<CacheState | undefined>;
  /** Sets how many GiB they may take together; 0: none is kept. */
  limit(gib: number): Promise<CacheState | undefined>;
  clear(): Promise<CacheState | undefined>;
}
