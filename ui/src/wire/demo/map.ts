import { apply, mapping } from '../../base/span';
import type { AddressMap, AddressMapQuestion, LaneList, LaneOrder, LaneRow } from '../map';
import type { Bands } from '../scene';
import { columnsOf, keyOf, litBlocks } from './layout';
import { BLOCKS_EACH, segmentMates } from './segments';
import type { DemoBlock, DemoRecording } from './recording';

const LEAST_PX = 1;

interface Held {
  readonly row: number;
  readonly block: DemoBlock;
}

/** An invented segment: it is mapped from its first block's life to its last one's. */
interface DemoLane {
  readonly address: number;
  readonly size: number;
  readonly at: number;
  readonly held: readonly Held[];
}

interface Rectangle {
  readonly x0: number;
  x1: number;
  readonly top: number;
  readonly bottom: number;
  readonly block: number;
  readonly key: number;
}

function lanesOf(recording: DemoRecording, order: LaneOrder): readonly DemoLane[] {
  const lanes: Omit<DemoLane, 'at'>[] = [];
  for (let row = 0; row < recording.blocks.length; row += BLOCKS_EACH) {
    const held = segmentMates(recording, row).flatMap((row) => {
      const block = recording.blocks[row];
      return block === undefined ? [] : [{ row, block }];
    });
    const [first, last] = [held[0]?.block, held.at(-1)?.block];
    if (first === undefined || last === undefined) continue;
    lanes.push({ address: first.address, size: last.address + last.size - first.address, held });
  }
  if (order === 'size') lanes.sort((a, b) => b.size - a.size || a.address - b.address);
  let at = 0;
  return lanes.map((lane) => {
    at += lane.size;
    return { ...lane, at: at - lane.size };
  });
}

/** The lanes, by address; their places follow `order`. */
export function demoLanes(recording: DemoRecording, order: LaneOrder): LaneList {
  const lanes = [...lanesOf(recording, order)].sort((a, b) => a.address - b.address);
  const row = ({ address, size, at }: DemoLane): LaneRow => ({
    address: `0x${address.toString(16)}`,
    size,
    at,
  });
  return { total: lanes.reduce((sum, { size }) => sum + size, 0), lanes: lanes.map(row) };
}

const isHeld = ({ alloc, freeCompleted }: DemoBlock, state: number): boolean =>
  alloc < state && (freeCompleted === undefined || state <= freeCompleted);

/** A map laid out the slow way: every column visits every lane in view. */
export function demoMap(recording: DemoRecording, question: AddressMapQuestion): AddressMap {
  const { scene } = question;
  const { edge, state } = columnsOf(recording, scene);
  const toY = mapping({ from: scene.y0, to: scene.y1 }, { from: scene.height_px, to: 0 });
  const unit = (scene.y1 - scene.y0) / scene.height_px;
  const lanes = lanesOf(recording, question.order).filter(
    ({ at, size }) => at < scene.y1 && at + size > scene.y0,
  );
  const hidden = new Uint32Array(state.length);
  const shapes = [new Runs(), new Runs(), new Runs(), new Runs()] as const;
  const [blocks, outline, segments, holes] = shapes;
  state.forEach((now, column) => {
    const across = { x0: edge[column] ?? 0, x1: edge[column + 1] ?? 0 };
    const pixels = (from: number, to: number) => ({
      ...across,
      top: Math.round(apply(toY, to)),
      bottom: Math.round(apply(toY, from)),
    });
    lanes.forEach((lane, number) => {
      if (!isMapped(lane, now)) return;
      const all = pixels(lane.at, lane.at + lane.size);
      if (all.bottom > all.top) segments.add(number, { ...all, block: number, key: 0 });
      let free = lane.at;
      const hole = (to: number): void => {
        const gap = pixels(free, to);
        if (gap.bottom - gap.top < LEAST_PX) return;
        const key = Math.floor(Math.log2((gap.bottom - gap.top) * unit));
        holes.add(gap.top, { ...gap, block: 0xffffffff, key });
      };
      for (const { row, block } of lane.held) {
        if (!isHeld(block, now)) continue;
        const from = lane.at + block.address - lane.address;
        const place = pixels(from, from + block.size);
        const shape = { ...place, block: row, key: keyOf(block, scene) };
        if (row === scene.selected) outline.add(row, shape);
        if (place.bottom - place.top >= LEAST_PX) blocks.add(row, shape);
        else hidden[column] = (hidden[column] ?? 0) + 1;
        hole(from);
        free = from + block.size;
      }
      hole(lane.at + lane.size);
    });
  });
  const lit = litBlocks(recording, scene.highlight);
  const bands = blocks.bands();
  return {
    columns: state.length,
    edge: Float32Array.from(edge),
    state: Uint32Array.from(state),
    hidden,
    blocks: bands,
    outline: outline.bands(),
    segments: segments.bands(),
    holes: holes.bands(),
    lit: bands.block.map((block) => (lit.has(block) ? 1 : 0)),
  };
}

const isMapped = ({ held }: DemoLane, state: number): boolean =>
  held.some(({ block }) => block.alloc < state) &&
  held.some(({ block }) => block.freeCompleted === undefined || state <= block.freeCompleted);

/** Rectangles that grow from column to column while they stay what they are. */
class Runs {
  readonly #list: Rectangle[] = [];
  readonly #open = new Map<number, Rectangle>();

  add(name: number, next: Rectangle): void {
    const open = this.#open.get(name);
    const isSame =
      open?.x1 === next.x0 &&
      open.top === next.top &&
      open.bottom === next.bottom &&
      open.block === next.block;
    if (isSame) {
      open.x1 = next.x1;
      return;
    }
    this.#list.push(next);
    this.#open.set(name, next);
  }

  bands(): Bands {
    const floats = (of: (one: Rectangle) => number): Float32Array =>
      Float32Array.from(this.#list, of);
    return {
      count: this.#list.length,
      x0: floats(({ x0 }) => x0),
      x1: floats(({ x1 }) => x1),
      top: floats(({ top }) => top),
      bottom: floats(({ bottom }) => bottom),
      block: Uint32Array.from(this.#list, ({ block }) => block),
      key: Uint32Array.from(this.#list, ({ key }) => key),
    };
  }
}
