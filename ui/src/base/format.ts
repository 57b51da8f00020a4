import { language } from '../text/language.svelte';

// Digits are grouped by three, units are those of IEC and SI, and thousands are `k` and `M` in every
// language: so the manuals and logs of the field write them, in Chinese too (no 万).

/** A unit of memory. */
export interface ByteUnit {
  readonly name: string;
  readonly size: number;
}

const BYTE_UNITS: readonly ByteUnit[] = [
  { name: 'TiB', size: 1024 ** 4 },
  { name: 'GiB', size: 1024 ** 3 },
  { name: 'MiB', size: 1024 ** 2 },
  { name: 'KiB', size: 1024 },
];

const BYTE: ByteUnit = { name: 'B', size: 1 };

/** The largest unit of which `bytes` is at least one. */
export const byteUnit = (bytes: number): ByteUnit =>
  BYTE_UNITS.find((unit) => Math.abs(bytes) >= unit.size) ?? BYTE;

/** `12,345`. */
export function count(value: number): string {
  const digits = Math.abs(Math.round(value)).toString();
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ',');
  return value < 0 ? `−${grouped}` : grouped;
}

/** `1.0 M`, `532 k`, `999`. */
export function shortCount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3).toString()} k`;
  return count(value);
}

/** `39.81 GiB`. */
export function bytes(value: number, unit: ByteUnit = byteUnit(value)): string {
  return `${amount(value, unit)} ${unit.name}`;
}

/** `39.81`: the number alone, in `unit`. */
export const amount = (value: number, unit: ByteUnit): string =>
  unit.size === 1 ? count(value) : grouped(value / unit.size, 2);

/** `48 GiB`: a label on an axis whose labels are `step` apart. */
export function byteLabel(value: number, step: number, top: number): string {
  const unit = byteUnit(top);
  return `${(value / unit.size).toFixed(decimalsFor(step / unit.size))} ${unit.name}`;
}

/** `600 k`, `−1`, `12,345`: a label on an axis of events whose labels are `step` apart. */
export function countLabel(value: number, step: number): string {
  if (step >= 1e6) return `${count(value / 1e6)} M`;
  if (step >= 1e5) return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : shortK(value);
  return step >= 1e3 ? shortK(value) : count(value);
}

const shortK = (value: number): string => (value === 0 ? '0' : `${count(value / 1e3)} k`);

const TIME_UNITS = [
  { name: 's', size: 1e6 },
  { name: 'ms', size: 1e3 },
] as const;

/** `38.2 ms`: microseconds as whatever reads best. */
export function duration(us: number): string {
  const unit = TIME_UNITS.find((candidate) => Math.abs(us) >= candidate.size);
  if (unit === undefined && Number.isInteger(us)) return `${count(us)} µs`;
  if (Math.abs(us) < 1) return `${count(us * 1e3)} ns`;
  const { name, size } = unit ?? { name: 'µs', size: 1 };
  const value = us / size;
  return `${grouped(value, threeDigits(Math.abs(value)))} ${name}`;
}

const EXACT_UNITS = [
  { name: 's', size: 1e9 },
  { name: 'ms', size: 1e6 },
  { name: 'µs', size: 1e3 },
  { name: 'ns', size: 1 },
] as const;

/** `23 s 584 ms 400 µs 241 ns`: whole nanoseconds, with every digit. */
export function exactMoment(ns: number): string {
  let rest = Math.abs(Math.round(ns));
  const parts: string[] = [];
  for (const { name, size } of EXACT_UNITS) {
    const many = Math.floor(rest / size);
    rest -= many * size;
    if (many > 0) parts.push(`${count(many)} ${name}`);
  }
  const text = parts.length === 0 ? '0 ns' : parts.join(' ');
  return ns < 0 && parts.length > 0 ? `−${text}` : text;
}

/** A label on an axis of microseconds whose labels are `step` apart. */
export function timeLabel(us: number, step: number, top: number): string {
  const unit = TIME_UNITS.find((candidate) => Math.abs(top) >= candidate.size);
  if (unit !== undefined) {
    return `${grouped(us / unit.size, decimalsFor(step / unit.size))} ${unit.name}`;
  }
  if (Math.abs(top) < 1 && top !== 0) return `${count(us * 1e3)} ns`;
  return `${grouped(us, decimalsFor(step))} µs`;
}

/** `12.3 %`; in Chinese `12.3%`. */
export function percent(share: number): string {
  const sign = language() === 'zh' ? '%' : ' %';
  if (share > 0 && share < 0.0005) return `< 0.1${sign}`;
  return `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}${sign}`;
}

/** Microseconds of three years: nothing was recorded in the three after 1970. */
const SINCE_START = 1e14;

/**
 * Wall-clock date and time with microseconds, in the machine's zone; for times that count from a
 * recording's start, as a dump's do, the exact moment. It is the same in every language: it sorts as
 * text, and the filters read what the cells say.
 */
export function wallClock(us: number): string {
  if (Math.abs(us) < SINCE_START) return exactMoment(us * 1e3);
  const date = new Date(us / 1000);
  const pad = (value: number, width: number): string => value.toString().padStart(width, '0');
  const day = [date.getFullYear(), pad(date.getMonth() + 1, 2), pad(date.getDate(), 2)].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part, 2));
  return `${day} ${time.join(':')}.${pad(((us % 1e6) + 1e6) % 1e6, 6)}`;
}

function grouped(value: number, decimals: number): string {
  const [whole = '0', rest] = Math.abs(value).toFixed(decimals).split('.');
  const text = count(Number(whole)) + (rest === undefined ? '' : `.${rest}`);
  return value < 0 ? `−${text}` : text;
}

const decimalsFor = (step: number): number =>
  step >= 1 || step <= 0
    ? Number.isInteger(step) || step <= 0
      ? 0
      : 1
    : Math.min(9, Math.ceil(-Math.log10(step) - 1e-9));

/** Decimals that leave three digits. */
const threeDigits = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : 2);
