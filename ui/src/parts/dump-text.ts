import { count, duration } from '../base/format';
import { named, t } from '../text/t';
import type { Summary } from '../wire/known';

/** `pickle`, `msMemScope dump, sqlite`: what a recording is, as far as its file goes. */
export function carrierText({ carrier, dump }: Summary): string {
  if (dump === undefined) return carrier;
  return t('dumped.summary.kind', { carrier: named('dumped.summary.carriers', carrier) });
}

/** `3,598 rows`. */
export const rowsText = (rows: number): string =>
  t('dumped.summary.rows', { count: rows, text: count(rows) });

/** `5,432 rows · 2 processes · 3 Python threads · 48.5 s`; nothing of a snapshot. */
export function dumpText({ dump }: Summary): string | undefined {
  if (dump === undefined) return undefined;
  const { rows, processes, threads, length_us: length } = dump;
  return [
    rowsText(rows),
    t('dumped.summary.processes', { count: processes.length, text: count(processes.length) }),
    ...(threads > 0 ? [t('dumped.summary.threads', { count: threads, text: count(threads) })] : []),
    duration(length),
  ].join(' · ');
}
