import type { LaneList, LaneRow } from '../../wire/map';

/** The lane at a byte of the axis. */
export const laneAt = (list: LaneList, at: number): LaneRow | undefined =>
  list.lanes.find((lane) => lane.at <= at && at < lane.at + lane.size);

/** The hex address at a byte of a lane's axis. */
export const addressAt = (lane: LaneRow, at: number): string =>
  `0x${(BigInt(lane.address) + BigInt(Math.floor(at - lane.at))).toString(16)}`;

/** The lane that holds an address. */
export function laneOf(list: LaneList, address: string): LaneRow | undefined {
  const wanted = BigInt(address);
  return list.lanes.find((lane) => {
    const from = BigInt(lane.address);
    return from <= wanted && wanted < from + BigInt(lane.size);
  });
}
