import type { en } from './en';

/** Every text of `Tree` as a pair of its key, `part.name`, and what it says. */
type Entries<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends string
    ? readonly [`${Path}${Name}`, Tree[Name]]
    : Entries<Tree[Name], `${Path}${Name}.`>;
}[keyof Tree & string];

/** A text that depends on a number is two in the catalogue and one to whoever asks for it. */
type Single<Key extends string> = Key extends `${infer Name}_one` | `${infer Name}_other`
  ? Name
  : Key;

/** The names in `{{…}}`. */
type Holes<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Holes<Rest>
  : never;

type Needs<Key extends string, Text extends string> =
  Holes<Text> | (Key extends `${string}_one` | `${string}_other` ? 'count' : never);

/** What each text needs to be said. */
type Needed = {
  [Entry in Entries<typeof en> as Single<Entry[0]>]: Needs<Entry[0], Entry[1]>;
};

/** The keys whose texts depend on a number. */
type Counted = Single<Extract<Entries<typeof en>[0], `${string}_one`>>;

/** The key of any text. */
export type AnyKey = keyof Needed;

/** The key of a text that needs nothing. */
export type Key = { [K in AnyKey]: [Needed[K]] extends [never] ? K : never }[AnyKey];

/** The key of a text that needs values. */
export type KeyWithValues = Exclude<AnyKey, Key>;

/** The values a text needs, by name; `count` decides between one and many. */
export type Values<K extends KeyWithValues> = {
  readonly [Name in Needed[K]]: Name extends 'count'
    ? K extends Counted
      ? number
      : string | number
    : string | number;
};

/** What holds texts by their codes. */
export type Part = Parts<typeof en>;

type Parts<Tree, Path extends string = ''> = {
  [Name in keyof Tree & string]: Tree[Name] extends string
    ? never
    : `${Path}${Name}` | Parts<Tree[Name], `${Path}${Name}.`>;
}[keyof Tree & string];
