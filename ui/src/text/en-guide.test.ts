import { expect, test } from 'vitest';
import page from '../../../docs/recording.md?raw';
import { guide } from './en-guide';

test.each(Object.entries(guide.recipes))('docs/recording.md says the same of %s', (_, recipe) => {
  for (const text of [recipe.lead, ...recipe.notes]) expect(page).toContain(text);
  for (const code of recipe.codes) {
    expect(page).toContain(code.title);
    expect(page).toContain(`\n${code.lines.join('\n')}\n`);
  }
  expect(page).toContain(recipe.parametersOf);
  for (const { name, otherwise, what } of recipe.parameters)
    expect(page).toContain(`| \`${name}\` | ${otherwise} | ${what}`);
});

test('the parameters of torch_npu are those of its manual, with their values', () => {
  const rows = guide.recipes.npu.parameters.map(({ name, values }) => [
    name,
    values.map(([value]) => value),
  ]);
  expect(rows).toEqual([
    ['enabled', ['None', '"state"', '"all"']],
    ['context', ['None', '"state"', '"alloc"', '"all"']],
    ['stacks', ['"python"', '"all"']],
    ['max_entries', []],
    ['device', []],
  ]);
});
