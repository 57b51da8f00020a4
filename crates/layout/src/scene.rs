//! The scene: bands, remainder and lines for one viewport.

use crate::columns::{cuts, totals};
use crate::stack::{Frame, Run, Stacked, keep_largest, shapes, stack};
use crate::{Detail, Viewport};
use index::DeviceIndex;
use job::{Cancelled, Job};
use model::{BlockId, Counter, DeviceTable, State};
use rayon::prelude::*;

/// Least and most of the three totals, and the state to show.
type Found = ([(u64, u64); 3], State);

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
    /// What is large enough to see.
    pub bands: Bands,
    /// Pieces of the selected block.
    pub outline: Bands,
    /// Most allocated bytes in the x range.
    pub most_allocated: u64,
    /// Most reserved bytes in the x range.
    pub most_reserved: u64,
}

/// Most bands in one scene: what a page without a graphics card draws in about 25 ms.
const MOST_BANDS: usize = 30_000;

/// Lays out `viewport`. An empty or senseless one gives an empty scene.
pub fn scene(
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    job: &Job,
) -> Result<Scene, Cancelled> {
    job.check()?;
    let (x, y) = (viewport.x, viewport.y);
    let sane = [x.0, x.1, y.0, y.1].iter().all(|edge| edge.is_finite());
    if !sane || x.0 >= x.1 || y.0 >= y.1 || viewport.height_px == 0 {
        return Ok(Scene::default());
    }
    let (cuts, right) = cuts(table, viewport);
    if cuts.is_empty() {
        return Ok(Scene::default());
    }
    let found: Vec<_> = cuts.par_iter().map(|cut| totals(table, index, cut)).collect();
    let edges: Vec<f64> = cuts.iter().map(|cut| cut.left).chain([right]).collect();
    let states: Vec<u32> = found.iter().map(|(_, state)| state.0).collect();
    let frame = Frame { states: &states, edges: &edges, y, height_px: viewport.height_px.into() };
    let mut scene = lines(table, &found, &frame);
    if viewport.detail == Detail::Full {
        bands(&mut scene, table, index, viewport, &frame, job)?;
    }
    Ok(scene)
}

/// The columns with their lines.
fn lines(table: &DeviceTable, found: &[Found], frame: &Frame<'_>) -> Scene {
    let line = |counter: usize| {
        [
            found.iter().map(|(totals, _)| frame.y_px(totals[counter].0 as f64)).collect(),
            found.iter().map(|(totals, _)| frame.y_px(totals[counter].1 as f64)).collect(),
        ]
    };
    let most = |counter: usize| found.iter().map(|(totals, _)| totals[counter].1).max();
    let allocated = |state: &u32| table.counters.at(Counter::Allocated, State(*state)) as f64;
    let allocated: Vec<f64> = frame.states.iter().map(allocated).collect();
    Scene {
        columns: Columns {
            edge: frame.edges.iter().map(|edge| *edge as f32).collect(),
            state: frame.states.to_vec(),
            remainder: allocated.clone(),
            allocated,
            remainder_count: vec![0; found.len()],
            lines: [line(0), line(1), line(2)],
        },
        most_allocated: most(0).unwrap_or(0),
        most_reserved: most(2).unwrap_or(0),
        ..Scene::default()
    }
}

/// Adds the bands, the remainder and the outline.
fn bands(
    scene: &mut Scene,
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    frame: &Frame<'_>,
    job: &Job,
) -> Result<(), Cancelled> {
    let blocks = &table.blocks;
    let selected = viewport.selected.map(|block| block.0);
    let n = frame.states.len();
    let part = n.div_ceil(rayon::current_num_threads().max(1)).max(64);
    let parts: Vec<Stacked> = (0..n.div_ceil(part))
        .into_par_iter()
        .map(|row| {
            let first = row * part;
            stack(blocks, index, frame, (first, part.min(n - first)), selected, job)
        })
        .collect::<Result<_, _>>()?;
    let mut whole = Stacked::default();
    for part in parts {
        whole.append(part);
    }
    keep_largest(&mut whole, MOST_BANDS, blocks);
    for column in 0..n {
        scene.columns.remainder_count[column] = whole.count[column] - whole.banded[column];
        scene.columns.remainder[column] -= whole.banded_bytes[column] as f64;
    }
    scene.bands = shapes(&whole.runs, blocks, frame, viewport.color);
    scene.outline = shapes(&whole.outline, blocks, frame, viewport.color);
    if let Some(block) = viewport.selected.filter(|_| whole.outline.is_empty()) {
        scene.outline = between(table, index, viewport, frame, block);
    }
    Ok(())
}

/// Where the selected block lies when its whole life falls between the states that are shown: a
/// mark at least a pixel wide, at its height right after its birth.
fn between(
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    frame: &Frame<'_>,
    selected: BlockId,
) -> Bands {
    let blocks = &table.blocks;
    if selected.row() >= blocks.len() as usize {
        return Bands::default();
    }
    let block = blocks.get(selected);
    let scale = f64::from(viewport.width_px) / (viewport.x.1 - viewport.x.0);
    let px = |state| (viewport.axis.begin(table, state) - viewport.x.0) * scale;
    let left = px(block.born);
    let right = block.released.map_or(f64::from(viewport.width_px), px).max(left + 1.0);
    if right < 0.0 || left > f64::from(viewport.width_px) {
        return Bands::default();
    }
    let mut base = 0_u64;
    let older = 0..selected.row();
    index.lives.visit(blocks, older, block.born, &mut |row| base += blocks.size()[row]);
    let mut mark = shapes(
        &[Run::at(selected.0, base)],
        blocks,
        &Frame { edges: &[left, right], ..*frame },
        viewport.color,
    );
    mark.x0 = vec![left as f32];
    mark
}
