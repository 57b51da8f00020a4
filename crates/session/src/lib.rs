//! One open recording and every question to it.
//!
//! Start reading at [`Session`], then [`OnDevice`]: open a file, pick a device, ask.
//! Answers are plain Rust values; how they travel is `wire`'s business. Nothing here knows files,
//! JSON, windows or colours.

mod annotations;
mod block;
mod call_name;
mod decompose;
mod device;
mod diff;
mod dumped;
mod event;
mod find;
mod frames;
mod functions;
mod holder;
mod holders;
mod inefficient;
mod kept;
mod live_set;
mod open;
mod period;
mod period_by;
mod pool;
mod pool_curves;
mod same_stack;
mod slice;
mod slice_search;
mod stack_tree;
mod summary;
pub mod table;
#[cfg(test)]
mod tests;
mod threads;
mod traced;

pub use block::{BlockDetails, Missing, Moment, StackOf};
pub use call_name::{CallName, Running};
pub use decompose::{Decomposition, Part, PartKind, When, Whole};
pub use device::{Amount, OnDevice};
pub use diff::{
    AlignedSteps, Alike, By, Counterpart, Difference, DifferenceRow, DifferenceSide,
    EventCounterpart, Match, SegmentAlike, SegmentCounterpart, StepDifference, StepPeaks,
    StepPlace, Unmatched, aligned_steps, counterpart, diff, event_counterpart, same_frame_in,
    same_stack_in, segment_counterpart,
};
pub use dumped::{Access, Dumped, DumpedEvent};
pub use event::EventDetails;
pub use find::{Finding, Hits, OwnerHit, RangeHit, Sought, StackHit};
pub use frames::{FrameKind, TopFrame};
pub use functions::FunctionTotal;
pub use holder::{HeldBy, Holder, HolderColumns, HolderTotals};
pub use holders::{HolderRow, HoldersBy};
pub use index::{PoolSegment, PoolState};
pub use inefficient::{Waste, WasteOf, Wasted, WastefulBlock};
pub use ingest::{ImportError, sqlite_version};
pub use job::{Cancelled, Job, Progress};
pub use layout::{
    AddressMap, Axis, Bands, ColorBy, Columns, Detail, Flame, FlameViewport, Lane, LaneOrder,
    Lanes, Lit, Mark, Narrow, Placed, PoolGrouping, PoolOrder, PoolRows, Scene, Viewport,
    pool_rows,
};
pub use live_set::{At, LiveBlock, LiveSet};
pub use model::{
    Action, AnnotationKind, Block, BlockId, Blocks, Carrier, Counter, Device, Dump, EventId,
    Family, Frame, FrameId, Note, Origin, Pool, Recording, Segment, SegmentId, SegmentKind,
    SizeSource, StackId, State, Track, Warning, WarningKind,
};
pub use open::Session;
pub use period::{PeriodDetails, Spread};
pub use period_by::HolderChange;
pub use pool::{SegmentChange, SegmentDetails};
pub use pool_curves::{PoolColumns, PoolLine, PoolMoment};
pub use same_stack::SameStack;
pub use slice::{SliceAllocations, SliceDetails};
pub use slice_search::{Fit, Found, Search, Step};
pub use stack_tree::{BlockSet, NodeKind, StackNode, StackPart, StackTree};
pub use store::{Store, Usage, WriteError};
pub use summary::{DeviceSummary, Peak, PoolUse};
pub use threads::{OnThread, ThreadSummary};
pub use traced::{Traced, TracedLine};
