//! Dumps are stored as each version of the collector stores them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sample::memscope::{Dump, Format, Generation, Journal, Scope, Stacks, bundled};

use crate::read::{Row, columns, open, rows, slices, tables, write};
use crate::truthful::check;

const MODERN: [(&str, &str); 12] = [
    ("ID", "INTEGER"),
    ("Event", "TEXT"),
    ("Event Type", "TEXT"),
    ("Name", "TEXT"),
    ("Timestamp(ns)", "INTEGER"),
    ("Process Id", "INTEGER"),
    ("Thread Id", "INTEGER"),
    ("Device Id", "TEXT"),
    ("Ptr", "TEXT"),
    ("Attr", "TEXT"),
    ("Call Stack(Python)", "TEXT"),
    ("Call Stack(C)", "TEXT"),
];

fn owned(columns: &[(&str, &str)]) -> Vec<(String, String)> {
    columns.iter().map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect()
}

#[test]
fn a_modern_database_has_the_collectors_tables() {
    let written = write(&bundled());
    let name = written.path.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(name, "memscope_dump_20260527142210.db");
    let connection = written.connection();
    assert_eq!(tables(&connection), ["memscope_dump", "python_trace_2621226"]);
    assert_eq!(columns(&connection, "memscope_dump"), owned(&MODERN));
    let trace = [
        ("FuncInfo", "TEXT"),
        ("StartTime(ns)", "TEXT"),
        ("EndTime(ns)", "TEXT"),
        ("Thread Id", "INTEGER"),
        ("Process Id", "INTEGER"),
    ];
    assert_eq!(columns(&connection, "python_trace_2621226"), owned(&trace));
    let others: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_master WHERE type <> 'table'", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(others, 0, "no indexes");
    let whole: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(whole, "ok");
    let texts: i64 = connection
        .query_row(
            "SELECT count(*) FROM python_trace_2621226 WHERE typeof(\"StartTime(ns)\") = 'text'",
            [],
            |row| row.get(0),
        )
        .expect("a count");
    assert_eq!(texts as u64, written.truth.files[0].trace_rows);
}

#[test]
fn the_log_is_merged_and_gone() {
    let written = write(&bundled());
    let bytes = fs::read(&written.path).expect("the file");
    assert_eq!(bytes[18..20], [2, 2], "the header says that there may be a log");
    let beside: Vec<PathBuf> = fs::read_dir(written.folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(beside, std::slice::from_ref(&written.path));
    assert!(bytes.len() < 1_000_000, "{} bytes are too many to ship", bytes.len());
}

#[test]
fn a_killed_collector_leaves_its_newest_rows_in_the_log() {
    let dump = Dump { journal: Journal::Unmerged, ..Dump::new(2) };
    let written = write(&dump);
    let mut log = written.path.clone().into_os_string();
    log.push("-wal");
    assert!(fs::metadata(&log).expect("a log").len() > 32);
    // `immutable` does not look at the log.
    assert_eq!(rows(&written.connection()).len(), 1000);
    let merged = rusqlite::Connection::open(&written.path).expect("a database");
    check(&rows(&merged), &slices(&merged), &written.truth);
    assert!(written.truth.rows > 2000);
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    let read = |dump: &Dump| fs::read(write(dump).path).expect("the file");
    assert_eq!(read(&bundled()), read(&bundled()));
    assert_ne!(read(&bundled()), read(&Dump { seed: 3, ..bundled() }));
}

/// Blocks stand together in the order they are freed, launches in the order of time, rows without a device last.
fn check_order(rows: &[Row]) {
    let last = rows.iter().rposition(|row| row.device != "N/A").expect("rows with a device");
    assert!(rows[..last].iter().all(|row| row.device != "N/A"));
    let launches: Vec<i64> =
        rows[..=last].iter().filter(|row| row.pointer == "N/A").map(|row| row.time).collect();
    assert!(launches.is_sorted());
    let memory: Vec<&Row> = rows[..=last].iter().filter(|row| row.pointer != "N/A").collect();
    let mut freed = Vec::new();
    let mut is_at_end = false;
    for block in memory.chunk_by(|_, after| after.event != "MALLOC") {
        assert_eq!(block[0].event, "MALLOC");
        let ids: BTreeSet<_> = block.iter().map(|row| row.key("allocation_id")).collect();
        assert_eq!(ids.len(), 1, "one block's rows stand together");
        assert!(block.is_sorted_by_key(|row| row.time));
        let (end, between) = block[1..].split_last().unwrap_or((&block[0], &[]));
        assert!(between.iter().all(|row| row.event == "ACCESS"));
        if end.event == "FREE" {
            assert!(!is_at_end, "what is never freed comes after all that is");
            freed.push(end.time);
        } else {
            is_at_end = true;
        }
    }
    assert!(freed.is_sorted() && !freed.is_empty());
}

#[test]
fn rows_stand_in_the_collectors_order() {
    check_order(&write(&bundled()).rows());
}

#[test]
fn every_version_has_its_own_ways() {
    for generation in Generation::ALL {
        let written = write(&Dump { generation, stacks: Stacks::None, ..Dump::new(1) });
        let connection = written.connection();
        let rows = rows(&connection);
        let at_least = |other: Generation| generation as u8 >= other as u8;
        let table = if at_least(Generation::Memscope2025) { "memscope_dump" } else { "leaks_dump" };
        assert_eq!(tables(&connection)[0], table);
        let malloc =
            rows.iter().find(|row| row.event == "MALLOC" && row.kind == "PTA").expect("a block");
        assert_eq!(malloc.pointer.starts_with("0x"), at_least(Generation::September2025));
        assert_eq!(malloc.pointer.len() == 18, at_least(Generation::September2025));
        assert_eq!(malloc.key("addr").as_ref(), Some(&malloc.pointer));
        assert_eq!(malloc.key("allocation_id").is_some(), at_least(Generation::August2025));
        let digits = if at_least(Generation::June2025) { 19 } else { 16 };
        assert!(rows.iter().all(|row| row.time.to_string().len() == digits));
        let free =
            rows.iter().find(|row| row.event == "FREE" && row.kind == "PTA").expect("a free");
        let size = free.key("size").expect("a size");
        assert_eq!(size.starts_with('-'), !at_least(Generation::August2025));
        let free =
            rows.iter().find(|row| row.event == "FREE" && row.kind == "HAL").expect("a free");
        assert_eq!(free.device == "N/A", !at_least(Generation::August2025));
        let is_first = !at_least(Generation::June2025);
        assert_eq!(free.key("MID"), is_first.then(|| "-1".to_owned()));
        let devices: BTreeSet<&str> = rows.iter().map(|row| row.device.as_str()).collect();
        assert_eq!(devices.contains("host"), !at_least(Generation::September2025));
        assert_eq!(devices.contains("cpu"), at_least(Generation::May2026));
        let count = columns(&connection, table).len();
        let always = at_least(Generation::November2025) || generation == Generation::April2025;
        assert_eq!(count, if always { 12 } else { 10 }, "{generation:?}");
        assert_eq!(tables(&connection).len() > 1, at_least(Generation::June2025));
        let owners: BTreeSet<String> = rows.iter().filter_map(|row| row.key("owner")).collect();
        let leveled = at_least(Generation::August2026);
        assert!(!owners.contains("PTA@weight"), "weights were there before");
        assert_eq!(owners.contains("PTA@gradient"), leveled);
        assert_eq!(
            owners.contains("PTA@model@gradient"),
            at_least(Generation::June2025) && !leveled
        );
    }
}

#[test]
fn columns_for_stacks_are_there_when_asked_for() {
    for (stacks, count) in
        [(Stacks::None, 10), (Stacks::Python, 11), (Stacks::C, 11), (Stacks::Both, 12)]
    {
        let written = write(&Dump { generation: Generation::August2025, stacks, ..Dump::new(1) });
        let columns = columns(&written.connection(), "leaks_dump");
        assert_eq!(
            columns,
            owned(&MODERN)
                .into_iter()
                .filter(|(name, _)| match name.as_str() {
                    "Call Stack(Python)" => matches!(stacks, Stacks::Python | Stacks::Both),
                    "Call Stack(C)" => matches!(stacks, Stacks::C | Stacks::Both),
                    _ => true,
                })
                .collect::<Vec<_>>()
        );
        assert_eq!(columns.len(), count);
        let malloc = written.rows().into_iter().find(|row| row.event == "MALLOC").expect("a block");
        assert!(malloc.stacks.iter().all(|stack| !stack.is_empty()));
    }
    let camel = write(&Dump { generation: Generation::CamelCase, ..Dump::new(1) });
    let names: Vec<String> =
        columns(&camel.connection(), "leaks_dump").into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names.join(" "),
        "id event eventType name timestamp processId threadId deviceId ptr attr callStackPython callStackC"
    );
}

#[test]
fn a_run_has_a_file_for_each_process_and_device() {
    let dump = Dump { scope: Scope::FilePerDevice, processes: 2, ..Dump::new(2) };
    let written = write(&dump);
    let names: Vec<&str> = written.truth.files.iter().map(|file| file.name.as_str()).collect();
    let name = |process: u32, device: &str| {
        format!(
            "msmemscope_{process}_20260527142210_ascend/device_{device}/dump/memscope_dump_20260527142210.db"
        )
    };
    assert_eq!(
        names,
        [
            name(2_621_226, "0"),
            name(2_621_226, "cpu"),
            name(2_621_233, "1"),
            name(2_621_233, "cpu")
        ]
    );
    let mut all = Vec::new();
    let mut traces = Vec::new();
    for file in &written.truth.files {
        let connection = open(&written.path.join(&file.name));
        let rows = rows(&connection);
        assert_eq!(rows.len() as u64, file.rows);
        assert_eq!(rows.iter().filter(|row| row.event == "SYSTEM").count(), 4);
        all.extend(rows);
        traces.extend(slices(&connection));
    }
    check(&all, &traces, &written.truth);
    // Before, there was one file whatever one asks for.
    let old = Dump { generation: Generation::September2025, ..dump };
    let written = write(&old);
    assert!(written.path.is_file());
    check(&written.rows(), &slices(&written.connection()), &written.truth);
}

#[test]
fn csv_says_the_same_as_the_database() {
    for generation in [Generation::April2025, Generation::May2026] {
        let dump = Dump { generation, ..Dump::new(1) };
        let stored = write(&dump).rows();
        let written = write(&Dump { format: Format::Csv, ..dump });
        let text = fs::read_to_string(&written.path).expect("text");
        let mut records = records(&text).into_iter();
        assert_eq!(
            records.next().expect("a header").join(","),
            "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,\
             Call Stack(Python),Call Stack(C)"
        );
        let records: Vec<Vec<String>> = records.collect();
        assert_eq!(records.len(), stored.len());
        for (record, row) in records.iter().zip(&stored) {
            assert_eq!(record.len(), 12);
            assert_eq!(record[0], row.id.to_string());
            let name = row.name.trim_matches('"');
            assert_eq!([&record[1], &record[2], &record[3]], [&row.event, &row.kind, name]);
            assert_eq!(record[4], row.time.to_string());
            assert_eq!([&record[7], &record[8]], [&row.device, &row.pointer]);
            let keys = row.keys().unwrap_or_default();
            assert_eq!(record[9].is_empty(), keys.is_empty());
            for (key, value) in keys {
                assert!(record[9].contains(&format!("{key}:{value}")), "{record:?}");
            }
            assert_eq!(record[10..], row.stacks[..]);
        }
        check_traces(&written.path, generation);
    }
}

fn check_traces(path: &Path, generation: Generation) {
    let trace = path.with_file_name("python_trace_20260527142210.csv");
    assert_eq!(trace.exists(), generation == Generation::May2026);
    if let Ok(text) = fs::read_to_string(trace) {
        assert!(
            text.starts_with("FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\nstart: /")
        );
        assert!(text.lines().all(|line| line.rsplit(',').count() >= 5));
    }
}

/// Splits text with quoted cells; two quotes in one do not occur.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut is_quoted = false;
    for char in text.chars() {
        let cells = records.last_mut().expect("a record");
        match char {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            '\n' if !is_quoted => records.push(vec![String::new()]),
            char => cells.last_mut().expect("a cell").push(char),
        }
    }
    records.pop();
    records
}
