//! Named ranges in a stretch of the axis, bounded by its pixels.

use crate::Axis;
use crate::axis::micros;
use model::{Annotation, AnnotationKind, Recording, StringId};

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
    /// What it stands for.
    pub kind: AnnotationKind,
    /// How many ranges this stands for.
    pub count: u32,
}

/// Ranges narrower than this join their neighbours.
const NARROW_PX: f64 = 3.0;
/// Nesting deeper than this is not shown.
const DEEPEST: u16 = 8;

/// The named ranges of device row `device` between `x.0` and `x.1`, by depth, then left edge.
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
    let table = &recording.devices[device];
    let Some(times) = &table.events.time_ns else { return Vec::new() };
    let Some((first, _)) = table.span_ns() else { return Vec::new() };
    let at = |time: i64| match axis {
        Axis::Event => times.partition_point(|event| *event < time) as f64,
        Axis::Time => micros(time, first),
    };
    let narrow = NARROW_PX * (x.1 - x.0) / f64::from(width_px.max(1));
    let mut rows: Vec<Vec<Mark>> = Vec::new();
    let ours = |range: &&Annotation| recording.is_about(range, device) && range.depth < DEEPEST;
    for range in recording.annotations.iter().filter(ours) {
        let (from, to) = (range.start_ns.map(at), range.end_ns.map(at));
        if from.is_some_and(|from| from > x.1) || to.is_some_and(|to| to < x.0) {
            continue;
        }
        let depth = usize::from(range.depth);
        rows.resize_with(rows.len().max(depth + 1), Vec::new);
        let Annotation { name, depth: level, kind, .. } = *range;
        let mark = Mark { name, from, to, depth: level, kind, count: 1 };
        match rows[depth].last_mut() {
            Some(last) if joins(last, &mark, narrow) => {
                last.to = mark.to;
                last.count += 1;
            }
            _ => rows[depth].push(mark),
        }
    }
    rows.into_iter().flatten().collect()
}

/// Whether `next` is too narrow and too near to be told from `last`.
fn joins(last: &Mark, next: &Mark, narrow: f64) -> bool {
    let (Some(last_from), Some(last_to)) = (last.from, last.to) else { return false };
    let (Some(from), Some(to)) = (next.from, next.to) else { return false };
    let single = last.count > 1 || last_to - last_from < narrow;
    single
        && last.kind == next.kind
        && to - from < narrow
        && from - last_to < narrow
        && from >= last_from
}
