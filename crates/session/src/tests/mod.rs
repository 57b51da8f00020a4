//! Every question to drawn recordings, and to random ones against a walk over all events.

mod counterpart;
mod diff;
mod drawn;
mod dump;
mod find;
mod forged;
mod growth;
mod holder;
mod inefficient;
mod oracle;
mod reopened;
mod stack_tree;
mod table;
mod threads;

use crate::*;
use drawn::{FIRST_NS, recording};

/// A private pool's worth of everything: a block from before, a ghost, reuse, a pending free.
const STORY: &str = "
    before old 0x1000 512 100 -
    before ghost 0x1200 512 512 lib
    map 0x10000 8192
    + a 0x10000 1024 1000 main
    + b 0x10400 2048 2048 lib
    - a
    x a
    + c 0x10000 512 1 main
    - old
    x old
    - b
    + d 0x10800 512 7 native
    + e 0x10a00 512 512 -
    + f 0x10c00 512 512 ()
";

fn session(text: &str) -> Session {
    Session::new(recording(text), &Job::unwatched()).unwrap()
}

fn block(session: &Session, id: u32) -> BlockDetails {
    session.device(0).unwrap().block(BlockId(id)).unwrap()
}

fn name(session: &Session, top: Option<TopFrame>) -> String {
    top.map_or_else(
        || "none".to_owned(),
        |top| format!("{} ({:?})", session.frame_line(top.frame), top.kind),
    )
}

#[test]
fn a_summary_counts_what_the_drawing_shows() {
    let session = session(STORY);
    let summary = session.device(0).unwrap().summary();
    assert_eq!(summary.start, [1024, 1024, 0]);
    assert_eq!(summary.end, [2560, 4608, 8192]);
    assert_eq!((summary.blocks_before, summary.blocks_ghost), (1, 1));
    let [allocated, active, reserved] = summary.peak;
    assert_eq!(
        (allocated.bytes, allocated.at, allocated.time_ns),
        (4096, State(3), Some(FIRST_NS + 20))
    );
    assert_eq!((active.bytes, active.at), (4608, State(12)));
    assert_eq!((reserved.bytes, reserved.at), (8192, State(1)));
    assert_eq!((summary.peak_requested.bytes, summary.peak_requested.at), (3660, State(3)));
    assert_eq!(summary.start_live, Amount { count: 2, requested: 612, size: 1024 });
    assert_eq!(summary.end_active, Amount { count: 6, requested: 3592, size: 4608 });
    assert_eq!((summary.annotations, summary.steps), (3, 1));
    // The mapping, e and f.
    assert_eq!(summary.events_without_stack, 3);
    let pool = PoolUse {
        pool: Some(Pool(0, 0)),
        stream: 0,
        segments: 1,
        reserved: 8192,
        active: 4608,
        peak_reserved: reserved,
        peak_active: active,
    };
    assert_eq!(summary.pools, [pool]);
}

#[test]
fn a_peak_from_before_the_first_event_is_at_the_start() {
    let session = session("before old 0x1000 512 100 -\n- old\nx old");
    let peak = session.device(0).unwrap().summary().peak[0];
    assert_eq!((peak.bytes, peak.at, peak.time_ns), (512, State(0), None));
}

#[test]
fn a_block_knows_its_life_its_neighbours_and_its_kin() {
    let session = session(STORY);
    let a = block(&session, 2);
    assert_eq!(a.alloc.map(|at| (at.event.0, at.time_ns)), Some((1, Some(FIRST_NS + 10))));
    assert_eq!(a.free_requested.map(|at| at.event.0), Some(3));
    assert_eq!(a.free_completed.map(|at| at.event.0), Some(4));
    assert_eq!((a.life_events, a.life_ns), (2, Some(20)));
    assert_eq!((a.previous, a.next), (None, Some(BlockId(4))));
    assert_eq!(a.segment.map(|segment| segment.addr), Some(0x10000));
    assert_eq!(a.same_stack.all, Amount { count: 2, requested: 1001, size: 1536 });
    assert_eq!(a.same_stack.at_peak, Amount { count: 1, requested: 1000, size: 1024 });
    assert_eq!(a.same_stack.unfreed, Amount { count: 1, requested: 1, size: 512 });
    let texts: Vec<&str> = a.within.iter().map(|name| session.recording().text(*name)).collect();
    assert_eq!(texts, ["ProfilerStep#1", "## forward ##"]);
    assert_eq!(block(&session, 4).previous, Some(BlockId(2)));
    // At 50 µs the step is over.
    assert_eq!(block(&session, 4).within.len(), 1);
}

#[test]
fn the_top_frame_is_the_users_else_a_librarys_else_native_but_never_the_recorder() {
    let session = session(STORY);
    assert_eq!(name(&session, block(&session, 2).top_frame), "mlp.py:62 forward (User)");
    assert_eq!(name(&session, block(&session, 3).top_frame), "functional.py:2374 linear (Library)");
    assert_eq!(name(&session, block(&session, 5).top_frame), "Blas.cpp at::native::mm (Native)");
    assert_eq!(name(&session, block(&session, 6).top_frame), "none");
}

#[test]
fn a_missing_stack_has_a_reason() {
    let session = session(STORY);
    let reasons = [0, 6, 7].map(|id| block(&session, id).alloc_stack);
    let expected = [Missing::BeforeRecording, Missing::NoContext, Missing::Empty].map(Err);
    assert_eq!(reasons, expected);
    assert_eq!(block(&session, 1).alloc_stack, Ok(StackId(2)));
    assert_eq!(block(&session, 6).same_stack, SameStack::default());
    assert_eq!(block(&session, 1).free_stack, None);
    assert_eq!(block(&session, 2).free_stack, Some(Ok(StackId(1))));
}

#[test]
fn a_live_set_holds_pending_blocks_and_says_so() {
    let session = session(STORY);
    let device = session.device(0).unwrap();
    let set = device.live_set(At::End, 2).unwrap();
    assert_eq!((set.total.size, set.allocated.size, set.pending.size), (4608, 2560, 2048));
    let rows: Vec<_> = set.largest.iter().map(|row| (row.id.0, row.is_pending)).collect();
    // Of equal sizes the larger request comes first, then the lower address.
    assert_eq!(rows, [(3, true), (1, false)]);
    assert_eq!(device.live_set(At::Peak, 0).unwrap().state, State(3));
    assert_eq!(device.live_set(At::Start, 9).unwrap().total.count, 2);
    assert_eq!(device.live_set(At::Event(EventId(12)), 9), None);
    assert!(session.device(1).is_none());
    assert!(device.block(BlockId(99)).is_none());
}

#[test]
fn a_cancelled_job_opens_nothing() {
    let job = Job::unwatched();
    job.cancel();
    assert_eq!(Session::new(recording(STORY), &job).err(), Some(Cancelled));
}

#[test]
fn a_recording_without_events_has_answers() {
    let session = session("before ghost 0x1200 512 512 lib");
    let device = session.device(0).unwrap();
    assert_eq!(device.summary().peak.map(|peak| peak.bytes), [512, 512, 0]);
    assert_eq!(device.live_set(At::Peak, 5).unwrap().total.count, 1);
    assert_eq!(block(&session, 0).life_ns, None);
}
