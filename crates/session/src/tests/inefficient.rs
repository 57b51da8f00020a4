//! What a small dump holds in vain, worked out by hand.

use super::dump::{Life, dump};
use crate::table::{DumpBlockColumn, Filter, Inefficiency, Query, Test, Threshold, Thresholds};
use crate::{Amount, BlockId, Session, State, Waste};
use job::Job;
use model::{Recording, Track};

/// By block: bytes, life, and when it is used.
const LIVES: [Life; 4] = [
    ("PTA", "PTA@ops", 100, 0, Some(1_000)),
    ("PTA", "PTA@ops", 10, 100, Some(300)),
    ("PTA", "PTA@model", 1, 200, None),
    ("PTA", "", 7, 400, Some(500)),
];
const USES: [&[i64]; 4] = [&[400, 450, 900], &[110, 120], &[200, 999], &[]];

/// [`LIVES`] with their [`USES`] as rows.
fn used() -> Recording {
    let mut recording = dump(&LIVES, &[]);
    let (mut times, mut offsets, mut gaps) = (Vec::new(), vec![0], Vec::new());
    let mut all: Vec<(i64, usize)> = Vec::new();
    for (block, uses) in USES.iter().enumerate() {
        all.extend(uses.iter().map(|time| (*time, block)));
        gaps.push(uses.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0));
    }
    all.sort_unstable();
    let mut rows: Vec<u32> = Vec::new();
    for block in 0..USES.len() {
        let own = (0..all.len() as u32).filter(|row| all[*row as usize].1 == block);
        rows.extend(own);
        offsets.push(rows.len() as u32);
    }
    times.extend(all.iter().map(|(time, _)| *time));
    if let Some(dump) = recording.dump.as_deref_mut() {
        dump.rows.time_ns = times.into();
    }
    if let Some(track) = recording.devices[0].track.as_deref_mut() {
        *track = Track {
            access_offsets: offsets.into(),
            access_rows: rows.into(),
            longest_gap_ns: gaps.into(),
            ..track.clone()
        };
    }
    recording
}

fn session() -> Session {
    Session::new(used(), &Job::unwatched()).unwrap()
}

fn ns(ns: i64) -> Threshold {
    Threshold { ns: Some(ns), percent: None }
}

fn waste(count: u32, bytes: u64, unused_ns: u128, byte_ns: u128) -> Waste {
    Waste { amount: Amount { count, requested: bytes, size: bytes }, unused_ns, byte_ns }
}

#[test]
fn what_is_held_in_vain_adds_up_by_kind_owner_and_block() {
    let session = session();
    let percent = Threshold { ns: None, percent: Some(60.0) };
    // Early: only the first waits 400 for its first use, the second 10. Late: 100 and 180.
    // Idle: 450 of 1000, 10 of 200, 799 of 800.
    let thresholds = Thresholds { lazy: ns(399), delayed: ns(99), idle: percent };
    let device = session.device(0).unwrap();
    let wasted = device.wasted(thresholds, 2, &Job::unwatched()).unwrap().unwrap();
    assert_eq!(wasted.accessed, 3);
    assert_eq!(wasted.each[Inefficiency::LazyUsed as usize], waste(1, 100, 400, 40_000));
    assert_eq!(wasted.each[Inefficiency::DelayedFree as usize], waste(2, 110, 280, 10_000 + 1_800));
    assert_eq!(wasted.each[Inefficiency::LongIdle as usize], waste(1, 1, 799, 799));
    // A block counts once, with all its stretches.
    assert_eq!(wasted.all, waste(3, 111, 400 + 280 + 799, 40_000 + 11_800 + 799));
    assert!((wasted.all.byte_seconds() - 52_599e-9).abs() < 1e-15);

    let owners: Vec<_> = wasted.owners.iter().map(|owner| (owner.of, owner.all)).collect();
    let ops = waste(2, 110, 680, 51_800);
    assert_eq!(owners, [(Some("PTA@ops"), ops), (Some("PTA@model"), waste(1, 1, 799, 799))]);
    assert_eq!((wasted.stacks.len(), wasted.stacks[0].of, wasted.stack_count), (1, None, 1));
    let blocks: Vec<_> =
        wasted.blocks.iter().map(|block| (block.id.0, block.waste.byte_ns)).collect();
    assert_eq!(blocks, [(0, 50_000), (1, 1_800)]);
    assert_eq!(wasted.blocks[0].flags.names(), "lazy_used, delayed_free");
    assert_eq!(wasted.blocks[0].life.accessed_ns, Some((400, 900)));
}

#[test]
fn nothing_is_inefficient_until_a_threshold_is_set() {
    let session = session();
    let device = session.device(0).unwrap();
    let wasted = device.wasted(Thresholds::default(), 9, &Job::unwatched()).unwrap().unwrap();
    assert_eq!((wasted.all, wasted.owner_count, wasted.blocks.len()), (Waste::default(), 0, 0));
}

#[test]
fn the_table_has_the_blocks_that_are_counted() {
    let session = session();
    let device = session.device(0).unwrap();
    let job = Job::unwatched();
    let thresholds = Thresholds { idle: ns(400), ..Thresholds::default() };
    let only = Filter { column: DumpBlockColumn::Inefficient, test: Test::NotEmpty };
    let query = Query { filters: vec![only], ..Query::all(State(0)) };
    let view = device.dump_block_view(thresholds, query, &job).unwrap().unwrap();
    let rows = device.dump_block_rows(thresholds, &job).unwrap().unwrap();
    assert_eq!(view.rows(&rows, 0, 9, &job), Ok(vec![0, 2]));
    let all = device.wasted(thresholds, 0, &job).unwrap().unwrap().all;
    assert_eq!((view.statistics().count, view.statistics().size), (2, 101));
    assert_eq!((all.amount.count, all.amount.size), (2, 101));
    // Events 0 to 2 allocate the first three.
    assert_eq!(rows.number(BlockId(2)), 2);
    let lit = device.inefficient_lit(thresholds).unwrap();
    let blocks = &device.table().blocks;
    assert_eq!([0, 1, 2, 3].map(|row| lit.holds(blocks, row)), [true, false, true, false]);
    let none = device.inefficient_lit(Thresholds::default()).unwrap();
    assert!(!none.holds(blocks, 0), "thresholds changed");
}

#[test]
fn a_snapshot_has_no_tables_of_a_dump() {
    let session = super::session(super::STORY);
    let device = session.device(0).unwrap();
    let job = Job::unwatched();
    assert_eq!(device.wasted(Thresholds::default(), 9, &job), Ok(None));
    assert!(device.dump_event_rows(&job).unwrap().is_none());
}
