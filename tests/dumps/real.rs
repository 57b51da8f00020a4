//! Real dumps, with counts and sums that were made of them by other means: SQL over the file, and a
//! walk over its rows in Python.
//!
//! `TIDEMARK_CORPUS` names the folder; without it, `../shared/corpus` beside the repository.

use super::held::add_up;
use super::{answered, cells, exported, printed};
use acceptance::{info, open, outside};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wire::{Decomposition, DeviceSummary, PartKind, Summary, Whole};

/// A file of the corpus, or nothing to test.
fn real(name: &str) -> Option<PathBuf> {
    let path = outside("TIDEMARK_CORPUS", "../shared/corpus")?.join("memscope").join(name);
    assert!(path.is_file(), "{} is not in the corpus", path.display());
    Some(path)
}

/// What is counted of a pool: allocations, frees, blocks from before, blocks never freed; bytes at
/// the end and at the peak, and when that is, in nanoseconds.
type Counted = (&'static str, [u32; 4], [u64; 2], i64);

fn pools_are(summary: &Summary, expected: &[Counted]) {
    let names: Vec<&str> = summary.devices.iter().map(|device| device.name.as_str()).collect();
    assert_eq!(names, expected.iter().map(|pool| pool.0).collect::<Vec<_>>());
    for (device, (name, counts, bytes, peak_ns)) in summary.devices.iter().zip(expected) {
        let action = |word| count(device, word);
        let found = [
            action("alloc"),
            action("free_completed"),
            device.blocks_before,
            device.end_active.count,
        ];
        assert_eq!(found, *counts, "{name}");
        let peak = device.peak.allocated;
        assert_eq!([device.end.allocated, peak.bytes], *bytes, "{name}");
        assert_eq!(peak.time_us.map(|time| time.0), Some(*peak_ns), "{name}");
    }
}

fn count(device: &DeviceSummary, word: &str) -> u32 {
    device.actions.iter().find(|action| action.action == word).map_or(0, |action| action.count)
}

/// Rows by `Event`, kind and device of the whole file: those of one pool's device and of no device
/// are in its table, so the tables of a pool of each device have all.
fn rows(path: &std::path::Path, summary: &Summary) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut seen: Vec<&str> = Vec::new();
    for (row, device) in summary.devices.iter().enumerate() {
        let own = device.track.as_ref().unwrap().device.as_str();
        if seen.contains(&own) {
            continue;
        }
        for cells in exported(path, "events", row, "event,event_type,device") {
            if cells[2] == own || seen.is_empty() {
                *found.entry(cells.join(" ")).or_default() += 1;
            }
        }
        seen.push(own);
    }
    found
}

#[test]
fn a_run_of_2025_with_two_processes() {
    let Some(path) = real("leaks_dump_2025.dat") else { return };
    let summary = info(&path);
    let dump = summary.dump.as_ref().unwrap();
    assert_eq!((dump.rows, dump.processes.as_slice()), (15_349, &[1_528_642, 1_528_643][..]));
    // Microseconds, though the column says nanoseconds: the run took 22.9 seconds, not 22.9 ms.
    assert_eq!(dump.zero_ns, "1746671066962156000");
    assert_eq!(dump.length_us.0, 22_933_205_000);
    assert!(!dump.has_python_stacks && !dump.has_c_stacks && dump.threads == 0);
    // All 217 frees of HAL name no device: each is matched with its block.
    pools_are(
        &summary,
        &[
            ("npu:0 PTA (process 1528642)", [2270, 2270, 0, 0], [0, 20_428_800], 16_385_690_000),
            (
                "npu:0 HAL (process 1528642)",
                [85, 83, 0, 2],
                [4_194_304, 517_099_200],
                16_380_974_000,
            ),
            ("npu:1 PTA (process 1528642)", [50, 50, 0, 0], [0, 209_715_200], 17_980_760_000),
            ("npu:1 PTA (process 1528643)", [2320, 2320, 0, 0], [0, 216_441_344], 17_952_746_000),
            (
                "npu:1 HAL (process 1528642)",
                [26, 16, 0, 10],
                [209_715_200, 237_047_814],
                17_851_636_000,
            ),
            (
                "npu:1 HAL (process 1528643)",
                [98, 83, 0, 15],
                [249_561_088, 762_433_216],
                17_952_659_000,
            ),
            ("host HAL (process 1528642)", [20, 20, 0, 0], [0, 22_687_776], 16_365_087_000),
            ("host HAL (process 1528643)", [15, 15, 0, 0], [0, 11_345_984], 16_111_781_000),
        ],
    );
    let expected = [
        ("FREE HAL N/A", 217),
        ("FREE PTA 0", 2270),
        ("FREE PTA 1", 2370),
        ("KERNEL_LAUNCH KERNEL_LAUNCH 0", 2701),
        ("KERNEL_LAUNCH KERNEL_LAUNCH 1", 2701),
        ("MALLOC HAL 0", 85),
        ("MALLOC HAL 1", 124),
        ("MALLOC HAL host", 35),
        ("MALLOC PTA 0", 2270),
        ("MALLOC PTA 1", 2370),
        ("MSTX Mark 0", 2),
        ("MSTX Mark 1", 2),
        ("MSTX Range_end 0", 49),
        ("MSTX Range_end 1", 49),
        ("MSTX Range_start 0", 50),
        ("MSTX Range_start 1", 50),
        ("SYSTEM acl finalize N/A", 2),
        ("SYSTEM acl init N/A", 2),
    ];
    assert_eq!(rows(&path, &summary), expected.map(|(kind, rows)| (kind.to_owned(), rows)).into());
}

#[test]
fn sizes_below_zero_are_those_of_frees() {
    let Some(path) = real("leaks_dump_2025.dat") else { return };
    let pta = ["0", "2", "3"];
    let mut freed = 0;
    for device in pta {
        let text = printed(
            "export",
            &path,
            &["blocks", "--device", device, "--columns", "size,free_time_ns,lifetime_ns"],
        );
        for cells in &cells(&text)[1..] {
            let [size, free, lifetime] = [0, 1, 2].map(|cell| cells[cell].parse::<i64>());
            assert!(size.unwrap() > 0 && lifetime.unwrap() >= 0);
            freed += i32::from(free.is_ok());
        }
    }
    // Each of the 4640 frees whose size is negative ends a block.
    assert_eq!(freed, 4640);
}

/// The tool that comes with the collector shows 0 as the allocation of each block that was never
/// freed, and an end of its life that is not in the file.
#[test]
fn pinned_memory_that_is_never_freed_keeps_its_allocation_ids() {
    let Some(path) = real("memscope_dump_20260527062213.db") else { return };
    let summary = info(&path);
    let dump = summary.dump.as_ref().unwrap();
    assert_eq!((dump.rows, dump.processes.as_slice()), (10, &[1_116_991][..]));
    assert_eq!(dump.zero_ns, "1779862930549834990");
    assert_eq!(dump.length_us.0, 2_611_081_130);
    assert!(dump.has_python_stacks && dump.has_c_stacks);
    // 6 356 992 + 1 966 080 + 3 018 752, and once more the same; 3 018 752 are freed 25 µs after the
    // last allocation.
    pools_are(
        &summary,
        &[("cpu HOST_PINNED", [6, 1, 0, 5], [19_664_896, 22_683_648], 2_304_079_160)],
    );
    let blocks = exported(&path, "blocks", 0, "allocation_id,size,free_time_ns,lifetime_ns");
    let unfreed: Vec<&str> =
        blocks.iter().filter(|row| row[2].is_empty()).map(|row| row[0].as_str()).collect();
    assert_eq!(unfreed, ["4", "6", "19", "21", "23"]);
    let freed: Vec<_> = blocks.iter().filter(|row| !row[2].is_empty()).collect();
    assert_eq!(*freed[0], ["8", "3018752", "2304104160", "621788730"]);
    let at = |at: &str| -> Decomposition { answered("decompose", &path, &["--at", at]) };
    for (moment, bytes) in [("start", 0), ("peak", 22_683_648), ("end", 19_664_896)] {
        let found = at(moment);
        add_up(&found);
        assert_eq!(found.parts[0].bytes, bytes, "{moment}");
    }
    // By the wire: also the stacks of Python and C.
    let session = open(&path);
    let block = wire::block(&session, 0, 0).unwrap();
    let told = block.dump.as_ref().unwrap();
    assert_eq!((told.allocation_id, told.malloc_id, told.free_id), (4, Some(5), None));
    assert!(told.c_stack.as_deref().is_some_and(|stack| stack.contains("halMemAlloc+0x118")));
    assert_eq!(block.alloc_stack.frames[0].name, "__torch_dispatch__");
    assert_eq!(block.alloc_stack.frames[0].line, Some(174));
}

#[test]
fn a_text_of_early_2025_that_was_cut_short() {
    let Some(path) = real("memscope_dump_20250428113810.csv") else { return };
    let summary = info(&path);
    let dump = summary.dump.as_ref().unwrap();
    assert_eq!((dump.rows, dump.zero_ns.as_str()), (330, "1746006014162153000"));
    assert_eq!(dump.length_us.0, 10_421_813_000);
    pools_are(
        &summary,
        &[
            (
                "npu:0 PTA (process 2523738)",
                [226, 7, 0, 219],
                [3_649_536, 3_663_360],
                10_418_834_000,
            ),
            (
                "npu:0 HAL (process 2523738)",
                [24, 0, 0, 24],
                [37_027_306, 37_027_306],
                10_421_813_000,
            ),
            ("npu:0 HAL (process 2523740)", [12, 0, 0, 12], [23_138_306, 23_138_306], 219_978_000),
            // Four blocks were there before: only their frees are in the file.
            ("npu:1 PTA (process 2523740)", [15, 7, 4, 12], [110_080, 123_904], 10_418_860_000),
            ("npu:1 HAL (process 2523740)", [2, 0, 0, 2], [18_907_136, 18_907_136], 10_421_764_000),
            ("host HAL (process 2523738)", [4, 3, 0, 1], [4_096, 4_096], 9_586_093_000),
            ("host HAL (process 2523740)", [6, 3, 0, 3], [11_341_824, 11_342_592], 8_425_879_000),
        ],
    );
    // Three frees of HAL are of memory that no row allocates.
    let remark = summary.remarks.iter().find(|remark| remark.code == "unmatched_free");
    assert_eq!(remark.map(|remark| remark.count), Some(3));
}

#[test]
fn texts_of_late_2025() {
    for (name, rows, length_ns, pools) in [
        (
            "example_baseline.csv",
            121,
            539_152_500,
            [
                ("npu:0 PTA", [18, 14, 0, 4], [3_072, 16_781_824], 530_898_340),
                ("npu:0 HAL", [5, 2, 0, 3], [7_009_972, 25_884_340], 520_387_590),
            ],
        ),
        (
            "example_leaks.csv",
            130,
            595_616_810,
            [
                ("npu:0 PTA", [20, 14, 0, 6], [8_003_584, 20_782_080], 564_591_670),
                ("npu:0 HAL", [5, 1, 0, 4], [25_884_340, 44_758_708], 564_567_730),
            ],
        ),
    ] {
        let Some(path) = real(name) else { return };
        let summary = info(&path);
        let dump = summary.dump.as_ref().unwrap();
        assert_eq!((dump.rows, dump.length_us.0), (rows, length_ns), "{name}");
        pools_are(&summary, &pools);
        assert!(summary.remarks.is_empty(), "{:?}", summary.remarks);
    }
}

/// After the last rows of PTA, `total:20971520,used:3072` and `total:39845888,used:8003584`; the last
/// of HAL come later. No owner is written: what the pool handed out is its own.
#[test]
fn the_whole_is_what_the_driver_gave_and_what_a_pool_keeps_is_a_part() {
    for (name, whole, held, used) in [
        ("example_baseline.csv", 25_884_340, 20_971_520, 3_072),
        ("example_leaks.csv", 44_758_708, 39_845_888, 8_003_584),
    ] {
        let Some(path) = real(name) else { return };
        let found: Decomposition = answered("decompose", &path, &["--device", "0", "--at", "end"]);
        add_up(&found);
        let parts: Vec<_> = found.parts.iter().map(|part| (part.kind, part.bytes)).collect();
        let mut expected = vec![
            (PartKind::Outside, whole - held),
            (PartKind::PoolFree, held - used),
            (PartKind::Owner, used),
        ];
        expected.sort_by_key(|part| std::cmp::Reverse(part.1));
        expected.insert(0, (PartKind::Whole, whole));
        assert_eq!((found.whole, parts), (Whole::Process, expected), "{name}");
    }
}
