import { fillBand } from './raster';
import type { Placed } from './layer';

/** Finds the band at a pixel of a scene without a search. Built at the first question. */
export class Pick {
  readonly #placed: Placed;
  #rows: Uint32Array | undefined;

  constructor(placed: Placed) {
    this.#placed = placed;
  }

  /** The row of the band at a pixel of the scene; nothing when there is none. */
  at(x: number, y: number): number | undefined {
    const { width, height } = this.#placed;
    const column = Math.floor(x);
    const line = Math.floor(y);
    if (column < 0 || line < 0 || column >= width || line >= height) return undefined;
    this.#rows ??= this.#build();
    const row = this.#rows[line * width + column] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  /** A picture in which every pixel holds its band's row plus one. */
  #build(): Uint32Array {
    const { scene, width, height } = this.#placed;
    const rows = new Uint32Array(width * height);
    for (let row = 0; row < scene.bands.count; row += 1) {
      fillBand(rows, width, height, scene.bands, row, row + 1);
    }
    return rows;
  }
}
