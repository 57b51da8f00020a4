import { apply, length, mapping, unapply, type Span } from '../../base/span';
import type { Placed } from '../../draw/layer';
import type { FitReserved } from '../../state/shared';
import { columnAt, type Line } from '../../wire/scene';

/** Room above the highest value. */
const ALLOCATED_ROOM = 1.1;
const RESERVED_ROOM = 1.06;
/** The reserved line is left out of the height when it is this much higher than the allocated. */
const FAR = 2.5;
/** A height this much too large is kept, so that panning does not make the picture breathe. */
const KEPT = 1.09;

/** The most bytes in the stretch shown. */
export interface Most {
  readonly allocated: number;
  readonly reserved: number;
}

/** The most bytes in `x` of a scene; nothing when the scene does not reach all of it. */
export function mostIn(placed: Placed, x: Span): Most | undefined {
  const slack = length(x) * 1e-6;
  const isCovered = placed.x.from <= x.from + slack && placed.x.to >= x.to - slack;
  if (!isCovered || placed.scene.columns === 0) return undefined;
  const map = mapping(placed.x, { from: 0, to: placed.width });
  const first = columnAt(placed.scene, apply(map, x.from) + 1e-3);
  const last = columnAt(placed.scene, apply(map, x.to) - 1e-3);
  let allocated = 0;
  for (let column = first; column <= last; column += 1) {
    allocated = Math.max(allocated, placed.scene.allocated[column] ?? 0);
  }
  return { allocated, reserved: reservedIn(placed, first, last) };
}

function reservedIn(placed: Placed, first: number, last: number): number {
  let highest = 0;
  for (let column = first; column <= last; column += 1) {
    const bytes = bytesOf(placed, placed.scene.lines.reserved, column);
    if (bytes === undefined) return placed.scene.mostReserved;
    highest = Math.max(highest, bytes);
  }
  return highest;
}

/** The highest value of a line in a column, read back from its pixel; nothing when clamped. */
export function bytesOf(placed: Placed, line: Line, column: number): number | undefined {
  const pixel = Math.min(line.high[column] ?? 0, line.low[column] ?? 0);
  if (pixel <= -placed.height * 0.95 || pixel >= placed.height * 1.95) return undefined;
  return Math.max(0, unapply(mapping(placed.y, { from: placed.height, to: 0 }), pixel));
}

/** Whether the reserved line decides the height. */
export function countsReserved(most: Most, fit: FitReserved): boolean {
  if (fit === 'near') return most.reserved <= most.allocated * FAR;
  return fit === 'always';
}

/** The automatic height for `most`; `before` is kept while it still fits. */
export function autoHeight(most: Most, fit: FitReserved, before: Span): Span {
  const reserved = countsReserved(most, fit) ? most.reserved * RESERVED_ROOM : 0;
  const needed = Math.max(most.allocated * ALLOCATED_ROOM, reserved);
  if (needed <= 0) return before;
  const isKept = before.from === 0 && before.to >= needed && before.to <= needed * KEPT;
  return isKept ? before : { from: 0, to: needed * (1 + (KEPT - 1) / 3) };
}
