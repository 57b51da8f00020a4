//! Everything about one block.

use crate::{OnDevice, SameStack, TopFrame};
use model::{Action, Block, BlockId, EventId, Note, Origin, Segment, StackId, State, StringId};

/// An event with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The event.
    pub event: EventId,
    /// Nanoseconds since the recording's zero.
    pub time_ns: Option<i64>,
}

/// Why there is no stack to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The allocation happened before the recording began.
    BeforeRecording,
    /// The entry was recorded without context.
    NoContext,
    /// The entry's stack is empty: a thread without Python frames, or an NPU.
    Empty,
}

/// A stack that has frames, or the reason for having none.
pub type StackOf = Result<StackId, Missing>;

/// All of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockDetails {
    /// Its row.
    pub id: BlockId,
    /// Its columns.
    pub block: Block,
    /// The segment it lay in when it was born.
    pub segment: Option<Segment>,
    /// Its allocation.
    pub alloc: Option<Moment>,
    /// Where its free was requested, when the trace says so.
    pub free_requested: Option<Moment>,
    /// Where its memory was free again, when the trace says so.
    pub free_completed: Option<Moment>,
    /// Events from allocation (or start) to release (or end).
    pub life_events: u32,
    /// Nanoseconds likewise, when both ends have a time.
    pub life_ns: Option<i64>,
    /// Names of the ranges around its birth, outermost first.
    pub within: Vec<StringId>,
    /// Stack of its allocation.
    pub alloc_stack: StackOf,
    /// Stack of its requested free, or of the completed one when only that is known.
    pub free_stack: Option<StackOf>,
    /// The frame that tells most about who allocated it.
    pub top_frame: Option<TopFrame>,
    /// What its allocation's entry says beside its numbers.
    pub note: Note,
    /// The block that had its address before.
    pub previous: Option<BlockId>,
    /// The block that had it next.
    pub next: Option<BlockId>,
    /// Blocks with the same allocation stack; nothing when it has none.
    pub same_stack: SameStack,
}

impl OnDevice<'_> {
    /// All of `id`; `None` when the device has no such block.
    pub fn block(self, id: BlockId) -> Option<BlockDetails> {
        let table = self.table();
        if id.0 >= table.blocks.len() {
            return None;
        }
        let block = table.blocks.get(id);
        let alloc_stack = self.alloc_stack(&block);
        let (previous, next) = self.neighbours(id);
        let released = block.released.unwrap_or(self.last_state());
        Some(BlockDetails {
            id,
            block,
            segment: self.segment_of(&block),
            alloc: block.alloc().map(|event| self.moment(event)),
            free_requested: self.moment_of(block.released, Action::FreeRequested),
            free_completed: self.moment_of(block.died, Action::FreeCompleted),
            life_events: released.0 - block.born.0,
            life_ns: self.life_ns(&block, released),
            within: self.time_ns(block.born).map_or_else(Vec::new, |time| self.within(time)),
            alloc_stack,
            free_stack: self.free_stack(&block),
            top_frame: alloc_stack.ok().and_then(|stack| self.session.top_frame(stack)),
            note: self.note_of(&block),
            previous,
            next,
            same_stack: alloc_stack.map_or_else(|_| SameStack::default(), |id| self.same_stack(id)),
        })
    }

    pub(crate) fn moment(self, event: EventId) -> Moment {
        Moment { event, time_ns: self.table().events.time_ns(event) }
    }

    /// The event that made `state`, if it is an `action`: a life can also end because the trace
    /// contradicts itself, and then no free is claimed.
    fn moment_of(self, state: Option<State>, action: Action) -> Option<Moment> {
        let event = state?.event()?;
        (self.table().events.action(event) == action).then(|| self.moment(event))
    }

    /// From birth, or the first event, to `released`.
    fn life_ns(self, block: &Block, released: State) -> Option<i64> {
        let times = self.table().events.time_ns.as_ref()?;
        let at = |state: State| Some(times.value(state.event()?.row()));
        let begun = at(block.born).or_else(|| times.ends().map(|(first, _)| first))?;
        Some(at(released).unwrap_or(begun).saturating_sub(begun))
    }

    fn alloc_stack(self, block: &Block) -> StackOf {
        match block.stack {
            Some(stack) if !self.session.recording().stacks.frame_ids(stack).is_empty() => {
                Ok(stack)
            }
            _ if matches!(block.origin, Origin::BeforeRecording | Origin::Ghost) => {
                Err(Missing::BeforeRecording)
            }
            Some(_) => Err(Missing::Empty),
            None => Err(Missing::NoContext),
        }
    }

    fn free_stack(self, block: &Block) -> Option<StackOf> {
        let requested = self.moment_of(block.released, Action::FreeRequested);
        let free = requested.or_else(|| self.moment_of(block.died, Action::FreeCompleted))?;
        Some(match self.table().events.stack(free.event) {
            Some(stack) if !self.session.recording().stacks.frame_ids(stack).is_empty() => {
                Ok(stack)
            }
            Some(_) => Err(Missing::Empty),
            None => Err(Missing::NoContext),
        })
    }

    fn note_of(self, block: &Block) -> Note {
        let note = block.alloc().and_then(|event| self.table().events.note(event));
        note.map_or_else(Note::default, |note| self.session.recording().note(note))
    }

    /// The mapped range around the block's first byte when the block was born.
    fn segment_of(self, block: &Block) -> Option<Segment> {
        let segments = self.table().segments.rows();
        let born_by = segments.partition_point(|segment| segment.born <= block.born);
        let holds = |segment: &&Segment| {
            block.addr >= segment.addr
                && block.addr - segment.addr < segment.size
                && segment.died.is_none_or(|died| died > block.born)
        };
        segments[..born_by].iter().rev().find(holds).copied()
    }

    /// The blocks that had the address of `id` before and after it. Blocks are sorted by birth, so
    /// both are the nearest rows with that address; the usual one is a few thousand rows away, and
    /// the whole column of 3 M blocks takes a few milliseconds.
    fn neighbours(self, id: BlockId) -> (Option<BlockId>, Option<BlockId>) {
        let addresses = self.table().blocks.addr();
        let (before, from) = addresses.split_at(id.row());
        let previous = before.iter().rposition(|addr| *addr == from[0]);
        let next = from[1..].iter().position(|addr| *addr == from[0]);
        let row = |row: usize| BlockId(row as u32);
        (previous.map(row), next.map(|after| row(id.row() + 1 + after)))
    }
}
