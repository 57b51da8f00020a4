//! The tables against a walk over all rows, and what each question means.

mod corpus;
mod laws;
mod meaning;
mod oracle;
mod world;
