import ts from 'typescript';
import { expect, test } from 'vitest';

const sources = Object.entries(
  import.meta.glob<string>('../**/*.{ts,svelte}', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).filter(([path, source]) => !path.endsWith('.test.ts') && source.includes("text/t'"));

/** The script of a component, or the whole of a module. */
const scriptOf = (path: string, source: string): string =>
  path.endsWith('.svelte')
    ? [...source.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code = '']) => code).join('\n')
    : source;

/** Names of constants that read a text once, at the start: a switch of the language passes them by. */
function once(code: string): readonly string[] {
  const file = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer !== undefined && asks(initializer)) found.push(name.getText());
  }
  return found;
}

/** Whether `node` asks for a text when it is evaluated: what is in a function, only if it is a callback. */
function asks(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) {
    const callee = node.expression.getText();
    if (/^\$(derived|effect|inspect)/.test(callee)) return false;
    if (callee === 't' || callee === 'tIn' || callee === 'named') return true;
  }
  const isCallback = ts.isCallExpression(node.parent);
  if ((ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && !isCallback) return false;
  return ts.forEachChild(node, (child) => asks(child) || undefined) ?? false;
}

test('a text that is read once is found', () => {
  expect(once("const TITLE = t('a.b');")).toEqual(['TITLE']);
  expect(once("const rows = KINDS.map((kind) => ({ kind, label: t('a.b') }));")).toEqual(['rows']);
  expect(once("const rows = $derived(KINDS.map((kind) => t('a.b')));")).toEqual([]);
  expect(once("const say = (): string => t('a.b');")).toEqual([]);
  expect(once("const views = { a: { title: () => t('a.b') } };")).toEqual([]);
});

test('no text is read once', { timeout: 30_000 }, () => {
  const found = sources.flatMap(([path, source]) =>
    once(scriptOf(path, source)).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});
