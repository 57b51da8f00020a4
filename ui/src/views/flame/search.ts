import { Latest } from '../../base/latest';
import { Store } from '../../base/store';
import type {
  Fit,
  FlameEngine,
  FlameSearchAnswer,
  FlameSearchQuestion,
  SliceHit,
  SliceSearch,
  SliceStep,
} from '../../wire/flame';

/** What is looked for, and what was found. */
export interface Sought {
  /** Terms that are kept; what is being typed is one more. */
  readonly kept: readonly string[];
  readonly typed: string;
  readonly fit: Fit;
  /** The same object while the same is looked for. */
  readonly search: SliceSearch | undefined;
  readonly answer: FlameSearchAnswer | undefined;
}

export const NOTHING_SOUGHT: Sought = {
  kept: [],
  typed: '',
  fit: 'within',
  search: undefined,
  answer: undefined,
};

/** How many calls a kept term found, once that is known. */
export const foundBy = ({ search, answer }: Sought, term: string): number | undefined =>
  answer?.by_term[search?.terms.indexOf(term) ?? -1];

interface Where {
  readonly session: number;
  readonly thread: number;
}

/** The search of the flame graph: terms come and go, hits are walked. */
export class Search {
  readonly sought = new Store<Sought>(NOTHING_SOUGHT);
  readonly #asked: Latest<
    { readonly question: FlameSearchQuestion; readonly isWalk: boolean },
    FlameSearchAnswer
  >;
  readonly #now: () => number;
  #where: Where | undefined;
  #at: SliceHit | undefined;

  /** `now` is where the first hit is wanted; `went` hears of hits that were walked to. */
  constructor(
    engine: FlameEngine,
    now: () => number,
    went: (hit: SliceHit) => void,
    failed: (error: unknown) => void,
  ) {
    this.#now = now;
    this.#asked = new Latest(
      ({ question }) => engine.search(question),
      (answer, { question, isWalk }) => {
        if (question.search !== this.sought.get().search) return;
        this.#at = answer.hit;
        this.sought.set({ ...this.sought.get(), answer });
        if (isWalk && answer.hit !== undefined) went(answer.hit);
      },
      failed,
    );
  }

  /** Looks in that thread from now on. */
  within(session: number, thread: number): void {
    if (this.#where?.session === session && this.#where.thread === thread) return;
    this.#where = { session, thread };
    this.#begin(this.sought.get(), false);
  }

  type(typed: string): void {
    this.#begin({ ...this.sought.get(), typed }, false);
  }

  fit(fit: Fit): void {
    this.#begin({ ...this.sought.get(), fit }, false);
  }

  drop(term: string): void {
    const { sought } = this;
    const kept = sought.get().kept.filter((other) => other !== term);
    this.#begin({ ...sought.get(), kept }, false);
  }

  /** Keeps what is typed and goes to the first hit; with nothing typed, to the next one. */
  enter(way: 'after' | 'before'): void {
    const { kept, typed, ...rest } = this.sought.get();
    const term = typed.trim();
    if (term === '') {
      this.walk(way);
      return;
    }
    const all = kept.includes(term) ? kept : [...kept, term];
    this.#begin({ ...rest, kept: all, typed: '' }, true);
  }

  /** Goes to another hit. */
  walk(way: 'after' | 'before'): void {
    const at = this.#at;
    if (at === undefined) return;
    this.#ask({ kind: way, slice: at.slice }, true);
  }

  stop(): void {
    this.#asked.drop();
  }

  #begin(next: Sought, isWalk: boolean): void {
    const typed = next.typed.trim();
    const terms = [...next.kept, ...(typed === '' || next.kept.includes(typed) ? [] : [typed])];
    const search = terms.length === 0 ? undefined : { terms, fit: next.fit };
    this.#at = undefined;
    this.sought.set({ ...next, search, answer: undefined });
    if (search === undefined) this.#asked.drop();
    else this.#ask({ kind: 'from', at_us: this.#now() }, isWalk);
  }

  #ask(step: SliceStep, isWalk: boolean): void {
    const { search } = this.sought.get();
    if (search === undefined || this.#where === undefined) return;
    this.#asked.put({ question: { ...this.#where, search, step }, isWalk });
  }
}
