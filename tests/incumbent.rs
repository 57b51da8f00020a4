//! The figures that `MindStudio Insight` states for its own sample of two devices.
//!
//! Where its figure follows from the file, ours is the same. Where it does not, ours differs and
//! the reason stands beside it.

use acceptance::{info, open, outside, tidemark};
use cli::Exit;
use session::{Job, Session};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use wire::{
    RowsQuestion, TableCell, TableColumn, TableFilter, TableKind, TablePeriod, TableQuestion,
    TableStatistics, TableTest, TableWithin,
};

const FILE: &str = "torch/Ascend+msinsight__snapshot_with_multi_devices__ed83d18f.pkl";

/// The sample, or nothing to test.
fn sample() -> Option<PathBuf> {
    Some(outside("TIDEMARK_CORPUS", "../shared/corpus")?.join(FILE))
}

/// `tidemark export … --count`.
fn count(path: &Path, words: &[&str]) -> TableStatistics {
    let words = words.iter().map(OsStr::new);
    let args: Vec<&OsStr> =
        [OsStr::new("export"), path.as_os_str()].into_iter().chain(words).collect();
    let ran = tidemark(&[&args[..], &[OsStr::new("--count")]].concat());
    assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// The same through the wire: what the rows add up to, and the first of them.
fn asked(
    session: &Session,
    question: &TableQuestion,
    columns: &[TableColumn],
) -> (TableStatistics, Vec<Vec<Option<TableCell>>>) {
    let job = Job::unwatched();
    let rows = RowsQuestion {
        offset: 0,
        count: 1,
        columns: columns.to_vec(),
        cursor: question.cursor,
        since: None,
    };
    let opened = wire::table(session, question, &job).unwrap().opened(session, 0, &rows, &job);
    let opened = opened.unwrap();
    (opened.statistics, opened.page.rows.into_iter().map(|row| row.cells).collect())
}

/// All rows of a table of `device`.
fn all(device: u32, kind: TableKind) -> TableQuestion {
    let (order, filters) = (Vec::new(), Vec::new());
    TableQuestion {
        session: 0,
        device,
        kind,
        order,
        filters,
        period: None,
        cursor: 0.0,
        thresholds: None,
    }
}

fn within(from: f64, to: f64, within: TableWithin) -> TablePeriod {
    TablePeriod { from, to, within, span_ns: None }
}

fn between(column: TableColumn, from: f64, to: f64) -> TableFilter {
    TableFilter { column, test: TableTest::Between { from: Some(from), to: Some(to) } }
}

#[test]
fn both_devices_have_the_blocks_and_events_it_counts() {
    let Some(path) = sample() else { return };
    let summary = info(&path);
    let counts: Vec<_> = (summary.devices.iter())
        .map(|device| (device.name.as_str(), device.blocks, device.events))
        .collect();
    // Its largest event ids are 8131 and 9699.
    assert_eq!(counts, [("npu:0", 3219, 8132), ("npu:1", 3216, 9700)]);
    let session = open(&path);
    for (device, blocks, events) in [(0, 3219, 8132), (1, 3216, 9700)] {
        let row = device.to_string();
        for (kind, table, rows) in
            [(TableKind::Blocks, "blocks", blocks), (TableKind::Events, "events", events)]
        {
            assert_eq!(count(&path, &[table, "--device", &row]).count, rows);
            assert_eq!(asked(&session, &all(device, kind), &[]).0.count, rows);
        }
    }
}

#[test]
fn the_totals_at_the_first_event_the_peak_and_the_end_are_right() {
    let Some(path) = sample() else { return };
    let summary = info(&path);
    let [first, second] = summary.devices.as_slice() else { panic!("two devices") };
    // 320 blocks are older than the recording; its first event maps memory.
    assert_eq!(first.start_live.count, 320);
    assert_eq!(second.start_live.count, 0);
    let session = open(&path);
    let after_first = |device| wire::event(&session, device, 0).unwrap().totals;
    assert_eq!((after_first(0).allocated, after_first(0).reserved), (94_482_944, 155_189_248));
    assert_eq!((after_first(1).allocated, after_first(1).reserved), (0, 2_097_152));
    assert_eq!((first.end.allocated, first.end.reserved), (408_698_880, 490_733_568));
    assert_eq!((second.end.allocated, second.end.reserved), (0, 551_550_976));
    // It now counts freed blocks at the bytes asked for: 597 642 080. With the allocator's rounding
    // of (bytes + 32) to 512, as it had before, the peak is at the same event.
    assert_eq!((first.peak.allocated.bytes, first.peak.allocated.event), (597_800_960, 7467));
}

/// Of the second device it says 471 970 304: each block rounded up by itself. But its segments do
/// not grow, and from a free range the allocator splits no remainder of 1 MiB or less off, so that
/// some blocks are larger than their rounding: the peak is higher, and at another event.
#[test]
fn blocks_with_a_remainder_that_was_not_split_off_raise_the_peak() {
    let Some(path) = sample() else { return };
    let device = &info(&path).devices[1];
    assert_eq!((device.peak.allocated.bytes, device.peak.allocated.event), (494_000_128, 5180));
    // Of the bytes asked for, which need no rule, the peak is its own figure at its own event.
    assert_eq!((device.peak_requested.bytes, device.peak_requested.event), (471_498_368, 2599));
    let set = wire::live_set(&open(&path), 1, session::At::Peak, usize::MAX).unwrap();
    let rounded = |requested: u64| (requested + 32).div_ceil(512) * 512;
    let mut sum = 0;
    for block in &set.blocks {
        let rest = block.size - rounded(block.requested);
        // The small pool's blocks, up to 1 MiB, are always split.
        assert!(rest == 0 || (rest <= 1 << 20 && rounded(block.requested) > 1 << 20), "{block:?}");
        sum += rounded(block.requested);
    }
    // Rounded only, this moment is no peak: it is not above the one that it states.
    assert!(sum <= 471_970_304, "{sum}");
    assert_eq!(set.blocks.iter().map(|block| block.size).sum::<u64>(), 494_000_128);
}

#[test]
fn the_oldest_block_and_the_first_event_are_what_it_shows() {
    let Some(path) = sample() else { return };
    let session = open(&path);
    // Blocks from before the recording have negative ids; the last is −320.
    let mut question = all(0, TableKind::Blocks);
    question.filters = vec![between(TableColumn::Id, -320.0, -320.0)];
    let columns =
        [TableColumn::Id, TableColumn::Address, TableColumn::Size, TableColumn::Requested];
    let (_, rows) = asked(&session, &question, &columns);
    let text = |text: String| Some(TableCell::Text(text));
    let number = |number| Some(TableCell::Number(number));
    // 4096.5 KB hold the 4096 KB that were asked for and 32 bytes more, in steps of 512.
    let held = format!("{:#x}", 20_697_531_023_360_u64);
    assert_eq!(
        rows,
        [[number(-320), text(held.clone()), number(4096 * 1024 + 512), number(4096 * 1024)]]
    );
    // Its details call it the same.
    let details = wire::block(&session, 0, 319).unwrap();
    assert_eq!((details.number, details.address.as_str()), (-320, held.as_str()));
    let before = TableFilter {
        column: TableColumn::Id,
        test: TableTest::Between { from: None, to: Some(-1.0) },
    };
    let older = TableQuestion { filters: vec![before], ..all(0, TableKind::Blocks) };
    assert_eq!(asked(&session, &older, &[]).0.count, 320);

    let event = wire::event(&session, 0, 0).unwrap();
    assert_eq!(event.action, "segment_map");
    assert_eq!(event.address, Some(format!("{:#x}", 20_697_552_257_024_u64)));
}

#[test]
fn events_are_filtered_to_the_rows_it_finds() {
    let Some(path) = sample() else { return };
    let session = open(&path);
    // 100 to 500 with both ends.
    let period = Some(within(100.0, 500.0, TableWithin::Overlapping));
    let stretch = TableQuestion { period, ..all(0, TableKind::Events) };
    assert_eq!(asked(&session, &stretch, &[]).0.count, 401);
    assert_eq!(count(&path, &["events", "--device=0", "--period=100..500"]).count, 401);
    // Exactly `alloc`, and nothing that only contains the word, such as segment_alloc.
    let test = TableTest::Is { names: vec!["alloc".to_owned()] };
    for (device, found) in [(0, 2899), (1, 3216)] {
        let filters = vec![TableFilter { column: TableColumn::Action, test: test.clone() }];
        let allocations = TableQuestion { filters, ..all(device, TableKind::Events) };
        assert_eq!(asked(&session, &allocations, &[]).0.count, found);
    }
}

/// Its sums are of the allocator's rounding of (bytes + 32) to 512, as before it dropped that:
/// 108 473.0 KB in all, 9216.5 the largest, 0.5 the smallest. Device 0 is expandable, where every
/// remainder is split off, so that the rounding is the true size.
#[test]
fn what_is_not_freed_in_a_period_adds_up_as_it_says() {
    let Some(path) = sample() else { return };
    let session = open(&path);
    let stated = |count, kib_twice: u64| (count, kib_twice * 512);
    let unfreed = ["blocks", "--device=0", "--period=100..1000", "--within=not_freed"];
    let question = TableQuestion {
        period: Some(within(100.0, 1000.0, TableWithin::NotFreed)),
        ..all(0, TableKind::Blocks)
    };
    for found in [count(&path, &unfreed), asked(&session, &question, &[]).0] {
        assert_eq!((found.count, found.size), stated(146, 2 * 108_473));
        assert_eq!((found.largest, found.smallest), (Some(9216 * 1024 + 512), Some(512)));
    }
    // Of them, those that the events 100 to 500 allocated.
    let earlier = [&unfreed[..], &["--between=alloc_event=100..500"]].concat();
    let filters = vec![between(TableColumn::AllocEvent, 100.0, 500.0)];
    let question = TableQuestion { filters, ..question };
    for found in [count(&path, &earlier), asked(&session, &question, &[]).0] {
        assert_eq!(found.count, 78);
    }
    // Any part of their life in it, the 320 older than the recording included.
    let overlapping = ["blocks", "--device=0", "--period=100..1000"];
    let question = TableQuestion {
        period: Some(within(100.0, 1000.0, TableWithin::Overlapping)),
        ..all(0, TableKind::Blocks)
    };
    for found in [count(&path, &overlapping), asked(&session, &question, &[]).0] {
        assert_eq!(found.count, 764);
    }
}
