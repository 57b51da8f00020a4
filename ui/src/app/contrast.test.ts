import { describe, expect, test } from 'vitest';
import { contrast, inkOn, MARK_CONTRAST, TEXT_CONTRAST } from '../draw/contrast';
import { colorTable, hue, mix, rampColor, unpacked, type Rgb } from '../draw/palette';
import { rgbOf } from '../draw/theme';
import CSS from './theme.css?raw';

/** The colours of one of the two themes, by name. */
function colorsOf(selector: string): ReadonlyMap<string, Rgb> {
  const from = CSS.indexOf(`${selector} {`);
  const rules = CSS.slice(from, CSS.indexOf('}', from));
  const all = [...rules.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)];
  return new Map(all.map(([, name = '', hex = '']) => [name, rgbOf(hex)]));
}

describe.each([
  ['light', ':root'],
  ['dark', ":root[data-theme='dark']"],
] as const)('%s', (tone, selector) => {
  const colors = colorsOf(selector);
  const named = (name: string): Rgb => {
    const found = colors.get(name);
    if (found === undefined) throw new Error(`no colour ${name}`);
    return found;
  };

  test.each([
    ...['ink', 'ink2', 'ink3', 'accent', 'warn', 'bad'].flatMap((ink) =>
      ['panel', 'bg', 'accent-bg'].map((ground) => [ink, ground] as const),
    ),
    ['accent-ink', 'accent'],
    ['warn', 'warn-bg'],
    ['bad', 'bad-bg'],
    // What is written at the peak, and at the reserved line where it is above the picture.
    ['peak', 'panel'],
    ['res', 'panel'],
  ] as const)('%s is easy to read on %s', (ink, ground) => {
    expect(contrast(named(ink), named(ground))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  test.each(['accent', 'act', 'res', 'peak', 'ink', 'ink2', 'ink3'])(
    'a line in %s is seen on the picture',
    (line) => {
      expect(contrast(named(line), named('panel'))).toBeGreaterThanOrEqual(MARK_CONTRAST);
    },
  );

  test('words in rectangles are easy to read on every colour of theirs', () => {
    const theme = { ink: hexOf(named('ink')), panel: named('panel') };
    const table = colorTable({ kind: 'category', tone });
    const flame = Array.from({ length: 27 }, (_, key) => unpacked(table(key, 0)));
    const parts = Array.from({ length: 9 }, (_, place) => hue(place)).flatMap((color) =>
      [0, 0.2, 0.45, 0.7].map((share) => mix(color, named('panel'), share)),
    );
    const sizes = [0, 0.25, 0.5, 0.75, 1].map((share) => rampColor(tone, share));
    for (const color of [...flame, ...parts, ...sizes]) {
      const ink = inkOn(color, theme).match(/\d+/g)?.map(Number) ?? [];
      const [red = 0, green = 0, blue = 0] = ink;
      const found = contrast([red, green, blue], color);
      expect(found, color.join()).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }
  });
});

test('contrast is what WCAG says', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
