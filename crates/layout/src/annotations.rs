//! Named ranges in a stretch of the axis, bounded by its pixels.

use crate::Axis;
use model::{Recording, StringId};

/// A named range, or several too narrow to tell apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// The name; of the first when there are several.
    pub name: StringId,
    /// Left edge, axis units; `None`: its START was lost.
    pub from: Option<f64>,
    /// Right edge, axis units; `None`: its END was lost.
    pub to: Option<f64>,
    /// Nesting, 0 outermost.
    pub depth: u16,
    /// How many ranges this stands for.
    pub count: u32,
}

/// The named ranges of device row `device` between `x.0` and `x.1`.
///
/// Ranges under three pixels wide that follow each other at one depth become one mark, so there
/// are at most about `width_px / 3` a depth.
pub fn marks(
    recording: &Recording,
    device: usize,
    axis: Axis,
    x: (f64, f64),
    width_px: u32,
) -> Vec<Mark> {
    let _ = (recording, device, axis, x, width_px);
    Vec::new()
}
