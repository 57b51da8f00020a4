//! Writes `msMemScope` dumps with known answers: a simulated training run on an NPU, as the collector records it.
//!
//! Start at [`Dump`]: it says what happens and in which version's way it is written, [`Dump::write_in`] writes it to a
//! folder under the name the collector would choose, and the [`Truth`] comes back. The run is walked once and only live
//! blocks are kept, so a long dump needs little more memory than a short one.
//!
//! [`shape`] is the exception: it puts together a dump that has the sums of a well-known one.

mod attr;
mod block;
mod collector;
mod csv;
mod database;
mod driver;
mod files;
mod generation;
mod graph;
mod ledger;
mod memory;
mod network;
mod odd;
mod oddities;
mod plan;
mod pool;
mod row;
pub mod shape;
mod shape_blocks;
mod stacks;
mod tracer;
mod training;
mod truth;
mod write;

pub use generation::Generation;
pub use oddities::Oddities;
pub use plan::{Dump, Format, Journal, Kept, Scope, Stacks, bundled};
pub use truth::{
    BlockTruth, FileTruth, Holding, Moment, OddRows, OwnerBytes, PoolTruth, ThreadTruth, Truth,
};
