//! What happened between two states, by who did it.

use crate::{Amount, Holder, OnDevice};
use index::Lives;
use model::{StackId, State};
use std::collections::HashMap;

/// What blocks are taken together by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldersBy {
    /// Their allocation stack.
    Stack,
    /// Their owner; for dumps.
    Owner,
}

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
        let holders = match by {
            HoldersBy::Stack => Holders { of: blocks.stack(), tags: Vec::new() },
            HoldersBy::Owner => {
                Holders { of: &self.table().track.as_deref()?.owner, tags: self.owner_tags() }
            }
        };
        let mut rows: Vec<HolderChange> = Vec::new();
        let mut place_of: HashMap<u32, usize> = HashMap::new();
        let mut place_of_holder: HashMap<Option<Holder>, usize> = HashMap::new();
        let first = Lives::born_by(blocks.born(), from);
        for row in 0..Lives::born_by(blocks.born(), to) {
            let (released, died) = (blocks.released()[row], blocks.died()[row]);
            let place = *place_of.entry(holders.of[row]).or_insert_with(|| {
                let holder = holders.holder(holders.of[row], by);
                *place_of_holder.entry(holder.clone()).or_insert_with(|| {
                    rows.push(HolderChange { holder, ..HolderChange::default() });
                    rows.len() - 1
                })
            });
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

/// Whose each block is.
struct Holders<'a> {
    /// By block.
    of: &'a [u32],
    /// By owner: its whole path; `None` of no owner.
    tags: Vec<Option<String>>,
}

impl Holders<'_> {
    fn holder(&self, row: u32, by: HoldersBy) -> Option<Holder> {
        match by {
            // Row 0 is the empty stack, and no stack is beyond all rows.
            HoldersBy::Stack => {
                (row != 0 && row != u32::MAX).then_some(Holder::Stack(StackId(row)))
            }
            HoldersBy::Owner => Some(Holder::Owner(self.tags.get(row as usize)?.clone()?)),
        }
    }
}
