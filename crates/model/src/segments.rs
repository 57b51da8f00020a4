//! Memory taken from the driver, as ranges that live for a while.

use crate::{PoolId, SegmentId, StackId, State, StreamId};

/// Which of the allocator's pools a segment serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SegmentKind {
    /// Requests up to 1 MiB.
    Small = 0,
    /// Larger requests.
    Large = 1,
    /// Not stated: the segment was gone before the file was written.
    Unknown = 2,
}

/// A range of addresses that was mapped from one state to another.
///
/// An expandable segment is several of them, one for each growth; one that is punched by an unmap
/// ends there and its remains begin anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// First byte.
    pub addr: u64,
    /// Bytes.
    pub size: u64,
    /// State from which it is mapped; 0 = from before the first event.
    pub born: State,
    /// State from which it is gone; `None` if it outlives the recording.
    pub died: Option<State>,
    /// Stack of the allocation that needed it.
    pub stack: Option<StackId>,
    /// Its stream.
    pub stream: StreamId,
    /// Its pool, when something says.
    pub pool: Option<PoolId>,
    /// Small or large.
    pub kind: SegmentKind,
    /// Whether it is part of an expandable segment.
    pub is_expandable: bool,
}

impl Segment {
    /// Whether `addr` lies in it.
    pub fn holds(&self, addr: u64) -> bool {
        addr >= self.addr && addr - self.addr < self.size
    }
}

/// One device's segments, sorted by [`Segment::born`], then address.
#[derive(Debug, Clone, Default)]
pub struct Segments {
    rows: Vec<Segment>,
    /// Segments stated at the end of the file (one of an expandable pool counts once).
    stated: u32,
    /// Blocks, free ones included, that the stated segments are cut into.
    stated_blocks: u32,
}

impl Segments {
    /// The table; `None` when `rows` are not sorted or a life ends before it begins.
    pub fn new(rows: Vec<Segment>, stated: u32, stated_blocks: u32) -> Option<Self> {
        let sorted = rows.is_sorted_by_key(|row| (row.born, row.addr));
        let sane = rows.iter().all(|row| row.died.is_none_or(|died| died >= row.born));
        (sorted && sane).then_some(Self { rows, stated, stated_blocks })
    }

    /// Every segment.
    pub fn rows(&self) -> &[Segment] {
        &self.rows
    }

    /// One segment.
    pub fn get(&self, segment: SegmentId) -> &Segment {
        &self.rows[segment.row()]
    }

    /// Segments the file states at its end.
    pub fn stated(&self) -> u32 {
        self.stated
    }

    /// Blocks (also inactive ones) the file states at its end.
    pub fn stated_blocks(&self) -> u32 {
        self.stated_blocks
    }
}
