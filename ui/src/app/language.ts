import { rememberedJson, rememberJson } from '../base/remember';
import { LANGUAGES, onLanguage, setLanguage, type Language } from '../text/language.svelte';

const NAME = 'language';

/** What the page says of itself, for fonts and screen readers. */
const TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/**
 * The first of the system's languages that there are texts in, else English.
 *
 * A system may name none, or what is no language: `C` where the locale is not set.
 */
export function systemLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [name] = tag.toLowerCase().split(/[-_.]/);
    const found = LANGUAGES.find((each) => each === name);
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * Shows the language chosen last, or the system's, and tells `root` at every change. What is chosen
 * in another window is shown here too.
 */
export function startLanguage(root: HTMLElement, tags: readonly string[]): void {
  const tell = (now: Language): void => {
    root.lang = TAGS[now];
  };
  onLanguage(tell);
  const first = chosenBefore() ?? systemLanguage(tags);
  setLanguage(first);
  tell(first);
  addEventListener('storage', () => {
    setLanguage(chosenBefore() ?? first);
  });
}

function chosenBefore(): Language | undefined {
  const chosen = rememberedJson(NAME);
  return LANGUAGES.find((each) => each === chosen);
}

/** Shows every text in `next`, also the next time. */
export function chooseLanguage(next: Language): void {
  rememberJson(NAME, next);
  setLanguage(next);
}
