//! Which blocks are allocated at a state.
//!
//! Blocks are sorted by birth, so those born by a state are a prefix; a tree of the latest release
//! over them skips whole stretches that are gone. Nothing is replayed.

use job::{Cancelled, Job};
use model::{BlockId, Blocks, State};
use std::ops::Range;

/// Blocks a leaf covers: small enough to scan, large enough that the tree stays at a few per cent
/// of the column.
const LEAF: usize = 32;
/// Children of a node.
const FAN: usize = 16;

/// The latest release in every stretch of blocks, as an implicit tree.
#[derive(Debug, Clone)]
pub struct Lives {
    /// `levels[0]` has one value a [`LEAF`] blocks, each further level one a [`FAN`] values.
    levels: Vec<Vec<u32>>,
}

impl Lives {
    /// Indexes `blocks`.
    pub fn new(blocks: &Blocks, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let latest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
        let mut level: Vec<u32> = blocks.released().chunks(LEAF).map(latest).collect();
        let mut levels = Vec::new();
        while level.len() > FAN {
            let above = level.chunks(FAN).map(latest).collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Ok(Self { levels })
    }

    /// Blocks born by `state`: a prefix of the table.
    pub fn born_by(blocks: &Blocks, state: State) -> usize {
        blocks.born().partition_point(|born| *born <= state.0)
    }

    /// Calls `visit` for every row of `rows` that is released after `state`, in birth order.
    ///
    /// With `rows` within [`Lives::born_by`] these are the blocks allocated at `state`.
    pub fn visit(
        &self,
        blocks: &Blocks,
        rows: Range<usize>,
        state: State,
        visit: &mut impl FnMut(usize),
    ) {
        let top = self.levels.len() - 1;
        let span = LEAF * FAN.pow(top as u32);
        let first = rows.start / span;
        for node in first..rows.end.div_ceil(span).min(self.levels[top].len()) {
            self.descend(blocks.released(), top, node, &rows, state.0, visit);
        }
    }

    fn descend(
        &self,
        released: &[u32],
        level: usize,
        node: usize,
        rows: &Range<usize>,
        state: u32,
        visit: &mut impl FnMut(usize),
    ) {
        if self.levels[level][node] <= state {
            return;
        }
        if level == 0 {
            let from = (node * LEAF).max(rows.start);
            let to = ((node + 1) * LEAF).min(rows.end);
            for (row, released) in released.iter().enumerate().take(to).skip(from) {
                if *released > state {
                    visit(row);
                }
            }
            return;
        }
        let span = LEAF * FAN.pow(level as u32 - 1);
        let from = (node * FAN).max(rows.start / span);
        let to = ((node + 1) * FAN).min(rows.end.div_ceil(span)).min(self.levels[level - 1].len());
        for child in from..to {
            self.descend(released, level - 1, child, rows, state, visit);
        }
    }

    /// The blocks allocated at `state`, in birth order.
    pub fn allocated_at(&self, blocks: &Blocks, state: State) -> Vec<BlockId> {
        let mut found = Vec::new();
        let born = Self::born_by(blocks, state);
        self.visit(blocks, 0..born, state, &mut |row| found.push(BlockId(row as u32)));
        found
    }
}
