import { createInstance } from 'i18next';
import { en } from './en';
import type { AnyKey, Key, KeyWithValues, Part, Values } from './keys';
import { language } from './language.svelte';

const catalogues = createInstance();

// Everything is here already: this is done when it returns.
void catalogues.init({
  initAsync: false,
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  nsSeparator: false,
  // Svelte and the canvas show texts as they are; values are texts of files, never templates.
  interpolation: { escapeValue: false, skipOnVariables: true },
});

type GivenValues = Readonly<Record<string, string | number>>;

/** The text `key` in the language of the page; `values` fill its `{{…}}`. */
export function t(key: Key): string;
export function t<K extends KeyWithValues>(key: K, values: Values<K>): string;
export function t(key: AnyKey, values?: GivenValues): string {
  return catalogues.t(key, { ...values, lng: language(), nest: false });
}

/** What the texts under `part` call `code`; a code newer than the page is shown as it is. */
export function named(part: Part, code: string): string {
  const key = `${part}.${code}`;
  const lng = language();
  return catalogues.exists(key, { lng }) ? catalogues.t(key, { lng, nest: false }) : code;
}
