//! The pool at a state, and one segment of it.

use crate::block::Missing;
use crate::{Moment, OnDevice, StackOf};
use index::{PoolSegment, PoolState};
use model::{EventId, Segment, State};
use std::collections::BTreeMap;

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
    /// When it grew and shrank in all of the recording, oldest first.
    pub changes: Vec<SegmentChange>,
    /// Stack of the allocation that needed its first part.
    pub stack: StackOf,
    /// Blocks that ever lay in its addresses while it was mapped.
    pub ever: u32,
}

/// A segment grew or shrank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentChange {
    /// The event that did it.
    pub at: Moment,
    /// By how many bytes; less than 0: it shrank.
    pub bytes: i64,
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
            changes: self.changes_of(&segment),
            segment,
        })
    }

    /// What `segment` is made of in all of the recording, summed up by event. Of an expandable one
    /// these are all parts around it that were ever next to each other.
    fn changes_of(self, segment: &PoolSegment) -> Vec<SegmentChange> {
        let rows = self.table().segments.rows();
        let parts = if segment.is_expandable {
            parts_around(rows, segment)
        } else {
            vec![&rows[segment.segment.row()]]
        };
        let mut bytes_at: BTreeMap<EventId, i64> = BTreeMap::new();
        for part in parts {
            let size = i64::try_from(part.size).unwrap_or(i64::MAX);
            if let Some(event) = part.born.event() {
                *bytes_at.entry(event).or_default() += size;
            }
            if let Some(event) = part.died.and_then(State::event) {
                *bytes_at.entry(event).or_default() -= size;
            }
        }
        // A part that is punched ends and its remains begin: only the hole counts.
        let changed = bytes_at.into_iter().filter(|(_, bytes)| *bytes != 0);
        changed.map(|(event, bytes)| SegmentChange { at: self.moment(event), bytes }).collect()
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

/// The parts, of any time, whose addresses go on without a hole from those of `segment`.
fn parts_around<'a>(rows: &'a [Segment], segment: &PoolSegment) -> Vec<&'a Segment> {
    let is_like = |part: &&Segment| {
        part.is_expandable
            && part.stream == segment.stream
            && (part.pool == segment.pool || part.pool.is_none() || segment.pool.is_none())
    };
    let mut like: Vec<&Segment> = rows.iter().filter(is_like).collect();
    like.sort_unstable_by_key(|part| part.addr);
    let mut around = Vec::new();
    let mut end = 0;
    for part in like {
        if part.addr > end {
            if end > segment.addr {
                break;
            }
            around.clear();
        }
        end = end.max(part.addr.saturating_add(part.size));
        around.push(part);
    }
    around
}
