import type { Bands } from '../../wire/scene';

/** The column at `x` pixels of a map; nothing outside of it. */
export function columnOf(edge: Float32Array, columns: number, x: number): number | undefined {
  if (columns === 0 || x < (edge[0] ?? 0) || x > (edge[columns] ?? 0)) return undefined;
  let [low, high] = [0, columns - 1];
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((edge[half] ?? 0) <= x) low = half;
    else high = half - 1;
  }
  return low;
}

/**
 * Finds the rectangle at a place of a map whose rectangles do not overlap and keep to its columns:
 * every column has the list of those in it, top down. Made when somebody first looks.
 */
export class Columned {
  readonly #bands: Bands;
  readonly #edge: Float32Array;
  readonly #columns: number;
  #lists: { readonly starts: Uint32Array; readonly rows: Uint32Array } | undefined;

  constructor(bands: Bands, edge: Float32Array, columns: number) {
    this.#bands = bands;
    this.#edge = edge;
    this.#columns = columns;
  }

  /** The rectangle at `y` in a column. */
  at(column: number, y: number): number | undefined {
    this.#lists ??= this.#listed();
    const { starts, rows } = this.#lists;
    const { top, bottom } = this.#bands;
    let [low, high] = [starts[column] ?? 0, starts[column + 1] ?? 0];
    // The first one below `y`; the one before it is the only one that may hold it.
    const begin = low;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((top[rows[half] ?? 0] ?? 0) <= y) low = half + 1;
      else high = half;
    }
    const row = low > begin ? rows[low - 1] : undefined;
    return row !== undefined && y < (bottom[row] ?? 0) ? row : undefined;
  }

  #listed(): { readonly starts: Uint32Array; readonly rows: Uint32Array } {
    const starts = new Uint32Array(this.#columns + 1);
    this.#each((column) => {
      starts[column + 1] = (starts[column + 1] ?? 0) + 1;
    });
    for (let column = 0; column < this.#columns; column += 1) {
      starts[column + 1] = (starts[column + 1] ?? 0) + (starts[column] ?? 0);
    }
    const ends = starts.slice();
    const rows = new Uint32Array(starts[this.#columns] ?? 0);
    this.#each((column, row) => {
      const at = ends[column] ?? 0;
      rows[at] = row;
      ends[column] = at + 1;
    });
    const { top } = this.#bands;
    for (let column = 0; column < this.#columns; column += 1) {
      rows
        .subarray(starts[column] ?? 0, starts[column + 1] ?? 0)
        .sort((a, b) => (top[a] ?? 0) - (top[b] ?? 0));
    }
    return { starts, rows };
  }

  /** Calls `found` for every column a rectangle has the middle of. */
  #each(found: (column: number, row: number) => void): void {
    const { count, x0, x1 } = this.#bands;
    const middle = (column: number): number =>
      ((this.#edge[column] ?? 0) + (this.#edge[column + 1] ?? 0)) / 2;
    for (let row = 0; row < count; row += 1) {
      const left = x0[row] ?? 0;
      let column = columnOf(this.#edge, this.#columns, Math.max(left, this.#edge[0] ?? 0));
      while (column !== undefined && column < this.#columns) {
        if (middle(column) >= (x1[row] ?? 0)) break;
        if (middle(column) >= left) found(column, row);
        column += 1;
      }
    }
  }
}
