//! Questions about calls, to threads that are written down by hand.

use super::drawn;
use crate::*;
use model::*;

/// When, how deep, and what: `start end depth name`.
const CALLS: &[(i64, i64, u16, &str)] = &[
    (0, 900, 0, "start: /app/train.py(60): <module>"),
    (100, 400, 1, "/app/train.py(31): step"),
    (120, 220, 2, "nn.Module: Conv2d"),
    (120, 200, 3, "/lib/conv.py(7): forward"),
    (230, 240, 2, "<built-in method randn>"),
    (500, 800, 1, "/app/train.py(31): step"),
    (510, 790, 2, "/app/train.py(31): step"),
    (520, 620, 3, "nn.Module: conv2d"),
];

/// Times of the drawing's events count from its first one, ten apart.
const ALLOCATIONS: &str = "
    before old 0x1000 512 100 -
    + a 0x10000 1024 1000 main
    + b 0x10400 2048 2048 lib
    - a
    x a
    + c 0x10000 512 1 main
";

fn recording() -> Recording {
    let mut recording = drawn::recording(ALLOCATIONS);
    let mut texts: Vec<String> = (0..recording.strings.len())
        .map(|row| recording.text(StringId(row as u32)).to_owned())
        .collect();
    let first = texts.len() as u32;
    let mut names: Vec<&str> = CALLS.iter().map(|call| call.3).collect();
    names.sort_unstable();
    names.dedup();
    texts.extend(names.iter().map(|name| (*name).to_owned()));
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for text in texts {
        bytes.extend(text.as_bytes());
        offsets.push(bytes.len() as u32);
    }
    recording.strings = Strings::new(offsets, bytes).unwrap();
    let name = |text: &str| first + names.iter().position(|name| *name == text).unwrap() as u32;
    let mut flags = vec![0; CALLS.len()];
    flags[0] = Slices::NO_START | Slices::OPEN;
    let slices = Slices {
        start_ns: CALLS.iter().map(|call| call.0).collect::<Vec<_>>().into(),
        end_ns: CALLS.iter().map(|call| call.1).collect::<Vec<_>>().into(),
        name: CALLS.iter().map(|call| name(call.3)).collect::<Vec<_>>().into(),
        depth: CALLS.iter().map(|call| call.2).collect::<Vec<_>>().into(),
        flags: flags.into(),
    };
    let other = TraceThread { process: 8, thread: 1, slices: slices.clone() };
    let own = TraceThread { process: 7, thread: 1, slices };
    attach(&mut recording, vec![own, other]);
    recording
}

/// Makes the drawing's device a track of process 7: its events are at 0, 110, 130, 210 and 235 ns,
/// and all MALLOC rows but the last are of thread 1.
fn attach(recording: &mut Recording, threads: Vec<TraceThread>) {
    let table = &mut recording.devices[0];
    let n = table.events.len() as usize;
    let times = vec![0, 110, 130, 210, 235];
    assert_eq!(times.len(), n);
    let none = || -> Column<i64> { vec![0; n].into() };
    let rows = DumpRows {
        id: none(),
        time_ns: times.clone().into(),
        event: vec![0; n].into(),
        event_type: vec![0; n].into(),
        name: vec![0; n].into(),
        process: vec![0; n].into(),
        thread: vec![1, 1, 1, 1, 2].into(),
        device: vec![0; n].into(),
        ptr: vec![DumpRows::NO_PTR; n].into(),
        attr: vec![0; n].into(),
        slots: [none(), none(), none(), none()],
        python_stack: vec![DumpRows::NO_STACK; n].into(),
        c_stack: vec![0; n].into(),
        words: vec![StringId(0)],
        attr_templates: vec![StringId(0)],
        has_stacks: [false, false],
    };
    table.events.time_ns = Some(times.into());
    table.device = Device::Track;
    let blocks = table.blocks.len() as usize;
    let malloc_row = table.blocks.born().iter().map(|born| born.checked_sub(1).unwrap_or(u32::MAX));
    table.track = Some(Box::new(Track {
        device: 0,
        pool: StringId(0),
        process: 0,
        end_ns: 900,
        row_of_event: (0..n as u32).collect(),
        has_used: false,
        has_total: false,
        owner: vec![0; blocks].into(),
        allocation_id: vec![0; blocks].into(),
        malloc_row: malloc_row.collect(),
        free_row: vec![Track::NO_ROW; blocks].into(),
        access_offsets: vec![0; blocks + 1].into(),
        access_rows: Vec::new().into(),
        longest_gap_ns: vec![0; blocks].into(),
        flags: vec![0; blocks].into(),
    }));
    recording.dump = Some(Box::new(Dump {
        end_ns: 900,
        processes: vec![7],
        devices: vec![StringId(0)],
        rows,
        owners: vec![StringId(0)],
        threads,
    }));
}

fn session() -> Session {
    Session::new(recording(), &job()).unwrap()
}

fn job() -> Job {
    Job::unwatched()
}

fn search(terms: &[&str], fit: Fit) -> Search {
    Search { terms: terms.iter().map(|term| (*term).to_owned()).collect(), fit }
}

#[test]
fn a_recording_says_which_threads_it_has() {
    let session = session();
    assert_eq!(session.threads().len(), 2);
    let summary = session.thread(0).unwrap().summary();
    let expected = ThreadSummary {
        process: 7,
        thread: 1,
        calls: 8,
        depths: 4,
        from_ns: 0,
        to_ns: 900,
        open: 1,
        without_start: 1,
    };
    assert_eq!(summary, expected);
    assert!(session.thread(2).is_none());
    assert_eq!(super::session("map 0x1000 512").threads().len(), 0);
}

#[test]
fn a_call_is_told_with_what_is_around_and_in_it() {
    let session = session();
    let thread = session.thread(0).unwrap();
    let module = thread.slice(0, &job()).unwrap().unwrap();
    assert_eq!((module.is_open, module.is_without_start), (true, true));
    assert_eq!(module.parts.function, "<module>");
    assert_eq!(module.parts.running, Some(Running::AtStart));
    assert_eq!((module.self_ns, module.children), (900 - 300 - 300, 2));
    let forward = thread.slice(3, &job()).unwrap().unwrap();
    assert_eq!(forward.parents, [2, 1, 0]);
    assert_eq!((forward.parts.file, forward.parts.line), (Some("/lib/conv.py"), Some(7)));
    assert_eq!((forward.depth, forward.self_ns, forward.children), (3, 80, 0));
    let step = thread.slice(1, &job()).unwrap().unwrap();
    assert_eq!(step.self_ns, 300 - 100 - 10);
    assert_eq!(thread.slice(8, &job()), Ok(None));
    assert_eq!(thread.slice_at(2, 239, &job()), Ok(Some(4)));
    assert_eq!(thread.slice_at(2, 240, &job()), Ok(None));
}

#[test]
fn allocations_in_a_call_are_those_of_its_own_thread() {
    let session = session();
    let device = session.device(0).unwrap();
    let thread = session.thread(0).unwrap();
    // Events 1 to 4 lie in `step`: b by the thread itself, which is kept; c by another.
    let step = thread.allocations(1, device).unwrap();
    assert_eq!(step.events, Some((EventId(1), EventId(4))));
    assert_eq!(step.before, State(1));
    assert_eq!(step.allocated, Amount { count: 1, requested: 2048, size: 2048 });
    assert_eq!(step.unfreed, step.allocated);
    // The module ran all the time: a is freed in it, and what was there before is not its own.
    let module = thread.allocations(0, device).unwrap();
    assert_eq!(module.events, Some((EventId(0), EventId(4))));
    assert_eq!(module.allocated.count, 2);
    assert_eq!(module.unfreed.size, 2048);
    // Nothing happened in the second step; the state at its start is the last one.
    let later = thread.allocations(5, device).unwrap();
    assert_eq!((later.events, later.before), (None, State(5)));
    assert_eq!(later.allocated, Amount::default());
    // The same call of another process owns nothing here, though the events are where they are.
    let other = session.thread(1).unwrap().allocations(1, device).unwrap();
    assert_eq!((other.is_own, other.allocated.count), (false, 0));
    assert_eq!(other.events, step.events);
    assert_eq!(thread.allocations(99, device), None);
}

#[test]
fn a_search_finds_names_whatever_the_case_or_exactly() {
    let session = session();
    let thread = session.thread(0).unwrap();
    let found = |terms, fit| {
        let found = thread.found(&search(terms, fit), &job()).unwrap();
        (found.hits.rows().to_vec(), found.by_term.clone())
    };
    assert_eq!(found(&["CONV2D"], Fit::Within), (vec![2, 7], vec![2]));
    assert_eq!(found(&["conv"], Fit::Within), (vec![2, 3, 7], vec![3]));
    assert_eq!(found(&["conv2d", "step"], Fit::Within), (vec![1, 2, 5, 6, 7], vec![2, 3]));
    // A call that two terms find is one hit.
    assert_eq!(found(&["step", "train"], Fit::Within), (vec![0, 1, 5, 6], vec![3, 4]));
    assert_eq!(found(&["step", "Step"], Fit::Exact), (vec![1, 5, 6], vec![3, 0]));
    assert_eq!(found(&["/lib/conv.py(7): forward"], Fit::Exact), (vec![3], vec![1]));
    assert_eq!(found(&["", "nothing"], Fit::Within), (vec![], vec![0, 0]));
    // Asked again, more searches than are kept later, the answer is the same.
    for term in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "conv"] {
        thread.found(&search(&[term], Fit::Within), &job()).unwrap();
    }
    assert_eq!(found(&["conv"], Fit::Within), (vec![2, 3, 7], vec![3]));
}

#[test]
fn hits_follow_each_other_and_are_seen_in_the_scene() {
    let session = session();
    let thread = session.thread(0).unwrap();
    let conv = search(&["conv"], Fit::Within);
    let found = thread.found(&conv, &job()).unwrap();
    assert_eq!(thread.hit(&found, Step::From(121)), Some(2));
    assert_eq!(thread.hit(&found, Step::From(9_000)), Some(0));
    assert_eq!(thread.hit(&found, Step::After(2)), Some(1));
    assert_eq!(thread.hit(&found, Step::Before(2)), Some(2));
    let viewport = FlameViewport {
        x: (0.0, 0.9),
        depths: 0..4,
        width_px: 9,
        narrow: Narrow::Joined,
        selected: None,
    };
    let scene = thread.flame(&viewport, Some(&conv), &job()).unwrap();
    let hits: u32 = scene.hits.iter().sum();
    assert_eq!(hits, 3);
    let scene = thread.flame(&viewport, None, &job()).unwrap();
    assert!(scene.hits.iter().all(|hits| *hits == 0));
}

#[test]
fn functions_count_a_call_within_itself_once() {
    let session = session();
    let functions = session.thread(0).unwrap().functions(&job()).unwrap();
    let of = |name: &str| *functions.iter().find(|total| total.name.ends_with(name)).unwrap();
    let step = of("step");
    // 100–400 and 500–800; the one inside the second adds no time but is a call.
    assert_eq!((step.calls, step.total_ns), (3, 600));
    assert_eq!(step.self_ns, (300 - 110) + (300 - 280) + (280 - 100));
    assert_eq!(step.longest, 1);
    assert_eq!(functions[0].name, "start: /app/train.py(60): <module>");
    let alone: i64 = functions.iter().map(|total| total.self_ns).sum();
    assert_eq!(alone, 900, "time alone adds up to the outermost call's");
}
