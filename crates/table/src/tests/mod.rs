//! The tables against a walk over all rows, and what each question means.

mod corpus;
mod dump;
mod dump_world;
mod laws;
mod meaning;
mod oracle;
mod world;
