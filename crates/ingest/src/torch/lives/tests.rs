//! Traces in a text notation, the laws of lives, and the simulated allocator that is the oracle.

mod allocator;
mod corpus;
mod damage;
mod garbage;
mod laws;
mod notation;
mod simulated;
mod speed;
