//! How the blocks of one stack fare in the whole recording.

use crate::{Amount, OnDevice};
use model::{Blocks, Counter, StackId};

/// Blocks with one allocation stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SameStack {
    /// In the whole recording.
    pub all: Amount,
    /// Allocated when the allocated total peaks.
    pub at_peak: Amount,
    /// Never freed.
    pub unfreed: Amount,
}

impl OnDevice<'_> {
    /// How the blocks allocated by `stack` fare: one pass over the stack column.
    pub fn same_stack(self, stack: StackId) -> SameStack {
        let blocks = &self.table().blocks;
        let peak = self.peak_state(Counter::Allocated).0;
        let (born, released) = (blocks.born(), blocks.released());
        let mut found = SameStack::default();
        for (row, _) in blocks.stack().iter().enumerate().filter(|(_, id)| **id == stack.0) {
            found.all.add(blocks, row);
            if born[row] <= peak && peak < released[row] {
                found.at_peak.add(blocks, row);
            }
            if released[row] == Blocks::NEVER {
                found.unfreed.add(blocks, row);
            }
        }
        found
    }
}
