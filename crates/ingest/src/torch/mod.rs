//! PyTorch memory snapshots.

pub(crate) mod lives;
pub(crate) mod raw;
