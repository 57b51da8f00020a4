import { expect, test } from 'vitest';

const sources: Readonly<Record<string, string>> = import.meta.glob('/src/**/*.{ts,svelte}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What makes markup of a text; a text of a file must stay a text. */
const FORBIDDEN = [
  '{@html',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'document.write',
  'createContextualFragment',
  'DOMParser',
  'new Function',
  'eval(',
];

test('nothing in the page makes markup or code of a text', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const found = Object.entries(sources)
    .filter(([file]) => !file.endsWith('.test.ts'))
    .flatMap(([file, text]) =>
      FORBIDDEN.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`),
    );
  expect(found).toEqual([]);
});

test('no chart has a tooltip of its own, whose text would be markup', () => {
  const charts = Object.entries(sources).filter(([, text]) => text.includes("from 'echarts"));
  expect(charts.length).toBeGreaterThan(0);
  for (const [file, text] of charts) {
    expect(text.includes('TooltipComponent'), file).toBe(false);
  }
});
