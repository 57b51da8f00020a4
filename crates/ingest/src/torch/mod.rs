//! PyTorch memory snapshots.

mod annotations;
mod bodies;
mod columns;
#[cfg(test)]
mod corpus;
mod entry;
mod family;
mod finish;
mod frames;
mod fx;
mod hints;
mod ids;
mod json;
pub(crate) mod lives;
mod pickled;
mod quick;
pub(crate) mod raw;
mod reader;
mod segments;
mod settings;
mod texts;
mod words;

pub(crate) use annotations::nest;
pub(crate) use finish::Unfit;
pub(crate) use frames::StackTable;
pub(crate) use json::read_json;
pub(crate) use pickled::{Failure, Pickled, read_pickle};
