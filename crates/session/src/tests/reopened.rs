//! A recording that is opened again gives the answers it gave before.

use crate::*;
use std::fmt::Write as _;
use std::path::Path;

/// What a session says, about as a window asks it.
fn answers(session: &Session) -> String {
    let job = Job::unwatched();
    let mut said = String::new();
    for device in session.devices() {
        writeln!(said, "{:?}", device.summary()).unwrap();
        let events = device.table().events.len();
        let most = device.summary().peak[2].bytes as f64;
        for (at, axis) in [Axis::Event, Axis::Time].into_iter().cycle().take(24).enumerate() {
            let Some((from, to)) = axis.range(device.table()) else { continue };
            let span = (to - from) / f64::from(1 << (at / 2));
            let left = from + (to - from - span) * 0.37;
            let colors = [ColorBy::Address, ColorBy::Stack, ColorBy::Size, ColorBy::Pool];
            let viewport = Viewport {
                axis,
                x: (left, left + span),
                y: (0.0, most * 1.05),
                width_px: 900,
                height_px: 300,
                color: colors[at % 4],
                detail: Detail::Full,
                selected: Some(BlockId(events / 7)),
                lit: None,
            };
            writeln!(said, "{:?}", device.scene(&viewport, &job).unwrap()).unwrap();
        }
        for event in (0..events).step_by(events as usize / 40 + 1) {
            writeln!(said, "{:?}", device.event(EventId(event))).unwrap();
            writeln!(said, "{:?}", device.pool(State(event))).unwrap();
            writeln!(said, "{:?}", device.block(BlockId(event / 4))).unwrap();
            writeln!(said, "{:?}", device.period(State(event / 2), State(event))).unwrap();
        }
        writeln!(said, "{:?}", device.live_set(At::Peak, 30)).unwrap();
        writeln!(said, "{:?}", device.pool_moments(State(events / 2))).unwrap();
        writeln!(said, "{:?}", device.decompose(When::Time(1_000_000), When::Time(9_000_000)))
            .unwrap();
    }
    for thread in session.threads() {
        writeln!(said, "{:?}", thread.summary()).unwrap();
        let summary = thread.summary();
        let x = (summary.from_ns as f64 / 1e3, summary.to_ns as f64 / 1e3);
        let narrow = Narrow::Joined;
        let viewport = FlameViewport { x, depths: 0..32, width_px: 900, narrow, selected: None };
        writeln!(said, "{:?}", thread.flame(&viewport, None, &job).unwrap()).unwrap();
    }
    writeln!(said, "{:?}", session.recording()).unwrap();
    said
}

fn gives_the_same_answers(path: &Path, cache: &Path) {
    let job = Job::unwatched();
    let store = Store::new(cache, u64::MAX);
    let first = Session::open_with(path, &store, &job).unwrap();
    assert!(!first.is_reopened());
    let before = answers(&first);
    assert!(first.save_index(&store, &job).unwrap().is_some_and(|bytes| bytes > 0));
    let again = Session::open_with(path, &store, &job).unwrap();
    assert!(again.is_reopened());
    assert!(again.save_index(&store, &job).unwrap().is_none(), "it is there");
    let after = answers(&again);
    let differ = before.lines().zip(after.lines()).find(|(one, other)| one != other);
    assert!(differ.is_none() && before.len() == after.len(), "{differ:?}");
}

#[test]
fn a_snapshot_gives_the_same_answers_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pickle");
    let features =
        sample::Features { private_pool: true, oom: true, ..sample::Features::default() };
    let mut bytes = Vec::new();
    sample::write(&sample::Plan { features, ..sample::Plan::new(12_000) }, &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    gives_the_same_answers(&path, &folder.path().join("cache"));
}

#[test]
fn a_dump_gives_the_same_answers_again() {
    let folder = tempfile::tempdir().unwrap();
    let plan = sample::memscope::Dump { layers: 4, ..sample::memscope::Dump::new(12) };
    let (path, _) = plan.write_in(folder.path()).unwrap();
    gives_the_same_answers(&path, &folder.path().join("cache"));
}

#[test]
fn what_is_as_fast_to_read_and_what_is_not_there_get_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pickle");
    let store = Store::new(folder.path().join("cache"), u64::MAX);
    let job = Job::unwatched();
    assert!(Session::open_with(&path, &store, &job).is_err());
    let mut bytes = Vec::new();
    sample::write(&sample::Plan::new(100), &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let session = Session::open_with(&path, &store, &job).unwrap();
    assert!(session.save_index(&store, &job).unwrap().is_none());
    assert_eq!(store.usage(), Usage::default());
}
