//! Ranges that the recorded program named.

use crate::StringId;

/// What a named range stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnnotationKind {
    /// A range the program named, or a moment it marked.
    Range,
    /// A step, as the recorder counts them.
    Step,
    /// Recording was switched on or off.
    Switch,
    /// An allocation failed.
    Oom,
    /// Somebody took a snapshot.
    Snapshot,
}

/// A named range of wall time on one device; an end that is not known was not in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// The text the program gave.
    pub name: StringId,
    /// Device index as the file states it; in a dump, row of [`Dump::devices`](crate::Dump), or
    /// −1: about all of them.
    pub device: i32,
    /// What it stands for.
    pub kind: AnnotationKind,
    /// Nanoseconds since [`Recording::zero_ns`](crate::Recording); `None`: its START was lost.
    pub start_ns: Option<i64>,
    /// Nanoseconds likewise; `None`: its END was lost or not reached.
    pub end_ns: Option<i64>,
    /// How many ranges of the same device enclose it.
    pub depth: u16,
}
