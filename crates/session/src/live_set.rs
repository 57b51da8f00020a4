//! What is allocated at one moment.

use crate::{Amount, OnDevice, TopFrame};
use model::{Block, BlockId, Counter, EventId, State};

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

/// The blocks allocated at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSet {
    /// The moment.
    pub state: State,
    /// Its event's time, microseconds since the epoch.
    pub time_us: Option<i64>,
    /// Of the whole set.
    pub total: Amount,
    /// The largest first: by size, then requested, then address.
    pub largest: Vec<(BlockId, Block, Option<TopFrame>)>,
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

    /// The blocks allocated at `at`, of which the `top` largest are listed; `None` for an event the
    /// device does not have.
    pub fn live_set(self, at: At, top: usize) -> Option<LiveSet> {
        let state = self.state(at)?;
        let blocks = &self.table().blocks;
        let mut alive = self.index().lives.allocated_at(blocks, state);
        let mut total = Amount::default();
        for block in &alive {
            total.add(blocks, block.row());
        }
        let order = |block: &BlockId| {
            let row = block.row();
            let (size, requested) = (blocks.size()[row], blocks.requested()[row]);
            (std::cmp::Reverse((size, requested)), blocks.addr()[row], block.0)
        };
        if top < alive.len() {
            alive.select_nth_unstable_by_key(top, order);
            alive.truncate(top);
        }
        alive.sort_unstable_by_key(order);
        let shown = |block: BlockId| {
            let all = blocks.get(block);
            (block, all, all.stack.and_then(|stack| self.session.top_frame(stack)))
        };
        let largest = alive.into_iter().map(shown).collect();
        Some(LiveSet { state, time_us: self.time_us(state), total, largest })
    }
}
