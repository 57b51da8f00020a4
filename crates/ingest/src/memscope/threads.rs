//! Calls as the recording keeps them: by thread, sorted, with their depths.

use super::slices::RawSlice;
use crate::Warnings;
use model::{Slices, TraceThread, WarningKind};
use rayon::prelude::*;
use std::cmp::Reverse;

/// A call with both ends.
#[derive(Debug, Clone, Copy)]
struct Call {
    start: i64,
    end: i64,
    name: u32,
    flags: u8,
}

/// The threads that made `slices`, which end no later than `end`; times count from the
/// recording's beginning.
pub(super) fn threads(
    mut slices: Vec<RawSlice>,
    end: i64,
    warnings: &Warnings,
) -> Vec<TraceThread> {
    slices.par_sort_by_key(|slice| (slice.process, slice.thread));
    let of_thread = |a: &RawSlice, b: &RawSlice| (a.process, a.thread) == (b.process, b.thread);
    let groups: Vec<&[RawSlice]> = slices.chunk_by(of_thread).collect();
    let found: Vec<(TraceThread, u64)> =
        groups.par_iter().map(|group| thread(group, end)).collect();
    let reversed = found.iter().map(|(_, reversed)| reversed).sum();
    warnings.add(WarningKind::BadValue, "reversed call", reversed, || {
        "Calls of the Python trace that end before they begin are shown with their ends swapped."
            .into()
    });
    found.into_iter().map(|(thread, _)| thread).collect()
}

/// The thread of `slices`, and how many of them were reversed.
fn thread(slices: &[RawSlice], recording_end: i64) -> (TraceThread, u64) {
    let mut reversed = 0;
    let mut calls: Vec<Call> = slices
        .iter()
        .map(|slice| {
            let mut flags = 0;
            let mut start = slice.start.unwrap_or_else(|| {
                flags |= Slices::NO_START;
                0
            });
            let mut end = slice.end.unwrap_or_else(|| {
                flags |= Slices::OPEN;
                recording_end
            });
            if end < start {
                reversed += 1;
                std::mem::swap(&mut start, &mut end);
            }
            Call { start, end, name: slice.name, flags }
        })
        .collect();
    // Stable: of two calls over the same time, the file has the outer one last or first; which is
    // not known, so its order stays.
    calls.sort_by_key(|call| (call.start, Reverse(call.end)));
    let depths = depths(&calls);
    let first = slices.first();
    let thread = TraceThread {
        process: first.map_or(0, |slice| slice.process),
        thread: first.map_or(0, |slice| slice.thread),
        slices: Slices {
            start_ns: calls.iter().map(|call| call.start).collect::<Vec<_>>().into(),
            end_ns: calls.iter().map(|call| call.end).collect::<Vec<_>>().into(),
            name: calls.iter().map(|call| call.name).collect::<Vec<_>>().into(),
            depth: depths.into(),
            flags: calls.iter().map(|call| call.flags).collect::<Vec<_>>().into(),
        },
    };
    (thread, reversed)
}

/// How many calls enclose each of `calls`, which are sorted.
fn depths(calls: &[Call]) -> Vec<u16> {
    // Ends of the calls under way.
    let mut open: Vec<i64> = Vec::new();
    calls
        .iter()
        .map(|call| {
            while open.last().is_some_and(|end| *end <= call.start) {
                open.pop();
            }
            let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
            open.push(call.end);
            depth
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(start: impl Into<Option<i64>>, end: impl Into<Option<i64>>) -> RawSlice {
        RawSlice { process: 1, thread: 2, start: start.into(), end: end.into(), name: 0 }
    }

    /// `start..end@depth` of each call.
    fn drawn(slices: &[RawSlice]) -> String {
        let warnings = Warnings::default();
        let found = threads(slices.to_vec(), 100, &warnings);
        let slices = &found[0].slices;
        let drawn: Vec<_> = (0..slices.len() as usize)
            .map(|row| {
                let flags = match slices.flags[row] {
                    Slices::OPEN => " open",
                    Slices::NO_START => " no start",
                    0 => "",
                    _ => " no ends",
                };
                let (start, end) = (slices.start_ns[row], slices.end_ns[row]);
                format!("{start}..{end}@{}{flags}", slices.depth[row])
            })
            .collect();
        drawn.join("; ")
    }

    #[test]
    fn depth_follows_from_what_encloses() {
        let calls = [slice(10, 30), slice(20, 30), slice(0, 50), slice(30, 40), slice(60, 70)];
        assert_eq!(drawn(&calls), "0..50@0; 10..30@1; 20..30@2; 30..40@1; 60..70@0");
    }

    #[test]
    fn a_call_without_length_is_inside_what_covers_its_moment() {
        let calls = [slice(0, 10), slice(10, 10), slice(5, 5), slice(5, 8)];
        assert_eq!(drawn(&calls), "0..10@0; 5..8@1; 5..5@2; 10..10@0");
    }

    #[test]
    fn calls_that_overlap_and_reversed_ones_break_nothing() {
        assert_eq!(
            drawn(&[slice(0, 10), slice(5, 20), slice(15, 18)]),
            "0..10@0; 5..20@1; 15..18@2"
        );
        assert_eq!(drawn(&[slice(20, 5)]), "5..20@0");
    }

    #[test]
    fn unknown_ends_are_the_recordings() {
        let calls = [slice(None, 10), slice(3, None), slice(None, None)];
        assert_eq!(drawn(&calls), "0..100@0 no ends; 0..10@1 no start; 3..100@2 open");
    }

    #[test]
    fn threads_of_two_processes_with_one_number_are_two() {
        let other = RawSlice { process: 0, ..slice(1, 2) };
        let found = threads(vec![slice(1, 2), other], 9, &Warnings::default());
        let ids: Vec<_> = found.iter().map(|thread| (thread.process, thread.thread)).collect();
        assert_eq!(ids, [(0, 2), (1, 2)]);
    }
}
