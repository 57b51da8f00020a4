//! A safe reader for pickle streams, protocols 2 to 5.
//!
//! Start at [`Machine`]: a stack machine over bytes in memory that never runs code (opcodes that
//! would are refused by name), never panics and takes memory in proportion to its input.
//! What it meets it shows to a [`Visitor`], which may take finished values out of the [`Heap`] or
//! read whole dicts and lists itself, so that a schema-directed reader can be much faster than a
//! tree of objects. [`Tree::read`] is the plain use without any of that.
//!
//! It does not write pickles and knows nothing of what is in them.

pub mod code;
mod cursor;
mod error;
pub mod fuzz;
mod heap;
mod machine;
mod memo;
mod tree;
mod value;
mod visitor;

#[cfg(test)]
mod tests;

pub use cursor::Cursor;
pub use error::Error;
pub use heap::{Heap, Node};
pub use machine::{Machine, Status};
pub use memo::{Entry, Memo, MemoMark};
pub use tree::Tree;
pub use value::{NodeId, Thing, Value, expand};
pub use visitor::{Input, Visitor};
