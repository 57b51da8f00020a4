import { expect, test } from 'vitest';
import names from '../../../crates/wire/src/names.rs?raw';
import bindings from '../wire/bindings.ts?raw';
import { program } from './en/program';

const rust = Object.entries(
  import.meta.glob<string>(['../../../crates/*/src/**/*.rs', '!**/tests/**', '!**/tests.rs'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).filter(([path]) => !/crates\/(?:bench|cli|job|sample|xtask)\//.test(path));

/** What stands in quotes where `pattern` says. */
const said = (source: string, pattern: RegExp): readonly string[] =>
  [...source.matchAll(pattern)].map(([, text = '']) => text);

test('every stage of long work has a name', () => {
  const stages = rust.flatMap(([, source]) =>
    said(source, /(?:\bstage: |\bSTAGE: &str = |(?<![.\w])step\()"([^"]+)"/g),
  );
  expect(stages.length).toBeGreaterThan(8);
  const names = stages.map((stage) => stage.replaceAll(' ', '_'));
  expect(names.filter((name) => !(name in program.stages))).toEqual([]);
});

test('every kind of remark and every refusal is told in words', () => {
  const kinds = said(names, /WarningKind::\w+ => "(\w+)"/g);
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => !(kind in program.remarks))).toEqual([]);
  const [, codes = ''] = /export type ErrorCode = ([^;]*);/.exec(bindings) ?? [];
  const refusals = said(codes, /"(\w+)"/g);
  expect(refusals).toContain('damaged');
  // A bug is told in the program's own words, to be copied.
  expect(refusals.filter((code) => code !== 'bug' && !(code in program.refusals))).toEqual([]);
});
