import { exactMoment } from '../../base/format';
import { clockText, secondsText } from '../../base/moments';
import type { TrackSummary } from '../../wire/decompose';
import type { DumpedBlock } from '../../wire/known';
import type { Threshold, Thresholds } from '../../wire/tables';

/** What is known of the dump that a block or an event is of. */
export interface OfDump {
  readonly track: TrackSummary;
  /** The moment that times count from, nanoseconds since the epoch. */
  readonly zeroNs: string;
  /** How long the recording is, microseconds. */
  readonly lengthUs: number;
  /** Whether the file has a column for Python's stacks. */
  readonly hasPythonStacks: boolean;
  /** What counts as inefficient; nothing until somebody says. */
  readonly thresholds: Thresholds | undefined;
}

/** Whole nanoseconds. */
const nanos = (us: number): number => Math.round(us * 1000);

/** `12.345 678 901 s`. */
export const momentText = (us: number): string => secondsText(nanos(us));

/** `1 ms 20 µs`. */
export const spanText = (us: number): string => exactMoment(nanos(us));

/** Date and time of a moment of the dump. */
export const clockOf = (us: number, { zeroNs }: OfDump): string => clockText(nanos(us), zeroNs);

/** Microseconds from a block's allocation to its free, or to the end of the recording. */
export function lifeOf(block: DumpedBlock, lengthUs: number): { from: number; to: number } {
  const from = block.malloc_us ?? 0;
  return { from, to: Math.max(from, block.free_us ?? lengthUs) };
}

/** An owner and those above it, the highest first. */
export function levelsOf(
  owner: string,
): readonly { readonly name: string; readonly tag: string }[] {
  const names = owner.split('@');
  return names.map((name, at) => ({ name, tag: names.slice(0, at + 1).join('@') }));
}

/** How a block is inefficient, and for how long: whole nanoseconds. */
export interface Unused {
  readonly kind: 'lazy_used' | 'delayed_free' | 'long_idle';
  readonly ns: number;
}

/** Where a block is not used for longer than `thresholds` allow. */
export function unusedOf(block: DumpedBlock, of: OfDump): readonly Unused[] {
  const { first_access_us: first, last_access_us: last, longest_gap_us: gap } = block;
  if (of.thresholds === undefined || first === undefined || last === undefined) return [];
  const { from, to } = lifeOf(block, of.lengthUs);
  const life = nanos(to) - nanos(from);
  const { lazy, delayed, idle } = of.thresholds;
  const parts = [
    { kind: 'lazy_used', threshold: lazy, ns: nanos(first) - nanos(from) },
    { kind: 'delayed_free', threshold: delayed, ns: nanos(to) - nanos(last) },
    { kind: 'long_idle', threshold: idle, ns: nanos(gap) },
  ] as const;
  return parts.filter(({ threshold, ns }) => exceeds(threshold, ns, life));
}

function exceeds({ ns, percent }: Threshold, part: number, life: number): boolean {
  const isShare = percent !== undefined && percent > 0 && percent < 100;
  return (ns !== undefined && ns > 0 && part > ns) || (isShare && part * 100 > percent * life);
}
