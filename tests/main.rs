//! Acceptance tests: real and generated files in, answers out.

mod corpus;
mod damage;
mod golden;
mod terminal;
mod tools;
mod truth;
