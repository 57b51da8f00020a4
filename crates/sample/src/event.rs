//! What the allocator tells whoever watches it.

use std::io;

use crate::allocator::Blocks;
use crate::pickle::words::Word;

/// What happened, by the name the file uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    Oom,
    Snapshot,
    WorkspaceSnapshot,
}

impl Action {
    pub(crate) const COUNT: usize = 10;
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Alloc,
        Self::FreeRequested,
        Self::FreeCompleted,
        Self::SegmentAlloc,
        Self::SegmentFree,
        Self::SegmentMap,
        Self::SegmentUnmap,
        Self::Oom,
        Self::Snapshot,
        Self::WorkspaceSnapshot,
    ];

    /// The name the file uses.
    pub(crate) fn word(self) -> Word {
        match self {
            Self::Alloc => Word::Alloc,
            Self::FreeRequested => Word::FreeRequested,
            Self::FreeCompleted => Word::FreeCompleted,
            Self::SegmentAlloc => Word::SegmentAlloc,
            Self::SegmentFree => Word::SegmentFree,
            Self::SegmentMap => Word::SegmentMap,
            Self::SegmentUnmap => Word::SegmentUnmap,
            Self::Oom => Word::Oom,
            Self::Snapshot => Word::Snapshot,
            Self::WorkspaceSnapshot => Word::WorkspaceSnapshot,
        }
    }
}

/// Index of a stack in [`crate::stacks::Stacks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StackId(pub(crate) u32);

/// A stack as one call recorded it: every event and block of that call shares the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Counts the calls; no two calls share a number.
    pub(crate) call: u64,
    pub(crate) stack: StackId,
}

/// A pool's id as the file has it: `(0, 0)` is the default pool.
pub(crate) type PoolId = (u32, u32);

/// One entry of a trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub(crate) action: Action,
    /// The address, or what the driver reports free for an [`Action::Oom`].
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) stream: u64,
    pub(crate) time_us: u64,
    pub(crate) pool: PoolId,
    pub(crate) trace: Option<Trace>,
}

/// Bytes at one moment. `active` is `allocated` and the blocks whose free is pending; `requested` belongs to `active`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) allocated: u64,
    pub(crate) active: u64,
    pub(crate) reserved: u64,
    pub(crate) requested: u64,
}

/// Who watches a run.
pub(crate) trait Observer {
    /// Told once, when the recording is switched on.
    fn begin(&mut self, totals: Totals, blocks: &Blocks);

    /// Told each recorded event in order, with the totals and blocks right after it.
    fn event(&mut self, event: &Event, totals: Totals, blocks: &Blocks) -> io::Result<()>;
}
