import type { Load } from '../base/load';
import { loaded } from '../base/load';
import { Store, type Readable } from '../base/store';
import type { Shared } from '../state/shared';
import type { Engine } from '../wire/engine';
import { wireError } from '../wire/error';
import type { FindAnswer } from '../wire/find';
import type { WireError } from '../wire/known';

/** What was found on one device. */
export interface FoundOn {
  readonly device: number;
  readonly found: FindAnswer;
}

/** What was found, and for what. */
export interface Looked {
  readonly text: string;
  /** By device: the one that is shown comes first. */
  readonly found: readonly FoundOn[];
}

/**
 * Looks for what is typed. A new text does not wait for the answer to the one before: the program
 * stops looking for that by itself.
 */
export class Looking {
  readonly #answer = new Store<Load<Looked, WireError>>({ phase: 'empty' });
  readonly #engine: Pick<Engine, 'find'>;
  #generation = 0;

  constructor(engine: Pick<Engine, 'find'>) {
    this.#engine = engine;
  }

  get answer(): Readable<Load<Looked, WireError>> {
    return this.#answer;
  }

  /**
   * Looks for `text` on the device shown, then on the others, one after the other; what was found
   * before stays until the first answer is there.
   */
  async look({ session, device, extents }: Shared, text: string): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    if (text.trim() === '') {
      this.#answer.set({ phase: 'empty' });
      return;
    }
    this.#answer.set({ phase: 'loading', stale: loaded(this.#answer.get()) });
    const others = extents.map((_, row) => row).filter((row) => row !== device);
    let found: readonly FoundOn[] = [];
    try {
      for (const row of [device, ...others]) {
        const answer = await this.#engine.find({ session, device: row, text });
        if (generation !== this.#generation) return;
        found = [...found, { device: row, found: answer }];
        this.#answer.set({ phase: 'loading', stale: { text, found } });
      }
      this.#answer.set({ phase: 'ready', value: { text, found } });
    } catch (thrown) {
      if (generation === this.#generation) {
        this.#answer.set({ phase: 'failed', error: wireError(thrown) });
      }
    }
  }

  /** Forgets what was looked for. */
  stop(): void {
    this.#generation += 1;
    this.#answer.set({ phase: 'empty' });
  }
}
