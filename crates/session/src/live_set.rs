//! What is allocated at one moment.

use crate::{Amount, OnDevice, TopFrame};
use index::Lives;
use model::{Block, BlockId, Blocks, Counter, DeviceTable, EventId, State};
use std::cmp::Reverse;

/// A moment somebody asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Before the first event.
    Start,
    /// Right after this event.
    Event(EventId),
    /// Right after the event with which the allocated bytes first reach their maximum.
    Peak,
    /// Right after the last event.
    End,
}

/// The blocks that hold memory at one moment: allocated, or their free not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSet {
    /// The moment.
    pub state: State,
    /// Its event's time, nanoseconds since the recording's zero.
    pub time_ns: Option<i64>,
    /// Of the whole set.
    pub total: Amount,
    /// Of those allocated.
    pub allocated: Amount,
    /// Of those whose free was requested and not completed.
    pub pending: Amount,
    /// The largest first: by size, then requested, then address.
    pub largest: Vec<LiveBlock>,
}

/// One block of a [`LiveSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveBlock {
    /// Its row.
    pub id: BlockId,
    /// Its columns.
    pub block: Block,
    /// Whether its free was requested.
    pub is_pending: bool,
    /// The frame that tells most about who allocated it.
    pub top_frame: Option<TopFrame>,
}

impl OnDevice<'_> {
    /// The state that `at` means here; `None` for an event the device does not have.
    pub fn state(self, at: At) -> Option<State> {
        match at {
            At::Start => Some(State(0)),
            At::Event(event) => (event.0 < self.table().events.len()).then(|| State::after(event)),
            At::Peak => Some(self.peak_state(Counter::Allocated)),
            At::End => Some(self.last_state()),
        }
    }

    /// The blocks that hold memory at `at`, of which the `top` largest are listed; `None` for an
    /// event the device does not have.
    pub fn live_set(self, at: At, top: usize) -> Option<LiveSet> {
        let state = self.state(at)?;
        let blocks = &self.table().blocks;
        let mut alive = self.index().allocated_at(self.table(), state);
        let allocated = amount(blocks, &alive);
        let pending = self.pending_at(state);
        alive.extend(&pending);
        let order = |block: &BlockId| {
            let row = block.row();
            let (size, requested) = (blocks.size()[row], blocks.requested()[row]);
            (Reverse((size, requested)), blocks.addr()[row], block.0)
        };
        let total = amount(blocks, &alive);
        if top < alive.len() {
            alive.select_nth_unstable_by_key(top, order);
            alive.truncate(top);
        }
        alive.sort_unstable_by_key(order);
        let shown = |id: BlockId| {
            let block = blocks.get(id);
            let is_pending = block.released.is_some_and(|released| released <= state);
            let top_frame = block.stack.and_then(|stack| self.session.top_frame(stack));
            LiveBlock { id, block, is_pending, top_frame }
        };
        Some(LiveSet {
            state,
            time_ns: self.time_ns(state),
            total,
            allocated,
            pending: amount(blocks, &pending),
            largest: alive.into_iter().map(shown).collect(),
        })
    }

    /// The blocks that hold memory at `state`: allocated, or their free not completed.
    pub(crate) fn held_at(self, state: State) -> Vec<BlockId> {
        let mut held = self.index().allocated_at(self.table(), state);
        held.extend(self.pending_at(state));
        held
    }

    /// The blocks whose free was requested and is not completed at `state`: rare, so not indexed.
    fn pending_at(self, state: State) -> Vec<BlockId> {
        let DeviceTable { blocks, counters, .. } = self.table();
        let [allocated, active] =
            [Counter::Allocated, Counter::Active].map(|counter| counters.at(counter, state));
        if allocated == active {
            return Vec::new();
        }
        let born = Lives::born_by(blocks.born(), state);
        let ends = blocks.released()[..born].iter().zip(&blocks.died()[..born]).enumerate();
        ends.filter(|(_, (released, died))| **released <= state.0 && state.0 < **died)
            .map(|(row, _)| BlockId(row as u32))
            .collect()
    }
}

fn amount(blocks: &Blocks, rows: &[BlockId]) -> Amount {
    let mut amount = Amount::default();
    for block in rows {
        amount.add(blocks, block.row());
    }
    amount
}
