//! Cuts a viewport into columns and picks the state each one shows.

use crate::axis::{micros, origin};
use crate::stack::Frame;
use crate::{Axis, Viewport};
use index::DeviceIndex;
use model::{Counter, DeviceTable, State};
use rayon::prelude::*;
use std::ops::Range;

/// Most columns that are wider than one state: a page asks for three screens at once.
const MOST_COLUMNS: u32 = 2048;

/// One column before anything is stacked in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    /// Left edge in pixels.
    pub(crate) left: f64,
    /// First and last state it covers.
    pub(crate) states: (u32, u32),
}

/// The columns of `viewport`, left to right, and the right edge of the last one in pixels.
///
/// Where states are wider than a pixel each has a column with its exact edges; elsewhere a column
/// is a pixel wide (more, where there would be over [`MOST_COLUMNS`]) and covers every state that
/// touches it. Outside the recording there are none.
pub(crate) fn cuts(table: &DeviceTable, viewport: &Viewport) -> (Vec<Cut>, f64) {
    let Some(range) = viewport.axis.range(table) else { return (Vec::new(), 0.0) };
    let (x0, x1) = viewport.x;
    let (from, to) = (x0.max(range.0), x1.min(range.1));
    if from >= to || viewport.width_px == 0 {
        return (Vec::new(), 0.0);
    }
    let scale = f64::from(viewport.width_px) / (x1 - x0);
    let last = last_before(table, viewport.axis, to);
    let first = viewport.axis.state_at(table, from).0.min(last);
    let right = (to - x0) * scale;
    let cuts = if f64::from(last - first + 1) <= (to - from) * scale {
        exact(table, viewport, (from, first, last), scale)
    } else {
        pixels(table, viewport, (from, to), (first, last))
    };
    (cuts, right)
}

/// The last state that begins before `x`.
fn last_before(table: &DeviceTable, axis: Axis, x: f64) -> u32 {
    let state = axis.state_at(table, x);
    if state.0 > 0 && axis.begin(table, state) >= x { state.0 - 1 } else { state.0 }
}

/// A column a state; states narrower than half a pixel join the ones after them.
fn exact(
    table: &DeviceTable,
    viewport: &Viewport,
    (from, first, last): (f64, u32, u32),
    scale: f64,
) -> Vec<Cut> {
    let at =
        |state: u32| (viewport.axis.begin(table, State(state)).max(from) - viewport.x.0) * scale;
    let mut cuts: Vec<Cut> = Vec::with_capacity((last - first + 1) as usize);
    let mut pending: Option<Cut> = None;
    for state in first..=last {
        let left = at(state);
        let wide = state == last || at(state + 1) - left >= 0.5;
        let mut cut = pending.take().unwrap_or(Cut { left, states: (state, state) });
        if wide && state > cut.states.0 && left - cut.left >= 0.5 {
            cut.states.1 = state - 1;
            cuts.push(cut);
            cut = Cut { left, states: (state, state) };
        }
        cut.states.1 = state;
        if wide {
            cuts.push(cut);
        } else {
            pending = Some(cut);
        }
    }
    cuts
}

/// A column a pixel; pixels within one state are one column.
fn pixels(
    table: &DeviceTable,
    viewport: &Viewport,
    (from, to): (f64, f64),
    (first, last): (u32, u32),
) -> Vec<Cut> {
    let (x0, x1) = viewport.x;
    let step_px = viewport.width_px.div_ceil(MOST_COLUMNS);
    let step = (x1 - x0) * f64::from(step_px) / f64::from(viewport.width_px);
    let px = |x: f64| (x - x0) / step;
    // A right edge that rounding put a hair beyond a pixel does not begin another.
    let (begin, end) = (px(from).floor() as u32, (px(to) - 1e-6).ceil() as u32);
    let mut walk = Walk::new(table, viewport.axis, first);
    let mut cuts: Vec<Cut> = Vec::with_capacity((end - begin) as usize);
    let mut left_state = first;
    for column in begin..end {
        let right_x = x0 + f64::from(column + 1) * step;
        let right_state = if right_x >= to { last } else { walk.state_at(right_x).min(last) };
        let states = (left_state, right_state);
        if cuts.last().is_none_or(|cut| cut.states != states || states.0 != states.1) {
            let left = f64::from(column).max(px(from)) * f64::from(step_px);
            cuts.push(Cut { left, states });
        }
        left_state = right_state;
    }
    cuts
}

/// Finds states for growing `x`: searches on from where the last search ended.
struct Walk<'a> {
    times: Option<&'a [i64]>,
    origin: i64,
    events: u32,
    at: usize,
}

impl<'a> Walk<'a> {
    fn new(table: &'a DeviceTable, axis: Axis, from: u32) -> Self {
        let times = match axis {
            Axis::Event => None,
            Axis::Time => table.events.time_ns.as_deref(),
        };
        let origin = times.map_or(0, |times| origin(table, times));
        Self { times, origin, events: table.events.len(), at: from as usize }
    }

    fn state_at(&mut self, x: f64) -> u32 {
        let Some(times) = self.times else {
            return (x.floor() + 1.0).clamp(0.0, f64::from(self.events)) as u32;
        };
        let past = |row: usize| micros(times[row], self.origin) > x;
        let mut jump = 1;
        let mut low = self.at;
        while low + jump <= times.len() && !past(low + jump - 1) {
            low += jump;
            jump *= 2;
        }
        let high = (low + jump).min(times.len());
        self.at = low + times[low..high].partition_point(|time| micros(*time, self.origin) <= x);
        self.at as u32
    }
}

/// Least and most of the three totals, and the state to show.
pub(crate) type Found = ([(u64, u64); 3], State);

/// The columns of a viewport with the state that each shows.
pub(crate) struct Shown {
    /// One a column.
    pub(crate) found: Vec<Found>,
    states: Vec<u32>,
    edges: Vec<f64>,
}

impl Shown {
    /// `None` where there is nothing to show, or the viewport makes no sense.
    pub(crate) fn new(
        table: &DeviceTable,
        index: &DeviceIndex,
        viewport: &Viewport,
    ) -> Option<Self> {
        let (x, y) = (viewport.x, viewport.y);
        let sane = [x.0, x.1, y.0, y.1].iter().all(|edge| edge.is_finite());
        if !sane || x.0 >= x.1 || y.0 >= y.1 || viewport.height_px == 0 {
            return None;
        }
        let (cuts, right) = cuts(table, viewport);
        if cuts.is_empty() {
            return None;
        }
        let found: Vec<_> = cuts.par_iter().map(|cut| totals(table, index, cut)).collect();
        let edges = cuts.iter().map(|cut| cut.left).chain([right]).collect();
        let states = found.iter().map(|(_, state)| state.0).collect();
        Some(Self { found, states, edges })
    }

    /// How bytes and columns map to the pixels of `viewport`.
    pub(crate) fn frame(&self, viewport: &Viewport) -> Frame<'_> {
        Frame {
            states: &self.states,
            edges: &self.edges,
            y: viewport.y,
            height_px: viewport.height_px.into(),
            row_px: 1.0,
        }
    }
}

/// Of the three totals over the states of `cut`: least and most, and the state with most allocated.
fn totals(table: &DeviceTable, index: &DeviceIndex, cut: &Cut) -> Found {
    let states: Range<State> = State(cut.states.0)..State(cut.states.1 + 1);
    let peak = |counter| index.totals.peak(&table.counters, counter, states.clone());
    let allocated = peak(Counter::Allocated);
    let others = [peak(Counter::Active), peak(Counter::Reserved)];
    let pair = |peak: index::Peak| (peak.least, peak.most);
    ([pair(allocated), pair(others[0]), pair(others[1])], allocated.at)
}
