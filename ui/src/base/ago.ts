const UNITS = [
  { unit: 'year', ms: 365.25 * 86_400_000 },
  { unit: 'month', ms: 30.44 * 86_400_000 },
  { unit: 'week', ms: 7 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** `3 hours ago`, `yesterday`; nothing for less than a minute. */
export function ago(then: number, now: number, language: string): string | undefined {
  const past = Math.max(0, now - then);
  const found = UNITS.find(({ ms }) => past >= ms);
  if (found === undefined) return undefined;
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return words.format(-Math.floor(past / found.ms), found.unit);
}

/** The day and the minute, as people there write them. */
export const dayAndTime = (ms: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(ms);
