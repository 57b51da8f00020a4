//! The calls of a thread over time, by depth: a bounded scene for one viewport.

use crate::axis::micros;
use index::{Row, SliceHits, SliceIndex};
use job::{Cancelled, Job};
use model::Slices;
use std::ops::Range;

/// Most rectangles a device pixel of a row where nothing is joined.
const MOST_A_PIXEL: usize = 4;
/// A call this wide is always itself, and a gap this wide is always seen.
const VISIBLE_PX: f64 = 1.0;

/// Whether calls too narrow to see are drawn together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Narrow {
    /// Neighbours narrower than a pixel, with less than a pixel between them, are one rectangle.
    Joined,
    /// Each is itself, as far as [`Flame::crowded`] does not say otherwise.
    Apart,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct FlameViewport {
    /// Left and right edge, microseconds since the recording began.
    pub x: (f64, f64),
    /// The depths wanted.
    pub depths: Range<u32>,
    /// Device pixels across.
    pub width_px: u32,
    /// What becomes of narrow calls.
    pub narrow: Narrow,
    /// A call whose place is wanted however small it is.
    pub selected: Option<u32>,
}

/// The bounded set of rectangles for one viewport, by depth, then from left to right.
///
/// Laws: every call in view is counted by exactly one rectangle of its depth. A rectangle of several
/// holds only calls narrower than a pixel and no gap of a pixel or more. There are at most
/// `2 × width + 4` rectangles a depth where narrow calls are joined, and `4 × width + 4` otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flame {
    /// Left edges, device pixels; like the right ones at most about a viewport outside.
    pub x0: Vec<f32>,
    /// Right edges. A call without a duration is as wide as it is: not at all.
    pub x1: Vec<f32>,
    /// How many calls enclose it.
    pub depth: Vec<u32>,
    /// The call, or the longest of several.
    pub slice: Vec<u32>,
    /// How many calls it stands for.
    pub count: Vec<u32>,
    /// How many of those were found by the search.
    pub hits: Vec<u32>,
    /// Left edge, right edge and depth of the selected call, when it is in view.
    pub selected: Option<(f32, f32, u32)>,
    /// How many calls stand in rectangles with others although they should be apart.
    pub crowded: u32,
}

/// Lays out `viewport`. An empty or senseless one gives an empty scene.
pub fn flame(
    slices: &Slices,
    index: &SliceIndex,
    hits: Option<&SliceHits>,
    viewport: &FlameViewport,
    job: &Job,
) -> Result<Flame, Cancelled> {
    let mut scene = Flame::default();
    let (x0, x1) = viewport.x;
    let is_sound = x0.is_finite() && x1.is_finite() && x1 > x0;
    if !is_sound || viewport.width_px == 0 {
        return Ok(scene);
    }
    let view = View::new(viewport);
    for depth in viewport.depths.start..viewport.depths.end.min(index.depths()) {
        job.check()?;
        let Some(row) = index.row(depth) else { break };
        let mut at_depth = AtDepth { slices, row, hits, view, depth, scene: &mut scene };
        match viewport.narrow {
            Narrow::Joined => at_depth.joined(),
            Narrow::Apart => at_depth.apart(),
        }
    }
    scene.selected = viewport.selected.and_then(|slice| view.selected(slices, slice, viewport));
    Ok(scene)
}

/// From times to pixels.
#[derive(Clone, Copy)]
struct View {
    /// Microseconds at the left edge.
    from: f64,
    /// Nanoseconds at both edges.
    edges_ns: (f64, f64),
    ns_a_pixel: f64,
    width: f64,
}

impl View {
    fn new(viewport: &FlameViewport) -> Self {
        let (x0, x1) = viewport.x;
        let width = f64::from(viewport.width_px);
        let edges_ns = (nanoseconds(x0), nanoseconds(x1));
        Self { from: x0, edges_ns, ns_a_pixel: (x1 - x0) * 1e3 / width, width }
    }

    /// Where a time lies, at most a viewport outside.
    fn px(self, time_ns: i64) -> f64 {
        let pixel = (micros(time_ns, 0) - self.from) * 1e3 / self.ns_a_pixel;
        pixel.clamp(-self.width, 2.0 * self.width)
    }

    fn selected(
        self,
        slices: &Slices,
        slice: u32,
        viewport: &FlameViewport,
    ) -> Option<(f32, f32, u32)> {
        let at = slice as usize;
        let depth = u32::from(*slices.depth.get(at)?);
        let (from, to) = (self.px(slices.start_ns[at]), self.px(slices.end_ns[at]));
        let is_seen = to >= 0.0 && from <= self.width && viewport.depths.contains(&depth);
        is_seen.then_some((from as f32, to as f32, depth))
    }
}

/// Nanoseconds of microseconds: whole ones where only the fraction's rounding says otherwise, so
/// that a call at an edge is on the same side of it as its time is.
fn nanoseconds(micros: f64) -> f64 {
    let time = micros * 1e3;
    let whole = time.round();
    let blur = (time.abs() * f64::EPSILON * 4.0).max(1e-9);
    if (time - whole).abs() <= blur { whole } else { time }
}

/// One depth under work.
struct AtDepth<'a> {
    slices: &'a Slices,
    row: &'a Row,
    hits: Option<&'a SliceHits>,
    view: View,
    depth: u32,
    scene: &'a mut Flame,
}

impl AtDepth<'_> {
    fn in_view(&self) -> Range<usize> {
        self.row.within(self.slices, self.view.edges_ns.0, self.view.edges_ns.1)
    }

    /// Each call that is wide enough to be seen is itself; of the others, neighbours are one.
    fn joined(&mut self) {
        let Range { start: mut at, end } = self.in_view();
        let least_ns = VISIBLE_PX * self.view.ns_a_pixel;
        // The next wide call, and the next gap, are looked up again only once they are passed.
        let (mut wide, mut gap) = (at, at);
        let mut is_first = true;
        while at < end {
            if wide < at || is_first {
                wide = self.row.next_long(self.slices, at..end, least_ns).unwrap_or(end);
            }
            if wide == at {
                self.push(at..at + 1);
                at += 1;
                is_first = true;
                continue;
            }
            if gap <= at || is_first {
                gap = self.row.next_gap(self.slices, at + 1..end, least_ns).unwrap_or(end);
            }
            is_first = false;
            let stop = wide.min(gap);
            self.push(at..stop);
            at = stop;
        }
    }

    /// Each call is itself, while there are at most [`MOST_A_PIXEL`] that begin in one pixel.
    fn apart(&mut self) {
        let Range { start: mut at, end } = self.in_view();
        if end - at <= MOST_A_PIXEL * self.view.width as usize {
            (at..end).for_each(|at| self.push(at..at + 1));
            return;
        }
        while at < end {
            let stop = self.end_of_pixel(at, end);
            let spare = (stop - at).saturating_sub(MOST_A_PIXEL);
            if spare == 0 {
                (at..stop).for_each(|at| self.push(at..at + 1));
            } else {
                // The last one may be wide; those before it end inside the pixel.
                let middle = at + 2..stop - 1;
                self.push(at..at + 1);
                self.push(at + 1..at + 2);
                self.scene.crowded = self.scene.crowded.saturating_add(middle.len() as u32);
                self.push(middle);
                self.push(stop - 1..stop);
            }
            at = stop;
        }
    }

    /// The first place after `at` whose call begins in a later pixel.
    fn end_of_pixel(&self, at: usize, end: usize) -> usize {
        let pixel = |place: usize| {
            self.view.px(self.slices.start_ns[self.row.slices()[place] as usize]).floor()
        };
        let own = pixel(at);
        let mut step = 1;
        while at + step < end && pixel(at + step) <= own {
            step *= 2;
        }
        let (mut low, mut high) = (at + step / 2, end.min(at + step));
        while low + 1 < high {
            let middle = low.midpoint(high);
            if pixel(middle) <= own {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Adds one rectangle for the calls at `places`, which are never none.
    fn push(&mut self, places: Range<usize>) {
        let rows = self.row.slices();
        let (first, last) = (rows[places.start] as usize, rows[places.end - 1] as usize);
        let longest = self.row.longest(self.slices, places.clone()).unwrap_or(places.start);
        let hits = self.hits.map_or(0, |hits| hits.count(self.depth, places.clone()));
        let scene = &mut *self.scene;
        scene.x0.push(self.view.px(self.slices.start_ns[first]) as f32);
        scene.x1.push(self.view.px(self.slices.end_ns[last]) as f32);
        scene.depth.push(self.depth);
        scene.slice.push(rows[longest]);
        scene.count.push(places.len() as u32);
        scene.hits.push(hits);
    }
}

#[cfg(test)]
mod tests;
