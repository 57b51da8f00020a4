import type { Busy } from './busy';

/** The one frame loop: whoever wants to draw is called once in the next frame, however often it asks. */
export class Frames {
  readonly #busy: Busy;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Set<(now: number) => void>();
  #end: (() => void) | undefined;
  #isPaused = false;

  /** `failed` hears of a picture that could not be drawn; the others are drawn all the same. */
  constructor(busy: Busy, failed: (error: unknown) => void) {
    this.#busy = busy;
    this.#failed = failed;
  }

  /** Calls `draw` in the next frame. */
  request(draw: (now: number) => void): void {
    this.#waiting.add(draw);
    this.#begin();
  }

  /** Draws nothing from now on; what is asked for meanwhile is drawn after `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Draws again, at once what was asked for meanwhile. */
  resume(): void {
    this.#isPaused = false;
    if (this.#waiting.size > 0) this.#begin();
  }

  /** Takes back a request. */
  cancel(draw: (now: number) => void): void {
    this.#waiting.delete(draw);
  }

  #begin(): void {
    if (this.#isPaused || this.#end !== undefined) return;
    this.#end = this.#busy.begin();
    requestAnimationFrame((now) => this.#run(now));
  }

  #run(now: number): void {
    const end = this.#end;
    this.#end = undefined;
    const due = this.#isPaused ? [] : [...this.#waiting];
    for (const draw of due) this.#waiting.delete(draw);
    for (const draw of due) this.#attempt(draw, now);
    end?.();
  }

  #attempt(draw: (now: number) => void, now: number): void {
    try {
      draw(now);
    } catch (error) {
      this.#failed(error);
    }
  }
}
