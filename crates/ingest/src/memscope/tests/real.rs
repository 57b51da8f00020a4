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
        assert_eq!(pairs(recording), Vec::<String>::new());
        assert_eq!(recording.zero_ns, 1_746_671_066_962_156_000);
        assert_eq!(warned(recording), []);
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
