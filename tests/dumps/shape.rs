//! A generated dump that has the sums known of a large real one which is lost: each of the numbers
//! that are known of it, through the command line and the wire.

use super::held::{add_up, of_kind};
use super::{answered, exported, printed};
use acceptance::{info, open};
use sample::memscope::shape::{ASKED_NS, write_in};
use session::Session;
use std::path::PathBuf;
use tempfile::TempDir;
use wire::{Decomposition, PartKind, Summary, ThreadReport, Whole};

struct Shape {
    path: PathBuf,
    summary: Summary,
    _folder: TempDir,
}

impl Shape {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = write_in(folder.path()).unwrap();
        let summary = info(&path);
        Self { path, summary, _folder: folder }
    }

    /// The row of a pool.
    fn row(&self, pool: &str) -> usize {
        let is_it = |name: &str| name == format!("npu:1 {pool}");
        self.summary.devices.iter().position(|device| is_it(&device.name)).unwrap()
    }

    fn session(&self) -> Session {
        open(&self.path)
    }
}

#[test]
fn the_span_and_the_counts_are_those_known() {
    let shape = Shape::new();
    let dump = shape.summary.dump.as_ref().unwrap();
    let zero: u64 = 1_754_448_083_902_750_070;
    assert_eq!(dump.zero_ns, zero.to_string());
    assert_eq!(zero + dump.length_us.0 as u64, 1_754_448_132_413_582_150);
    assert_eq!(dump.processes, [2_621_226]);
    let names: Vec<&str> = shape.summary.devices.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for (pool, blocks, points) in [("PTA", 3267, Some(6534)), ("HAL", 96, None)] {
        let device = &shape.summary.devices[shape.row(pool)];
        assert_eq!((device.blocks, device.blocks_before), (blocks, 0), "{pool}");
        if let Some(points) = points {
            assert_eq!(device.events, points, "{pool}");
        }
    }
    // Of both pools the same: the table of events is one of the device, and of rows about none.
    for pool in ["PTA", "HAL"] {
        let rows = exported(&shape.path, "events", shape.row(pool), "device,time_ns");
        let own: Vec<i64> =
            rows.iter().filter(|row| row[0] == "1").map(|row| row[1].parse().unwrap()).collect();
        assert_eq!((own.len(), own.iter().min()), (33_882, Some(&4_454_383_900)));
    }
}

#[test]
fn two_threads_were_traced() {
    let shape = Shape::new();
    let reports: Vec<ThreadReport> = answered("trace", &shape.path, &[]);
    let ids: Vec<_> = reports.iter().map(|it| (it.thread.process, it.thread.thread)).collect();
    assert_eq!(ids, [(2_621_226, 2_621_226), (2_621_226, 2_622_898)]);
    // Of two names that are known, one is a call of the other.
    let names: Vec<&str> = reports[0].functions.iter().map(|it| it.name.as_str()).collect();
    assert!(names.contains(&"/data/train/test.py(31): train"), "{names:?}");
}

#[test]
fn the_sums_at_20_seconds_are_those_known() {
    let shape = Shape::new();
    let at = |pool: &str, at: &str| -> Decomposition {
        let row = shape.row(pool).to_string();
        answered("decompose", &shape.path, &["--device", &row, "--at", at])
    };
    let (hal, pta) = (at("HAL", "20s"), at("PTA", "20s"));
    for found in [&hal, &pta] {
        add_up(found);
        assert_eq!(found.at_ns as u64, ASKED_NS);
    }
    assert_eq!(hal, at("HAL", "20000000000"));
    assert_eq!(pta, at("PTA", "1754448103902750070"));
    let bytes = |found: &Decomposition, tag: &str| of_kind(found, PartKind::Owner)[tag].0;
    // All that the driver gave is the CANN's.
    assert_eq!((hal.parts[0].bytes, bytes(&hal, "CANN")), (187_076_614, 187_076_614));
    assert_eq!(bytes(&pta, "PTA@model") + bytes(&pta, "PTA@ops"), 142_264_320);
    assert_eq!((bytes(&pta, "PTA@model"), bytes(&pta, "PTA@ops")), (95_234_560, 47_029_760));
    assert_eq!(bytes(&pta, "PTA"), 142_264_320);
    let owners: Vec<String> = of_kind(&pta, PartKind::Owner).into_keys().collect();
    let known = ["PTA@model@weight", "PTA@ops@aten", "PTA@ops@aten@leaks_mem"];
    assert!(known.iter().all(|tag| owners.iter().any(|owner| owner == tag)), "{owners:?}");
    // The whole is what the process holds of the device, of which the pool is a part.
    assert_eq!((pta.whole, pta.parts[0].bytes), (Whole::Process, 187_076_614));
}

#[test]
fn known_blocks_are_there() {
    let shape = Shape::new();
    let row = shape.row("PTA");
    let columns = "address,size,owner,allocation_id,malloc_time_ns,free_time_ns,accesses";
    let blocks = exported(&shape.path, "blocks", row, columns);
    let small = |cells: &&Vec<String>| cells[1].parse::<u64>().unwrap() < 60_000;
    let first = blocks.iter().find(small).unwrap();
    assert_eq!((first[1].as_str(), first[4].as_str()), ("37888", "13350166480"));
    assert_eq!(first[5], "45422237070");
    let group: Vec<_> = blocks.iter().filter(|cells| cells[3] == "1910").collect();
    assert_eq!((group.len(), group[0][6].as_str()), (1, "3"));
    let known: Vec<_> = blocks.iter().filter(|cells| cells[3] == "255").collect();
    let address = format!("{:#x}", 20_616_964_997_120_u64);
    assert_eq!(known[0][..3], [address.as_str(), "2359808", "PTA@model@weight"]);
    let early = |cells: &&Vec<String>| cells[4].parse::<u64>().unwrap() <= ASKED_NS;
    assert_eq!(blocks.iter().filter(early).filter(small).count(), 269);
}

#[test]
fn rows_up_to_20_seconds_are_as_many_as_known() {
    let shape = Shape::new();
    let count = |words: &[&str]| -> u32 {
        let row = shape.row("PTA").to_string();
        let text = printed(
            "export",
            &shape.path,
            &[&["events", "--count", "--device", &row], words].concat(),
        );
        let statistics: wire::TableStatistics = serde_json::from_str(&text).unwrap();
        statistics.count
    };
    let early = "--between=time_ns=0..20000000000";
    let own = "--contains=device=1";
    assert_eq!(count(&[early, own]), 2927);
    assert_eq!(count(&[early, own, "--contains=attr=PTA"]), 649);
    assert_eq!(count(&[early, own, "--contains=event_type=PTA"]), 324);
    // The points of the pool's curve are its states.
    let session = shape.session();
    let on = session.device(shape.row("PTA")).unwrap();
    assert_eq!(on.state_at_ns(ASKED_NS as i64).0, 324);
}
