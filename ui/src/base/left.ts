import { Store, type Readable } from './store';

/** How the views of one recording were left, by name: plain values that JSON can hold. */
export class Left {
  readonly #values: Map<string, unknown>;
  readonly #changes = new Store(0);

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    this.#values = new Map(Object.entries(values));
  }

  /** Goes up with every change. */
  get changes(): Readable<number> {
    return this.#changes;
  }

  /** What a view kept; whoever asks checks what it is. */
  get(name: string): unknown {
    return this.#values.get(name);
  }

  put(name: string, value: unknown): void {
    if (JSON.stringify(this.#values.get(name)) === JSON.stringify(value)) return;
    this.#values.set(name, value);
    this.#changes.set(this.#changes.get() + 1);
  }

  all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#values);
  }
}
