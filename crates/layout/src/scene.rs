//! The scene: bands, remainder and lines for one viewport.

use crate::columns::{cuts, totals};
use crate::stack::{Frame, Run, Stacked, outlines, shapes, stack};
use crate::{Detail, Viewport};
use index::{DeviceIndex, Lives};
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
    /// Pieces of the selected block.
    pub outline: Bands,
    /// Most allocated bytes in the x range.
    pub most_allocated: u64,
    /// Most reserved bytes in the x range.
    pub most_reserved: u64,
}

/// Most bands in one scene: 1.4 MB on the wire, and drawn once in about 10 ms without a GPU.
const MOST_BANDS: f64 = 60_000.0;
/// Most blocks to stack for one scene: about 5 ms of work.
const MOST_BLOCKS: f64 = 400_000.0;
/// Columns looked at to guess how much there is in a scene.
const PROBES: usize = 48;

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
    let fine = Frame {
        states: &states,
        edges: &edges,
        y,
        height_px: viewport.height_px.into(),
        row_px: 1.0,
    };
    let mut scene = lines(table, &found, &fine);
    if viewport.detail == Detail::Full {
        let group = grouping(table, index, &fine);
        let groups = Groups::new(table, &fine, group);
        let frame =
            Frame { states: &groups.states, edges: &groups.edges, row_px: group as f64, ..fine };
        bands(&mut scene, table, index, viewport, (&frame, group), job)?;
    }
    Ok(scene)
}

/// How many columns to take together, and how many pixels a row of the grid is high.
///
/// Far out every column shows other blocks than its neighbour, and many more than can be told
/// apart; taking columns together there bounds the work by the pixels, not by the recording.
fn grouping(table: &DeviceTable, index: &DeviceIndex, frame: &Frame<'_>) -> usize {
    let n = frame.states.len();
    if n <= PROBES {
        return 1;
    }
    let blocks = &table.blocks;
    let bytes_per_px = (frame.y.1 - frame.y.0) / frame.height_px;
    let (mut fresh, mut bands) = (0.0, 0.0);
    for probe in 0..PROBES {
        // Only what a column is the first to show: what goes on from its neighbour costs nothing.
        let column = 1 + probe * (n - 2) / (PROBES - 1);
        let born = |column: usize| Lives::born_by(blocks.born(), State(frame.states[column]));
        let rows = born(column - 1)..born(column);
        index.lives.visit(blocks.released(), rows, State(frame.states[column]), &mut |row| {
            fresh += 1.0;
            bands += (blocks.size()[row] as f64 / bytes_per_px).min(1.0);
        });
    }
    let scale = n as f64 / PROBES as f64;
    let mut group = 1;
    while bands * scale > MOST_BANDS * (group * group) as f64
        || fresh * scale > MOST_BLOCKS * group as f64
    {
        group *= 2;
    }
    group
}

/// Columns taken together, each showing the state of theirs with the most allocated bytes.
struct Groups {
    states: Vec<u32>,
    edges: Vec<f64>,
}

impl Groups {
    fn new(table: &DeviceTable, frame: &Frame<'_>, group: usize) -> Self {
        let allocated = |state: &&u32| table.counters.at(Counter::Allocated, State(**state));
        let most = |states: &[u32]| {
            // The first of equals, as everywhere.
            states.iter().rev().max_by_key(allocated).copied().unwrap_or(0)
        };
        let states = frame.states.chunks(group).map(most).collect();
        let n = frame.states.len();
        let edges = (0..n).step_by(group).chain([n]).map(|column| frame.edges[column]).collect();
        Self { states, edges }
    }
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
