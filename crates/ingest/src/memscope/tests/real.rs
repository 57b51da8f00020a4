//! Real files against counts made by other means.

use super::*;
use model::{Blocks, Track};

/// What happens with the real file `name`, when it is there.
#[allow(clippy::print_stdout, reason = "says that it was skipped")]
fn with(name: &str, check: impl FnOnce(&Recording)) {
    let Some(folder) = corpus() else {
        assert!(std::env::var_os("CI").is_none(), "TIDEMARK_CORPUS does not point to the corpus");
        println!("skipped: TIDEMARK_CORPUS does not point to the corpus of real dumps");
        return;
    };
    check(&open(&folder.join(name)).unwrap());
}

/// `track: allocations, frees, blocks from before, blocks that stay` of each table.
fn pairs(recording: &Recording) -> Vec<String> {
    let pairs = recording.devices.iter().map(|table| {
        let track = table.track.as_deref().unwrap();
        let has = |rows: &[u32]| rows.iter().filter(|row| **row != Track::NO_ROW).count();
        let (mallocs, frees) = (has(&track.malloc_row), has(&track.free_row));
        let stay = table.blocks.released().iter().filter(|state| **state == Blocks::NEVER).count();
        let before = table.blocks.len() as usize - mallocs;
        format!("{}: {mallocs}, {frees}, {before}, {stay}", called(recording, table))
    });
    pairs.collect()
}

#[test]
fn a_run_of_2025_with_two_processes_in_microseconds() {
    with("leaks_dump_2025.dat", |recording| {
        let rows = &dump(recording).rows;
        assert_eq!(rows.len(), 15_349);
        assert_eq!(dump(recording).processes, [1_528_642, 1_528_643]);
        let counts = [
            ("FREE", 4857),
            ("KERNEL_LAUNCH", 5402),
            ("MALLOC", 4884),
            ("MSTX", 202),
            ("SYSTEM", 4),
        ];
        assert_eq!(events(recording), counts.map(|(word, count)| (word.to_owned(), count)).into());
        let counts = [("0", 7427), ("1", 7666), ("N/A", 221), ("host", 35)];
        assert_eq!(devices(recording), counts.map(|(word, count)| (word.to_owned(), count)).into());
        let all = [
            "0 PTA 1528642: 2270, 2270, 0, 0",
            "0 HAL 1528642: 85, 83, 0, 2",
            "1 PTA 1528642: 50, 50, 0, 0",
            "1 PTA 1528643: 2320, 2320, 0, 0",
            // Memory of the other device that a process uses for itself.
            "1 HAL 1528642: 26, 16, 0, 10",
            "1 HAL 1528643: 98, 83, 0, 15",
            "host HAL 1528642: 20, 20, 0, 0",
            "host HAL 1528643: 15, 15, 0, 0",
        ];
        assert_eq!(pairs(recording), all);
        let ranges = recording.annotations.iter();
        let paired = ranges.filter(|it| it.start_ns.zip(it.end_ns).is_some_and(|(a, b)| a < b));
        // One range of each process has no end.
        assert_eq!(paired.count(), 98);
        assert_eq!(recording.zero_ns, 1_746_671_066_962_156_000);
        let warnings = [(WarningKind::UnknownKey, 1), (WarningKind::UnpairedAnnotation, 2)];
        assert_eq!(warned(recording), warnings);
    });
}

#[test]
fn a_file_of_2026_with_pinned_memory() {
    with("memscope_dump_20260527062213.db", |recording| {
        assert_eq!(dump(recording).rows.len(), 10);
        assert_eq!(pairs(recording), ["cpu HOST_PINNED 1116991: 6, 1, 0, 5"]);
        assert_eq!(warned(recording), []);
    });
}

#[test]
fn a_csv_file_of_early_2025_that_was_cut_short() {
    with("memscope_dump_20250428113810.csv", |recording| {
        assert_eq!(dump(recording).rows.len(), 330);
        let counts =
            [("FREE", 23), ("KERNEL_LAUNCH", 12), ("MALLOC", 289), ("MSTX", 4), ("SYSTEM", 2)];
        assert_eq!(events(recording), counts.map(|(word, count)| (word.to_owned(), count)).into());
        let counts = [("0", 277), ("1", 32), ("N/A", 11), ("host", 10)];
        assert_eq!(devices(recording), counts.map(|(word, count)| (word.to_owned(), count)).into());
        let all = [
            "0 PTA 2523738: 226, 7, 0, 219",
            "0 HAL 2523738: 24, 0, 0, 24",
            "0 HAL 2523740: 12, 0, 0, 12",
            // Four were there before: their allocations are not in the file.
            "1 PTA 2523740: 15, 7, 4, 12",
            "1 HAL 2523740: 2, 0, 0, 2",
            "host HAL 2523738: 4, 3, 0, 1",
            "host HAL 2523740: 6, 3, 0, 3",
        ];
        assert_eq!(pairs(recording), all);
        assert_eq!(recording.zero_ns, 1_746_006_014_162_153_000);
        let warnings = [(WarningKind::UnpairedAnnotation, 2), (WarningKind::UnmatchedFree, 3)];
        assert_eq!(warned(recording), warnings);
    });
}

#[test]
fn csv_files_of_late_2025() {
    with("example_baseline.csv", |recording| {
        assert_eq!(dump(recording).rows.len(), 121);
        let all = ["0 PTA 3101864: 18, 14, 0, 4", "0 HAL 3101864: 5, 2, 0, 3"];
        assert_eq!(pairs(recording), all);
        let table = &recording.devices[0];
        let track = table.track.as_deref().unwrap();
        assert!(track.has_used && track.has_total);
        // The first three PTA rows say `size:1536,total:2097152,used:1536`, `size:512,…,used:2048`
        // and `size:16778240,total:20971520,used:16780288`.
        assert_eq!(track.allocation_id[..3], [1, 2, 4]);
        assert_eq!(table.blocks.size()[..3], [1_536, 512, 16_778_240]);
        assert_eq!(table.counters.active[..4], [0, 1_536, 2_048, 16_780_288]);
        let reserved = [2_097_152, 2_097_152, 2_097_152, 20_971_520];
        assert_eq!(table.counters.reserved[..4], reserved);
        // The pool starts empty and all its blocks are in the file.
        assert_eq!(table.counters.active, table.counters.allocated);
        assert_eq!(warned(recording), []);
    });
    with("example_leaks.csv", |recording| {
        assert_eq!(dump(recording).rows.len(), 130);
        let all = ["0 PTA 3290097: 20, 14, 0, 6", "0 HAL 3290097: 5, 1, 0, 4"];
        assert_eq!(pairs(recording), all);
        assert_eq!(warned(recording), []);
    });
}

/// Time, id and `Attr` of all rows of the database at `path`, in their order.
fn attributes_of(path: &Path, sql: &str) -> Vec<String> {
    let address = format!("file:{}?immutable=1", path.display());
    let connection = rusqlite::Connection::open(address).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let text = |row: &rusqlite::Row<'_>| row.get::<_, Option<String>>(0);
    statement.query_map([], text).unwrap().map(|text| text.unwrap().unwrap_or_default()).collect()
}

#[test]
fn attributes_are_given_back_as_they_were() {
    let Some(folder) = corpus() else { return };
    for (name, sql) in [
        ("leaks_dump_2025.dat", "SELECT attr FROM leaks_dump ORDER BY timestamp, id, rowid"),
        (
            "memscope_dump_20260527062213.db",
            "SELECT Attr FROM memscope_dump ORDER BY \"Timestamp(ns)\", ID",
        ),
    ] {
        let recording = open(&folder.join(name)).unwrap();
        let rows = &dump(&recording).rows;
        let texts = attributes_of(&folder.join(name), sql);
        assert_eq!(texts.len(), rows.len() as usize);
        for (row, expected) in texts.iter().enumerate() {
            assert_eq!(rows.attr_text(row, |id| recording.text(id)), *expected, "{name} {row}");
        }
        // Templates are few, or they would be no gain.
        assert!(rows.attr_templates.len() < 100, "{}", rows.attr_templates.len());
    }
    for name in ["example_baseline.csv", "example_leaks.csv", "memscope_dump_20250428113810.csv"] {
        let recording = open(&folder.join(name)).unwrap();
        let rows = &dump(&recording).rows;
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for row in 0..rows.len() as usize {
            let attr = rows.attr_text(row, |id| recording.text(id));
            let (id, time) = (rows.id[row], recording.zero_ns + rows.time_ns[row]);
            let has = |line: &str| {
                let mut cells = line.split(',');
                let is_own = cells.next() == Some(&id.to_string());
                let own_time = cells.nth(3).is_some_and(|at| time.to_string().starts_with(at));
                is_own && own_time && (attr.is_empty() || line.contains(&format!("\"{attr}\"")))
            };
            assert!(text.lines().any(has), "{name} {row} {attr}");
        }
    }
}
