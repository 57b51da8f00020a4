//! A recording and its index as Arrow IPC on disk, so that it opens again without being read.
//!
//! Start at [`Store`]: it finds the index of a person's files, or writes one. [`Source`] tells one
//! state of those files from another. An index is columns by name (`writing`, `reading`), packed
//! where they are not needed to draw (`packing`, `derived`), compared with what they are rows of
//! (`bounds`); the other modules say which columns there are.
//!
//! Knows no file format of others, no view and no window.
//!
//! To keep another column: put it in the module of its table, read it there, and raise [`FORMAT`].

mod bounds;
mod checksum;
mod derived;
mod device;
mod dump;
mod element;
mod entry;
mod events;
mod facts;
pub mod fuzz;
mod indexes;
mod names;
mod packing;
mod reading;
mod recording;
mod source;
mod store;
#[cfg(test)]
mod tests;
mod texts;
mod track;
mod writing;

pub use facts::{FactReader, Facts};
pub use recording::Kept;
pub use source::Source;
pub use store::{Store, Usage, WriteError};

/// Which columns there are and how they are packed; to be raised with every change of that.
pub const FORMAT: u32 = 1;
