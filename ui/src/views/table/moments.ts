import { count, exactMoment } from '../../base/format';
import { secondsText } from '../../base/moments';

export { clockText, secondsText } from '../../base/moments';

/** How the times of a dump are written: to read, or as plain nanoseconds. */
export type Times = 'exact' | 'ns';

/** The moment of what is not recorded. */
export const NEVER = -1;

export const TIMES: readonly Times[] = ['exact', 'ns'];

/** A moment since the recording's start. */
export const momentText = (ns: number, times: Times): string =>
  times === 'ns' ? count(ns) : secondsText(ns);

/** A time between two moments. */
export const spanText = (ns: number, times: Times): string =>
  times === 'ns' ? count(ns) : exactMoment(ns);

const NANOSECONDS: Readonly<Record<string, number>> = {
  '': 1,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
  h: 3600e9,
};

/**
 * A time as typed, in nanoseconds: `12.345 678 901 s`, `1 ms 20 µs`, `1.5 ms`; a bare number is
 * of nanoseconds.
 */
export function typedNanos(text: string): number | undefined {
  // There are two signs that look like a µ.
  const plain = text
    .toLowerCase()
    .replace('μ', 'µ')
    .replace('−', '-')
    .replace(/[,_\s]/g, '');
  const parts = [...plain.matchAll(/(-?)(\d+\.?\d*|\.\d+)([a-zµ]*)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== plain) return undefined;
  const sign = plain.startsWith('-') ? -1 : 1;
  let sum = 0;
  for (const [, , number = '', unit = ''] of parts) {
    const factor = NANOSECONDS[unit];
    if (factor === undefined || (unit === '' && parts.length > 1)) return undefined;
    sum += Number(number) * factor;
  }
  return sign * Math.round(sum);
}
