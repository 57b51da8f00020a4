//! What a snapshot file says, as columns, before anything is derived from it.
//!
//! The readers (pickle, JSON) fill this; [`lives`](super::lives) turns each [`RawDevice`] into a
//! [`DeviceTable`](model::DeviceTable).

use model::{
    Annotation, Device, Events, Family, Note, Pool, PoolId, SegmentKind, Settings, StackId, Stacks,
    StreamId, StringId, Strings,
};

/// A whole file as read.
#[derive(Debug)]
pub(crate) struct RawSnapshot {
    pub(crate) family: Family,
    pub(crate) strings: Strings,
    pub(crate) stacks: Stacks,
    /// Row 0 says nothing.
    pub(crate) notes: Vec<Note>,
    pub(crate) streams: Vec<u64>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) other_actions: Vec<StringId>,
    /// Devices that have segments or events, in the file's order; host memory last.
    pub(crate) devices: Vec<RawDevice>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) settings: Settings,
}

/// One device as read.
#[derive(Debug)]
pub(crate) struct RawDevice {
    pub(crate) device: Device,
    pub(crate) events: Events,
    /// Sorted by address.
    pub(crate) segments: Vec<RawSegment>,
    /// Blocks of all segments, in the segments' order, each segment's by address.
    pub(crate) blocks: Vec<RawBlock>,
}

/// A segment of the file: memory mapped when it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawSegment {
    pub(crate) addr: u64,
    pub(crate) size: u64,
    pub(crate) stream: StreamId,
    pub(crate) pool: Option<PoolId>,
    pub(crate) kind: SegmentKind,
    pub(crate) is_expandable: bool,
    pub(crate) stack: Option<StackId>,
    /// Its rows in [`RawDevice::blocks`].
    pub(crate) blocks: (u32, u32),
}

/// What a block of a segment is doing when the file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockState {
    Allocated,
    PendingFree,
    Inactive,
}

/// A block of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawBlock {
    pub(crate) addr: u64,
    pub(crate) size: u64,
    /// `None`: not stated (or stale, on an inactive block).
    pub(crate) requested: Option<u64>,
    pub(crate) state: BlockState,
    pub(crate) stack: Option<StackId>,
}
