//! Writes `msMemScope` dumps with known answers: a simulated training run on an NPU, as the collector records it.
//!
//! Start at [`Dump`]: it says what happens and in which version's way it is written, [`Dump::write_in`] writes it to a
//! folder under the name the collector would choose, and the [`Truth`] comes back. The run is walked once and only live
//! blocks are kept, so a long dump needs little more memory than a short one.

mod attr;
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
mod plan;
mod pool;
mod row;
mod stacks;
mod tracer;
mod training;
mod truth;
mod write;

pub use generation::Generation;
pub use plan::{Dump, Format, Journal, Kept, Oddities, Scope, Stacks, bundled};
pub use truth::{
    BlockTruth, FileTruth, Holding, Moment, OddRows, OwnerBytes, PoolTruth, ThreadTruth, Truth,
};
