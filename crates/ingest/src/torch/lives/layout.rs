//! Live blocks and mapped memory at one moment, stepped through the states: what is free after an
//! address?

use super::runs::{Run, Runs};
use super::spots::Spots;
use model::{Blocks, Segment};

/// The free range a block is put at the head of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room<'a> {
    /// Its first byte.
    pub(super) addr: u64,
    /// First byte of the next live block and the row of that block.
    pub(super) next: Option<(u64, u32)>,
    /// First byte of the live block before and its row.
    pub(super) before: Option<(u64, u32)>,
    /// The mapped memory around; `None`: outside of every known segment.
    pub(super) run: Option<&'a Run>,
}

/// One moment. *Spots* are numbers of sorted addresses, *rows* are rows of the blocks.
pub(super) struct Layout<'a> {
    addrs: &'a [u64],
    live: Spots,
    /// By spot: the row that lives there, or `u32::MAX`.
    row: Vec<u32>,
    /// By spot: the run it was last found in.
    run: Vec<u32>,
    runs: Runs,
    segments: &'a [Segment],
    /// How many of `segments` have been mapped.
    mapped: usize,
    /// Rows of `segments` that end, by the end.
    ends: Vec<u32>,
    unmapped: usize,
}

impl<'a> Layout<'a> {
    const NOBODY: u32 = u32::MAX;

    /// No block yet, and the segments at the start. `segments` are sorted by birth.
    pub(super) fn new(addrs: &'a [u64], segments: &'a [Segment]) -> Self {
        let mut ends: Vec<u32> = (0..segments.len() as u32)
            .filter(|row| segments[*row as usize].died.is_some())
            .collect();
        ends.sort_by_key(|row| segments[*row as usize].died);
        let mut layout = Self {
            addrs,
            live: Spots::new(addrs.len()),
            row: vec![Self::NOBODY; addrs.len()],
            run: vec![u32::MAX; addrs.len()],
            runs: Runs::default(),
            segments,
            mapped: 0,
            ends,
            unmapped: 0,
        };
        layout.advance(0);
        layout
    }

    /// Maps and unmaps what is mapped and unmapped up to `state`.
    pub(super) fn advance(&mut self, state: u32) {
        while let Some(row) = self.ends.get(self.unmapped) {
            let segment = &self.segments[*row as usize];
            if segment.died.is_none_or(|died| died.0 > state) {
                break;
            }
            self.unmapped += 1;
            if segment.died > Some(segment.born) {
                self.runs.unmap(segment);
            }
        }
        while let Some(segment) = self.segments.get(self.mapped).filter(|it| it.born.0 <= state) {
            self.mapped += 1;
            if segment.died.is_none_or(|died| died > segment.born) {
                self.runs.map(segment);
            }
        }
    }

    /// What is around `spot`.
    pub(super) fn room(&mut self, spot: u32) -> Room<'_> {
        let addr = self.addrs[spot as usize];
        let run = &mut self.run[spot as usize];
        if !self.runs.get(*run).is_some_and(|it| it.holds(addr)) {
            *run = self.runs.find(addr).unwrap_or(u32::MAX);
        }
        let around = |spot: u32| (self.addrs[spot as usize], self.row[spot as usize]);
        Room {
            addr,
            next: self.live.after(spot).map(around),
            before: self.live.before(spot).map(around),
            run: self.runs.get(*run),
        }
    }

    /// The rows that live at `spot` or above it, below the address `end`.
    pub(super) fn rows(&self, spot: u32, end: u64) -> Vec<u32> {
        let mut rows = Vec::new();
        let mut next = Some(spot);
        while let Some(spot) = next.filter(|spot| self.addrs.get(*spot as usize) < Some(&end)) {
            let Some(row) = self.row.get(spot as usize) else { break };
            if *row != Self::NOBODY {
                rows.push(*row);
            }
            next = self.live.after(spot);
        }
        rows
    }

    /// `row` lives at `spot` from now on.
    pub(super) fn put(&mut self, spot: u32, row: u32) {
        self.row[spot as usize] = row;
        self.live.insert(spot);
    }

    /// `row`, if it is what lives at `spot`, lives there no more.
    pub(super) fn take(&mut self, spot: u32, row: u32) {
        if self.row[spot as usize] == row {
            self.row[spot as usize] = Self::NOBODY;
            self.live.remove(spot);
        }
    }
}

/// When a life ends, as states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) released: u32,
    pub(super) died: u32,
}

impl Ends {
    /// It outlives the recording.
    pub(super) const OPEN: Self = Self { released: Blocks::NEVER, died: Blocks::NEVER };

    /// Nobody saw it go, and by `state` it was gone; its release is written down as never until
    /// the rows are made.
    pub(super) fn unseen(state: u32) -> Self {
        Self { released: Blocks::NEVER, died: state }
    }

    /// Whether nobody saw it go, so that it may have gone earlier.
    pub(super) fn is_unseen(self) -> bool {
        self.released == Blocks::NEVER && self.died != Blocks::NEVER
    }
}
