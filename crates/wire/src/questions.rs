//! What may be asked.

use crate::{Number, Thresholds};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What the horizontal axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Events: the state right after event `i` covers `[i, i + 1)`, the state before the first
    /// event `[-1, 0)`.
    Event,
    /// Microseconds since the device's first event; the state right after an event lasts until the
    /// next one's time.
    Time,
}

/// What decides a band's colour key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ColorBy {
    /// Hash of the address.
    Address,
    /// Row of the allocation stack.
    Stack,
    /// Power of two of the size: key = floor(log2(size)).
    Size,
    /// Ordinal of the stream.
    Stream,
    /// Ordinal of the pool.
    Pool,
}

/// Whether bands are wanted or only the three lines (for the trend slider).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Lines and bands.
    Full,
    /// Lines only.
    Lines,
}

/// What makes blocks stand out in a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Highlight {
    /// Blocks that ever lay in the segment around `address` right after event `after`.
    Segment {
        /// Hex or decimal.
        address: String,
        /// −1: before the first event.
        #[specta(type = crate::Number)]
        after: f64,
    },
    /// Blocks with the allocation stack of `block`.
    StackOf {
        /// Its row.
        block: u32,
    },
    /// Blocks with an allocation stack.
    Stack {
        /// Its row among the recording's stacks.
        stack: u32,
    },
    /// Blocks with a frame anywhere in their allocation stack.
    Frame {
        /// Its row among the recording's frames.
        frame: u32,
    },
    /// Blocks of a dump's owner and of those below it.
    Owner {
        /// The whole path, `PTA@ops@aten`.
        tag: String,
    },
    /// Blocks of a dump that hold memory in vain.
    Inefficient {
        /// What counts.
        thresholds: Thresholds,
    },
    /// Blocks allocated by the events `from` to `to`, both included.
    Period {
        /// First event.
        #[specta(type = crate::Number)]
        from: f64,
        /// Last event.
        #[specta(type = crate::Number)]
        to: f64,
    },
}

/// A viewport of the lifecycle view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct SceneQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Unit of `x0` and `x1`.
    pub axis: Axis,
    /// Left edge, axis units.
    #[specta(type = Number)]
    pub x0: f64,
    /// Right edge, axis units.
    #[specta(type = Number)]
    pub x1: f64,
    /// Bottom edge, bytes.
    #[specta(type = Number)]
    pub y0: f64,
    /// Top edge, bytes.
    #[specta(type = Number)]
    pub y1: f64,
    /// Device pixels across.
    pub width_px: u32,
    /// Device pixels down.
    pub height_px: u32,
    /// Colour key.
    pub color: ColorBy,
    /// How much is wanted.
    pub detail: Detail,
    /// A block whose outline is wanted however small it is.
    pub selected: Option<u32>,
    /// Which blocks stand out; absent: all are alike.
    #[serde(default)]
    pub highlight: Option<Highlight>,
}

/// A stretch of the axis whose annotations are wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct AnnotationsQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Unit of `x0` and `x1`.
    pub axis: Axis,
    /// Left edge, axis units.
    #[specta(type = Number)]
    pub x0: f64,
    /// Right edge, axis units.
    #[specta(type = Number)]
    pub x1: f64,
    /// Device pixels across: the answer is bounded by it.
    pub width_px: u32,
}
