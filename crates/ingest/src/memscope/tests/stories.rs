//! What follows from rows: pairs, accesses, owners, ranges.

use super::made::{BEGIN, Row, access, database, free, malloc, row, trace};
use super::*;
use WarningKind::{Contradiction, MissingField, UnknownAccess, UnmatchedFree};

fn read(rows: &[Row]) -> Recording {
    open(&database(rows).path).unwrap()
}

/// What `rows` say, after a first row that sets the clock.
fn told(rows: &[Row]) -> Vec<String> {
    drawn::tables(&read_from_start(rows))
}

fn read_from_start(rows: &[Row]) -> Recording {
    let mut all = vec![row("SYSTEM", "ACL_INIT", 0).on("N/A")];
    all.extend_from_slice(rows);
    read(&all)
}

#[test]
fn memory_allocated_where_a_block_is_ends_that_block() {
    let rows = [malloc(1, 0x10, 8, 1), malloc(3, 0x10, 4, 2), free(5, 0x10, 4, 2)];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1..3#1 10+4@3..5#2"]);
    assert_eq!(&recording.devices[0].counters.allocated[..], [0, 8, 4, 0]);
    assert_eq!(warned(&recording), [(Contradiction, 1)]);
}

#[test]
fn a_free_alone_tells_of_a_block_from_before_if_it_has_a_size() {
    let rows = [
        free(1, 0x20, 8, 9),
        free(2, 0x10, -16, 0),
        free(3, 0x30, 0, 0),
        free(4, 0x10, 16, 0),
        malloc(5, 0x30, 4, 10),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+16@..2 20+8@..1#9 30+4@5..#10"]);
    assert_eq!(&recording.devices[0].counters.allocated[..], [24, 16, 0, 4]);
    assert_eq!(&recording.devices[0].block_of_event[..], [1, 0, 2]);
    // One without size, one of memory that is free already.
    assert_eq!(warned(&recording), [(UnmatchedFree, 2)]);
}

#[test]
fn a_drivers_free_without_device_goes_where_the_block_is() {
    let old = |row: Row, device: &str| row.of("HAL").on(device);
    let rows = [
        old(malloc(1, 0x10, 8, 0), "1"),
        old(malloc(2, 0x10, 8, 0), "host").by(8),
        old(free(3, 0x10, 0, 0), "N/A"),
        old(free(4, 0x20, 0, 0), "N/A"),
        old(free(5, 0x10, 0, 0), "N/A").by(8),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["1 HAL 7: 10+8@1..3", "host HAL 8: 10+8@2..5"]);
    assert_eq!(warned(&recording), [(UnmatchedFree, 1)]);
}

#[test]
fn tables_come_by_device_then_pool_then_process() {
    let on = |device: &str, pool: &str, process, time| {
        malloc(time, 0x10, 8, 0).of(pool).on(device).by(process)
    };
    let rows = [
        on("host", "HOST", 7, 1),
        on("10", "ZZZ", 7, 2),
        on("cpu", "HOST_PINNED", 7, 3),
        on("10", "HAL", 9, 4),
        on("10", "HAL", 8, 5),
        on("2", "ATB", 7, 6),
        on("2", "PTA", 7, 7),
        on("2", "PTA_WORKSPACE", 7, 8),
        on("2", "MINDSPORE", 7, 9),
    ];
    let recording = read(&rows);
    let names: Vec<_> = recording.devices.iter().map(|table| called(&recording, table)).collect();
    assert_eq!(
        names,
        [
            "2 PTA 7",
            "2 PTA_WORKSPACE 7",
            "2 ATB 7",
            "2 MINDSPORE 7",
            "10 HAL 8",
            "10 HAL 9",
            "10 ZZZ 7",
            "cpu HOST_PINNED 7",
            "host HOST 7"
        ]
    );
}

#[test]
fn two_processes_may_have_blocks_at_one_address() {
    let rows = [
        malloc(1, 0x10, 8, 1),
        malloc(2, 0x10, 4, 1).by(8),
        access(3, 0x10, 1).by(8),
        free(4, 0x10, 8, 1),
    ];
    assert_eq!(told(&rows), ["0 PTA 7: 10+8@1..4#1", "0 PTA 8: 10+4@2..#1!3/0"]);
}

#[test]
fn rows_written_when_a_block_ends_are_put_where_they_were() {
    let rows = [
        malloc(2, 0x20, 4, 2),
        free(3, 0x20, 4, 2),
        malloc(1, 0x10, 8, 1),
        access(2, 0x10, 1),
        free(9, 0x10, 8, 1),
        row("SYSTEM", "ACL_INIT", 0).on("N/A"),
    ];
    let recording = read(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1..9#1!2/0 20+4@2..3#2"]);
    assert!(dump(&recording).rows.time_ns.is_sorted());
}

#[test]
fn at_one_moment_the_id_then_the_file_decides() {
    let at = |id, row: Row| Row { id, time: 5, ..row };
    let rows = [
        at(3, malloc(0, 0x10, 4, 2)),
        at(2, free(0, 0x10, 8, 1)),
        at(1, malloc(0, 0x10, 8, 1)),
        at(3, free(0, 0x10, 4, 2)),
    ];
    assert_eq!(told(&rows), ["0 PTA 7: 10+8@5..5#1 10+4@5..5#2"]);
}

#[test]
fn accesses_count_also_within_a_block() {
    let rows = [
        malloc(1, 0x1000, 0x100, 1),
        access(2, 0x1000, 1),
        // A view, by number and by address.
        access(5, 0x1080, 1),
        access(6, 0x10ff, 0),
        // Just behind it; a number that is nothing; after its end.
        access(7, 0x1100, 1),
        access(8, 0x5000, 99),
        free(9, 0x1000, 0x100, 1),
        access(10, 0x1000, 1),
        // Its memory again, for somebody else.
        malloc(11, 0x1000, 0x10, 2),
        access(12, 0x1000, 0),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 1000+256@1..9#1!2,5,6/3 1000+16@11..#2!12/0"]);
    assert_eq!(warned(&recording), [(UnknownAccess, 3)]);
}

#[test]
fn an_access_prefers_the_pool_it_names() {
    let to = |time, pool: &str| {
        access(time, 0x18, 0).attr(&format!(r#"{{"allocation_id":"0","type":"{pool}"}}"#))
    };
    let rows = [
        malloc(1, 0x10, 16, 0).of("HAL"),
        malloc(2, 0x10, 16, 0).of("ATB"),
        malloc(3, 0x10, 16, 0).of("PTA"),
        to(4, "ATB"),
        to(5, "PTA"),
        to(6, ""),
        // Not on this device.
        to(7, "PTA").on("1"),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(
        drawn::tables(&recording),
        ["0 PTA 7: 10+16@3..!5,6/1", "0 ATB 7: 10+16@2..!4/0", "0 HAL 7: 10+16@1.."]
    );
    assert_eq!(warned(&recording), [(UnknownAccess, 1)]);
}

#[test]
fn an_access_without_address_is_known_by_its_number() {
    let rows = [malloc(1, 0x10, 8, 1), access(2, 0, 1), access(3, 0, 0)];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1..#1!2/0"]);
    assert_eq!(warned(&recording), [(UnknownAccess, 1)]);
}

#[test]
fn owners_are_kept_whole_however_odd() {
    let owned = |time: i64, rest: &str| {
        malloc(time, 0x10 * time as u64, 8, 0).attr(&format!(r#"{{"size":"8",{rest}}}"#))
    };
    let rows = [
        owned(1, r#""owner":"PTA@ops@aten@leaks_mem""#),
        owned(2, r#""owner":"PTA@vllm@kv_cache@attn""#),
        owned(3, r#""owner":"PTA@my:label""#),
        // The same as the collector's splitter leaves it.
        owned(4, r#""owner":"PTA@my","PTA@my":"label""#),
        owned(5, r#""owner":"PTA@my"label","inefficient_type":"a,b""#),
        owned(6, r#""owner":"PTA@my\label""#),
        owned(7, r#""owner":"""#),
    ];
    let recording = read_from_start(&rows);
    let owners = [
        "PTA@ops@aten@leaks_mem",
        "PTA@vllm@kv_cache@attn",
        "PTA@my:label",
        "PTA@my:label",
        "PTA@my\"label",
        "PTA@my\\label",
        "",
    ];
    let blocks: Vec<_> =
        (1..).zip(owners).map(|(time, owner)| format!("{time}0+8@{time}..{owner}")).collect();
    assert_eq!(drawn::tables(&recording), [format!("0 PTA 7: {}", blocks.join(" "))]);
    assert_eq!(warned(&recording), [(WarningKind::BadValue, 2)]);
    // None, and five that differ.
    assert_eq!(dump(&recording).owners.len(), 6);
}

#[test]
fn what_the_collector_made_up_is_marked() {
    let shadow = |row: Row| {
        let attr = row.attr.replace('}', r#","shadow":"true"}"#);
        row.attr(&attr)
    };
    let rows = [shadow(malloc(1, 0x10, 8, 1)), malloc(2, 0x20, 8, 2), shadow(free(3, 0x20, 8, 2))];
    assert_eq!(told(&rows), ["0 PTA 7: 10+8@1..#1s 20+8@2..3#2S"]);
}

#[test]
fn a_pools_own_figures_are_carried_forward() {
    let says = |row: Row, rest: &str| {
        let attr = row.attr.replace('}', &format!(",{rest}}}"));
        row.attr(&attr)
    };
    let rows = [
        says(malloc(1, 0x10, 8, 1), r#""total":"100","used":"50""#),
        malloc(2, 0x20, 8, 2),
        says(free(3, 0x10, 8, 1), r#""total":"90","used":"49""#),
    ];
    let recording = read_from_start(&rows);
    let table = &recording.devices[0];
    let track = table.track.as_deref().unwrap();
    assert!(track.has_used && track.has_total);
    assert_eq!(&table.counters.active[..], [42, 50, 50, 49]);
    assert_eq!(&table.counters.reserved[..], [100, 100, 100, 90]);

    // Pinned memory states the process's, not the pool's.
    let rows = [says(malloc(1, 0x10, 8, 1), r#""pinned":"true","used":"50""#)];
    let recording = read_from_start(&rows.map(|row| row.of("HOST_PINNED").on("cpu")));
    let table = &recording.devices[0];
    assert!(!table.track.as_deref().unwrap().has_used);
    assert_eq!(&table.counters.active[..], [0, 8]);
}

#[test]
fn rows_without_time_or_address_are_counted() {
    let mut timeless = malloc(2, 0x20, 8, 0);
    timeless.time = -BEGIN;
    let rows = [malloc(1, 0x10, 8, 0), timeless, Row { ptr: None, ..malloc(3, 0, 8, 0) }];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@1.."]);
    assert_eq!(warned(&recording), [(MissingField, 1), (MissingField, 1)]);
}

#[test]
fn marks_become_ranges_steps_and_moments() {
    let mark = |time, event_type: &str, name: &str| row("MSTX", event_type, time).named(name);
    let rows = [
        row("SYSTEM", "START_TRACE", 1).on("N/A"),
        malloc(2, 0x10, 8, 1),
        mark(3, "STEP", "1"),
        mark(4, "Range_start", "\"\"outer\"\""),
        mark(5, "Range_start", "\"outer\""),
        mark(6, "Mark", "\"here\""),
        mark(7, "Range_end", "\"outer\""),
        mark(9, "STEP", "2"),
        mark(10, "Range_end", "\"outer\""),
        mark(11, "Range_end", "lost"),
        row("SNAPSHOT", "SNAPSHOT", 12).named("mine"),
        row("OOM_DETAIL", "OOM_TRIGGER", 13).on("N/A").named("OOM_Trigger"),
        row("OOM_DETAIL", "OOM_TOP_ALLOC", 13).on("N/A").named("OOM_TopAlloc"),
        row("SYSTEM", "STOP_TRACE", 14).on("N/A"),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(
        drawn::annotations(&recording),
        [
            "Step step 1 @0 0..3 ^0",
            "Switch START_TRACE @all 1..1 ^0",
            "Step step 2 @0 3..9 ^0",
            "Range outer @0 4..10 ^0",
            "Range outer @0 5..7 ^2",
            "Range here @0 6..6 ^3",
            "Range lost @0 ..11 ^0",
            "Snapshot mine @0 12..12 ^0",
            "Oom OOM_Trigger @all 13..13 ^0",
            "Switch STOP_TRACE @all 14..14 ^0",
        ]
    );
    assert_eq!(warned(&recording), [(WarningKind::UnpairedAnnotation, 1)]);
}

#[test]
fn ends_that_only_have_a_number_end_the_start_of_that_number() {
    let mark = |time, event_type: &str, name: &str| row("MSTX", event_type, time).named(name);
    let rows = [
        malloc(1, 0x10, 8, 1),
        mark(2, "Range_start", "a"),
        mark(3, "Range_start", "b"),
        mark(4, "Range_end", "Range end from id 1"),
        mark(5, "Range_end", "Range end from id 2"),
    ];
    let recording = read_from_start(&rows);
    assert_eq!(drawn::annotations(&recording), ["Range a @0 2..4 ^0", "Range b @0 3..5 ^0"]);
    // Where starts were lost, numbers say nothing.
    let rows = [
        malloc(1, 0x10, 8, 1),
        mark(2, "Range_start", "a"),
        mark(3, "Range_end", "Range end from id 12"),
    ];
    assert_eq!(drawn::annotations(&read_from_start(&rows)), ["Range a @0 2..3 ^0"]);
}

#[test]
fn traces_are_read_by_thread_with_times_as_numbers() {
    let made = database(&[malloc(1, 0x10, 8, 1), row("SYSTEM", "STOP_TRACE", 900).on("N/A")]);
    let at = |time: i64| (BEGIN + time).to_string();
    trace(
        &made.path,
        "python_trace_7",
        &[
            ("start: a.py(1): <module>", &at(0), "N/A"),
            ("b.py(2): f", &at(100), &at(300)),
            ("<built-in method randn>", &at(100), &at(200)),
            ("stop: c.py(3): g", "N/A", &at(50)),
            ("nn.Module: Conv2d", &at(400), &at(350)),
        ],
    );
    trace(&made.path, "python_trace_8", &[]);
    made::table(&made.path, "python_trace", &["name", "depth"], &[]);
    let recording = open(&made.path).unwrap();
    assert_eq!(
        drawn::threads(&recording),
        ["7 70: start: a.py(1): <module> 0..900@0 2; stop: c.py(3): g 0..50@1 1; \
             b.py(2): f 100..300@1 0; <built-in method randn> 100..200@2 0; \
             nn.Module: Conv2d 350..400@1 0"]
    );
    let kinds = [(WarningKind::UnknownKey, 1), (WarningKind::BadValue, 1)];
    assert_eq!(warned(&recording), kinds);
    assert_eq!(recording.zero_ns, BEGIN);
}
