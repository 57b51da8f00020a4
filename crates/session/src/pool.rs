//! The pool at a state, and one segment of it.

use crate::block::Missing;
use crate::{Moment, OnDevice, StackOf};
use index::{PoolSegment, PoolState};
use model::{EventId, Segment, State};

/// All of one segment at one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentDetails {
    /// What it holds.
    pub segment: PoolSegment,
    /// When its oldest part was mapped; `None`: before the recording.
    pub mapped: Option<Moment>,
    /// When a part of it goes; `None`: it outlives the recording.
    pub unmapped: Option<Moment>,
    /// The events that made it as it is here, oldest first: one, or one a growth.
    pub growths: Vec<Moment>,
    /// Stack of the allocation that needed its first part.
    pub stack: StackOf,
    /// Blocks that ever lay in its addresses while it was mapped.
    pub ever: u32,
}

impl OnDevice<'_> {
    /// What is mapped and what is not free at `state`.
    pub fn pool(self, state: State) -> PoolState {
        PoolState::at(self.table(), self.index(), state.min(self.last_state()))
    }

    /// The segment around `addr` at `state`.
    pub fn segment(self, state: State, addr: u64) -> Option<SegmentDetails> {
        let state = state.min(self.last_state());
        let pool = self.pool(state);
        let segment = pool.segment_at(addr)?.clone();
        let rows = self.table().segments.rows();
        let mut parts: Vec<&Segment> = (self.index().segments.at(state).into_iter())
            .map(|row| &rows[row as usize])
            .filter(|part| part.addr >= segment.addr && part.addr < segment.end())
            .collect();
        parts.sort_by_key(|part| (part.born, part.addr));
        let first = parts.first()?;
        let (born, died) = (first.born, parts.iter().filter_map(|part| part.died).min());
        let mut growths: Vec<EventId> = parts.iter().filter_map(|part| part.born.event()).collect();
        growths.dedup();
        let recorded = first
            .stack
            .filter(|stack| !self.session.recording().stacks.frame_ids(*stack).is_empty());
        let missing = if born == State(0) { Missing::BeforeRecording } else { Missing::Empty };
        Some(SegmentDetails {
            mapped: born.event().map(|event| self.moment(event)),
            unmapped: died.and_then(State::event).map(|event| self.moment(event)),
            growths: growths.into_iter().map(|event| self.moment(event)).collect(),
            stack: recorded.ok_or(missing),
            ever: self.blocks_ever_in(&segment, born, died),
            segment,
        })
    }

    /// One pass over the addresses: a few milliseconds for millions of blocks.
    fn blocks_ever_in(self, segment: &PoolSegment, born: State, died: Option<State>) -> u32 {
        let blocks = &self.table().blocks;
        let inside = |row: &usize| {
            let addr = blocks.addr()[*row];
            addr >= segment.addr
                && addr < segment.end()
                && blocks.died()[*row] > born.0
                && died.is_none_or(|died| blocks.born()[*row] < died.0)
        };
        (0..blocks.len() as usize).filter(inside).count() as u32
    }
}
