import type { TrackSummary } from '../wire/decompose';
import type { DeviceSummary } from '../wire/known';

/** A track, with its row among the devices of the recording. */
export interface Track {
  readonly row: number;
  readonly track: TrackSummary;
  readonly peak: number;
}

/** The tracks of a dump, in the program's order; none of a snapshot. */
export const tracksOf = (devices: readonly DeviceSummary[]): readonly Track[] =>
  devices.flatMap(({ track, peak }, row) =>
    track === undefined ? [] : [{ row, track, peak: peak.allocated.bytes }],
  );

/** What device and process a track is of. */
export const homeOf = ({ device, process }: Pick<TrackSummary, 'device' | 'process'>): string =>
  `${device} ${process.toString()}`;

/** `npu:0`, `cpu`. */
export const deviceName = ({ device }: TrackSummary): string =>
  /^\d+$/.test(device) ? `npu:${device}` : device;

/** The first track of every device and process. */
export const homes = (tracks: readonly Track[]): readonly Track[] =>
  tracks.filter(
    ({ track }, i) => tracks.findIndex((other) => homeOf(other.track) === homeOf(track)) === i,
  );

/** The track of another device and process: of the same pool, if there is one. */
export function trackThere(
  tracks: readonly Track[],
  home: string,
  pool: string | undefined,
): Track | undefined {
  const there = tracks.filter(({ track }) => homeOf(track) === home);
  return there.find(({ track }) => track.pool === pool) ?? there[0];
}
