//! One open recording and every question to it.

pub use layout::{Axis, Bands, ColorBy, Columns, Detail, Scene, Viewport};
