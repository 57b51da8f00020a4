//! Who holds memory: every stack, or every owner, of a device beside the others.

use crate::holder::Counting;
use crate::{Holder, HolderTotals, OnDevice};
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

/// What one of them holds, and held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderRow {
    /// Whose blocks; `None`: those of which no stack or owner is recorded.
    pub holder: Option<Holder>,
    /// Its own: of an owner without what those below it have.
    pub totals: HolderTotals,
}

impl<'a> OnDevice<'a> {
    /// What each stack or owner holds, `now` being at `state`, in the order of their first blocks;
    /// `None` by owner on a device of a snapshot.
    ///
    /// Each block is in exactly one row.
    pub fn holders(self, state: State, by: HoldersBy) -> Option<Vec<HolderRow>> {
        let mut places = self.places(by)?;
        let counting = Counting::new(self, state.min(self.last_state()));
        let mut rows: Vec<HolderRow> = Vec::new();
        for row in 0..self.table().blocks.len() as usize {
            let place = places.of(row);
            if place == rows.len() {
                let holder = places.holder(place).cloned();
                rows.push(HolderRow { holder, totals: HolderTotals::default() });
            }
            counting.add(&mut rows[place].totals, row);
        }
        if by == HoldersBy::Stack {
            self.count_events(&mut rows);
        }
        Some(rows)
    }

    /// How many events have each row's stack, or none.
    fn count_events(self, rows: &mut [HolderRow]) {
        let mut counts = vec![0_u32; self.session.recording().stacks.len()];
        let mut without = 0;
        for stack in &self.table().events.stack {
            match counts.get_mut(*stack as usize) {
                Some(count) if *stack != 0 => *count += 1,
                _ => without += 1,
            }
        }
        for row in rows {
            row.totals.events = Some(match row.holder {
                Some(Holder::Stack(stack)) => counts.get(stack.row()).copied().unwrap_or(0),
                _ => without,
            });
        }
    }

    /// In which row each block belongs; `None` by owner on a device of a snapshot.
    pub(crate) fn places(self, by: HoldersBy) -> Option<Places<'a>> {
        let (of, tags) = match by {
            HoldersBy::Stack => (self.table().blocks.stack(), Vec::new()),
            HoldersBy::Owner => (&self.table().track.as_deref()?.owner[..], self.owner_tags()),
        };
        let (found, of_source, of_holder) = (Vec::new(), HashMap::new(), HashMap::new());
        Some(Places { by, of, tags, found, of_source, of_holder })
    }
}

/// Rows of holders, in the order in which they are asked for.
pub(crate) struct Places<'a> {
    by: HoldersBy,
    /// By block: row of its stack or its owner.
    of: &'a [u32],
    /// By owner: its whole path; `None` of no owner.
    tags: Vec<Option<String>>,
    found: Vec<Option<Holder>>,
    of_source: HashMap<u32, usize>,
    of_holder: HashMap<Option<Holder>, usize>,
}

impl Places<'_> {
    /// The row of `block`: of one that is the first of its holder, one more than there were.
    pub(crate) fn of(&mut self, block: usize) -> usize {
        let source = self.of[block];
        if let Some(place) = self.of_source.get(&source) {
            return *place;
        }
        let holder = self.holder_of(source);
        let next = self.found.len();
        let place = *self.of_holder.entry(holder.clone()).or_insert(next);
        if place == next {
            self.found.push(holder);
        }
        self.of_source.insert(source, place);
        place
    }

    /// Whose row it is.
    pub(crate) fn holder(&self, place: usize) -> Option<&Holder> {
        self.found.get(place)?.as_ref()
    }

    fn holder_of(&self, source: u32) -> Option<Holder> {
        match self.by {
            // Row 0 is the empty stack, and no stack is beyond all rows.
            HoldersBy::Stack => {
                (source != 0 && source != u32::MAX).then_some(Holder::Stack(StackId(source)))
            }
            HoldersBy::Owner => Some(Holder::Owner(self.tags.get(source as usize)?.clone()?)),
        }
    }
}
