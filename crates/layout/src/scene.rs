//! The scene: bands, remainder and lines for one viewport.

use crate::columns::{Found, Shown};
use crate::grouping::{Groups, MOST_BANDS, grouping};
use crate::stack::{Frame, Run, Stacked, outlines, shapes, stack};
use crate::{Detail, Lit, Viewport};
use index::DeviceIndex;
use job::{Cancelled, Job};
use model::{BlockId, Counter, DeviceTable, State};
use rayon::prelude::*;

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
    /// Bytes of the blocks in view that are too small to be bands here.
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
/// Law: in every column, the bytes of the bands that cross it plus the remainder equal the
/// allocated bytes of its state, each cut to the viewport's y range.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Left to right.
    pub columns: Columns,
    /// What is large enough to see.
    pub bands: Bands,
    /// Of every band: 1 where its block stands out, see [`Viewport::lit`], or where nothing does.
    pub lit: Vec<u32>,
    /// Pieces of the selected block.
    pub outline: Bands,
    /// Most allocated bytes in the x range.
    pub most_allocated: u64,
    /// Most reserved bytes in the x range.
    pub most_reserved: u64,
}

/// Lays out `viewport`. An empty or senseless one gives an empty scene.
pub fn scene(
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    job: &Job,
) -> Result<Scene, Cancelled> {
    job.check()?;
    let Some(shown) = Shown::new(table, index, viewport) else { return Ok(Scene::default()) };
    let fine = shown.frame(viewport);
    let mut scene = lines(table, &shown.found, &fine);
    if viewport.detail == Detail::Full {
        let group = grouping(table, index, &fine);
        let groups = Groups::new(table, &fine, group);
        bands(&mut scene, table, index, viewport, (&groups.frame(&fine, group), group), job)?;
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

/// Adds the bands, the remainder and the outline; `group` columns of the scene are one of `frame`.
fn bands(
    scene: &mut Scene,
    table: &DeviceTable,
    index: &DeviceIndex,
    viewport: &Viewport,
    (frame, group): (&Frame<'_>, usize),
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
    whole.keep_largest(MOST_BANDS as usize, blocks, frame);
    let columns = &mut scene.columns;
    for column in 0..columns.state.len() {
        let grouped = column / group;
        let state = State(frame.states[grouped]);
        let allocated = table.counters.at(Counter::Allocated, state) as f64;
        columns.state[column] = state.0;
        columns.allocated[column] = allocated;
        columns.remainder[column] =
            (frame.visible(0.0, allocated) - whole.banded[grouped]).max(0.0);
        columns.remainder_count[column] = whole.hidden[grouped];
    }
    scene.bands = shapes(&whole.runs, blocks, frame, viewport.color);
    scene.lit = Lit::flags(viewport.lit.as_ref(), blocks, &scene.bands);
    scene.outline = outlines(&whole.outline, blocks, frame, viewport.color);
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
    index.lives.visit(blocks.released(), older, block.born, &mut |row| base += blocks.size()[row]);
    let run = Run { block: selected.0, columns: (0, 0), base: base as f64 };
    outlines(&[run], blocks, &Frame { edges: &[left, right], ..*frame }, viewport.color)
}
