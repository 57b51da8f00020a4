//! Keeps the work and the answer of a far-out scene bounded by taking columns together.

use crate::stack::Frame;
use index::{DeviceIndex, Lives};
use model::{Counter, DeviceTable, State};

/// Most bands in one scene: 0.8 MB on the wire, and drawn once in about 10 ms without a GPU.
pub(crate) const MOST_BANDS: f64 = 30_000.0;
/// Most blocks to stack for one scene: about 2 ms of work.
const MOST_BLOCKS: f64 = 160_000.0;
/// Columns looked at to guess how much there is in a scene.
const PROBES: usize = 48;

/// How many columns to take together, and how many pixels a row of the grid is high.
///
/// Far out every column shows other blocks than its neighbour, and many more than can be told
/// apart; taking columns together there bounds the work by the pixels, not by the recording.
pub(crate) fn grouping(table: &DeviceTable, index: &DeviceIndex, frame: &Frame<'_>) -> usize {
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
pub(crate) struct Groups {
    states: Vec<u32>,
    edges: Vec<f64>,
}

impl Groups {
    pub(crate) fn new(table: &DeviceTable, frame: &Frame<'_>, group: usize) -> Self {
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

    /// `fine` with these columns, and rows as much higher.
    pub(crate) fn frame<'a>(&'a self, fine: &Frame<'a>, group: usize) -> Frame<'a> {
        Frame { states: &self.states, edges: &self.edges, row_px: group as f64, ..*fine }
    }
}
