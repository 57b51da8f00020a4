import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const sources = Object.entries(
  import.meta.glob<string>('../**/*.{ts,svelte}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).filter(([path]) => !path.startsWith('./') && !path.endsWith('.test.ts'));

/** Attributes that a person reads or hears. */
const READ = new Set(['title', 'aria-label', 'aria-description', 'placeholder', 'alt', 'label']);
/** Attributes whose words are for the page. */
const UNREAD =
  /^(?:class|style|d|points|viewBox|transform|role|rel|testid|id|on.*|data-.*|bind:.*)$/;
/** What is the same in every language: names, units, and what is written on keys. */
const SAME = /^(?:[^\p{L}]|ns|µs|B|×|Esc|Tidemark)*$/u;

interface Node {
  readonly type: string;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly data?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Words with a blank between: no key, class or code. */
const isProse = (text: string): boolean => /\p{L}{2,} +\p{L}{2,}/u.test(text);

/** What a component says without asking a catalogue. */
function outside(source: string): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown, isRead: boolean): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) for (const each of node) visit(each, isRead);
    else if (isNode(node)) look(node, isRead);
    else for (const each of Object.values(node)) visit(each, isRead);
  };
  const look = (node: Node, isRead: boolean): void => {
    const { type, name, value, data } = node;
    if (type === 'Comment' || type === 'StyleDirective' || type === 'ClassDirective') return;
    if (type === 'Attribute') {
      const called = String(name);
      if (!UNREAD.test(called)) visit(value, READ.has(called));
      return;
    }
    const said = [
      ...(type === 'Text' && isRead ? [String(data)] : []),
      ...(type === 'Literal' && typeof value === 'string' && isProse(value) ? [value] : []),
      ...(node.quasis ?? []).map((part) => part.value.cooked).filter(isProse),
    ];
    for (const text of said) if (!SAME.test(text)) found.add(text.trim());
    const isTag = type === 'RegularElement' || type === 'Component';
    for (const part of Object.values(node)) visit(part, isTag || isRead);
  };
  visit(parse(source, { modern: true }).fragment, true);
  return [...found];
}

test('a text outside the catalogues is found', () => {
  expect(outside('<p title="Hello">{x}</p>')).toEqual(['Hello']);
  expect(outside('<p class="big">Good day {x}</p>')).toEqual(['Good day']);
  expect(outside("<p>{x ? 'two words' : t('a.b')}</p>")).toEqual(['two words']);
  expect(outside('<Part label={`well done ${x}`} testid="a b" />')).toEqual(['well done']);
  expect(outside('<Part what="word" note="of two" />')).toEqual([]);
  expect(outside("<Part note={'of two'} />")).toEqual(['of two']);
  expect(outside('<p class="one two" data-x="y">{t("a.b")} · {x} B</p>')).toEqual([]);
});

test('no component has texts of its own', { timeout: 30_000 }, () => {
  const own = sources
    .filter(([path]) => path.endsWith('.svelte'))
    .flatMap(([path, source]) => outside(source).map((text) => `${path}: ${text}`));
  expect(own).toEqual([]);
});

test('nothing that is drawn or set by script has texts of its own', () => {
  const DRAWN =
    /(?:(?:fill|stroke|measure)Text\(|textContent = |innerText = |\.title = |'(?:aria-label|title|placeholder)', )\s*(['"`])((?:(?!\1)[^$]|\$(?!\{))*?\p{L}{2}.*?)\1/gu;
  const own = sources.flatMap(([path, source]) =>
    [...source.matchAll(DRAWN)].map(([, , text = '']) => `${path}: ${text}`),
  );
  expect(own).toEqual([]);
});
