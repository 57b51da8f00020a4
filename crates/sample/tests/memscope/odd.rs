//! Each oddity is in the file, and the truth about all else holds.

use std::collections::BTreeSet;

use sample::memscope::{Dump, Generation, Oddities};

use crate::read::{Row, Written, slices, tables, write};
use crate::truthful::check;

fn with(oddities: Oddities) -> Written {
    write(&Dump { oddities, ..Dump::new(2) })
}

/// The rows of an oddity, after all else was checked.
fn odd_rows(oddity: &str, oddities: Oddities) -> Vec<Row> {
    let written = with(oddities);
    let rows = written.rows();
    check(&rows, &slices(&written.connection()), &written.truth);
    let odd = &written.truth.odd;
    assert_eq!(odd.iter().map(|odd| odd.oddity.as_str()).collect::<Vec<_>>(), [oddity]);
    let ids: BTreeSet<i64> = odd[0].ids.iter().map(|id| *id as i64).collect();
    let odd: Vec<Row> = rows.into_iter().filter(|row| ids.contains(&row.id)).collect();
    assert_eq!(odd.len(), ids.len());
    odd
}

#[test]
fn a_plain_dump_has_nothing_odd() {
    assert_eq!(with(Oddities::default()).truth.odd, []);
}

#[test]
fn a_colon_in_a_label_shifts_keys() {
    let written = with(Oddities { owner_colon: true, ..Oddities::default() });
    let id = written.truth.odd[0].ids[0];
    let rows = written.rows();
    let row = rows.iter().find(|row| row.id as u64 == id).expect("the row");
    let keys = row.keys().expect("JSON all the same");
    assert_eq!(keys["owner"], "PTA@ops@aten@batch");
    assert_eq!(keys["PTA@ops@aten@batch"], "first");
    let block = written.truth.blocks.iter().find(|block| block.id == id).expect("the block");
    assert_eq!(block.owner.as_deref(), Some("PTA@ops@aten@batch:first"));
}

#[test]
fn a_quote_in_a_label_is_no_json() {
    let written = with(Oddities { owner_quote: true, ..Oddities::default() });
    let id = written.truth.odd[0].ids[0];
    let rows = written.rows();
    let row = rows.iter().find(|row| row.id as u64 == id).expect("the row");
    assert_eq!(row.keys(), None);
    let attr = row.attr.as_deref().expect("text");
    assert!(attr.ends_with(r#""owner":"PTA@ops@aten@the "first" batch"}"#), "{attr}");
    assert!(rows.iter().all(|row| row.id as u64 == id || row.keys().is_some()));
}

#[test]
fn an_access_lies_outside_of_its_block() {
    let rows = odd_rows("foreign_access", Oddities { foreign_access: true, ..Oddities::default() });
    let all = with(Oddities { foreign_access: true, ..Oddities::default() }).rows();
    let malloc = all.iter().find(|row| {
        row.event == "MALLOC" && row.key("allocation_id") == rows[0].key("allocation_id")
    });
    assert_eq!(rows[0].event, "ACCESS");
    assert_ne!(malloc.expect("its block").pointer, rows[0].pointer);
}

#[test]
fn accesses_know_no_block() {
    let rows =
        odd_rows("dangling_access", Oddities { dangling_access: true, ..Oddities::default() });
    assert_eq!(rows[0].pointer, "0x0000000000000000");
    assert_eq!(rows[1].pointer, "0x000012ff00000000");
    assert!(rows.iter().all(|row| row.event == "ACCESS"));
}

#[test]
fn an_address_is_taken_twice() {
    let rows = odd_rows("double_malloc", Oddities { double_malloc: true, ..Oddities::default() });
    assert_eq!((rows.len(), rows[0].event.as_str()), (1, "MALLOC"));
    let written = with(Oddities { double_malloc: true, ..Oddities::default() });
    let block = written.truth.blocks.iter().find(|block| {
        format!("{:#018x}", block.address) == rows[0].pointer
            && block.malloc_ns < rows[0].time as u64 - written.truth.zero_ns
            && block.free_ns.is_some_and(|free| free > rows[0].time as u64 - written.truth.zero_ns)
    });
    assert!(block.is_some(), "a block is there at that time");
}

#[test]
fn an_address_is_freed_that_is_not_taken() {
    let rows = odd_rows("free_only", Oddities { free_only: true, ..Oddities::default() });
    assert_eq!((rows.len(), rows[0].event.as_str()), (1, "FREE"));
}

#[test]
fn an_event_has_no_name() {
    let rows = odd_rows("unknown_event", Oddities { unknown_event: true, ..Oddities::default() });
    assert_eq!((rows[0].event.as_str(), rows[0].kind.as_str()), ("N/A", "N/A"));
}

#[test]
fn rows_are_made_up_at_start_and_end() {
    let written = with(Oddities { shadow: true, ..Oddities::default() });
    let rows = written.rows();
    check(&rows, &slices(&written.connection()), &written.truth);
    let made_up = |event: &str| {
        let made_up = rows.iter().filter(|row| row.event == event && row.key("shadow").is_some());
        made_up.cloned().collect::<Vec<Row>>()
    };
    let (births, deaths) = (made_up("MALLOC"), made_up("FREE"));
    // Eight layers of three weights, and the head's.
    assert_eq!(births.iter().filter(|row| row.kind == "PTA").count(), 8 * 3 + 1);
    assert!(births.iter().any(|row| row.kind == "HAL"));
    assert!(births.iter().all(|row| row.time as u64 == written.truth.zero_ns));
    assert!(births.iter().all(|row| row.key("owner").is_none() && row.key("total").is_none()));
    assert!(written.truth.pools.iter().all(|pool| pool.never_freed == 0));
    let stop = rows.iter().find(|row| row.kind == "STOP_TRACE").expect("the end").time;
    assert!(!deaths.is_empty() && deaths.iter().all(|row| row.time == stop + 10));
    assert_eq!(
        written.truth.pools.iter().map(|pool| pool.shadow_frees).sum::<u64>(),
        deaths.len() as u64
    );
}

#[test]
fn owners_come_in_levels() {
    let written = with(Oddities { level_tags: true, ..Oddities::default() });
    let owners: BTreeSet<String> =
        written.rows().iter().filter_map(|row| row.key("owner")).collect();
    for owner in
        ["PTA@weight", "PTA@gradient", "PTA@optimizer_state", "PTA@ops", "PTA@ops@leaks_mem"]
    {
        assert!(owners.contains(owner), "{owner}");
    }
    assert!(owners.iter().all(|owner| !owner.contains("model") && !owner.contains("aten")));
}

#[test]
fn two_processes_share_a_device_and_its_addresses() {
    let oddities = Oddities { shared_device: true, ..Oddities::default() };
    for generation in [Generation::August2025, Generation::May2026] {
        let written = write(&Dump { oddities, generation, processes: 2, ..Dump::new(2) });
        let rows = written.rows();
        check(&rows, &slices(&written.connection()), &written.truth);
        let of = |process: u32| {
            let own = rows.iter().filter(move |row| row.process == process && row.kind == "PTA");
            own.map(|row| (row.device.clone(), row.pointer.clone())).collect::<BTreeSet<_>>()
        };
        assert_eq!(of(2_621_226), of(2_621_233));
        let ids: BTreeSet<(u32, i64)> = rows.iter().map(|row| (row.process, row.id)).collect();
        assert_eq!(ids.len(), rows.len(), "an id is a row's only in its process");
    }
}

#[test]
fn a_trace_is_empty() {
    let written = with(Oddities { empty_trace: true, ..Oddities::default() });
    let connection = written.connection();
    assert!(tables(&connection).contains(&"python_trace_2621226".to_owned()));
    assert_eq!(slices(&connection), []);
    check(&written.rows(), &[], &written.truth);
}

#[test]
fn calls_are_open_at_start_and_end() {
    let written = with(Oddities::default());
    let slices = slices(&written.connection());
    let without = |start: bool, end: bool, prefix: &str| {
        slices.iter().any(|slice| {
            (slice.start == "N/A") == start
                && (slice.end == "N/A") == end
                && slice.name.starts_with(prefix)
        })
    };
    assert!(without(false, true, "start: /"));
    assert!(without(true, false, "stop: /"));
    assert!(without(false, true, "stop: /"));
    assert!(without(true, false, "/"));
    assert!(without(false, false, "nn.Module: Conv2d"));
    assert!(without(false, false, "<built-in method conv2d of type object at 0x"));
}

#[test]
fn a_lack_of_memory_and_snapshots_are_told() {
    let oddities = Oddities { out_of_memory: true, snapshots: true, ..Oddities::default() };
    let written = with(oddities);
    let rows = written.rows();
    check(&rows, &slices(&written.connection()), &written.truth);
    let kinds = |event: &str| {
        let of = rows.iter().filter(|row| row.event == event);
        of.map(|row| (row.kind.clone(), row.device.clone())).collect::<Vec<_>>()
    };
    let owned = |kind: &str, device: &str| (kind.to_owned(), device.to_owned());
    assert_eq!(kinds("SNAPSHOT"), [owned("SNAPSHOT", "0"), owned("SNAPSHOT", "0")]);
    assert_eq!(
        kinds("OOM_DETAIL"),
        ["OOM_TRIGGER", "OOM_RECENT_ALLOC", "OOM_TOP_ALLOC"].map(|kind| owned(kind, "N/A"))
    );
}

#[test]
fn a_table_was_made_again() {
    let written = with(Oddities { remade: true, ..Oddities::default() });
    let rows = written.rows();
    check(&rows, &slices(&written.connection()), &written.truth);
    assert!(rows.is_sorted_by_key(|row| row.id), "the key orders the rows");
    assert!(rows.iter().any(|row| row.attr.as_deref() == Some("")));
    let indexes: i64 = written
        .connection()
        .query_row("SELECT count(*) FROM sqlite_master WHERE type = 'index'", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(indexes, 3);
}

#[test]
fn attr_is_missing() {
    let rows = with(Oddities { null_attr: true, ..Oddities::default() }).rows();
    assert!(rows.iter().all(|row| row.attr.is_none()
        == (row.event == "OP_LAUNCH" && !row.kind.starts_with("ATB")
            || row.event == "MSTX"
            || row.event == "SYSTEM" && row.kind != "START_TRACE")));
}

#[test]
fn large_blocks_are_called_inefficient() {
    let written = with(Oddities { inefficient: true, ..Oddities::default() });
    let rows = written.rows();
    check(&rows, &slices(&written.connection()), &written.truth);
    for row in rows.iter().filter(|row| row.event == "MALLOC") {
        let is_large = row.kind == "PTA" && row.size() >= 1 << 20;
        let said = row.key("inefficient_type");
        assert_eq!(said.as_deref(), is_large.then_some("early_allocation,late_deallocation"));
    }
}

#[test]
fn every_oddity_has_a_name_that_switches_it_alone() {
    for name in Oddities::names() {
        let odd = Oddities::default().and(name).expect("a known name");
        assert!(format!("{odd:?}").contains(&format!("{name}: true")), "{odd:?}");
        assert_eq!(format!("{odd:?}").matches("true").count(), 1, "{odd:?}");
    }
    assert_eq!(
        format!("{:?}", Oddities::default()).matches("false").count(),
        Oddities::names().count()
    );
    assert_eq!(Oddities::default().and("nothing"), None);
}

#[test]
fn owners_and_calls_are_markup() {
    let written = with(Oddities { markup: true, ..Oddities::default() });
    let slices = slices(&written.connection());
    check(&written.rows(), &slices, &written.truth);
    let owners = written.truth.blocks.iter().filter_map(|block| block.owner.as_deref());
    // The collector names the driver's memory itself.
    let named: Vec<&str> = owners.filter(|owner| owner.starts_with("PTA@")).collect();
    assert!(!named.is_empty());
    assert_eq!(named.iter().find(|owner| !owner.ends_with(sample::MARKUP)), None);
    assert!(slices.iter().any(|slice| slice.name.ends_with(sample::MARKUP)));
}

#[test]
fn stacks_are_quoted() {
    let rows = with(Oddities { quoted_stacks: true, ..Oddities::default() }).rows();
    let malloc = rows.iter().find(|row| row.event == "MALLOC").expect("a block");
    assert!(malloc.stacks[0].starts_with('"') && malloc.stacks[0].ends_with('"'));
}

#[test]
fn a_file_can_be_read_only() {
    let written = with(Oddities { read_only: true, ..Oddities::default() });
    assert!(std::fs::metadata(&written.path).expect("a file").permissions().readonly());
    check(&written.rows(), &slices(&written.connection()), &written.truth);
}
