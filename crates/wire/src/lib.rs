//! What crosses the boundary of the program: JSON answers, raw scenes, and their TypeScript types.
//!
//! Questions and small answers are JSON; scenes are raw little-endian columns, see [`encode_scene`].
//! Addresses and stream handles travel as hex text because 64 bits do not fit a JavaScript number;
//! byte counts and microseconds fit 2⁵³ and travel as numbers.

mod answers;
mod questions;
mod scene;

pub use answers::*;
pub use questions::*;
pub use scene::{MAGIC, VERSION, encode_scene};
