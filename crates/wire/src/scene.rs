//! The byte layout of a scene.

use crate::columns::ColumnWriter;
use session::Scene;

/// First word of every encoded scene: `TIDM`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"TIDM");
/// Second word.
pub const VERSION: u32 = 1;

/// A scene as raw little-endian columns, read in the page through typed arrays without a copy.
///
/// ```text
/// offset  0  u32 magic, version, n (columns), m (bands), k (outline pieces), 0, 0, 0
/// offset 32  f64 most_allocated, most_reserved, 0, 0
/// offset 64  f64 allocated[n], remainder[n]
///            f32 edge[n + 1]; u32 state[n]
///            f32 lines[6][n]: allocated low, high; active low, high; reserved low, high
///            u32 remainder_count[n]
///            f32 x0[m], x1[m], top[m], bottom[m]; u32 block[m], key[m]     bands
///            f32 x0[k], x1[k], top[k], bottom[k]; u32 block[k], key[k]     outline
///            u32 lit[m]: 1 where a band stands out
/// ```
pub fn encode_scene(scene: &Scene) -> Vec<u8> {
    let columns = &scene.columns;
    let [n, m, k] = [columns.state.len(), scene.bands.block.len(), scene.outline.block.len()]
        .map(|count| count as u32);
    let mut bytes = ColumnWriter::default();
    bytes.words([MAGIC, VERSION, n, m, k, 0, 0, 0]);
    bytes.doubles([scene.most_allocated as f64, scene.most_reserved as f64, 0.0, 0.0]);
    bytes.doubles(columns.allocated.iter().copied());
    bytes.doubles(columns.remainder.iter().copied());
    bytes.edges(&columns.edge);
    bytes.words(columns.state.iter().copied());
    for line in columns.lines.iter().flatten() {
        bytes.floats(line.iter().copied());
    }
    bytes.words(columns.remainder_count.iter().copied());
    bytes.bands(&scene.bands).bands(&scene.outline).words(scene.lit.iter().copied());
    bytes.finish()
}
