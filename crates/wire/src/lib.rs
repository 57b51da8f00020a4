//! What crosses the boundary of the program: JSON answers, raw scenes, and their TypeScript types.
//!
//! Questions and small answers are JSON; scenes are raw little-endian columns, see [`encode_scene`].
//! Addresses and stream handles travel as hex text because 64 bits do not fit a JavaScript number;
//! byte counts and microseconds fit 2⁵³ and travel as numbers.
//! One function a question: [`opened`], [`summary`], [`scene_bytes`], [`annotations`], [`block`],
//! [`live_set`]. A question that makes no sense is clamped or refused, never a panic.

mod answers;
mod block;
mod columns;
mod compare;
mod decompose;
mod diff;
mod dumped;
mod error;
mod event;
mod find;
mod flame;
mod holder;
mod holders;
mod inefficient;
mod live_set;
mod micros;
mod names;
mod period_by;
mod pool;
mod pool_curves;
mod questions;
mod report;
mod scene;
mod stack_tree;
mod summary;
mod table;
mod trace;
mod viewport;

pub use answers::*;
pub use block::block;
pub use compare::*;
pub use decompose::*;
pub use diff::*;
pub use dumped::*;
pub use event::{
    EventDetails, PeriodDetails, SegmentChange, SegmentDetails, Spread, event, period, segment,
};
pub use find::{
    FindAnswer, FindQuestion, FoundBlock, FoundEvent, FoundOwner, FoundRange, FoundRows,
    FoundSegment, FoundStack, find,
};
pub use flame::{
    FLAME_MAGIC, Fit, FlameQuestion, FlameSearchAnswer, FlameSearchQuestion, Names, Narrow,
    SliceAllocations, SliceDetails, SliceHit, SliceRef, SliceSearch, SliceStep, Thread,
    encode_flame, flame_bytes, flame_search, slice, threads,
};
pub use holder::*;
pub use holders::*;
pub use inefficient::*;
pub use live_set::live_set;
pub use micros::Micros;
pub use period_by::*;
pub use pool::{
    AddressMapQuestion, LaneList, LaneOrder, LaneRow, MAP_MAGIC, POOL_MAGIC, PoolGrouping,
    PoolOrder, PoolQuestion, address_map_bytes, lanes, pool_bytes,
};
pub use pool_curves::{
    CURVES_MAGIC, PoolCurvesQuestion, PoolList, PoolRow, pool_curves_bytes, pools,
};
pub use questions::*;
pub use report::FileReport;
pub use scene::{MAGIC, VERSION, encode_scene};
pub use stack_tree::*;
pub use summary::{opened, summary};
pub use table::*;
pub use trace::{FunctionTotal, SearchReport, ThreadReport, thread_report};
pub use viewport::{annotations, scene_bytes};

/// TypeScript's `number` for fields whose Rust type specta would refuse (`u64`: it fears for values
/// above 2⁵³, which bytes and microseconds do not reach) or make nullable (`f64`: it fears NaN,
/// which no answer holds).
type Number = u32;

#[cfg(test)]
mod tests;
