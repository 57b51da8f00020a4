import type { Threshold, Thresholds } from '../tables';
import type { DemoRecording } from './recording';

/** When a block was there and used, nanoseconds. */
export interface Use {
  readonly start: number;
  readonly end: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly gap: number;
}

export const FLAGS = ['lazy_used', 'delayed_free', 'long_idle'] as const;

export const ns = (us: number): number => Math.round(us * 1000);

/** Of every four blocks, one is never used; the others wait for a tenth to three of their lives. */
export function useOf(recording: DemoRecording, row: number): Use {
  const block = recording.blocks[row];
  const time = (event: number | undefined): number | undefined =>
    event === undefined ? undefined : recording.times[event];
  const start = ns(time(block?.alloc) ?? 0);
  const end = ns(time(block?.freeCompleted) ?? recording.lengthUs ?? 0);
  if (recording.track?.has_accesses !== true || row % 4 === 3) {
    return { start, end, first: undefined, last: undefined, gap: 0 };
  }
  const tenth = Math.floor((end - start) / 10);
  const first = start + tenth * ((row % 3) + 1);
  const last = end - tenth * (row % 5);
  return { start, end, first, last, gap: Math.floor((last - first) / 2) };
}

function exceeds({ ns: time, percent }: Threshold, part: number, life: number): boolean {
  const isShare = percent !== undefined && percent > 0 && percent < 100;
  return (
    (time !== undefined && time > 0 && part > time) || (isShare && part * 100 > percent * life)
  );
}

/** How long a block was not used for too long, by flag. */
export function unusedOf(use: Use, thresholds: Thresholds | undefined): readonly number[] {
  const { start, end, first, last, gap } = use;
  if (first === undefined || last === undefined || thresholds === undefined) return [0, 0, 0];
  const { lazy, delayed, idle } = thresholds;
  const parts = [
    [lazy, first - start],
    [delayed, end - last],
    [idle, gap],
  ] as const;
  return parts.map(([threshold, part]) => (exceeds(threshold, part, end - start) ? part : 0));
}

/** Rows of the blocks that are inefficient. */
export const inefficientRows = (
  recording: DemoRecording,
  thresholds: Thresholds,
): ReadonlySet<number> =>
  new Set(
    recording.blocks.flatMap((_, row) =>
      unusedOf(useOf(recording, row), thresholds).some((part) => part > 0) ? [row] : [],
    ),
  );
