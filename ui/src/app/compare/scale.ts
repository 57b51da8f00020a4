import type { Span } from '../../base/span';
import { Store } from '../../base/store';
import type { FitReserved } from '../../state/shared';
import { autoHeight, type Most } from '../../views/lifecycle/height';
import type { CommonHeight } from '../../views/lifecycle/view';

/** One height for several pictures: what the highest of them needs. */
export class ByteScale {
  readonly #changed = new Store(0);
  readonly #most = new Map<number, Most>();
  #isShared: boolean;
  #height: Span = { from: 0, to: 1 };

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  get isShared(): boolean {
    return this.#isShared;
  }

  /** Whether the pictures have one height from now on. */
  share(isShared: boolean): void {
    if (isShared === this.#isShared) return;
    this.#isShared = isShared;
    this.#tell();
  }

  /** The height for one of the pictures, which may be shown and hidden again. */
  of(picture: number): CommonHeight {
    return {
      changed: this.#changed,
      want: (most, fit) => this.#want(picture, most, fit),
    };
  }

  #want(picture: number, most: Most, fit: FitReserved): Span | undefined {
    this.#most.set(picture, most);
    if (!this.#isShared) return undefined;
    const all = [...this.#most.values()];
    const highest = {
      allocated: Math.max(...all.map(({ allocated }) => allocated)),
      reserved: Math.max(...all.map(({ reserved }) => reserved)),
    };
    const next = autoHeight(highest, fit, this.#height);
    if (next !== this.#height) {
      this.#height = next;
      this.#tell();
    }
    return next;
  }

  #tell(): void {
    this.#changed.set(this.#changed.get() + 1);
  }
}
