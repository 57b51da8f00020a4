import { clamp } from '../../base/span';

export const ROW_PX = 22;
/** Browsers lay nothing out much further down than this. */
const MOST_PX = 8_000_000;

/** The height that is scrolled over: all rows, or as much as a browser bears. */
export const scrollHeight = (rows: number): number => Math.min(rows * ROW_PX, MOST_PX);

/** Whether a scrolled pixel is more than a pixel of rows. */
export const isScaled = (rows: number): boolean => rows * ROW_PX > MOST_PX;

/** The furthest first row: the one that leaves the last at the bottom. */
export const furthest = (rows: number, heightPx: number): number =>
  Math.max(0, rows - heightPx / ROW_PX);

/** The first row, in fractions, where the scroll bar is. */
export function placeAt(scrollTop: number, rows: number, heightPx: number): number {
  if (!isScaled(rows)) return scrollTop / ROW_PX;
  const share = scrollTop / (MOST_PX - heightPx);
  return clamp(share, 0, 1) * furthest(rows, heightPx);
}

/** Where the scroll bar is when `place` is the first row. */
export function scrollTopOf(place: number, rows: number, heightPx: number): number {
  if (!isScaled(rows)) return place * ROW_PX;
  return (place / furthest(rows, heightPx)) * (MOST_PX - heightPx);
}

/** The first row that shows `row` whole, as near to `place` as may be. */
export function revealing(row: number, place: number, rows: number, heightPx: number): number {
  const fit = Math.max(1, Math.floor(heightPx / ROW_PX));
  if (row >= place && row + 1 <= place + heightPx / ROW_PX) return place;
  const isFar = row < place - fit || row > place + 2 * fit;
  const wanted = isFar
    ? row - Math.floor(fit / 2)
    : row < place
      ? row
      : row + 1 - heightPx / ROW_PX;
  return clamp(wanted, 0, furthest(rows, heightPx));
}
