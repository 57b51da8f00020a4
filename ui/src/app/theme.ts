import { Store, type Readable } from '../base/store';
import type { Tone } from '../draw/palette';
import { readTheme, type Theme } from '../draw/theme';
import { onLanguage } from '../text/language.svelte';

/** What the person wants: as the system, or always one. */
export type Choice = 'auto' | Tone;

const KEY = 'tidemark.theme';
export const THEMES: readonly Choice[] = ['auto', 'light', 'dark'];
const NEXT: Readonly<Record<Choice, Choice>> = { auto: 'light', light: 'dark', dark: 'auto' };

/** Light or dark: follows the system until the person chooses, and remembers that. */
export class ThemeSwitch {
  readonly choice: Store<Choice>;
  readonly #theme: Store<Theme>;
  readonly #root: HTMLElement;
  readonly #system = matchMedia('(prefers-color-scheme: dark)');

  constructor(root: HTMLElement) {
    this.#root = root;
    this.choice = new Store(remembered());
    this.#theme = new Store(this.#applied());
    this.#system.addEventListener('change', () => {
      this.#theme.set(this.#applied());
    });
    // What is drawn has texts in it: whoever draws in a theme draws again.
    onLanguage(() => {
      this.#theme.set(this.#applied());
    });
  }

  get theme(): Readable<Theme> {
    return this.#theme;
  }

  /** Auto, then light, then dark. */
  next(): void {
    this.choose(NEXT[this.choice.get()]);
  }

  /** This one from now on. */
  choose(choice: Choice): void {
    this.choice.set(choice);
    localStorage.setItem(KEY, choice);
    this.#theme.set(this.#applied());
  }

  #applied(): Theme {
    const choice = this.choice.get();
    const tone = choice === 'auto' ? (this.#system.matches ? 'dark' : 'light') : choice;
    this.#root.dataset.theme = tone;
    return readTheme(this.#root, tone);
  }
}

function remembered(): Choice {
  const saved = localStorage.getItem(KEY);
  return saved === 'light' || saved === 'dark' ? saved : 'auto';
}
