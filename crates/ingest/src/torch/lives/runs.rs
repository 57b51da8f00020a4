//! Memory that is mapped at one moment, as the allocator sees it: a block never crosses from one
//! run into another.

use model::{PoolId, Segment, SegmentKind, StreamId};
use std::collections::BTreeMap;

/// A segment, or touching pieces of one expandable segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) pool: Option<PoolId>,
    pub(super) kind: SegmentKind,
    pub(super) is_expandable: bool,
    stream: StreamId,
    is_mapped: bool,
}

impl Run {
    /// Whether `addr` lies in it now.
    pub(super) fn holds(&self, addr: u64) -> bool {
        self.is_mapped && self.start <= addr && addr < self.end
    }

    /// Whether `other` may be a piece of the same expandable segment.
    fn goes_with(&self, other: &Self) -> bool {
        let is_same_pool = self.pool == other.pool || self.pool.is_none() || other.pool.is_none();
        let is_same_kind = self.kind == other.kind
            || self.kind == SegmentKind::Unknown
            || other.kind == SegmentKind::Unknown;
        self.is_expandable
            && other.is_expandable
            && self.stream == other.stream
            && is_same_pool
            && is_same_kind
    }
}

/// All runs mapped now. Numbers of runs are never used again, so that they can be remembered.
#[derive(Default)]
pub(super) struct Runs {
    all: Vec<Run>,
    mapped: BTreeMap<u64, u32>,
}

impl Runs {
    pub(super) fn get(&self, run: u32) -> Option<&Run> {
        self.all.get(run as usize)
    }

    /// The run that holds `addr`.
    pub(super) fn find(&self, addr: u64) -> Option<u32> {
        let (_, run) = self.mapped.range(..=addr).next_back()?;
        self.all[*run as usize].holds(addr).then_some(*run)
    }

    /// `segment` is mapped; its range was not before.
    pub(super) fn map(&mut self, segment: &Segment) {
        let end = segment.addr.saturating_add(segment.size);
        if end == segment.addr {
            return;
        }
        let mut new = Run {
            start: segment.addr,
            end,
            pool: segment.pool,
            kind: segment.kind,
            is_expandable: segment.is_expandable,
            stream: segment.stream,
            is_mapped: true,
        };
        let left = self.mapped.range(..new.start).next_back().map(|(_, run)| *run);
        let right = self.mapped.get(&end).copied();
        for run in [left, right].into_iter().flatten() {
            let old = self.all[run as usize];
            if (old.end == new.start || old.start == new.end) && old.goes_with(&new) {
                self.forget(run);
                new.start = new.start.min(old.start);
                new.end = new.end.max(old.end);
                new.pool = new.pool.or(old.pool);
                if new.kind == SegmentKind::Unknown {
                    new.kind = old.kind;
                }
            }
        }
        self.add(new);
    }

    /// `segment` is not mapped any more; its range was until now.
    pub(super) fn unmap(&mut self, segment: &Segment) {
        let Some(run) = self.find(segment.addr) else { return };
        let old = self.all[run as usize];
        let end = segment.addr.saturating_add(segment.size);
        self.forget(run);
        if old.start < segment.addr {
            self.add(Run { end: segment.addr, ..old });
        }
        if end < old.end {
            self.add(Run { start: end, ..old });
        }
    }

    fn add(&mut self, run: Run) {
        self.mapped.insert(run.start, self.all.len() as u32);
        self.all.push(run);
    }

    fn forget(&mut self, run: u32) {
        let old = &mut self.all[run as usize];
        old.is_mapped = false;
        self.mapped.remove(&old.start);
    }
}
