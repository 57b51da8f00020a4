/** Counts what is under way, so that a test can wait until the page has come to rest. */
export class Busy {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** Notes that something began; the answer notes that it ended (once, however often it is called). */
  begin(): () => void {
    this.#count += 1;
    let running = true;
    return () => {
      if (!running) return;
      running = false;
      this.#count -= 1;
      if (this.#count === 0) this.#settle();
    };
  }

  /** Resolves once nothing is under way and nothing began in the task after. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#settle();
    });
  }

  #settle(): void {
    setTimeout(() => {
      if (this.#count > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) resolve();
    }, 0);
  }
}
