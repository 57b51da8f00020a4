/** What was kept as JSON and comes back: whatever it is, it is looked at before it is believed. */

/** A field of what may be an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** All fields of what may be an object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** The items of what may be a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A number between two others, which are included. */
export const numberIn = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined;

/** Likewise, and whole: a row or a count. */
export const wholeIn = (value: unknown, least: number, most: number): number | undefined =>
  Number.isInteger(value) ? numberIn(value, least, most) : undefined;

/** Any number that is one. */
export const finite = (value: unknown): number | undefined =>
  numberIn(value, -Number.MAX_VALUE, Number.MAX_VALUE);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** One of the words there are. */
export const oneOf = <T>(value: unknown, all: readonly T[]): T | undefined =>
  all.find((one) => one === value);

/** The value of a text that may not be JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
