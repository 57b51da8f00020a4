import { rememberedNumber, rememberNumber } from '../base/remember';

/** Whether a pane shows more than its head; kept for the next time. */
export class PaneFold {
  #isOpen = $state(true);
  readonly #key: string;

  constructor(name: string) {
    this.#key = `${name}-open`;
    this.#isOpen = rememberedNumber(this.#key, 1) === 1;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  readonly set = (isOpen: boolean): void => {
    this.#isOpen = isOpen;
    rememberNumber(this.#key, isOpen ? 1 : 0);
  };

  readonly toggle = (): void => {
    this.set(!this.#isOpen);
  };
}
