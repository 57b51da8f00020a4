import { Store } from '../base/store';
import type { Engine } from '../wire/engine';

/** What the list shows of an event. */
export interface EventRow {
  readonly event: number;
  readonly action: string;
  readonly address: string | undefined;
  readonly size: number;
}

/** Questions under way at most, and rows kept. */
const MOST_ASKED = 16;
const MOST_KEPT = 4000;

/** Events by number, as far as they were read: the one place that knows how they are read. */
export class EventRows {
  /** Counts up whenever rows arrive. */
  readonly version = new Store(0);
  readonly #read: (event: number) => Promise<EventRow>;
  readonly #failed: (error: unknown) => void;
  readonly #rows = new Map<number, EventRow>();
  readonly #asked = new Set<number>();
  #wanted: readonly number[] = [];
  #isStopped = false;

  constructor(engine: Engine, session: number, device: number, failed: (error: unknown) => void) {
    this.#failed = failed;
    this.#read = async (event) => {
      const { action, address, size } = await engine.event(session, device, event);
      return { event, action, address, size };
    };
  }

  get(event: number): EventRow | undefined {
    return this.#rows.get(event);
  }

  /** Reads the events `from` to `to`, without the last; what was wanted before no longer is. */
  want(from: number, to: number): void {
    const all = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
    this.#wanted = all.filter((event) => !this.#rows.has(event) && !this.#asked.has(event));
    this.#next();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wanted = [];
  }

  #next(): void {
    while (this.#asked.size < MOST_ASKED) {
      const [event, ...others] = this.#wanted;
      if (event === undefined) return;
      this.#wanted = others;
      this.#asked.add(event);
      void this.#ask(event);
    }
  }

  async #ask(event: number): Promise<void> {
    try {
      const row = await this.#read(event);
      if (this.#rows.size > MOST_KEPT) this.#rows.clear();
      this.#rows.set(event, row);
    } catch (error) {
      this.#wanted = [];
      if (!this.#isStopped) this.#failed(error);
    }
    this.#asked.delete(event);
    if (this.#isStopped) return;
    this.version.set(this.version.get() + 1);
    this.#next();
  }
}
