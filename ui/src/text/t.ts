import { createInstance } from 'i18next';
import { en } from './en';
import type { AnyKey, Key, KeyWithValues, Part, Values } from './keys';
import { language, type Language } from './language.svelte';
import { zh } from './zh';

const catalogues = createInstance();

// Everything is here already: this is done when it returns.
void catalogues.init({
  initAsync: false,
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en }, zh: { translation: zh } },
  nsSeparator: false,
  // Svelte and the canvas show texts as they are; values are texts of files, never templates.
  interpolation: { escapeValue: false, skipOnVariables: true },
});

type GivenValues = Readonly<Record<string, string | number>>;

/** The text `key` in the language of the page; `values` fill its `{{…}}`. */
export function t(key: Key): string;
export function t<K extends KeyWithValues>(key: K, values: Values<K>): string;
export function t(key: AnyKey, values?: GivenValues): string {
  const lng = language();
  return values === undefined
    ? fixed(lng, key)
    : catalogues.t(key, { ...values, lng, nest: false });
}

/** A text that needs no values, in one language. */
export const tIn = (lng: Language, key: Key): string => fixed(lng, key);

/** What was looked up, by language: most texts never change, and cells of tables ask by the thousand. */
const known: Readonly<Record<Language, Map<AnyKey, string>>> = { en: new Map(), zh: new Map() };

function fixed(lng: Language, key: AnyKey): string {
  const found = known[lng].get(key) ?? catalogues.t(key, { lng, nest: false });
  known[lng].set(key, found);
  return found;
}

/** Whether there is a text `key` that needs no values. */
export function isText(key: string): key is Key {
  const text: unknown = catalogues.getResource('en', 'translation', key);
  return typeof text === 'string' && !text.includes('{{');
}

/** What the texts under `part` call `code`; a code newer than the page is shown as it is. */
export function named(part: Part, code: string): string {
  const key = `${part}.${code}`;
  return isText(key) ? t(key) : code;
}
