import { HEADER_BYTES, MAGIC, VERSION, type Bands, type Scene } from './scene';

/** Writes `scene` as the program would: for the demo engine and for tests. */
export function encodeScene(scene: Scene): ArrayBuffer {
  const n = scene.columns;
  const rows = scene.bands.count + scene.outline.count;
  const buffer = new ArrayBuffer(HEADER_BYTES + 4 + n * 52 + rows * 24 + scene.bands.count * 4);
  const counts = [n, scene.bands.count, scene.outline.count];
  new Uint32Array(buffer, 0, 5).set([MAGIC, VERSION, ...counts]);
  new Float64Array(buffer, 32, 2).set([scene.mostAllocated, scene.mostReserved]);
  let at = HEADER_BYTES;
  const put = (column: Float64Array | Float32Array | Uint32Array): void => {
    const raw = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    new Uint8Array(buffer, at, raw.length).set(raw);
    at += raw.length;
  };
  const putBands = (bands: Bands): void => {
    [bands.x0, bands.x1, bands.top, bands.bottom, bands.block, bands.key].forEach(put);
  };
  [scene.allocated, scene.remainder, scene.edge, scene.state].forEach(put);
  for (const line of [scene.lines.allocated, scene.lines.active, scene.lines.reserved]) {
    put(line.low);
    put(line.high);
  }
  put(scene.remainderCount);
  putBands(scene.bands);
  putBands(scene.outline);
  put(scene.lit);
  return buffer;
}
