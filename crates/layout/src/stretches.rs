//! The columns of a stretch of the axis, for whoever draws something of its own in them.

use crate::columns::cuts;
use crate::{Axis, ColorBy, Detail, Viewport};
use model::{DeviceTable, State};
use std::ops::Range;

/// Columns left to right; the same as those of a [`Scene`](crate::Scene) of that width.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stretches {
    /// Left edges in pixels, and the last one's right edge: one more than there are columns.
    pub edge: Vec<f32>,
    /// The states each covers, never none.
    pub states: Vec<Range<State>>,
}

/// The columns of `x.0` to `x.1` in `width_px` pixels; none outside the recording.
pub fn stretches(table: &DeviceTable, axis: Axis, x: (f64, f64), width_px: u32) -> Stretches {
    if !(x.0.is_finite() && x.1.is_finite() && x.0 < x.1) {
        return Stretches::default();
    }
    let viewport = Viewport {
        axis,
        x,
        y: (0.0, 1.0),
        width_px,
        height_px: 1,
        color: ColorBy::Address,
        detail: Detail::Lines,
        selected: None,
        lit: None,
    };
    let (cuts, right) = cuts(table, &viewport);
    if cuts.is_empty() {
        return Stretches::default();
    }
    let edges = cuts.iter().map(|cut| cut.left).chain([right]);
    Stretches {
        edge: edges.map(|edge| edge as f32).collect(),
        states: cuts.iter().map(|cut| State(cut.states.0)..State(cut.states.1 + 1)).collect(),
    }
}
