import { fieldOf, listOf, oneOf, textOf } from '../base/json';
import type { TableFilter } from '../wire/tables';

/** How a typed address is compared: its digits, exactly, or with what lies around it. */
export type AddressMode = 'contains' | 'exact' | 'holds';

export const ADDRESS_MODES: readonly AddressMode[] = ['contains', 'exact', 'holds'];

/** What is searched for in the event list. An event matches when everything in it does. */
export interface Search {
  /** As typed. */
  readonly text: string;
  readonly mode: AddressMode;
  /** Any of these; none: whatever its action. */
  readonly actions: readonly string[];
}

export const NO_SEARCH: Search = { text: '', mode: 'contains', actions: [] };

/** What was searched for when the recording was left, and whether the hits alone were shown. */
export function readSearch(
  value: unknown,
): { readonly search: Search; readonly isOnly: boolean } | undefined {
  const text = textOf(fieldOf(value, 'text'));
  if (text === undefined) return undefined;
  const mode = oneOf(fieldOf(value, 'mode'), ADDRESS_MODES) ?? NO_SEARCH.mode;
  const actions = listOf(fieldOf(value, 'actions')).flatMap((one) => textOf(one) ?? []);
  return { search: { text, mode, actions }, isOnly: fieldOf(value, 'isOnly') === true };
}

/** A part of what was typed. */
export interface Term {
  readonly kind: 'address' | 'stack';
  readonly text: string;
  /** Where it stands in what was typed. */
  readonly from: number;
  readonly to: number;
}

/** Fewer hex digits than this are rather a number in a stack. */
const LEAST_DIGITS = 5;

/** What was typed, word by word; words in quotes stay together and are no address. */
export function termsOf(text: string): readonly Term[] {
  return [...text.matchAll(/"([^"]*)"?|\S+/g)].flatMap(({ 0: all, 1: quoted, index }) => {
    const word = quoted ?? all;
    if (word.trim() === '') return [];
    const kind = quoted === undefined && isAddress(word) ? 'address' : 'stack';
    return [{ kind, text: word, from: index, to: index + all.length } as const];
  });
}

function isAddress(word: string): boolean {
  if (/^0x[0-9a-f_]*$/i.test(word)) return true;
  return word.length >= LEAST_DIGITS && /\d/.test(word) && /^[0-9a-f_]+$/i.test(word);
}

/** What was typed, without one of its parts. */
export const without = (text: string, { from, to }: Term): string =>
  `${text.slice(0, from).trimEnd()} ${text.slice(to).trimStart()}`.trim();

/** Nothing to look for. */
export const isEmpty = ({ text, actions }: Search): boolean =>
  actions.length === 0 && termsOf(text).length === 0;

/** What the table is asked for. */
export function filtersOf({ text, mode, actions }: Search): readonly TableFilter[] {
  const typed = termsOf(text).map((term): TableFilter => {
    if (term.kind === 'stack') {
      return { column: 'stack', test: { kind: 'contains', text: term.text } };
    }
    return { column: 'address', test: addressTest(term.text, mode) };
  });
  if (actions.length === 0) return typed;
  return [...typed, { column: 'action', test: { kind: 'is', names: actions } }];
}

function addressTest(text: string, mode: AddressMode): TableFilter['test'] {
  switch (mode) {
    case 'contains':
      return { kind: 'contains', text };
    case 'exact':
      return { kind: 'is', names: readings(text) };
    case 'holds':
      return { kind: 'holds', addresses: readings(text) };
  }
}

/** Digits without a letter among them are decimal, or hex whose `0x` was left out. */
const readings = (text: string): readonly string[] =>
  /^[\d_]+$/.test(text) ? [text, `0x${text}`] : [text];
