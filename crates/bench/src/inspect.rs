//! Measures the pool state, the difference of two recordings, and the first pages of the tables.

use crate::child::busiest;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use session::table::{
    BlockColumn, BlockRows, Direction, EventColumn, EventRows, Filter, Query, Rows, Test, View,
};
use session::{At, By, Job, Match, OnDevice, Session, State, diff};
use std::path::Path;
use std::time::Instant;

/// Pool states asked for.
const STATES: u32 = 500;
/// Rows of a page.
const PAGE: u32 = 100;

/// What looking into a recording took, milliseconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Inspected {
    /// The pool at [`STATES`] moments, ascending.
    pub(crate) pool: Vec<f64>,
    /// What two recordings hold, by stack: which stacks are the same, and how long.
    pub(crate) differences: Vec<(String, f64)>,
    /// The first page of tables: which, and how long.
    pub(crate) pages: Vec<(String, f64)>,
}

/// Measures on `file` and prints it.
pub(crate) fn inspect(file: &Path) -> Result<()> {
    let session = Session::open(file, &Job::unwatched())?;
    let device = busiest(&session)?;
    let states = u64::from(device.table().events.len()) + 1;
    let mut pool = Vec::new();
    for at in 0..u64::from(STATES) {
        // An odd multiplier visits the recording in no order that a cache could like.
        let state = State((at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % states) as u32);
        let begun = Instant::now();
        let found = device.pool(state);
        pool.push(begun.elapsed().as_secs_f64() * 1e3);
        anyhow::ensure!(found.blocks.len() < usize::MAX, "the pool is counted");
    }
    pool.sort_by(f64::total_cmp);
    let pages = [block_pages(device)?, event_pages(device)?].concat();
    // Two sessions share nothing, not even when the file is one.
    let other = Session::open(file, &Job::unwatched())?;
    let differences = differences(device, busiest(&other)?)?;
    println!("{}", serde_json::to_string(&Inspected { pool, differences, pages })?);
    Ok(())
}

/// The peak of one against the end of the other; the median of three.
fn differences(a: OnDevice<'_>, b: OnDevice<'_>) -> Result<Vec<(String, f64)>> {
    let state = |on: OnDevice<'_>, at| on.state(at).context("a moment of the device");
    let (peak, end) = (state(a, At::Peak)?, state(b, At::End)?);
    let ways = [
        ("all of the stack", Match::Exact),
        ("files and functions", Match::FileFunction),
        ("functions", Match::Function),
    ];
    let mut rows = Vec::new();
    for (name, way) in ways {
        let mut times = Vec::new();
        for _ in 0..3 {
            let begun = Instant::now();
            let found = diff(a, peak, b, end, By::Stack(way)).context("stacks can be compared")?;
            times.push(begun.elapsed().as_secs_f64() * 1e3);
            anyhow::ensure!(!found.rows.is_empty(), "something is held");
        }
        rows.push((name.to_owned(), crate::table::median(&mut times)));
    }
    Ok(rows)
}

fn block_pages(device: OnDevice<'_>) -> Result<Vec<(String, f64)>> {
    let rows: BlockRows<'_> = device.block_rows(&Job::unwatched())?;
    let order = |column, direction| Query {
        order: vec![(column, direction)],
        ..Query::all(State(device.table().events.len()))
    };
    let filtered = |column, test, by| Query {
        filters: vec![Filter { column, test }],
        ..order(by, Direction::Descending)
    };
    let size = Test::Between { from: Some(1 << 20), to: None };
    let queries = [
        ("blocks by size", order(BlockColumn::Size, Direction::Descending)),
        ("blocks by address", order(BlockColumn::Address, Direction::Ascending)),
        ("blocks by lifetime", order(BlockColumn::Lifetime, Direction::Descending)),
        ("blocks by top frame", order(BlockColumn::TopFrame, Direction::Ascending)),
        (
            "blocks of 1 MiB and more by lifetime",
            filtered(BlockColumn::Size, size, BlockColumn::Lifetime),
        ),
        (
            "blocks whose stack contains forward, by size",
            filtered(BlockColumn::Stack, Test::Contains("forward".to_owned()), BlockColumn::Size),
        ),
    ];
    queries.into_iter().map(|(name, query)| first_page(name, &rows, &query)).collect()
}

fn event_pages(device: OnDevice<'_>) -> Result<Vec<(String, f64)>> {
    let rows: EventRows<'_> = device.event_rows(&Job::unwatched())?;
    let all = Query::all(State(0));
    let allocations =
        Filter { column: EventColumn::Action, test: Test::Is(vec!["alloc".to_owned()]) };
    let queries = [
        ("events as recorded", all.clone()),
        (
            "events by size",
            Query { order: vec![(EventColumn::Size, Direction::Descending)], ..all.clone() },
        ),
        ("events that allocate", Query { filters: vec![allocations], ..all }),
    ];
    queries.into_iter().map(|(name, query)| first_page(name, &rows, &query)).collect()
}

/// Filter, count, statistics and the first page; the median of three.
fn first_page<R: Rows>(name: &str, rows: &R, query: &Query<R::Column>) -> Result<(String, f64)> {
    let mut times = Vec::new();
    for _ in 0..3 {
        let begun = Instant::now();
        let view = View::new(rows, query.clone(), &Job::unwatched())?;
        let page = view.rows(rows, 0, PAGE, &Job::unwatched())?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        anyhow::ensure!(page.len() as u32 == view.count().min(PAGE), "the page is full");
    }
    Ok((name.to_owned(), crate::table::median(&mut times)))
}
