import { t } from '../../text/t';
import type { Engine } from '../../wire/engine';
import type { PoolQuestion } from '../../wire/known';
import { UNKNOWN_POOL } from '../../wire/pool';
import { hex, type Shape } from './shape';

interface Named {
  readonly pool: string | undefined;
  readonly stream: string;
}

/** Names of pools and streams: the pool's columns number them, a segment's details name them. */
export class Names {
  readonly #engine: Engine;
  readonly #changed: () => void;
  readonly #known = new Map<string, Named | undefined>();
  #isStopped = false;
  /** Counts what became known. */
  version = 0;
  #device = 0;

  constructor(engine: Engine, changed: () => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Asks for the names of the groups that have none yet. */
  want(question: PoolQuestion, shape: Shape): void {
    this.#device = question.device;
    for (const group of shape.groups) {
      const key = this.#key(group.pool, group.stream);
      if (this.#known.has(key)) continue;
      this.#known.set(key, undefined);
      const address = hex(shape.pool.segments.addr[group.segment] ?? 0n);
      void this.#read(key, question, shape.pool.state - 1, address);
    }
  }

  heading(shape: Shape, index: number): string {
    const group = shape.groups[index];
    if (group === undefined) return '';
    const known = this.#known.get(this.#key(group.pool, group.stream));
    if (known === undefined) return '';
    const { pool, stream } = known;
    return t('pool.group', { pool: pool ?? t('details.unknown'), stream });
  }

  stop(): void {
    this.#isStopped = true;
  }

  readonly #key = (pool: number, stream: number): string =>
    `${this.#device.toString()}/${pool === UNKNOWN_POOL ? '' : pool.toString()}/${stream.toString()}`;

  async #read(key: string, question: PoolQuestion, after: number, address: string): Promise<void> {
    try {
      const { session, device } = question;
      const { pool, stream } = await this.#engine.segment(session, device, after, address);
      this.#known.set(key, { pool, stream });
    } catch {
      // A heading without a name is better than none of the picture.
      this.#known.delete(key);
    }
    if (this.#isStopped) return;
    this.version += 1;
    this.#changed();
  }
}
