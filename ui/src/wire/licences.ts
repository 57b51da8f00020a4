/** A crate, a package of the page, or a library in one of them. */
export interface Part {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly licence: string;
  readonly authors: readonly string[];
  /** Keys of the texts; none when the part brings none. */
  readonly texts: readonly string[];
}

/** What the program is made of. */
export interface Licences {
  readonly parts: readonly Part[];
  readonly texts: Readonly<Record<string, string>>;
}

/** Reads the list, `cargo xtask licences` writes it. It is large, so it is only read when asked for. */
export async function licences(): Promise<Licences> {
  const { default: text } = await import('./licences.json?raw');
  const { parts, texts } = JSON.parse(text) as Licences;
  return { parts: parts.toSorted((a, b) => a.name.localeCompare(b.name, 'en')), texts };
}

/** The parts whose name or licence contains `words`, whatever the case. */
export function found(parts: readonly Part[], words: string): readonly Part[] {
  const sought = words.trim().toLowerCase();
  return parts.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(sought));
}

/** The texts of a part's licences, one below the other. */
export function textOf({ texts }: Licences, part: Part): string {
  return part.texts.map((key) => texts[key] ?? '').join(`\n\n${'─'.repeat(40)}\n\n`);
}
