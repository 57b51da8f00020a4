//! Ranges that the recorded program named.

use crate::StringId;

/// A named range of wall time on one device; an end that is not known was not in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// The text the program gave.
    pub name: StringId,
    /// Device index as the file states it.
    pub device: i32,
    /// Microseconds since the epoch; `None`: its START was lost.
    pub start_us: Option<i64>,
    /// Microseconds since the epoch; `None`: its END was lost or not reached.
    pub end_us: Option<i64>,
    /// How many ranges of the same device enclose it.
    pub depth: u16,
}
