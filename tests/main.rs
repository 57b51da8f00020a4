//! Acceptance tests: real and generated files in, answers out.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is tests; only some of it is in test functions"
)]

mod asks;
mod cache;
mod corpus;
mod damage;
mod diff;
mod dumps;
mod golden;
mod holders;
mod incumbent;
mod made;
mod pool;
mod size_rule;
mod terminal;
mod tools;
mod truth;
