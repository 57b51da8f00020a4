//! What ran in the threads of a dump.

use super::answered;
use super::held::Held;
use acceptance::tidemark;
use cli::Exit;
use sample::memscope::ThreadTruth;
use session::Session;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use wire::ThreadReport;

/// [`model::Slices`] marks calls that lack an end with bits.
const WHOLE: u8 = 0;

impl Held<'_> {
    /// Every thread has its calls.
    pub(super) fn threads_agree(&self) {
        let truths = &self.truth.threads;
        if truths.iter().all(|thread| thread.slices + thread.open == 0) {
            let ran = tidemark(&[OsStr::new("trace"), self.path.as_os_str()]);
            assert_eq!((ran.exit, ran.out.as_str()), (Exit::Error, ""));
            assert!(ran.err.contains("no Python thread was traced"), "{}", ran.err);
            return;
        }
        let reports: Vec<ThreadReport> = answered("trace", self.path, &["--top", "1000"]);
        let key = |thread: &ThreadTruth| (i64::from(thread.process), i64::from(thread.thread));
        let ids: Vec<_> = reports.iter().map(|it| (it.thread.process, it.thread.thread)).collect();
        assert_eq!(ids, truths.iter().map(key).collect::<Vec<_>>());
        for (row, (ours, truth)) in reports.iter().zip(truths).enumerate() {
            let thread = &ours.thread;
            assert_eq!(u64::from(thread.calls), truth.slices + truth.open, "{truth:?}");
            // A row that lacks a time lacks its end, or its start.
            assert_eq!(u64::from(thread.open + thread.without_start), truth.open, "{truth:?}");
            let (whole, all) = depths(&self.session, row);
            assert_eq!(whole as u64, truth.max_depth, "{truth:?}");
            // A call without an end ends with the recording and may reach beyond the one around it.
            assert!(thread.depths as usize >= all, "{truth:?}");
            side_by_side(&self.session, row);
            // All calls are in some function's total.
            let calls: u64 = ours.functions.iter().map(|total| u64::from(total.calls)).sum();
            assert_eq!(ours.functions.len(), ours.names as usize);
            assert_eq!(calls, truth.slices + truth.open, "{truth:?}");
        }
    }
}

/// In a depth no call lies over another.
fn side_by_side(session: &Session, row: usize) {
    let slices = &session.recording().dump.as_deref().unwrap().threads[row].slices;
    let mut ends: BTreeMap<u16, i64> = BTreeMap::new();
    assert!(slices.start_ns.is_sorted());
    for (row, depth) in slices.depth.iter().enumerate() {
        let end = ends.entry(*depth).or_default();
        assert!(*end <= slices.start_ns[row], "call {row} in depth {depth}");
        *end = slices.end_ns[row];
    }
}

/// The most calls that are open at once: of those with both times, and of all.
fn depths(session: &Session, row: usize) -> (usize, usize) {
    let slices = &session.recording().dump.as_deref().unwrap().threads[row].slices;
    let calls = || (0..slices.len() as usize).map(|row| (slices.start_ns[row], slices.end_ns[row]));
    let most = |is: &dyn Fn(usize) -> bool| {
        let over = |at: i64| {
            let open = calls().enumerate().filter(|(row, (a, b))| is(*row) && *a <= at && at < *b);
            open.count()
        };
        let starts = calls().enumerate().filter(|(row, _)| is(*row)).map(|(_, (start, _))| start);
        starts.map(over).max().unwrap_or(0)
    };
    (most(&|row| slices.flags[row] == WHOLE), most(&|_| true))
}
