import { count, duration } from '../base/format';
import { en } from '../text/en';
import type { Summary } from '../wire/known';

/** `pickle`, `msMemScope dump, sqlite`: what a recording is, as far as its file goes. */
export function carrierText({ carrier, dump }: Summary): string {
  if (dump === undefined) return carrier;
  const names: Readonly<Record<string, string>> = en.dumped.summary.carriers;
  return en.dumped.summary.kind(names[carrier] ?? carrier);
}

/** `3,598 rows`. */
export const rowsText = (rows: number): string => en.dumped.summary.rows(rows, count(rows));

/** `5,432 rows · 2 processes · 3 Python threads · 48.5 s`; nothing of a snapshot. */
export function dumpText({ dump }: Summary): string | undefined {
  if (dump === undefined) return undefined;
  const { rows, processes, threads, length_us: length } = dump;
  const words = en.dumped.summary;
  return [
    rowsText(rows),
    words.processes(processes.length, count(processes.length)),
    ...(threads > 0 ? [words.threads(threads, count(threads))] : []),
    duration(length),
  ].join(' · ');
}
