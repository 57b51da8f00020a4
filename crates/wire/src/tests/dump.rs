//! The tables of a dump, and what it holds in vain.

use super::nonsense;
use crate::{
    InefficientQuestion, RowsQuestion, SortDirection, TableColumn, TableFilter, TableKind,
    TableOrder, TablePeriod, TableQuestion, TableSpan, TableTest, TableWithin, Threshold,
    Thresholds, inefficient, table,
};
use model::*;
use serde_json::json;
use session::{Job, Session};

/// By row: time, event, type, device, address, attributes.
type Row = (i64, u16, u16, u16, u64, u32);

const NONE: u64 = DumpRows::NO_PTR;
const TEXTS: [&str; 16] = [
    "",
    "0",
    "N/A",
    "1",
    "MALLOC",
    "FREE",
    "ACCESS",
    "KERNEL_LAUNCH",
    "SYSTEM",
    "PTA",
    "READ",
    "PTA@ops",
    "{}",
    "{\"allocation_id\":\"\u{1}\",\"size\":\"\u{2}\"}",
    "{\"streamId\":\"\u{1}\",\"taskId\":\"\u{2}\"}",
    "aten::mm",
];
const ROWS: [Row; 7] = [
    (0, 4, 4, 1, NONE, 0),
    (100, 0, 5, 0, 0x1000, 1),
    (250, 2, 6, 0, 0x1000, 1),
    (300, 3, 3, 0, NONE, 2),
    (900, 1, 5, 0, 0x1000, 1),
    (950, 0, 5, 0, 0x9000, 1),
    (999, 2, 6, 2, 0x1000, 1),
];

fn track() -> Track {
    Track {
        device: 0,
        pool: StringId(9),
        process: 0,
        end_ns: 1_100,
        row_of_event: vec![1, 4].into(),
        has_used: false,
        has_total: false,
        owner: vec![1].into(),
        allocation_id: vec![7].into(),
        malloc_row: vec![1].into(),
        free_row: vec![4].into(),
        access_offsets: vec![0, 1].into(),
        access_rows: vec![2].into(),
        longest_gap_ns: vec![0].into(),
        flags: vec![0].into(),
    }
}

fn rows() -> DumpRows {
    let column = |of: fn(&Row) -> u32| ROWS.iter().map(of);
    let zero = || vec![0; ROWS.len()];
    let mut slots: [Column<i64>; 4] = std::array::from_fn(|_| zero().into());
    slots[0] = vec![7; ROWS.len()].into();
    slots[1] = vec![512; ROWS.len()].into();
    DumpRows {
        id: (0..ROWS.len() as i64).collect(),
        time_ns: ROWS.iter().map(|row| row.0).collect(),
        event: column(|row| row.1.into()).map(|word| word as u16).collect(),
        event_type: column(|row| row.2.into()).map(|word| word as u16).collect(),
        name: vec![15; ROWS.len()].into(),
        process: vec![0; ROWS.len()].into(),
        thread: vec![42; ROWS.len()].into(),
        device: column(|row| row.3.into()).map(|device| device as u16).collect(),
        ptr: ROWS.iter().map(|row| row.4).collect(),
        attr: column(|row| row.5).collect(),
        slots,
        python_stack: vec![DumpRows::NO_STACK; ROWS.len()].into(),
        c_stack: vec![0; ROWS.len()].into(),
        words: [4, 5, 6, 7, 8, 9, 10].map(StringId).into(),
        attr_templates: [12, 13, 14].map(StringId).into(),
        has_stacks: [false; 2],
    }
}

/// Events of device 0 and of none; one block of the pool PTA, used once, freed late.
fn session() -> Session {
    let block = Block {
        addr: 0x1000,
        size: 512,
        requested: 512,
        born: State(1),
        released: Some(State(2)),
        died: Some(State(2)),
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    };
    let events = Events {
        action: [Action::Alloc, Action::FreeCompleted].map(Action::code).into_iter().collect(),
        addr: vec![0x1000, 0x1000].into(),
        size: vec![512, 512].into(),
        stream: vec![0, 0].into(),
        stack: vec![Events::NO_STACK; 2].into(),
        time_ns: Some(vec![100, 900].into()),
        pool: None,
        note: None,
    };
    let mut device = nonsense::device(0, events, vec![block], &[0, 512, 0]);
    device.device = Device::Track;
    device.track = Some(Box::new(track()));
    let (mut offsets, mut bytes) = (vec![0], Vec::new());
    for text in TEXTS {
        bytes.extend_from_slice(text.as_bytes());
        offsets.push(bytes.len() as u32);
    }
    let mut recording = nonsense::recording(vec![device]);
    recording.strings = Strings::new(offsets, bytes).unwrap();
    recording.dump = Some(Box::new(Dump {
        end_ns: 1_100,
        processes: vec![4_711],
        devices: [1, 2, 3].map(StringId).into(),
        rows: rows(),
        owners: [0, 11].map(StringId).into(),
        threads: Vec::new(),
    }));
    Session::new(recording, &Job::unwatched()).unwrap()
}

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

fn page(question: &TableQuestion, columns: &[TableColumn]) -> serde_json::Value {
    let (session, job) = (session(), Job::unwatched());
    let rows = RowsQuestion {
        offset: 0,
        since: None,
        count: 100,
        columns: columns.to_vec(),
        cursor: -1.0,
    };
    let view = table(&session, question, &job).unwrap();
    serde_json::to_value(view.rows(&session, &rows, &job).unwrap().rows).unwrap()
}

/// The ids of the rows that answer `question`.
fn ids(question: &TableQuestion) -> Vec<i64> {
    let rows = page(question, &[TableColumn::Id]);
    rows.as_array().unwrap().iter().map(|row| row["cells"][0].as_i64().unwrap()).collect()
}

#[test]
fn events_of_the_device_and_of_none_are_rows_that_know_their_block() {
    use TableColumn as C;
    let columns =
        [C::Id, C::Event, C::EventType, C::TimeNs, C::Address, C::Size, C::Device, C::Attr];
    let allocation = "{\"allocation_id\":\"7\",\"size\":\"512\"}";
    let kernel = "{\"streamId\":\"7\",\"taskId\":\"512\"}";
    let row = |row: u32, block: Option<u32>, event: Option<u32>, cells| json!({"row": row, "block": block, "event": event, "stack": null, "cells": cells});
    let ptr = "0x1000";
    let expected = json!([
        row(0, None, None, json!([0, "SYSTEM", "SYSTEM", 0, null, null, "N/A", "{}"])),
        row(1, Some(0), Some(0), json!([1, "MALLOC", "PTA", 100, ptr, 512, "0", allocation])),
        row(2, Some(0), None, json!([2, "ACCESS", "READ", 250, ptr, 512, "0", allocation])),
        row(
            3,
            None,
            None,
            json!([3, "KERNEL_LAUNCH", "KERNEL_LAUNCH", 300, null, null, "0", kernel])
        ),
        row(4, Some(0), Some(1), json!([4, "FREE", "PTA", 900, ptr, 512, "0", allocation])),
        row(5, None, None, json!([5, "MALLOC", "PTA", 950, "0x9000", 512, "0", allocation])),
    ]);
    assert_eq!(page(&question(TableKind::DumpEvents), &columns), expected);
}

#[test]
fn a_period_of_events_is_one_of_time_and_can_be_given_as_such() {
    let period = |from, to, span_ns| {
        let period = TablePeriod { from, to, within: TableWithin::Overlapping, span_ns };
        ids(&TableQuestion { period: Some(period), ..question(TableKind::DumpEvents) })
    };
    assert_eq!(period(0.0, 1.0, None), [1, 2, 3, 4]);
    assert_eq!(period(1.0, 1.0, None), [4]);
    assert_eq!(period(0.0, 1e9, None), [1, 2, 3, 4]);
    assert_eq!(period(5.0, 9.0, None), [0; 0]);
    assert_eq!(period(0.0, 0.0, Some(TableSpan { from: 250.0, to: 950.0 })), [2, 3, 4, 5]);
}

#[test]
fn an_event_of_the_device_is_found_among_the_rows() {
    let (session, job) = (session(), Job::unwatched());
    let view = table(&session, &question(TableKind::DumpEvents), &job).unwrap();
    let places = [0, 1, 2].map(|event| view.position(&session, event, &job).unwrap());
    assert_eq!(places, [Some(1), Some(4), None]);
}

#[test]
fn attributes_are_searched_and_have_no_order() {
    let with = |kind, text: &str| {
        let test = TableTest::Contains { text: text.to_owned() };
        let filters = vec![TableFilter { column: TableColumn::Attr, test }];
        TableQuestion { filters, ..question(kind) }
    };
    assert_eq!(ids(&with(TableKind::DumpEvents, "TASKID")), [3]);
    assert_eq!(ids(&with(TableKind::DumpEvents, "\"size\":\"51")), [1, 2, 4, 5]);
    let late = Threshold { ns: None, percent: Some(80.0) };
    let delayed = Some(Thresholds { delayed: late, ..Thresholds::default() });
    let flagged = TableQuestion {
        thresholds: delayed,
        ..with(TableKind::DumpBlocks, "\"delayed_free\":\"true\"")
    };
    assert_eq!(ids(&flagged), [0]);
    assert_eq!(ids(&TableQuestion { thresholds: None, ..flagged }), [0_i64; 0]);
    let order = vec![TableOrder { column: TableColumn::Attr, direction: SortDirection::Ascending }];
    let sorted = TableQuestion { order, ..question(TableKind::DumpBlocks) };
    let refused = table(&session(), &sorted, &Job::unwatched()).unwrap_err();
    assert_eq!(refused.message, "attributes have no order");
}

#[test]
fn the_manuals_columns_are_written_as_they_are_called() {
    use TableColumn as C;
    let (session, job) = (session(), Job::unwatched());
    let idle = Threshold { ns: Some(600.0), percent: None };
    let thresholds = Some(Thresholds { delayed: idle, ..Thresholds::default() });
    let asked = TableQuestion { thresholds, ..question(TableKind::DumpBlocks) };
    let mut csv = Vec::new();
    let columns = [
        C::Id,
        C::Address,
        C::Size,
        C::MallocTimeNs,
        C::FreeTimeNs,
        C::Owner,
        C::Process,
        C::Thread,
        C::FirstAccessNs,
        C::LastAccessNs,
        C::LongestGapNs,
        C::LifetimeNs,
        C::Inefficient,
        C::Accesses,
        C::AllocationId,
    ];
    let view = table(&session, &asked, &job).unwrap();
    view.export(&session, &columns, &mut csv, &job).unwrap();
    assert_eq!(
        String::from_utf8(csv).unwrap(),
        "id,address,size,malloc_time_ns,free_time_ns,owner,process,thread,first_access_ns,\
         last_access_ns,longest_gap_ns,lifetime_ns,inefficient,accesses,allocation_id\r\n\
         0,0x1000,512,100,900,PTA@ops,4711,42,250,250,0,800,delayed_free,1,7\r\n"
    );
}

#[test]
fn a_snapshot_has_no_such_tables() {
    let (session, job) = (nonsense::session(), Job::unwatched());
    for kind in [TableKind::DumpBlocks, TableKind::DumpEvents] {
        let refused = table(&session, &question(kind), &job).unwrap_err();
        assert_eq!(refused.message, "a snapshot has no such table");
    }
}

#[test]
fn what_is_held_in_vain_is_told_exactly() {
    let delayed = Threshold { ns: Some(1.0), percent: None };
    let question = InefficientQuestion {
        session: 1,
        device: 0,
        thresholds: Thresholds { delayed, ..Thresholds::default() },
        top: 5,
    };
    let found = inefficient(&session(), &question, &Job::unwatched()).unwrap();
    let found = serde_json::to_value(found).unwrap();
    // From 250 to 900, 512 bytes.
    let waste = json!({
        "amount": {"count": 1, "requested": 512, "size": 512},
        "byte_ns": "332800", "byte_seconds": 332_800e-9,
    });
    let none = json!({
        "amount": {"count": 0, "requested": 0, "size": 0}, "byte_ns": "0", "byte_seconds": 0.0,
    });
    let each = json!({"lazy_used": none, "delayed_free": waste, "long_idle": none});
    assert_eq!(found["all"], waste);
    assert_eq!(found["each"], each);
    assert_eq!(found["owners"], json!([{"owner": "PTA@ops", "all": waste, "each": each}]));
    assert_eq!((&found["accessed"], &found["blocks_in_all"]), (&json!(1), &json!(1)));
    let block = &found["blocks"][0];
    assert_eq!(block["kinds"], json!(["delayed_free"]));
    assert_eq!((&block["start_ns"], &block["last_access_ns"]), (&json!(100), &json!(250)));
}
