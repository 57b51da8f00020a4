import type { DemoRecording } from './recording';

/** Blocks that lie in one invented segment. */
export const BLOCKS_EACH = 11;

/** Every block that lies in one segment with `row`, whenever it lived. */
export function segmentMates(recording: DemoRecording, row: number): readonly number[] {
  const first = Math.floor(row / BLOCKS_EACH) * BLOCKS_EACH;
  return recording.blocks.slice(first, first + BLOCKS_EACH).map((_, i) => first + i);
}

/** The block around, or after which lies, an address. */
export function blockAround(recording: DemoRecording, address: number): number {
  return recording.blocks.findLastIndex((block) => block.address <= address);
}
