import type { Busy } from './busy';

/** The one frame loop: whoever wants to draw is called once in the next frame, however often it asks. */
export class Frames {
  readonly #busy: Busy;
  readonly #waiting = new Set<(now: number) => void>();
  #end: (() => void) | undefined;

  constructor(busy: Busy) {
    this.#busy = busy;
  }

  /** Calls `draw` in the next frame. */
  request(draw: (now: number) => void): void {
    this.#waiting.add(draw);
    if (this.#end !== undefined) return;
    this.#end = this.#busy.begin();
    requestAnimationFrame((now) => this.#run(now));
  }

  /** Takes back a request. */
  cancel(draw: (now: number) => void): void {
    this.#waiting.delete(draw);
  }

  #run(now: number): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    const end = this.#end;
    this.#end = undefined;
    try {
      for (const draw of due) draw(now);
    } finally {
      end?.();
    }
  }
}
