//! What happened between two states, by who did it.

use crate::{Amount, Holder, HoldersBy, OnDevice};
use index::Lives;
use model::State;

/// What became of what one stack or owner holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HolderChange {
    /// Whose blocks; `None`: those of which no stack or owner is recorded.
    pub holder: Option<Holder>,
    /// Allocated at the first state.
    pub before: Amount,
    /// Allocated at the second.
    pub after: Amount,
    /// Blocks allocated after the first state, by the second.
    pub allocated: Amount,
    /// Of them, those whose free was not completed by the second state.
    pub unfreed: Amount,
}

impl HolderChange {
    /// Bytes allocated at the second state less those at the first.
    pub fn change(&self) -> i64 {
        self.after.size.wrapping_sub(self.before.size) as i64
    }

    /// Counts all of `other` in.
    pub fn join(&mut self, other: &Self) {
        self.before.join(other.before);
        self.after.join(other.after);
        self.allocated.join(other.allocated);
        self.unfreed.join(other.unfreed);
    }
}

impl OnDevice<'_> {
    /// What happened between `from` and `to`, which are clamped to the recording, by `by`; `None`
    /// by owner on a device of a snapshot.
    ///
    /// Each block is in exactly one row, so rows add up to the change of the allocated bytes and
    /// to the spreads of [`OnDevice::period`].
    pub fn period_by(self, from: State, to: State, by: HoldersBy) -> Option<Vec<HolderChange>> {
        let to = to.min(self.last_state());
        let from = from.min(to);
        let blocks = &self.table().blocks;
        let mut places = self.places(by)?;
        let mut rows: Vec<HolderChange> = Vec::new();
        let first = Lives::born_by(blocks.born(), from);
        for row in 0..Lives::born_by(blocks.born(), to) {
            let (released, died) = (blocks.released()[row], blocks.died()[row]);
            let place = places.of(row);
            if place == rows.len() {
                let holder = places.holder(place).cloned();
                rows.push(HolderChange { holder, ..HolderChange::default() });
            }
            let found = &mut rows[place];
            if row < first && from.0 < released {
                found.before.add(blocks, row);
            }
            if to.0 < released {
                found.after.add(blocks, row);
            }
            if row >= first {
                found.allocated.add(blocks, row);
                if died > to.0 {
                    found.unfreed.add(blocks, row);
                }
            }
        }
        Some(rows)
    }
}
