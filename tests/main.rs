//! Acceptance tests: real and generated files in, answers out.

mod corpus;
mod damage;
mod golden;
mod truth;
