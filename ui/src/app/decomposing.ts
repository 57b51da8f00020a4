import { Latest } from '../base/latest';
import { loaded, type Load } from '../base/load';
import { Store } from '../base/store';
import { decomposeQuestion, extent, type Shared } from '../state/shared';
import type { DecomposeQuestion, Decomposition } from '../wire/decompose';
import type { Engine } from '../wire/engine';
import { wireError } from '../wire/error';
import type { WireError } from '../wire/known';

/** Who holds memory, with what was asked. */
export interface Decomposed {
  readonly question: DecomposeQuestion;
  readonly found: Decomposition;
}

/** Asks who holds memory, wherever the cursor goes. */
export class Decomposing {
  /** The old answer stays while the new one is on its way. */
  readonly answer = new Store<Load<Decomposed, WireError>>({ phase: 'empty' });
  readonly #latest: Latest<DecomposeQuestion, Decomposition>;
  #asked = '';

  constructor(engine: Engine) {
    this.#latest = new Latest(
      (question) => engine.decompose(question),
      (found, question) => {
        this.answer.set({ phase: 'ready', value: { question, found } });
      },
      (error) => {
        this.answer.set({ phase: 'failed', error: wireError(error) });
      },
    );
  }

  readonly look = (shared: Shared): void => {
    if (extent(shared).track === undefined) return;
    const question = decomposeQuestion(shared);
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.answer.set({ phase: 'loading', stale: loaded(this.answer.get()) });
    this.#latest.put(question);
  };

  stop(): void {
    this.#latest.drop();
  }
}
