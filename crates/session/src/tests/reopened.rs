//! A recording that is opened again gives the answers it gave before.

use crate::table::{
    BlockColumn, Column, Direction, DumpBlockColumn, DumpEventColumn, EventColumn, Query, Rows,
    Threshold, Thresholds, View,
};
use crate::*;
use std::fmt::Write as _;
use std::path::Path;

/// What a session says, about as a window asks it.
pub(super) fn answers(session: &Session) -> String {
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
        said_of_holders(&mut said, device);
        said_of_places(&mut said, device, &job);
        said_in_tables(&mut said, device, &job);
    }
    for thread in session.threads() {
        writeln!(said, "{:?}", thread.summary()).unwrap();
        let summary = thread.summary();
        let x = (summary.from_ns as f64 / 1e3, summary.to_ns as f64 / 1e3);
        let narrow = Narrow::Joined;
        let viewport = FlameViewport { x, depths: 0..32, width_px: 900, narrow, selected: None };
        writeln!(said, "{:?}", thread.flame(&viewport, None, &job).unwrap()).unwrap();
        writeln!(said, "{:?}", thread.functions(&job).unwrap()).unwrap();
        let search = Search { terms: vec!["a".to_owned()], fit: Fit::Within };
        writeln!(said, "{:?}", thread.found(&search, &job).unwrap().by_term).unwrap();
        for slice in (0..thread.slices().len()).step_by(97) {
            writeln!(said, "{:?}", thread.slice(slice, &job).unwrap()).unwrap();
            let device = session.device(0).unwrap();
            writeln!(said, "{:?}", thread.allocations(slice, device)).unwrap();
        }
    }
    writeln!(said, "{:?}", session.recording()).unwrap();
    said
}

/// By stack and owner.
fn said_of_holders(said: &mut String, device: OnDevice<'_>) {
    let last = State(device.table().events.len());
    let middle = State(last.0 / 2);
    for by in [HoldersBy::Stack, HoldersBy::Owner] {
        writeln!(said, "{:?}", device.holders(middle, by)).unwrap();
        writeln!(said, "{:?}", device.period_by(State(last.0 / 3), middle, by)).unwrap();
    }
    for set in [
        BlockSet::AllocatedAt(middle),
        BlockSet::AllocatedIn(middle, last),
        BlockSet::UnfreedIn(State(0), middle),
    ] {
        writeln!(said, "{:?}", device.stack_tree(set, &[], 900, 1000)).unwrap();
    }
    for holder in
        [Holder::Stack(StackId(1)), Holder::Frame(FrameId(0)), Holder::Owner("PTA".to_owned())]
    {
        let Some(held) = device.holder(&holder) else { continue };
        writeln!(said, "{:?}", held.totals(middle)).unwrap();
        let x = (0.0, f64::from(last.0));
        writeln!(said, "{:?}", held.columns(Axis::Event, x, 300)).unwrap();
    }
    for by in [By::Stack(Match::Exact), By::Stack(Match::Function), By::Owner] {
        let Some(found) = diff(device, middle, device, last, by) else { continue };
        writeln!(said, "{:?} {:?}", found.sides, found.steps).unwrap();
        for row in &found.rows {
            writeln!(said, "{:?} {row:?}", found.lines(row)).unwrap();
        }
    }
    let limit = Threshold { ns: Some(1_000), percent: Some(20.0) };
    let thresholds = Thresholds { lazy: limit, delayed: limit, idle: limit };
    writeln!(said, "{:?}", device.wasted(thresholds, 10, &Job::unwatched()).unwrap()).unwrap();
}

/// On the axis, in the address map, and by what a person types.
fn said_of_places(said: &mut String, device: OnDevice<'_>, job: &Job) {
    let events = device.table().events.len();
    let addresses = device.table().blocks.addr();
    for order in [LaneOrder::Address, LaneOrder::Size] {
        let viewport = Viewport {
            axis: Axis::Event,
            x: (0.0, f64::from(events)),
            y: (0.0, device.lanes(order).total() as f64),
            width_px: 700,
            height_px: 300,
            color: ColorBy::Stream,
            detail: Detail::Full,
            selected: Some(BlockId(0)),
            lit: None,
        };
        writeln!(said, "{:?}", device.address_map(order, &viewport, job).unwrap()).unwrap();
    }
    let x = (-1.0, f64::from(events));
    writeln!(said, "{:?}", device.pool_columns(Axis::Event, x, 500, &[0, 1, 9])).unwrap();
    writeln!(said, "{:?}", device.marks(Axis::Event, x, 500)).unwrap();
    let texts = ["a".to_owned(), "#7".to_owned(), "forward".to_owned()];
    let held = addresses.get(3).map(|addr| format!("{addr:#x}"));
    for text in texts.into_iter().chain(held) {
        let found = device.find(&Sought { text, most: 10 }, job).unwrap();
        writeln!(said, "{found:?}").unwrap();
    }
    for (row, addr) in addresses.iter().enumerate().step_by(97) {
        let state = State(events / 2);
        writeln!(said, "{:?}", device.segment(state, *addr)).unwrap();
        writeln!(said, "{:?}", device.dumped(BlockId(row as u32))).unwrap();
    }
    for event in (0..events).step_by(97) {
        writeln!(said, "{:?}", device.dumped_event(EventId(event))).unwrap();
    }
}

fn said_in_tables(said: &mut String, device: OnDevice<'_>, job: &Job) {
    use {BlockColumn as B, DumpBlockColumn as DB, DumpEventColumn as DE, EventColumn as E};
    let blocks = [B::Id, B::Requested, B::Size, B::Address, B::State, B::AllocEvent, B::FreeEvent];
    let more = [B::Lifetime, B::Pool, B::Stream, B::TopFrame, B::Stack, B::Step, B::AllocTime];
    let rows = device.block_rows(job).unwrap();
    table(said, device, &rows, &[&blocks[..], &more].concat(), job);
    let events = [E::Id, E::Action, E::Address, E::Size, E::Stream, E::Allocated, E::Active];
    let more = [E::Reserved, E::Stack, E::TopFrame, E::Pool, E::Step, E::Time, E::Block];
    let rows = device.event_rows(job).unwrap();
    table(said, device, &rows, &[&events[..], &more].concat(), job);
    if let Some(rows) = device.dump_block_rows(Thresholds::default(), job).unwrap() {
        let times = [DB::Id, DB::MallocTime, DB::FreeTime, DB::FirstAccess, DB::LastAccess];
        let more = [DB::Owner, DB::Process, DB::Thread, DB::LongestGap, DB::Attr, DB::Accesses];
        table(said, device, &rows, &[&times[..], &more].concat(), job);
    }
    if let Some(rows) = device.dump_event_rows(job).unwrap() {
        let names = [DE::Id, DE::Event, DE::EventType, DE::Name, DE::Time, DE::Process];
        let more = [DE::Thread, DE::Address, DE::Attr, DE::PythonStack, DE::CStack, DE::Block];
        table(said, device, &rows, &[&names[..], &more].concat(), job);
    }
}

/// The first rows by each column, and all cells.
fn table<R: Rows>(
    said: &mut String,
    device: OnDevice<'_>,
    rows: &R,
    columns: &[R::Column],
    job: &Job,
) where
    R::Column: Column,
{
    let cursor = State(device.table().events.len() / 2);
    for column in columns {
        let order = vec![(*column, Direction::Descending)];
        let view = View::new(rows, Query { order, ..Query::all(cursor) }, job).unwrap();
        writeln!(said, "{:?}", view.rows(rows, 0, 20, job).unwrap()).unwrap();
        writeln!(said, "{:?}", view.bounds(rows, *column, job).unwrap()).unwrap();
        writeln!(said, "{:?}", view.choices(rows, *column, job).unwrap()).unwrap();
    }
    let view = View::new(rows, Query::all(cursor), job).unwrap();
    writeln!(said, "{:?}", view.statistics()).unwrap();
    let exported: Result<(), Cancelled> = view.export(rows, columns, job, |cells| {
        for cell in cells {
            write!(said, "{cell},").unwrap();
        }
        Ok(())
    });
    exported.unwrap();
    said.push('\n');
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
