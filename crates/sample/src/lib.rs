//! Writes recordings with known answers: a simulated training run on a simulated caching allocator, pickled as
//! `PyTorch` does.
//!
//! Start at [`write()`]. A [`Plan`] says what happens, the file is written to any stream, and the [`Truth`] comes back:
//! sums, peaks and live blocks as the simulated allocator knew them. This crate uses none of our others, so that it
//! can judge them. [`pieces`] writes small hand-made pickles, [`memscope`] writes the dumps of `msMemScope`.
//!
//! The run is simulated twice, because the segments come first in the file and are known last. Nothing is kept for
//! each event, so long recordings need no more memory than short ones.

mod allocator;
mod annotation;
mod document;
mod event;
mod machine;
mod markup;
pub mod memscope;
mod pickle;
mod plan;
mod program;
mod random;
mod recording;
mod samples;
mod sites;
mod stacks;
mod survey;
mod training;
mod truth;
mod workspace;

pub use markup::MARKUP;
pub use pickle::pieces;
pub use plan::{Features, Plan, Rounding, Writer, bundled};
pub use recording::{write, write_files};
pub use truth::{DeviceTruth, Leak, LiveBlock, LiveSet, Peak, Peaks, Start, TotalsAt, Truth};
