import { sameSpan, type Span } from '../../base/span';

const LASTS_MS = 150;

/** A stretch that glides to where it should be, so that the eye can follow. */
export class Ease {
  #from: Span;
  #target: Span;
  #shown: Span;
  #began = 0;

  constructor(span: Span) {
    this.#from = span;
    this.#target = span;
    this.#shown = span;
  }

  /** Where it is going. */
  get target(): Span {
    return this.#target;
  }

  /** What to show at `now` on the way to `target`. */
  towards(target: Span, now: number, atOnce: boolean): Span {
    if (!sameSpan(target, this.#target)) {
      this.#from = this.#shown;
      this.#target = target;
      this.#began = now;
    }
    const isStill = atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const share = isStill ? 1 : Math.min(1, (now - this.#began) / LASTS_MS);
    const eased = 1 - (1 - share) ** 3;
    this.#shown =
      share >= 1
        ? target
        : {
            from: this.#from.from + (target.from - this.#from.from) * eased,
            to: this.#from.to + (target.to - this.#from.to) * eased,
          };
    return this.#shown;
  }
}
