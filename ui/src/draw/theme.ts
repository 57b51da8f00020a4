import { packed, type Rgb, type Tone } from './palette';

/** The colours of the page, as the canvases need them. They are named in `app/theme.css`. */
export interface Theme {
  readonly tone: Tone;
  readonly panel: Rgb;
  readonly rest: Rgb;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly line: string;
  readonly line2: string;
  readonly grid: string;
  readonly accent: string;
  readonly accentBg: string;
  readonly active: string;
  readonly reserved: string;
  readonly peak: string;
  readonly warn: string;
  readonly bad: string;
  readonly panelCss: string;
  readonly font: string;
}

/** Reads the theme off the page's style. */
export function readTheme(root: Element, tone: Tone): Theme {
  const style = getComputedStyle(root);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    tone,
    panel: rgbOf(value('panel')),
    rest: rgbOf(value('rest')),
    ink: value('ink'),
    ink2: value('ink2'),
    ink3: value('ink3'),
    line: value('line'),
    line2: value('line2'),
    grid: value('grid'),
    accent: value('accent'),
    accentBg: value('accent-bg'),
    active: value('act'),
    reserved: value('res'),
    peak: value('peak'),
    warn: value('warn'),
    bad: value('bad'),
    panelCss: value('panel'),
    font: value('font'),
  };
}

/** `#rrggbb` as numbers. */
export function rgbOf(hex: string): Rgb {
  // Minified style sheets write #fff for #ffffff.
  const digits = hex.slice(1).replace(/^(.)(.)(.)$/, '$1$1$2$2$3$3');
  const number = Number.parseInt(digits, 16);
  return Number.isNaN(number)
    ? [128, 128, 128]
    : [(number >>> 16) & 255, (number >>> 8) & 255, number & 255];
}

export const restPixel = (theme: Theme): number => packed(theme.rest);
