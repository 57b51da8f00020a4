//! What people asked of viewers of memory snapshots, one test an ask, on the smallest input that
//! shows it.
//!
//! The input of each is what the ask describes; the right answers are worked out from it by hand.

use crate::made::{MIB, Made, Segment, entry, frames, pool, snapshot};
use acceptance::{blocks, info, open, report, tidemark};
use cli::Exit;
use sample::pieces::{self, Value};
use sample::{Features, Plan, Writer};
use session::{Cancelled, ImportError, Job, Session};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wire::{ErrorCode, Summary};

/// Where the segments begin, for most.
const BASE: u64 = 0x7000_0000_0000;
/// Beyond the half of the address space that a signed number reaches.
const HIGH: u64 = 18_446_720_620_317_114_368;

/// The codes of what is remarked.
fn remarks(summary: &Summary) -> Vec<&str> {
    summary.remarks.iter().map(|remark| remark.code.as_str()).collect()
}

/// `tidemark export`: the lines after the heading.
fn exported(path: &Path, words: &[&str]) -> Vec<String> {
    let args = [
        &[OsStr::new("export"), path.as_os_str()][..],
        &words.iter().map(OsStr::new).collect::<Vec<_>>(),
    ]
    .concat();
    let ran = tidemark(&args);
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    ran.out.lines().skip(1).map(str::to_owned).collect()
}

/// Both entries of a free.
fn free(addr: u64, size: u64) -> [Value; 2] {
    ["free_requested", "free_completed"].map(|action| entry(action, addr, size, &[]))
}

/// A 2 MiB segment is taken, one block of 1000 bytes is allocated in it and stays.
fn one_block(addr: u64, stack: (&'static str, Value)) -> Value {
    let rest = 2 * MIB - 1024;
    let segment = Segment { kind: "small", ..Segment::at(addr) };
    let segment = segment.of(&[(1024, 1000, "active_allocated"), (rest, 0, "inactive")]);
    let trace =
        vec![entry("segment_alloc", addr, 2 * MIB, &[]), entry("alloc", addr, 1000, &[stack])];
    snapshot(vec![segment], [trace])
}

/// Python 3.14 writes protocol 5; the same dict is the same recording in all of them.
#[test]
fn t01_every_pickle_protocol_is_read_and_says_the_same() {
    let whole = one_block(BASE, frames("forward", 7));
    let mut told = Vec::new();
    for protocol in 2..=5 {
        let made = Made::bytes(&pieces::bytes(&whole, Writer::CPython, protocol));
        let summary = info(&made.path);
        assert_eq!(summary.protocol, Some(protocol));
        assert_eq!(summary.devices[0].events, 2);
        let set = blocks(&made.path, "cuda:0", "end", 5);
        assert_eq!(set.blocks[0].top_frame.as_deref(), Some("train.py:7 forward"));
        told.push((
            serde_json::to_value(&summary.devices).unwrap(),
            serde_json::to_value(&set).unwrap(),
        ));
    }
    assert!(told.iter().all(|one| *one == told[0]));
    // A protocol that does not exist is refused in words.
    let mut bytes = pieces::bytes(&whole, Writer::CPython, 5);
    bytes[1] = 6;
    let error = report(&Made::bytes(&bytes).path).error.unwrap();
    assert!(error.message.contains("a protocol later than 5"), "{}", error.message);
}

/// dynamo's frames have the line 2^64 − 1, an integer of nine bytes: a line nobody knows.
#[test]
fn t02_a_line_of_nine_bytes_is_an_unknown_line() {
    let whole = one_block(BASE, frames("compiled", u64::MAX));
    let bytes = pieces::bytes(&whole, Writer::CPython, 4);
    let nine = [0x8a, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0];
    assert!(bytes.windows(nine.len()).any(|window| window == nine), "LONG1 of nine bytes");
    // The C++ writer keeps 64 bits: the same line is −1 there.
    for bytes in [bytes, pieces::bytes(&whole, Writer::Cpp, 2)] {
        let made = Made::bytes(&bytes);
        assert_eq!(remarks(&info(&made.path)), Vec::<&str>::new());
        let block = wire::block(&open(&made.path), 0, 0).unwrap();
        let [frame] = block.alloc_stack.frames.as_slice() else { panic!("one frame") };
        assert_eq!((frame.name.as_str(), frame.line), ("compiled", None));
    }
}

/// Intel's addresses do not fit a signed 64-bit integer; the C++ writer makes them negative.
#[test]
fn t03_addresses_above_half_of_the_space_are_exact() {
    let Value::Dict(keys) = one_block(HIGH, frames("forward", 7)) else { panic!("a dict") };
    let settings =
        Value::dict([("PYTORCH_ALLOC_CONF", "".into()), ("expandable_segments", false.into())]);
    let mut keys = keys.to_vec();
    keys.push(("allocator_settings".into(), settings));
    let whole = Value::Dict(keys.into());
    for writer in [Writer::CPython, Writer::Cpp] {
        let made = Made::bytes(&pieces::bytes(&whole, writer, 4));
        let summary = info(&made.path);
        // Only XPU calls the key so.
        assert_eq!((summary.family.as_str(), remarks(&summary)), ("xpu", vec![]));
        let set = blocks(&made.path, "xpu:0", "end", 5);
        assert_eq!(set.blocks[0].address, "0xffffeaab54e00000");
        // The last byte of the segment belongs to it, the one after does not.
        let session = open(&made.path);
        let around = |addr: u64| wire::segment(&session, 0, 1.0, &format!("{addr:#x}"));
        assert_eq!(around(HIGH + 2 * MIB - 1).unwrap().segment.address, "0xffffeaab54e00000");
        assert!(around(HIGH + 2 * MIB).is_err());
        // Searched for in decimal, in hex, and by an address inside the block.
        for words in ["18446720620317114368", "ffffeaab54e00000", "0xffffeaab54e003ff"] {
            let filter = format!("address={words}");
            let rows = exported(&made.path, &["blocks", "--columns=id", "--contains", &filter]);
            assert_eq!(rows, ["1"], "{words}");
        }
    }
}

/// Files grow to gigabytes. What keeps that usable does not depend on the size: reading reports
/// how far it is, can be stopped, and a picture is bounded by its pixels, not by the recording.
#[test]
fn t04_a_long_recording_tells_its_progress_stops_when_told_and_draws_no_more_than_the_pixels() {
    let made = Made::sample(&Plan::new(150_000));
    let told = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&told);
    let watched = Job::new(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    assert!(Session::open(&made.path, &watched).is_ok());
    assert!(told.load(Ordering::Relaxed) > 1, "progress is told more than once");
    let stopped = Job::unwatched();
    stopped.cancel();
    let refused = Session::open(&made.path, &stopped).err();
    assert!(matches!(refused, Some(ImportError::Cancelled(Cancelled))), "{refused:?}");

    let (width, height) = (800, 400);
    let size = |made: &Made| {
        let session = open(&made.path);
        let device = &wire::summary(&session).devices[0];
        let question = wire::SceneQuestion {
            session: 0,
            device: 0,
            axis: wire::Axis::Event,
            x0: device.event_range.from,
            x1: device.event_range.to,
            y0: 0.0,
            y1: device.peak.allocated.bytes as f64,
            width_px: width,
            height_px: height,
            color: wire::ColorBy::Address,
            detail: wire::Detail::Full,
            selected: None,
            highlight: None,
        };
        wire::scene_bytes(&session, &question, &Job::unwatched()).unwrap().len()
    };
    // A band covers the middle of a row of pixels in a column, so that more bands than pixels there
    // cannot be; a shape takes 28 bytes, a column 56 and the head 68.
    let most = 68 + 56 * width as usize + 28 * (width * height) as usize;
    let (short, long) = (size(&Made::sample(&Plan::new(15_000))), size(&made));
    assert!(short < most && long < most, "{short}, {long}");
    // Ten times the events are by no means ten times the picture.
    assert!(long < 3 * short, "{short}, {long}");
}

/// Blocks known only by their free were there from the start; they are no allocations.
#[test]
fn t05_a_free_without_an_allocation_was_there_from_the_start() {
    let private = Segment { pool: (0, 1), ..Segment::at(BASE + 64 * MIB) };
    let segments = vec![
        Segment::at(BASE).of(&[(20 * MIB, 0, "inactive")]),
        private.of(&[(20 * MIB, 0, "inactive")]),
    ];
    let trace = [free(BASE, 4 * MIB), free(BASE + 64 * MIB, 6 * MIB)].concat();
    let made = Made::new(&snapshot(segments, [trace]));
    let device = &info(&made.path).devices[0];
    assert_eq!((device.blocks, device.blocks_before), (2, 2));
    assert_eq!((device.start.allocated, device.end.active), (10 * MIB, 0));
    // The peak is before the first event, and not at an event that allocates.
    assert_eq!((device.peak.allocated.bytes, device.peak.allocated.event), (10 * MIB, -1));
    let session = open(&made.path);
    for (row, pool, requested, completed) in [(0, "(0, 0)", 0, 1), (1, "(0, 1)", 2, 3)] {
        let block = wire::block(&session, 0, row).unwrap();
        assert_eq!((block.origin.as_str(), block.alloc), ("before_recording", None));
        assert_eq!(block.pool.as_deref(), Some(pool));
        assert_eq!(block.free_requested.unwrap().event, requested);
        assert_eq!(block.free_completed.unwrap().event, completed);
        assert_eq!(block.alloc_stack.missing.as_deref(), Some("before_recording"));
    }
    // Right after event 1 only the private pool's is left.
    let set = blocks(&made.path, "0", "1", 5);
    assert_eq!((set.total.count, set.total.size), (1, 6 * MIB));
}

/// A block without any event is there from start to end, and each missing stack says why.
#[test]
fn t06_blocks_without_events_or_stacks_say_why() {
    let (_, stack) = frames("load", 3);
    let parts = [
        (1024, 1024, "active_allocated", stack),
        (1024, 1024, "active_allocated", Value::list([])),
        (1024, 1024, "active_allocated", Value::list([])),
        (1024, 1024, "active_allocated", Value::list([])),
        (2 * MIB - 4096, 0, "inactive", Value::list([])),
    ];
    let segment = Segment { kind: "small", ..Segment::at(BASE) }.with_stacks(&parts);
    let trace = vec![
        entry("alloc", BASE + 2048, 1024, &[]),
        entry("alloc", BASE + 3072, 1024, &[("frames", Value::list([]))]),
    ];
    let made = Made::new(&snapshot(vec![segment], [trace]));
    let device = &info(&made.path).devices[0];
    assert_eq!((device.blocks, device.blocks_ghost, device.events_without_stack), (4, 2, 2));
    assert_eq!((device.start.allocated, device.end.allocated), (2048, 4096));
    let session = open(&made.path);
    let of = |addr: u64| {
        let block = (0..4).map(|row| wire::block(&session, 0, row).unwrap());
        block.into_iter().find(|block| block.address == format!("{addr:#x}")).unwrap()
    };
    let (known, bare) = (of(BASE), of(BASE + 1024));
    assert_eq!((known.origin.as_str(), bare.origin.as_str()), ("ghost", "ghost"));
    assert_eq!((known.alloc, known.free_requested), (None, None));
    assert_eq!(known.top_frame.as_deref(), Some("train.py:3 load"));
    assert_eq!(known.alloc_stack.missing, None);
    assert_eq!(bare.alloc_stack.missing.as_deref(), Some("before_recording"));
    assert_eq!(of(BASE + 2048).alloc_stack.missing.as_deref(), Some("no_context"));
    assert_eq!(of(BASE + 3072).alloc_stack.missing.as_deref(), Some("empty"));
}

/// A trace of exactly 100 000 entries that begins with a free was full; one of 1 234 that begins
/// with its segment was not.
#[test]
fn t07_a_full_ring_is_told_from_a_whole_recording() {
    let life = |addr: u64| {
        let [requested, completed] = free(addr, 512);
        [entry("alloc", addr, 512, &[]), requested, completed]
    };
    let small = Segment { kind: "small", ..Segment::at(BASE) };
    let ring = |first: Vec<Value>, lives: usize, last: Vec<Value>, live: u64| {
        let middle = std::iter::repeat_with(|| life(BASE)).take(lives).flatten();
        let trace: Vec<Value> = first.into_iter().chain(middle).chain(last).collect();
        let mut parts = vec![(512, 512, "active_allocated"); live as usize];
        parts.push((2 * MIB - 512 * live, 0, "inactive"));
        (trace.len(), info(&Made::new(&snapshot(vec![small.of(&parts)], [trace])).path))
    };
    let last = || [0, 512].map(|offset| entry("alloc", BASE + offset, 512, &[])).to_vec();
    let (count, summary) = ring(free(BASE + MIB, 512).to_vec(), 33_332, last(), 2);
    assert_eq!((count, summary.devices[0].events), (100_000, 100_000));
    assert_eq!(remarks(&summary), ["ring_overflow"]);
    assert!(summary.remarks[0].message.contains("100000 events"), "{:?}", summary.remarks);
    // As full, and it begins with what it holds: nothing says that anything is lost.
    let taken = vec![entry("segment_alloc", BASE, 2 * MIB, &[])];
    let (count, summary) = ring(taken.clone(), 33_333, Vec::new(), 0);
    assert_eq!((count, remarks(&summary)), (100_000, vec![]));
    let (count, summary) = ring(taken, 411, Vec::new(), 0);
    assert_eq!((count, remarks(&summary)), (1_234, vec![]));
}

/// Three growths of the expandable segment of pool (0, 1). Before the last one 22 MiB of its 40 are
/// free, in runs of 8 and 14, so that a request of 24 MiB maps more.
pub(crate) fn fragmented_private_pool() -> Value {
    let more = [("pool_id", pool((0, 1)))];
    let on = |action, offset: u64, size: u64| entry(action, BASE + offset * MIB, size * MIB, &more);
    let trace = vec![
        on("segment_map", 0, 20),
        on("alloc", 0, 8),
        on("alloc", 8, 8),
        on("free_requested", 0, 8),
        on("free_completed", 0, 8),
        on("segment_map", 20, 20),
        on("alloc", 16, 10),
        on("segment_map", 40, 20),
        on("alloc", 26, 24),
    ];
    let graph = Segment { pool: (0, 1), is_expandable: true, ..Segment::at(BASE) };
    let graph = graph.of(&[
        (8 * MIB, 0, "inactive"),
        (8 * MIB, 8 * MIB, "active_allocated"),
        (10 * MIB, 10 * MIB, "active_allocated"),
        (24 * MIB, 24 * MIB, "active_allocated"),
        (10 * MIB, 0, "inactive"),
    ]);
    let plain = Segment::at(BASE + 1024 * MIB);
    let plain = plain.of(&[(2 * MIB, 2 * MIB, "active_allocated"), (18 * MIB, 0, "inactive")]);
    snapshot(vec![graph, plain], [trace])
}

/// Memory of captured graphs is shown by its pool's name, with what is free inside it.
#[test]
fn t08_private_pools_have_a_name_and_their_own_fragmentation() {
    let made = Made::new(&fragmented_private_pool());
    let device = &info(&made.path).devices[0];
    let pools: Vec<_> = (device.pools.iter())
        .map(|pool| (pool.pool.as_str(), pool.segments, pool.reserved / MIB, pool.active / MIB))
        .collect();
    assert_eq!(pools, [("(0, 0)", 1, 20, 2), ("(0, 1)", 1, 60, 42)]);
    let [default, private] = device.pools.as_slice() else { panic!("two pools") };
    assert_eq!((private.peak_reserved.bytes, private.peak_reserved.event), (60 * MIB, 7));
    assert_eq!((private.peak_active.bytes, private.peak_active.event), (42 * MIB, 8));
    // There before the recording, and unchanged.
    assert_eq!((default.peak_reserved.bytes, default.peak_reserved.event), (20 * MIB, -1));
    let session = open(&made.path);
    pools_over_time(&session);
    let graph =
        |after| wire::segment(&session, 0, f64::from(after), &format!("{BASE:#x}")).unwrap();
    let before = graph(6);
    assert_eq!(before.pool.as_deref(), Some("(0, 1)"));
    assert_eq!((before.segment.size, before.free), (40 * MIB, 22 * MIB));
    assert_eq!((before.gaps, before.largest_gap), (2, 14 * MIB));
    let last = graph(8);
    assert_eq!((last.free, last.largest_gap), (18 * MIB, 10 * MIB));
    let grown: Vec<u32> = last.growths.iter().map(|event| event.event).collect();
    assert_eq!(grown, [0, 5, 7]);
    // The blocks carry the name, in the table too.
    let rows = exported(&made.path, &["blocks", "--columns=id,pool"]);
    assert_eq!(rows.iter().filter(|row| row.ends_with("\"(0, 1)\"")).count(), 4, "{rows:?}");
}

/// What each pool has before and after events, and its curve with a column a state.
fn pools_over_time(session: &Session) {
    // Reserved, active, free and largest free run of pool (0, 1), in MiB.
    for (after, expected) in [
        (-1.0, [0, 0, 0, 0]),
        (2.0, [20, 16, 4, 4]),
        (4.0, [20, 8, 12, 8]),
        (6.0, [40, 18, 22, 14]),
        (8.0, [60, 42, 18, 10]),
    ] {
        let list = wire::pools(session, 0, after).unwrap();
        let named = |name: &str| list.pools.iter().find(|row| row.pool == name).unwrap();
        let (default, row) = (named("(0, 0)"), named("(0, 1)"));
        assert_eq!(list.pools.len(), 2);
        assert_eq!((row.pool.as_str(), row.segments), ("(0, 1)", u32::from(after >= 0.0)));
        let found = [row.reserved, row.active, row.free, row.largest_gap].map(|bytes| bytes / MIB);
        assert_eq!(found, expected, "{after}");
        assert_eq!((default.pool.as_str(), default.reserved / MIB), ("(0, 0)", 20));
        assert_eq!((default.active / MIB, default.largest_gap / MIB), (2, 18));
    }
    let list = wire::pools(session, 0, -1.0).unwrap().pools;
    let private = list.iter().position(|row| row.pool == "(0, 1)").unwrap();
    let question = wire::PoolCurvesQuestion {
        session: 0,
        device: 0,
        axis: wire::Axis::Event,
        x0: -1.0,
        x1: 9.0,
        width_px: 100,
        pools: vec![private as u32],
    };
    let bytes = wire::pool_curves_bytes(session, &question).unwrap();
    let words: Vec<[u8; 4]> = bytes.chunks_exact(4).map(|word| word.try_into().unwrap()).collect();
    assert_eq!(words.len(), 8 + 11 + 4 * 10, "ten states, from before the first event on");
    let mib = |row: usize| {
        let values = words[19 + 10 * row..19 + 10 * (row + 1)].iter();
        values.map(|word| f32::from_le_bytes(*word) as u64 / MIB).collect::<Vec<_>>()
    };
    assert_eq!(mib(1), [0, 20, 20, 20, 20, 20, 40, 40, 60, 60]);
    // What waits for its free to complete is active.
    assert_eq!(mib(3), [0, 0, 8, 16, 16, 8, 8, 18, 18, 42]);
    assert_eq!((mib(0), mib(2)), (mib(1), mib(3)), "a column is one state here");
}

/// Recording was never on: the segments are worth showing, and it is said how to get a history.
#[test]
fn t12_a_snapshot_without_history_shows_its_segments_and_says_what_to_call() {
    let parts = [
        (4 * MIB, 4 * MIB, "active_allocated"),
        (6 * MIB, 0, "inactive"),
        (2 * MIB, 2 * MIB, "active_allocated"),
        (8 * MIB, 0, "inactive"),
    ];
    let made = Made::new(&snapshot(vec![Segment::at(BASE).of(&parts)], [vec![], vec![]]));
    let summary = info(&made.path);
    assert_eq!(remarks(&summary), ["no_history"]);
    assert!(summary.remarks[0].message.contains("_record_memory_history()"));
    let [device] = summary.devices.as_slice() else { panic!("one device has memory") };
    assert_eq!((device.events, device.segments, device.blocks), (0, 1, 2));
    assert_eq!((device.end.allocated, device.end.reserved), (6 * MIB, 20 * MIB));
    let segment = wire::segment(&open(&made.path), 0, -1.0, &format!("{BASE:#x}")).unwrap();
    assert_eq!((segment.free, segment.gaps, segment.largest_gap), (14 * MIB, 2, 8 * MIB));
    let set = blocks(&made.path, "0", "end", 5);
    let sizes: Vec<u64> = set.blocks.iter().map(|block| block.size / MIB).collect();
    assert_eq!(sizes, [4, 2]);
}

/// Crashes leave empty and cut files behind: what is there is shown, and that it was cut is said.
#[test]
fn t13_empty_and_truncated_files_show_what_there_is() {
    let error = report(&Made::bytes(b"").path).error.unwrap();
    assert_eq!(error.code, ErrorCode::Damaged);
    assert!(error.message.contains("empty"), "{}", error.message);
    let features = Features { private_pool: true, ..Features::default() };
    let sound = Made::sample(&Plan { features, ..Plan::new(3_000) });
    let (whole, bytes) = (info(&sound.path), std::fs::read(&sound.path).unwrap());
    let mut events = 0;
    for percent in [10, 50, 99] {
        let summary = info(&Made::bytes(&bytes[..bytes.len() * percent / 100]).path);
        assert!(remarks(&summary).contains(&"truncated"), "{percent} %: {:?}", remarks(&summary));
        let device = &summary.devices[0];
        assert!(device.events >= events && device.events <= whole.devices[0].events);
        events = device.events;
        if percent > 10 {
            // The segments come first, so they are complete, and with them the totals at the end.
            assert_eq!(device.end, whole.devices[0].end, "{percent} %");
        }
    }
    assert!(events > 2_000);
    // Only STOP is missing: all is there, and the cut is said all the same.
    let summary = info(&Made::bytes(&bytes[..bytes.len() - 1]).path);
    let json = |summary: &Summary| serde_json::to_value(&summary.devices).unwrap();
    assert_eq!(json(&summary), json(&whole));
    assert!(remarks(&summary).contains(&"truncated"));
}

/// `torch_npu` puts three entries at the head for a workspace whose segment says that it is free.
/// It is the state at the dump: held from start to end, and no growth at event 1.
#[test]
fn t15_a_workspace_of_an_npu_is_memory_held_and_not_history() {
    let work = BASE + 512 * MIB;
    let segments = vec![
        Segment::at(BASE).of(&[(4 * MIB, 3 * MIB, "active_allocated"), (16 * MIB, 0, "inactive")]),
        Segment::at(work).of(&[(24 * MIB, 0, "inactive")]),
    ];
    let head = ["workspace_snapshot", "segment_alloc", "alloc"];
    let mut trace: Vec<Value> =
        head.map(|action| entry(action, work, 24 * MIB, &[])).into_iter().collect();
    trace.push(entry("segment_alloc", BASE, 20 * MIB, &[]));
    trace.push(entry("alloc", BASE, 3 * MIB, &[]));
    let made = Made::new(&snapshot(segments, [trace]));
    let summary = info(&made.path);
    assert_eq!((summary.family.as_str(), remarks(&summary)), ("npu", vec!["workspace"]));
    let device = &summary.devices[0];
    assert_eq!((device.start.allocated, device.start.reserved), (24 * MIB, 24 * MIB));
    assert_eq!((device.end.allocated, device.end.reserved), (28 * MIB, 44 * MIB));
    // After each event: the three at the head change nothing.
    let rows = exported(&made.path, &["events", "--columns=allocated,reserved"]);
    let after = |allocated: u64, reserved: u64| format!("{},{}", allocated * MIB, reserved * MIB);
    let expected = [after(24, 24), after(24, 24), after(24, 24), after(24, 44), after(28, 44)];
    assert_eq!(rows, expected);
    let session = open(&made.path);
    let workspace = (0..device.blocks)
        .map(|row| wire::block(&session, 0, row).unwrap())
        .find(|block| block.origin == "workspace")
        .unwrap();
    assert_eq!((workspace.address, workspace.size), (format!("{work:#x}"), 24 * MIB));
}
