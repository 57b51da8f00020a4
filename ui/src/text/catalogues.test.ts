import { expect, test } from 'vitest';
import { en } from './en';
import { zh } from './zh';

type Tree = Readonly<{ [name: string]: string | Tree }>;

/** Every text of a catalogue by its key. */
function texts(tree: Tree, path = ''): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === 'string') all.set(path + name, value);
    else for (const [key, text] of texts(value, `${path}${name}.`)) all.set(key, text);
  }
  return all;
}

const english = texts(en);
const chinese = texts(zh);
const singular = (key: string): string => key.replace(/_(one|other)$/, '');
const keysOf = (catalogue: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...catalogue.keys()].map(singular))].sort();
const holes = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();

const sources = Object.entries(
  import.meta.glob<string>('../**/*.{ts,svelte}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).filter(([path]) => !path.startsWith('./') && !path.endsWith('.test.ts'));

test('both catalogues have the same keys', () => {
  expect(keysOf(chinese)).toEqual(keysOf(english));
});

test('a text that depends on a number has the forms of its language', () => {
  const forms = (catalogue: ReadonlyMap<string, string>, key: string): readonly string[] =>
    ['one', 'other'].filter((form) => catalogue.has(`${key}_${form}`));
  const counted = [...english.keys()].filter((key) => key.endsWith('_one')).map(singular);
  expect(counted).not.toEqual([]);
  for (const key of counted) {
    expect([key, ...forms(english, key)]).toEqual([key, 'one', 'other']);
    expect([key, ...forms(chinese, key)]).toEqual([key, 'other']);
  }
});

test('a text needs the same values in both languages', () => {
  const needs = (catalogue: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      keysOf(catalogue).map((key) => [
        key,
        holes(catalogue.get(key) ?? catalogue.get(`${key}_other`) ?? '').join(),
      ]),
    );
  expect(needs(chinese)).toEqual(needs(english));
});

test('every text is asked for somewhere', () => {
  const asked = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [, source] of sources) {
    for (const [, key = ''] of source.matchAll(/'([\w-]+(?:\.[\w-]+)+)'/g)) asked.add(key);
    for (const [, key = ''] of source.matchAll(/`([\w.-]*(?:\$\{[^}`]*\}[\w.-]*)+)`/g))
      if (key.includes('.')) patterns.push(patternOf(key));
  }
  const isAsked = (key: string): boolean =>
    asked.has(key) || patterns.some((pattern) => pattern.test(key));
  // Or all texts of a part are asked for, by their codes.
  const idle = keysOf(english).filter(
    (key) => !isAsked(key) && !isAsked(key.replace(/\.[^.]+$/, '')),
  );
  expect(idle).toEqual([]);
});

/** `a.${b}.c` as what it may become. */
const patternOf = (key: string): RegExp =>
  new RegExp(
    `^${key
      .replace(/\$\{[^}]*\}/g, '*')
      .replace(/\./g, '\\.')
      .replace(/\*/g, '[\\w-]+')}$`,
  );

/** What is the same in Chinese: names, units, keys, code and terms that nobody translates. */
const TERMS =
  /Tidemark|Delete|Alt|Ctrl|Shift|Enter|Esc|Backspace|PyTorch|TorchScript|inductor|torch[\w./*]*|msMemScope|msmemscope|memscope_dump_TIME|Python|CUDA|ROCm|NVIDIA|AMD|Intel|NPU|XPU|HAL|PTA|ATB|C\+\+|WebGL|CSV|HTML|pickle|gzip|zstd|zip|sqlite|step|kernel|workspace|profiler|Allocation ID|_?record_\w+|max_entries|stacks|context|None|False|alloc|free|state|all|seg_\w+|requested|completed|free_requested|python|--[\w-]+(?:=[\w,]+)?|test\.py|OOM|db|csv|[KMG]iB|bytes|[nµum]s|Step|Attr|ID|auto|launch|access|decompose/g;

test('no English is left in the Chinese texts', () => {
  const left = [...chinese]
    .map(([key, text]) => [key, text.replace(/\{\{\w+\}\}/g, '').replace(TERMS, '')] as const)
    .filter(([, text]) => /[A-Za-z]{3,}/.test(text))
    .map(([key, text]) => `${key}: ${text}`);
  expect(left).toEqual([]);
});
