import { expect, test } from 'vitest';
import page from '../../../docs/recording.md?raw';
import { t } from '../text/t';
import { otherwiseText } from './recipe-text';
import { RECIPES } from './recipes';

test.each(Object.entries(RECIPES))('docs/recording.md says the same of %s', (_, recipe) => {
  for (const text of [recipe.lead, ...recipe.notes]) expect(page).toContain(t(text));
  for (const code of recipe.codes) {
    expect(page).toContain(t(code.title));
    expect(page).toContain(`\n${code.lines.join('\n')}\n`);
  }
  expect(page).toContain(recipe.parametersOf);
  for (const parameter of recipe.parameters)
    expect(page).toContain(
      `| \`${parameter.name}\` | ${otherwiseText(parameter)} | ${t(parameter.what)}`,
    );
});

test('the parameters of torch_npu are those of its manual, with their values', () => {
  const rows = RECIPES.npu.parameters.map(({ name, values }) => [
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
