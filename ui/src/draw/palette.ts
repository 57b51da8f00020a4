import { clamp } from '../base/span';

/** Red, green, blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

export type Tone = 'light' | 'dark';

/** The key of a block about which nothing is known. */
export const NO_KEY = 0xffffffff;

const HUES: readonly Rgb[] = [
  [78, 121, 167],
  [242, 142, 44],
  [225, 87, 89],
  [118, 183, 178],
  [89, 161, 79],
  [237, 201, 73],
  [175, 122, 161],
  [255, 157, 167],
  [156, 117, 95],
];

const RAMP: Readonly<Record<Tone, readonly Rgb[]>> = {
  light: [
    [214, 236, 205],
    [94, 190, 170],
    [44, 127, 184],
    [64, 56, 140],
    [90, 18, 92],
  ],
  dark: [
    [52, 48, 98],
    [44, 104, 170],
    [58, 166, 168],
    [150, 208, 120],
    [250, 236, 140],
  ],
};

const UNKNOWN: Readonly<Record<Tone, Rgb>> = { light: [176, 182, 191], dark: [104, 114, 127] };
/** One of the colours that tell things apart; after the last the first comes again. */
export const hue = (place: number): Rgb => HUES[place % HUES.length] ?? BLACK;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Size classes (powers of two) at the two ends of the ramp: 64 KiB and 16 GiB. */
export const RAMP_KEYS = { from: 16, to: 34 } as const;

/** `a` with `share` of `b` in it. */
export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

/** As one little-endian pixel of `ImageData`. */
export const packed = ([red, green, blue]: Rgb): number =>
  ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;

export const unpacked = (pixel: number): Rgb => [
  pixel & 255,
  (pixel >>> 8) & 255,
  (pixel >>> 16) & 255,
];

/** The middle of two packed colours, without taking them apart. */
export const halfway = (a: number, b: number): number =>
  ((((a & 0xfefefefe) >>> 1) + ((b & 0xfefefefe) >>> 1)) | 0xff000000) >>> 0;

export const cssColor = (color: Rgb): string => `rgb(${color.map(Math.round).join(' ')})`;

/** Which colour a key gets. */
export interface Scheme {
  readonly kind: 'category' | 'size';
  readonly tone: Tone;
}

/** Colours for categories: every hue as it is, then lighter, then darker. */
const categories = (tone: Tone): readonly Rgb[] =>
  [HUES, HUES.map((hue) => mix(hue, WHITE, 0.28)), HUES.map((hue) => mix(hue, BLACK, 0.22))]
    .flat()
    .map((color) => (tone === 'dark' ? mix(color, BLACK, 0.08) : color));

/** The ramp's colour at `share` of its length. */
export function rampColor(tone: Tone, share: number): Rgb {
  const stops = RAMP[tone];
  const at = clamp(share, 0, 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[low] ?? BLACK, stops[low + 1] ?? BLACK, at - low);
}

/** How much lighter the blocks of one colour are in turn, so that neighbours can be told apart. */
const SHADES = [0, 0.08, 0.16];

/** The shades of some colours, colour after colour. */
const shaded = (colors: readonly Rgb[], strength: number): Uint32Array =>
  Uint32Array.from(
    colors.flatMap((color) => SHADES.map((share) => packed(mix(color, WHITE, share * strength)))),
  );

/** A function from key and block to packed colour, with everything precomputed. */
export function colorTable(scheme: Scheme): (key: number, block: number) => number {
  const turns = SHADES.length;
  const greys = shaded([UNKNOWN[scheme.tone]], scheme.tone === 'light' ? 1.8 : 0.6);
  const grey = (block: number): number => greys[block % turns] ?? 0;
  if (scheme.kind === 'size') {
    const length = RAMP_KEYS.to - RAMP_KEYS.from;
    const steps = Array.from({ length: length + 1 }, (_, i) => rampColor(scheme.tone, i / length));
    const ramp = Uint32Array.from(steps, packed);
    return (key, block) =>
      key === NO_KEY ? grey(block) : (ramp[clamp(key - RAMP_KEYS.from, 0, length)] ?? 0);
  }
  const colors = categories(scheme.tone);
  const table = shaded(colors, 1);
  return (key, block) =>
    key === NO_KEY ? grey(block) : (table[(key % colors.length) * turns + (block % turns)] ?? 0);
}
