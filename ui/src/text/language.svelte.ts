/** The languages of the page. */
export type Language = 'en' | 'zh';

export const LANGUAGES: readonly Language[] = ['en', 'zh'];

let current: Language = $state('en');

type Listener = (language: Language) => void;

let listeners: readonly Listener[] = [];

/** The language of the page; what reads it in a template or `$derived` follows it. */
export const language = (): Language => current;

/** Shows every text in `next` from now on. */
export function setLanguage(next: Language): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener(next);
}

/** Calls `listener` when the language changes: for what is drawn and not rendered. */
export function onLanguage(listener: Listener): () => void {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((each) => each !== listener);
  };
}
