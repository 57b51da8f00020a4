//! The scene: bands, remainder and lines for one viewport.

use crate::Viewport;
use index::DeviceIndex;
use job::{Cancelled, Job};
use model::DeviceTable;

/// One value a column of the viewport; all of equal length but [`Columns::edge`].
///
/// A column shows one state: the one with the most allocated bytes among those it covers, so that
/// no peak is lost. Pixel values count from the top left corner, in device pixels; values outside
/// the viewport are clamped to about one viewport beyond it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    /// Left edges in pixels, and the last one's right edge: one more than the others.
    pub edge: Vec<f32>,
    /// The state shown.
    pub state: Vec<u32>,
    /// Allocated bytes at that state.
    pub allocated: Vec<f64>,
    /// Bytes of the blocks too small to be bands here.
    pub remainder: Vec<f64>,
    /// How many those are.
    pub remainder_count: Vec<u32>,
    /// `[allocated, active, reserved]` × `[least, most]` over all states of the column: y pixels of
    /// the lowest and the highest value.
    pub lines: [[Vec<f32>; 2]; 3],
}

/// Rectangles, one a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bands {
    /// Left, pixels.
    pub x0: Vec<f32>,
    /// Right, pixels.
    pub x1: Vec<f32>,
    /// Top, pixels.
    pub top: Vec<f32>,
    /// Bottom, pixels.
    pub bottom: Vec<f32>,
    /// Block.
    pub block: Vec<u32>,
    /// Colour key.
    pub key: Vec<u32>,
}

/// The bounded set of shapes for one viewport.
///
/// Law: in every column, the heights of the bands that cross it plus the remainder equal the
/// allocated bytes of its state, wherever that lies (bands outside the viewport's y range are
/// counted but not listed).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Left to right.
    pub columns: Columns,
    /// What is large enough to see; sorted by block.
    pub bands: Bands,
    /// Pieces of the selected block.
    pub outline: Bands,
    /// Most allocated bytes in the x range.
    pub most_allocated: u64,
    /// Most reserved bytes in the x range.
    pub most_reserved: u64,
}

/// Lays out `viewport`.
pub fn scene(
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    job: &Job,
) -> Result<Scene, Cancelled> {
    let _ = (table, index, viewport);
    job.check()?;
    Ok(Scene::default())
}
