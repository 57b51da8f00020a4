/** The column at `x`, 0 to 1 across the chart; nothing outside of all of them. */
export function columnAt(edge: readonly number[], x: number): number | undefined {
  const columns = edge.length - 1;
  if (columns < 1 || x < (edge[0] ?? 0) || x > (edge[columns] ?? 1)) return undefined;
  let low = 0;
  let high = columns - 1;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((edge[half] ?? 1) <= x) low = half;
    else high = half - 1;
  }
  return low;
}
