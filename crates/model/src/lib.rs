//! The columns of a recording.
//!
//! A [`Recording`] is read once and never changes: tables of typed columns, shared by everything
//! that asks questions about it.
//! Start reading at [`Recording`], then [`DeviceTable`].
//! This crate knows nothing of file formats, drawing or serialisation.

mod annotations;
mod blocks;
mod column;
mod counters;
mod dump;
mod events;
mod ids;
mod recording;
mod segments;
mod stacks;
mod warning;

pub use annotations::{Annotation, AnnotationKind};
pub use blocks::{Block, BlockColumns, Blocks, Origin, SizeSource};
pub use column::{Column, Packed};
pub use counters::{Counter, Counters};
pub use dump::{Dump, DumpRows, Slices, Slot, TraceThread, Track};
pub use events::{Action, Events, Note};
pub use ids::{
    BlockId, EventId, FrameId, NoteId, PoolId, SegmentId, StackId, State, StreamId, StringId,
};
pub use recording::{
    Carrier, Device, DeviceTable, Family, Pool, Recording, Settings, Source, Workspace,
};
pub use segments::{Segment, SegmentKind, Segments};
pub use stacks::{Frame, FrameExtra, Stacks, Strings};
pub use warning::{Warning, WarningKind};
