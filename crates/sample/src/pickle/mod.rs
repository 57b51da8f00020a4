//! Writing pickles, byte by byte as two real writers do.

pub(crate) mod emitter;
pub mod pieces;
pub(crate) mod words;
