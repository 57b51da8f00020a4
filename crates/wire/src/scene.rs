//! The byte layout of a scene.

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
/// ```
pub fn encode_scene(scene: &Scene) -> Vec<u8> {
    let (columns, bands, outline) = (&scene.columns, &scene.bands, &scene.outline);
    let n = columns.state.len();
    let rows = bands.block.len() + outline.block.len();
    let mut bytes = Vec::with_capacity(64 + 4 + n * 52 + rows * 24);
    let mut words = |values: &[u32]| bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    let counts = [n, bands.block.len(), outline.block.len()].map(|count| count as u32);
    words(&[MAGIC, VERSION, counts[0], counts[1], counts[2], 0, 0, 0]);
    doubles(&mut bytes, &[scene.most_allocated as f64, scene.most_reserved as f64, 0.0, 0.0]);
    doubles(&mut bytes, &columns.allocated);
    doubles(&mut bytes, &columns.remainder);
    floats(&mut bytes, &columns.edge);
    if columns.edge.is_empty() {
        // The scene of a senseless viewport: keep to the layout, which has n + 1 edges.
        floats(&mut bytes, &[0.0]);
    }
    bytes.extend(columns.state.iter().flat_map(|value| value.to_le_bytes()));
    for line in columns.lines.iter().flatten() {
        floats(&mut bytes, line);
    }
    bytes.extend(columns.remainder_count.iter().flat_map(|value| value.to_le_bytes()));
    for shapes in [bands, outline] {
        for edge in [&shapes.x0, &shapes.x1, &shapes.top, &shapes.bottom] {
            floats(&mut bytes, edge);
        }
        for ids in [&shapes.block, &shapes.key] {
            bytes.extend(ids.iter().flat_map(|value| value.to_le_bytes()));
        }
    }
    bytes
}

fn doubles(bytes: &mut Vec<u8>, values: &[f64]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn floats(bytes: &mut Vec<u8>, values: &[f32]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}
