//! Which rows of a table are there at a state.
//!
//! Rows are sorted by birth, so those born by a state are a prefix; a tree of the latest end over
//! them skips whole stretches that are gone. Nothing is replayed.

use job::{Cancelled, Job};
use model::{Column, State};
use std::ops::Range;

/// Rows a leaf covers: small enough to scan, large enough that the tree stays at a few per cent
/// of the column.
const LEAF: usize = 32;
/// Children of a node.
const FAN: usize = 16;

/// The latest end in every stretch of a column of ends (states, `u32::MAX` for never), as an
/// implicit tree. The column itself stays where it is and is passed to every question.
#[derive(Debug, Clone)]
pub struct Lives {
    /// `levels[0]` has one value a [`LEAF`] rows, each further level one a [`FAN`] values.
    levels: Vec<Column<u32>>,
}

impl Lives {
    /// Indexes the column `ends`.
    pub fn new(ends: &[u32], job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let latest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
        let mut level: Column<u32> = ends.chunks(LEAF).map(latest).collect();
        let mut levels = Vec::new();
        while level.len() > FAN {
            let above = level.chunks(FAN).map(latest).collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Ok(Self { levels })
    }

    /// The index that has `levels`; `None` when that of a column of `count` ends has others.
    pub fn from_levels(levels: Vec<Column<u32>>, count: usize) -> Option<Self> {
        let mut nodes = count.div_ceil(LEAF);
        for (at, level) in levels.iter().enumerate() {
            if level.len() != nodes {
                return None;
            }
            if nodes <= FAN {
                return (at + 1 == levels.len()).then_some(Self { levels });
            }
            nodes = nodes.div_ceil(FAN);
        }
        None
    }

    /// What [`Lives::from_levels`] takes.
    pub fn levels(&self) -> &[Column<u32>] {
        &self.levels
    }

    /// How many rows of the column `born` are born by `state`: a prefix of the table.
    pub fn born_by(born: &[u32], state: State) -> usize {
        born.partition_point(|born| *born <= state.0)
    }

    /// Calls `visit` for every row of `rows` that ends after `state`, in birth order.
    ///
    /// With `rows` within [`Lives::born_by`] these are the rows there at `state`.
    pub fn visit(
        &self,
        ends: &[u32],
        rows: Range<usize>,
        state: State,
        visit: &mut impl FnMut(usize),
    ) {
        let top = self.levels.len() - 1;
        let span = LEAF * FAN.pow(top as u32);
        let first = rows.start / span;
        for node in first..rows.end.div_ceil(span).min(self.levels[top].len()) {
            self.descend(ends, top, node, &rows, state.0, visit);
        }
    }

    fn descend(
        &self,
        ends: &[u32],
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
            for (row, end) in ends.iter().enumerate().take(to).skip(from) {
                if *end > state {
                    visit(row);
                }
            }
            return;
        }
        let span = LEAF * FAN.pow(level as u32 - 1);
        let from = (node * FAN).max(rows.start / span);
        let to = ((node + 1) * FAN).min(rows.end.div_ceil(span)).min(self.levels[level - 1].len());
        for child in from..to {
            self.descend(ends, level - 1, child, rows, state, visit);
        }
    }

    /// The rows there at `state`, in birth order.
    pub fn at(&self, born: &[u32], ends: &[u32], state: State) -> Vec<u32> {
        let mut found = Vec::new();
        let rows = 0..Self::born_by(born, state);
        self.visit(ends, rows, state, &mut |row| found.push(row as u32));
        found
    }
}
