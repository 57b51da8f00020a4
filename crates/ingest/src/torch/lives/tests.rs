//! Traces in a text notation, the laws of lives, and the simulated allocator that is the oracle.

mod allocator;
mod corpus;
mod laws;
mod notation;
mod simulated;
mod speed;
