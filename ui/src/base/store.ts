/** A value that tells who listens when it changes. Fits Svelte's store contract, so `$store` reads it. */
export interface Readable<T> {
  /** The value now. */
  get(): T;
  /** Calls `listener` now and at every change; the answer ends that. */
  subscribe(listener: (value: T) => void): () => void;
}

/** A `Readable` that its owner sets. */
export class Store<T> implements Readable<T> {
  readonly #listeners = new Set<(value: T) => void>();
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#value);
    return () => this.#listeners.delete(listener);
  }
}
