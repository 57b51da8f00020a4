/** Steps over columns as an SVG path in a box of 1 × 1, from the left of the first column. */
function steps(edge: Float32Array, values: Float32Array, top: number): string {
  let path = '';
  for (let column = 0; column < values.length; column += 1) {
    const y = (1 - (values[column] ?? 0) / top).toFixed(4);
    path += `${column === 0 ? '' : 'V'}${y}H${(edge[column + 1] ?? 1).toFixed(5)}`;
  }
  return path;
}

/** The outline of `values` from below, to be filled. */
export function areaPath(edge: Float32Array, values: Float32Array, top: number): string {
  if (values.length === 0 || top <= 0) return '';
  return `M${(edge[0] ?? 0).toFixed(5)} 1V${steps(edge, values, top)}V1Z`;
}

/** The band between `least` and `most`, at least a line. */
export function bandPath(
  edge: Float32Array,
  least: Float32Array,
  most: Float32Array,
  top: number,
): string {
  if (most.length === 0 || top <= 0) return '';
  let back = '';
  for (let column = least.length - 1; column >= 0; column -= 1) {
    const y = (1 - (least[column] ?? 0) / top).toFixed(4);
    back += `V${y}H${(edge[column] ?? 0).toFixed(5)}`;
  }
  const first = (1 - (most[0] ?? 0) / top).toFixed(4);
  return `M${(edge[0] ?? 0).toFixed(5)} ${first}V${steps(edge, most, top)}${back}Z`;
}
