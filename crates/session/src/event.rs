//! Everything about one event.

use crate::block::Missing;
use crate::{OnDevice, StackOf, TopFrame};
use model::{
    Action, BlockId, Counter, EventId, Note, PoolId, Segment, StackId, State, StreamId, StringId,
};

/// All of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDetails {
    /// Its row.
    pub id: EventId,
    /// When.
    pub time_ns: Option<i64>,
    /// What it is.
    pub action: Action,
    /// Address; `None` for an out-of-memory event, which has none.
    pub addr: Option<u64>,
    /// Bytes: requested for block events, real for segment events, rounded for `oom`.
    pub size: u64,
    /// Bytes the driver said were free; only for `oom`.
    pub device_free: Option<u64>,
    /// Its stream.
    pub stream: StreamId,
    /// The pool, by the entry, else by the block.
    pub pool: Option<PoolId>,
    /// Totals right after it: allocated, active, reserved.
    pub totals: [u64; 3],
    /// Its stack.
    pub stack: StackOf,
    /// The frame that tells most about who did it.
    pub top_frame: Option<TopFrame>,
    /// What the entry says beside its numbers.
    pub note: Note,
    /// The block it is about.
    pub block: Option<BlockId>,
    /// The mapped range around its address right after it, or right before it if that is gone.
    pub segment: Option<Segment>,
    /// Names of the ranges around it, outermost first.
    pub within: Vec<StringId>,
}

impl OnDevice<'_> {
    /// All of `id`; `None` when the device has no such event.
    pub fn event(self, id: EventId) -> Option<EventDetails> {
        let (table, recording) = (self.table(), self.session.recording());
        if id.0 >= table.events.len() {
            return None;
        }
        let events = &table.events;
        let action = events.action(id);
        let is_oom = action == Action::Oom;
        let addr = events.addr.value(id.row());
        let after = State::after(id);
        let total = |counter| table.counters.at(counter, after);
        let block = table.block_of_event[id.row()];
        let block = (block != u32::MAX).then_some(BlockId(block));
        let stack = self.event_stack(id);
        let of_block = || table.blocks.get(block?).pool;
        Some(EventDetails {
            id,
            time_ns: events.time_ns(id),
            action,
            addr: (!is_oom).then_some(addr),
            size: events.size.value(id.row()),
            device_free: is_oom.then_some(addr),
            stream: events.stream(id),
            pool: events.pool(id).or_else(of_block),
            totals: [total(Counter::Allocated), total(Counter::Active), total(Counter::Reserved)],
            stack,
            top_frame: stack.ok().and_then(|stack| self.session.top_frame(stack)),
            note: events.note(id).map_or_else(Note::default, |note| recording.note(note)),
            block,
            segment: self.mapped_at(addr, after).or_else(|| self.mapped_at(addr, State(id.0))),
            within: events.time_ns(id).map_or_else(Vec::new, |time| self.within(time)),
        })
    }

    fn event_stack(self, id: EventId) -> StackOf {
        match self.table().events.stack(id) {
            Some(stack) if self.has_frames(stack) => Ok(stack),
            Some(_) => Err(Missing::Empty),
            None => Err(Missing::NoContext),
        }
    }

    fn has_frames(self, stack: StackId) -> bool {
        !self.session.recording().stacks.frame_ids(stack).is_empty()
    }

    /// The mapped range around `addr` at `state`.
    pub(crate) fn mapped_at(self, addr: u64, state: State) -> Option<Segment> {
        let rows = self.table().segments.rows();
        let mapped = self.index().segments.at(state);
        mapped.iter().map(|row| rows[*row as usize]).find(|segment| segment.holds(addr))
    }
}
