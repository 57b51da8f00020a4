//! What in one recording stands for a segment of another.

use super::counterpart::{as_late, same_stacks};
use super::{Match, Unmatched};
use crate::OnDevice;
use model::{Pool, Segment, SegmentId, SegmentKind};

/// By what two segments are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentAlike {
    /// The stacks of the allocations that needed them.
    Stack,
    /// Their bytes, kinds, streams and pools.
    Shape,
}

/// The segment that stands for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentCounterpart {
    /// Its row.
    pub segment: SegmentId,
    /// By what it was found.
    pub how: SegmentAlike,
    /// Places of the two among the segments alike on their sides, in the order in which they were
    /// mapped, from 0.
    pub places: [u32; 2],
    /// How many are alike on each side.
    pub counts: [u32; 2],
}

/// The segment of `b` that stands for `segment` of `a`: of those that the same stack needed, failing
/// that of those of its shape, the one that comes as late; the last where `b` has fewer.
pub fn segment_counterpart(
    a: OnDevice<'_>,
    segment: SegmentId,
    b: OnDevice<'_>,
    how: Match,
) -> Result<SegmentCounterpart, Unmatched> {
    if b.table().segments.rows().is_empty() {
        return Err(Unmatched::Unrecorded);
    }
    let one = a.table().segments.get(segment);
    let by_stack = one.stack.filter(|stack| stack.0 != 0).and_then(|stack| {
        let [here, there] = same_stacks(a, stack.0, b, how);
        let is_of = |segment: &Segment, alike: &[bool]| {
            segment.stack.is_some_and(|stack| alike.get(stack.row()).copied().unwrap_or(false))
        };
        let rows = [rows(a, |row| is_of(row, &here)), rows(b, |row| is_of(row, &there))];
        found(segment, rows, SegmentAlike::Stack)
    });
    let by_shape = || {
        let shape = shape(a, one);
        let rows = [a, b].map(|on| rows(on, |row| self::shape(on, row) == shape));
        found(segment, rows, SegmentAlike::Shape)
    };
    by_stack.or_else(by_shape).ok_or(Unmatched::Unknown)
}

fn found(
    segment: SegmentId,
    [here, there]: [Vec<u32>; 2],
    how: SegmentAlike,
) -> Option<SegmentCounterpart> {
    let (row, places, counts) = as_late(segment.0, &here, &there)?;
    Some(SegmentCounterpart { segment: SegmentId(row), how, places, counts })
}

fn rows(on: OnDevice<'_>, is_alike: impl Fn(&Segment) -> bool) -> Vec<u32> {
    let all = on.table().segments.rows().iter().enumerate();
    all.filter(|(_, segment)| is_alike(segment)).map(|(row, _)| row as u32).collect()
}

#[derive(PartialEq, Eq)]
struct Shape {
    size: u64,
    kind: SegmentKind,
    is_expandable: bool,
    stream: Option<u16>,
    pool: Option<Pool>,
}

/// A stream other than the default one is called by its address, which is of one run: it is told by
/// its place among those of the recording.
fn shape(on: OnDevice<'_>, segment: &Segment) -> Shape {
    let recording = on.session.recording();
    let is_default = recording.stream(segment.stream) == 0;
    let others = || {
        let before = recording.streams.iter().take(segment.stream.row());
        before.filter(|stream| **stream != 0).count() as u16
    };
    Shape {
        size: segment.size,
        kind: segment.kind,
        is_expandable: segment.is_expandable,
        stream: (!is_default).then(others),
        pool: segment.pool.map(|pool| recording.pool(pool)),
    }
}
