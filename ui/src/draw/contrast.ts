import { rgbOf, type Theme } from './theme';
import { cssColor, type Rgb } from './palette';

/** How much text has to stand out from what it lies on, as WCAG 2 measures it at level AA. */
export const TEXT_CONTRAST = 4.5;
/** The same of lines and marks. */
export const MARK_CONTRAST = 3;

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** From 1, the same, to 21, black on white. */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/**
 * What to write in on `color`: the theme's ink or its ground where one of them is easy to read
 * there, else black or white, one of which is on every colour.
 */
export function inkOn(color: Rgb, theme: Pick<Theme, 'ink' | 'panel'>): string {
  const own = better([rgbOf(theme.ink), theme.panel], color);
  const found = contrast(own, color) >= TEXT_CONTRAST ? own : better([BLACK, WHITE], color);
  return cssColor(found);
}

const better = ([a, b]: readonly [Rgb, Rgb], on: Rgb): Rgb =>
  contrast(a, on) >= contrast(b, on) ? a : b;

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
