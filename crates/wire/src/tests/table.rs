//! The tables' questions: the numbers people know, and nonsense.

use crate::{
    RowsQuestion, SortDirection, TableCell, TableColumn, TableFilter, TableKind, TableOpened,
    TableOrder, TablePeriod, TableQuestion, TableTest, TableWithin, table, table_choices,
};
use proptest::prelude::*;
use session::{Job, Session};
use std::io::Write;
use std::path::{Path, PathBuf};

fn question(kind: TableKind) -> TableQuestion {
    TableQuestion {
        session: 1,
        device: 0,
        kind,
        order: Vec::new(),
        filters: Vec::new(),
        period: None,
        cursor: -1.0,
        thresholds: None,
    }
}

fn first(columns: &[TableColumn]) -> RowsQuestion {
    RowsQuestion { offset: 0, since: None, count: 100, columns: columns.to_vec(), cursor: -1.0 }
}

fn opened(session: &Session, question: &TableQuestion, first: &RowsQuestion) -> TableOpened {
    let job = Job::unwatched();
    table(session, question, &job).unwrap().opened(session, 7, first, &job).unwrap()
}

#[test]
fn what_a_question_leaves_out_is_not_asked() {
    let text = r#"{"session": 1, "device": 0, "kind": "blocks", "cursor": 3,
        "order": [{"column": "size", "direction": "descending"}],
        "filters": [{"column": "size", "test": {"kind": "between", "from": 1024}},
                    {"column": "address", "test": {"kind": "contains", "text": "0x7f"}}]}"#;
    let question: TableQuestion = serde_json::from_str(text).unwrap();
    assert_eq!(question.period, None);
    assert_eq!(question.filters[0].test, TableTest::Between { from: Some(1024.0), to: None });
}

#[test]
fn rows_are_blocks_and_events_with_their_cells() {
    let session = super::nonsense::session();
    let columns = [TableColumn::Id, TableColumn::Address, TableColumn::FreeEvent];
    let blocks = opened(&session, &question(TableKind::Blocks), &first(&columns));
    let json = serde_json::to_value(&blocks.page).unwrap();
    let rows = serde_json::json!([
        {"row": 0, "block": 0, "event": null, "stack": null, "cells": [0, "0x200", null]},
        {"row": 1, "block": 1, "event": null, "stack": null, "cells": [1, "0x400", 2]},
    ]);
    assert_eq!(json["rows"], rows);
    let actions = table_choices(
        &session,
        &question(TableKind::Events),
        TableColumn::Action,
        &Job::unwatched(),
    );
    let actions: Vec<(String, u32)> =
        actions.unwrap().into_iter().map(|choice| (choice.name, choice.count)).collect();
    assert_eq!(actions, [("alloc".to_owned(), 2), ("free_completed".to_owned(), 1)]);
}

#[test]
fn events_are_found_by_what_holds_an_address() {
    let session = super::nonsense::session();
    let events = |addresses: &[&str]| {
        let addresses = addresses.iter().map(|text| (*text).to_owned()).collect();
        let test = TableTest::Holds { addresses };
        let filters = vec![TableFilter { column: TableColumn::Address, test }];
        let found = TableQuestion { filters, ..question(TableKind::Events) };
        let rows = opened(&session, &found, &first(&[])).page.rows;
        rows.iter().map(|row| row.row).collect::<Vec<_>>()
    };
    // Event 0 is about 512 to 1011; events 1 and 2 about 1024 to 1523.
    assert_eq!(events(&["0x3f3"]), [0]);
    assert_eq!(events(&["1012"]), [0; 0]);
    assert_eq!(events(&["1025"]), [1, 2]);
    assert_eq!(events(&["512", "0x400"]), [0, 1, 2]);
    assert_eq!(events(&["nowhere"]), [0; 0]);
}

#[test]
fn rows_are_read_from_an_event_on() {
    let session = super::nonsense::session();
    let job = Job::unwatched();
    let names = vec!["free_completed".to_owned(), "segment_map".to_owned()];
    let test = TableTest::Is { names };
    let filters = vec![TableFilter { column: TableColumn::Action, test }];
    let frees = TableQuestion { filters, ..question(TableKind::Events) };
    let since = |asked: &TableQuestion, row| {
        let rows = RowsQuestion { since: Some(row), ..first(&[]) };
        let page = table(&session, asked, &job)?.rows(&session, &rows, &job)?;
        let rows = page.rows.iter().map(|row| row.row).collect::<Vec<_>>();
        Ok::<_, crate::WireError>((page.offset, rows))
    };
    assert_eq!(since(&frees, 0).unwrap(), (0, vec![2]));
    assert_eq!(since(&frees, 2).unwrap(), (0, vec![2]));
    assert_eq!(since(&frees, 3).unwrap(), (1, vec![]));
    assert_eq!(since(&question(TableKind::Events), 1).unwrap(), (1, vec![1, 2]));
    let direction = SortDirection::Descending;
    let order = vec![TableOrder { column: TableColumn::Size, direction }];
    let sorted = TableQuestion { order, ..question(TableKind::Events) };
    assert_eq!(since(&sorted, 0).unwrap_err().message, "these rows are in an order of their own");
}

#[test]
fn all_matching_rows_are_written() {
    let session = super::nonsense::session();
    let job = Job::unwatched();
    let mut csv = Vec::new();
    let view = table(&session, &question(TableKind::Blocks), &job).unwrap();
    view.export(&session, &[TableColumn::Id, TableColumn::Size], &mut csv, &job).unwrap();
    assert_eq!(String::from_utf8(csv).unwrap(), "id,size\r\n0,512\r\n1,512\r\n");
    let refused = view.export(&session, &[TableColumn::Action], Vec::new(), &job).unwrap_err();
    assert_eq!(refused.message, "this table has no column action");
}

#[test]
fn a_recording_of_two_devices_has_the_numbers_people_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("TIDEMARK_CORPUS").map_or(root, PathBuf::from).join("torch");
    let Ok(files) = std::fs::read_dir(&folder) else {
        assert!(std::env::var_os("CI").is_none(), "no corpus at {}", folder.display());
        writeln!(std::io::stdout(), "skipped: no corpus at {}", folder.display()).unwrap();
        return;
    };
    let is_sample = |path: &PathBuf| path.to_string_lossy().contains("snapshot_with_multi_devices");
    let path = files.map(|file| file.unwrap().path()).find(is_sample).unwrap();
    let session = Session::open(&path, &Job::unwatched()).unwrap();
    let blocks = question(TableKind::Blocks);
    assert_eq!(opened(&session, &blocks, &first(&[])).statistics.count, 3219);

    // By the rounding rule; the incumbent's own 108400.086 KB adds up what was requested.
    let period =
        Some(TablePeriod { from: 100.0, to: 1000.0, within: TableWithin::NotFreed, span_ns: None });
    let kept =
        opened(&session, &TableQuestion { period, ..blocks.clone() }, &first(&[])).statistics;
    assert_eq!((kept.count, kept.size), (146, 1_084_730 * 1024 / 10));
    assert_eq!((kept.largest, kept.smallest), (Some(92_165 * 1024 / 10), Some(512)));

    // Typed in decimal, inside the block.
    let inside = TableTest::Contains { text: "20697531023361".to_owned() };
    let filter = TableFilter { column: TableColumn::Address, test: inside };
    let found = TableQuestion { filters: vec![filter], ..blocks };
    let ids = opened(&session, &found, &first(&[TableColumn::Id])).page.rows;
    assert!(ids.iter().any(|row| row.cells == [Some(TableCell::Number(-320))]), "{ids:?}");

    let events = opened(&session, &question(TableKind::Events), &first(&[TableColumn::Action]));
    assert_eq!(events.statistics.count, 8132);
    assert_eq!(events.page.rows[0].cells, [Some(TableCell::Text("segment_map".to_owned()))]);
}

proptest! {
    #[test]
    fn no_question_is_too_odd(
        ends: [f64; 5], offset: u32, count: u32, row: u32, device in 0u32..4, text in ".{0,5}",
    ) {
        let session = super::nonsense::session();
        let job = Job::unwatched();
        for within in [TableWithin::Overlapping, TableWithin::Inside, TableWithin::NotFreed] {
            for kind in [TableKind::Blocks, TableKind::Events] {
                let [from, to, least, most, cursor] = ends;
                let between = TableTest::Between { from: Some(least), to: Some(most) };
                let contains = TableTest::Contains { text: text.clone() };
                let filter = |column, test: &TableTest| TableFilter { column, test: test.clone() };
                let asked = TableQuestion {
                    device,
                    filters: vec![
                        filter(TableColumn::Size, &between),
                        filter(TableColumn::Address, &contains),
                    ],
                    period: Some(TablePeriod { from, to, within, span_ns: None }),
                    cursor,
                    ..question(kind)
                };
                let Ok(view) = table(&session, &asked, &job) else { continue };
                let columns = vec![TableColumn::Id, TableColumn::Size];
                view.bounds(&session, &columns, &job).unwrap();
                let rows = RowsQuestion { offset, since: None, count, columns, cursor };
                view.rows(&session, &rows, &job).unwrap();
                let since = RowsQuestion { since: Some(row), ..rows };
                prop_assert!(view.rows(&session, &since, &job).unwrap().offset < 4);
                prop_assert!(view.position(&session, row, &job).unwrap().is_none_or(|at| at < 3));
            }
        }
    }
}
