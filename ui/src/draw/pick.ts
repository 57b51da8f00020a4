import { clamp } from '../base/span';
import type { Bands } from '../wire/scene';
import type { Placed } from './layer';

/** Columns of pixels that share a list of bands. */
const BUCKET_PX = 8;

/**
 * Finds the band at a pixel of a scene. Every few columns keep the list of the bands that cross them;
 * bands do not overlap, so a list is never much longer than the scene is high.
 */
export class Pick {
  readonly #placed: Placed;
  /** Where each list begins in `#rows`; one more than there are lists. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(placed: Placed) {
    this.#placed = placed;
    const { bands } = placed.scene;
    const buckets = Math.ceil(placed.width / BUCKET_PX);
    const ends = new Uint32Array(buckets + 1);
    forEachBucket(bands, buckets, (bucket) => {
      ends[bucket + 1] = (ends[bucket + 1] ?? 0) + 1;
    });
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      ends[bucket + 1] = (ends[bucket + 1] ?? 0) + (ends[bucket] ?? 0);
    }
    this.#starts = ends.slice();
    this.#rows = new Uint32Array(ends[buckets] ?? 0);
    forEachBucket(bands, buckets, (bucket, row) => {
      const at = ends[bucket] ?? 0;
      this.#rows[at] = row;
      ends[bucket] = at + 1;
    });
  }

  /** The row of the band at a pixel of the scene; nothing when there is none. */
  at(x: number, y: number): number | undefined {
    const { scene, width, height } = this.#placed;
    const [column, line] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || line < 0 || column >= width || line >= height) return undefined;
    const bucket = Math.floor(column / BUCKET_PX);
    const end = this.#starts[bucket + 1] ?? 0;
    for (let i = this.#starts[bucket] ?? end; i < end; i += 1) {
      const row = this.#rows[i] ?? 0;
      if (covers(scene.bands, row, column, line)) return row;
    }
    return undefined;
  }
}

/** Calls `found` for every list a band belongs to. */
function forEachBucket(
  bands: Bands,
  buckets: number,
  found: (bucket: number, row: number) => void,
): void {
  for (let row = 0; row < bands.count; row += 1) {
    const left = Math.floor(Math.round(bands.x0[row] ?? 0) / BUCKET_PX);
    const right = Math.floor((Math.round(bands.x1[row] ?? 0) - 1) / BUCKET_PX);
    const last = clamp(right, -1, buckets - 1);
    for (let bucket = Math.max(0, left); bucket <= last; bucket += 1) found(bucket, row);
  }
}

/** Whether a band is drawn over a pixel: its edges are rounded as they are when it is drawn. */
const covers = (bands: Bands, row: number, column: number, line: number): boolean =>
  Math.round(bands.x0[row] ?? 0) <= column &&
  column < Math.round(bands.x1[row] ?? 0) &&
  Math.round(bands.top[row] ?? 0) <= line &&
  line < Math.round(bands.bottom[row] ?? 0);
