import { afterEach, expect, test } from 'vitest';
import english from '../../../docs/recording.md?raw';
import chinese from '../../../docs/recording.zh.md?raw';
import { setLanguage } from '../text/language.svelte';
import { t } from '../text/t';
import { otherwiseText } from './recipe-text';
import { RECIPES } from './recipes';

const PAGES = { en: english, zh: chinese };

afterEach(() => {
  setLanguage('en');
});

const cases = (['en', 'zh'] as const).flatMap((language) =>
  Object.entries(RECIPES).map(([family, recipe]) => ({ language, family, recipe })),
);

test.each(cases)('the document says the same of $family ($language)', ({ language, recipe }) => {
  setLanguage(language);
  const page = PAGES[language];
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
