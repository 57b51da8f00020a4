//! The dump with given sums has them.

use std::collections::BTreeSet;

use sample::memscope::shape::{ASKED_NS, write_in};
use sample::memscope::{Moment, Truth};

use crate::read::{Row, Slice, open, rows, slices, tables};
use crate::truthful::check;
use crate::walk;

const ZERO_NS: i64 = 1_754_448_083_902_750_070;

struct Shape {
    rows: Vec<Row>,
    slices: Vec<Slice>,
    tables: Vec<String>,
    truth: Truth,
}

fn shape() -> Shape {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, truth) = write_in(folder.path()).expect("written");
    assert!(path.ends_with("leaks_dump_20250806104123.db"));
    let connection = open(&path);
    let (rows, slices) = (rows(&connection), slices(&connection));
    Shape { rows, slices, tables: tables(&connection), truth }
}

fn on_device(shape: &Shape) -> Vec<&Row> {
    shape.rows.iter().filter(|row| row.device == "1").collect()
}

#[test]
fn the_span_and_the_counts_are_those_known() {
    let shape = shape();
    check(&shape.rows, &shape.slices, &shape.truth);
    assert_eq!(shape.truth.zero_ns as i64, ZERO_NS);
    assert_eq!(shape.truth.end_ns, 1_754_448_132_413_582_150);
    let device = on_device(&shape);
    assert_eq!(device.len(), 33_882);
    assert_eq!(device.iter().map(|row| row.time).min(), Some(ZERO_NS + 4_454_383_900));
    let count = |kind: &str, event: &str| {
        device.iter().filter(|row| row.kind == kind && row.event == event).count()
    };
    assert_eq!((count("PTA", "MALLOC"), count("PTA", "FREE")), (3267, 3267));
    assert_eq!(count("HAL", "MALLOC"), 96);
    assert!(shape.rows.iter().all(|row| row.process == 2_621_226));
    assert_eq!(shape.tables, ["leaks_dump", "python_trace_2621226"]);
    let threads: BTreeSet<u32> = shape.slices.iter().map(|slice| slice.thread).collect();
    assert_eq!(threads, BTreeSet::from([2_621_226, 2_622_898]));
}

#[test]
fn the_sums_at_20_seconds_are_those_known() {
    let shape = shape();
    let blocks = walk::blocks(&shape.rows, &shape.truth);
    let moment = Moment { process: 2_621_226, at_ns: ASKED_NS, ..Moment::default() };
    let held = walk::held(&blocks, &moment);
    let pool = |name: &str| held.pools.iter().find(|pool| pool.pool == name).map(|pool| pool.bytes);
    assert_eq!((pool("HAL"), pool("PTA")), (Some(187_076_614), Some(142_264_320)));
    let owned = |tag: &str| {
        let of = held.owners.iter().filter(|owner| owner.owner.starts_with(tag));
        of.map(|owner| owner.bytes).sum::<u64>()
    };
    assert_eq!(owned("CANN@"), 187_076_614);
    assert_eq!((owned("PTA@model"), owned("PTA@ops")), (95_234_560, 47_029_760));
    let owners = held.owners.iter().filter(|owner| owner.pool == "PTA");
    assert_eq!(
        owners.map(|owner| owner.owner.as_str()).collect::<Vec<_>>(),
        ["PTA@model@weight", "PTA@ops@aten", "PTA@ops@aten@leaks_mem"]
    );
}

#[test]
fn rows_up_to_20_seconds_are_as_many_as_known() {
    let shape = shape();
    let early: Vec<&Row> =
        on_device(&shape).into_iter().filter(|row| row.time - ZERO_NS <= ASKED_NS as i64).collect();
    assert_eq!(early.len(), 2927);
    let has_tag = |row: &&&Row| row.attr.as_deref().is_some_and(|attr| attr.contains("PTA"));
    assert_eq!(early.iter().filter(has_tag).count(), 649);
    assert_eq!(early.iter().filter(|row| row.kind == "PTA").count(), 324);
    let small = early.iter().filter(|row| row.kind == "PTA" && row.event == "MALLOC");
    assert_eq!(small.filter(|row| row.size() < 60_000).count(), 269);
}

#[test]
fn known_blocks_are_there() {
    let shape = shape();
    let blocks = walk::blocks(&shape.rows, &shape.truth);
    let first = blocks.iter().find(|block| block.pool == "PTA" && block.size < 60_000);
    let first = first.expect("a small block");
    assert_eq!(
        (first.size, first.malloc_ns, first.free_ns),
        (37_888, 13_350_166_480, Some(45_422_237_070))
    );
    let group: Vec<&str> = shape
        .rows
        .iter()
        .filter(|row| row.key("allocation_id").as_deref() == Some("1910"))
        .map(|row| row.event.as_str())
        .collect();
    assert_eq!(group, ["MALLOC", "ACCESS", "ACCESS", "ACCESS", "FREE"]);
    let mut freed: Vec<&Row> =
        on_device(&shape).into_iter().filter(|row| row.event == "FREE").collect();
    freed.sort_by_key(|row| row.time);
    let known = freed[3182 - 1];
    assert_eq!((known.pointer.as_str(), known.size()), ("20616964997120", 2_359_808));
    assert_eq!(known.key("allocation_id").as_deref(), Some("255"));
    let block =
        blocks.iter().find(|block| block.address == 20_616_964_997_120 && block.pool == "PTA");
    assert_eq!(block.expect("the block").owner.as_deref(), Some("PTA@model@weight"));
}

#[test]
fn blocks_at_one_time_do_not_overlap() {
    let shape = shape();
    let blocks = walk::blocks(&shape.rows, &shape.truth);
    for pool in ["HAL", "PTA"] {
        let mut events: Vec<(u64, bool, &walk::Block)> = Vec::new();
        for block in blocks.iter().filter(|block| block.pool == pool) {
            events.push((block.malloc_ns, true, block));
            events.extend(block.free_ns.map(|free_ns| (free_ns, false, block)));
        }
        events.sort_by_key(|(at_ns, is_birth, _)| (*at_ns, *is_birth));
        let mut live = std::collections::BTreeMap::new();
        for (_, is_birth, block) in events {
            if !is_birth {
                live.remove(&block.address);
                continue;
            }
            let before = live.range(..=block.address).next_back();
            assert!(before.is_none_or(|(address, size)| address + size <= block.address));
            let after = live.range(block.address..).next();
            assert!(after.is_none_or(|(address, _)| block.address + block.size <= *address));
            live.insert(block.address, block.size);
        }
    }
}
