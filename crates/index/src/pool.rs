//! The pool at a state: which segments are mapped, which blocks lie in them, and what is free.

use crate::DeviceIndex;
use model::{BlockId, DeviceTable, PoolId, Segment, SegmentId, SegmentKind, State, StreamId};
use std::ops::Range;

/// Everything mapped and everything not free at one state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolState {
    /// By address.
    pub segments: Vec<PoolSegment>,
    /// Rows of the blocks that are allocated or pending, by address; each segment names its own.
    pub blocks: Vec<u32>,
    /// Rows of those that lie in no segment.
    pub outside: Vec<u32>,
}

/// A contiguous mapped range; the parts of an expandable segment are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolSegment {
    /// First byte.
    pub addr: u64,
    /// Bytes.
    pub size: u64,
    /// Row of its part with the lowest address.
    pub segment: SegmentId,
    /// Its stream.
    pub stream: StreamId,
    /// Its pool, when something says.
    pub pool: Option<PoolId>,
    /// Small or large.
    pub kind: SegmentKind,
    /// Whether it can grow.
    pub is_expandable: bool,
    /// Its blocks in [`PoolState::blocks`].
    pub blocks: Range<usize>,
    /// Bytes in allocated blocks.
    pub allocated: u64,
    /// Bytes in blocks whose free is not completed.
    pub pending: u64,
    /// Bytes asked for by both.
    pub requested: u64,
    /// Bytes in no block.
    pub free: u64,
    /// Runs of free bytes.
    pub gaps: u32,
    /// Bytes of the largest.
    pub largest_gap: u64,
}

impl PoolSegment {
    fn of(row: u32, segment: &Segment) -> Self {
        Self {
            addr: segment.addr,
            size: segment.size,
            segment: SegmentId(row),
            stream: segment.stream,
            pool: segment.pool,
            kind: segment.kind,
            is_expandable: segment.is_expandable,
            blocks: 0..0,
            allocated: 0,
            pending: 0,
            requested: 0,
            free: 0,
            gaps: 0,
            largest_gap: 0,
        }
    }

    /// The byte after its last.
    pub fn end(&self) -> u64 {
        self.addr.saturating_add(self.size)
    }

    /// Whether `next` goes on where this ends, as the same expandable segment.
    ///
    /// What a part that was unmapped before the end does not say fits anything.
    fn goes_on(&self, next: &Segment) -> bool {
        let fits = |one: SegmentKind, other: SegmentKind| {
            one == other || [one, other].contains(&SegmentKind::Unknown)
        };
        self.is_expandable
            && next.is_expandable
            && self.end() == next.addr
            && self.stream == next.stream
            && (self.pool == next.pool || self.pool.is_none() || next.pool.is_none())
            && fits(self.kind, next.kind)
    }

    /// Grows by `next`, which goes on where this ends.
    fn grow(&mut self, next: &Segment) {
        self.size = self.size.saturating_add(next.size);
        self.pool = self.pool.or(next.pool);
        if self.kind == SegmentKind::Unknown {
            self.kind = next.kind;
        }
    }

    /// Counts a run of free bytes.
    fn add_gap(&mut self, bytes: u64) {
        if bytes > 0 {
            self.free = self.free.saturating_add(bytes);
            self.gaps += 1;
            self.largest_gap = self.largest_gap.max(bytes);
        }
    }
}

impl PoolState {
    /// The pool of `table` at `state`.
    ///
    /// Two stabbing questions and a sort of what they find; the length of the recording does not
    /// matter.
    pub fn at(table: &DeviceTable, index: &DeviceIndex, state: State) -> Self {
        let blocks = &table.blocks;
        let mut rows = index.active.at(blocks.born(), blocks.died(), state);
        rows.sort_unstable_by_key(|row| (blocks.addr()[*row as usize], *row));
        let mut pool = Self { segments: mapped(table, index, state), ..Self::default() };
        let mut rest = rows.as_slice();
        for segment in &mut pool.segments {
            let addr = |row: &u32| blocks.addr()[*row as usize];
            let before = rest.partition_point(|row| addr(row) < segment.addr);
            pool.outside.extend(&rest[..before]);
            rest = &rest[before..];
            let inside = rest.partition_point(|row| addr(row) < segment.end());
            let first = pool.blocks.len();
            pool.blocks.extend(&rest[..inside]);
            segment.blocks = first..pool.blocks.len();
            fill(segment, &rest[..inside], table, state);
            rest = &rest[inside..];
        }
        pool.outside.extend(rest);
        pool
    }

    /// The segment that holds `addr`.
    pub fn segment_at(&self, addr: u64) -> Option<&PoolSegment> {
        let after = self.segments.partition_point(|segment| segment.addr <= addr);
        self.segments[..after].last().filter(|segment| addr < segment.end())
    }
}

/// The segments mapped at `state`, by address.
fn mapped(table: &DeviceTable, index: &DeviceIndex, state: State) -> Vec<PoolSegment> {
    let all = table.segments.rows();
    let mut rows = index.segments.at(state);
    rows.sort_unstable_by_key(|row| (all[*row as usize].addr, *row));
    let mut segments: Vec<PoolSegment> = Vec::with_capacity(rows.len());
    for row in rows {
        let part = &all[row as usize];
        match segments.last_mut() {
            Some(last) if last.goes_on(part) => last.grow(part),
            _ => segments.push(PoolSegment::of(row, part)),
        }
    }
    segments
}

/// Sums up the blocks `rows` of `segment`, by address; overlaps are tolerated.
fn fill(segment: &mut PoolSegment, rows: &[u32], table: &DeviceTable, state: State) {
    let mut free_from = segment.addr;
    for row in rows {
        let block = table.blocks.get(BlockId(*row));
        segment.add_gap(block.addr.saturating_sub(free_from));
        free_from = free_from.max(block.addr.saturating_add(block.size));
        segment.requested = segment.requested.saturating_add(block.requested);
        if block.released.is_none_or(|released| state < released) {
            segment.allocated = segment.allocated.saturating_add(block.size);
        } else {
            segment.pending = segment.pending.saturating_add(block.size);
        }
    }
    segment.add_gap(segment.end().saturating_sub(free_from));
}
