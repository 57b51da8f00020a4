//! The numbers that the incumbent's own tests give for a real recording of two devices.
//!
//! The corpus is not part of the project: `TIDEMARK_CORPUS` names its folder. Without one the test
//! says that it did nothing; under CI it fails.

use crate::{
    BlockColumn, BlockPeriod, BlockRows, EventColumn, EventRows, Filter, Period, Query, Rows,
    StackTexts, Steps, Test, View, Within,
};
use job::Job;
use model::{BlockId, EventId, Recording, State};
use std::io::Write;
use std::path::{Path, PathBuf};

fn sample() -> Option<Recording> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("TIDEMARK_CORPUS").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| root.join("../shared/corpus")).join("torch");
    let Ok(files) = std::fs::read_dir(&folder) else {
        assert!(std::env::var_os("CI").is_none(), "no corpus at {}", folder.display());
        writeln!(std::io::stdout(), "skipped: no corpus at {}", folder.display()).unwrap();
        return None;
    };
    let is_sample = |path: &PathBuf| path.to_string_lossy().contains("snapshot_with_multi_devices");
    let path = files.map(|file| file.unwrap().path()).find(is_sample).unwrap();
    Some(ingest::open(&path, &Job::unwatched()).unwrap())
}

fn kib(tenths: u64) -> u64 {
    tenths * 1024 / 10
}

#[test]
fn a_recording_of_two_devices_has_the_numbers_people_know() {
    let Some(recording) = sample() else { return };
    let job = Job::unwatched();
    let texts = StackTexts::new(&recording, |_| None, &job).unwrap();
    let steps = Steps::default();
    let rows = BlockRows::new(&recording, 0, &texts, &steps);
    let blocks = &recording.devices[0].blocks;
    assert_eq!(rows.len(), 3219);
    assert_eq!((0..3219).map(|row| rows.number(BlockId(row))).min(), Some(-320));
    let block = blocks.get(rows.by_number(-320).unwrap());
    assert_eq!((block.addr, block.size), (20_697_531_023_360, kib(40_965)));
    assert_eq!(block.requested, kib(40_960));

    let period = Period { from: EventId(100), to: EventId(1000) };
    let ask = |within, filters| {
        let period = Some(BlockPeriod { period, within });
        let query = Query { filters, period, ..Query::all(State(0)) };
        View::new(&rows, query, &job).unwrap()
    };
    assert_eq!(ask(Within::Overlapping, Vec::new()).count(), 764);
    let kept = ask(Within::NotFreedIn, Vec::new()).statistics();
    // By the rounding rule; with sizes as requested it would be 108400.086 KB and 0.004 the least.
    assert_eq!((kept.count, kept.size), (146, kib(1_084_730)));
    assert_eq!((kept.largest, kept.smallest), (Some(kib(92_165)), Some(kib(5))));
    let early = Filter {
        column: BlockColumn::AllocEvent,
        test: Test::Between { from: Some(100), to: Some(500) },
    };
    assert_eq!(ask(Within::NotFreedIn, vec![early]).count(), 78);

    let rows = EventRows::new(&recording, 0, &texts, &steps);
    assert_eq!(rows.len(), 8132);
    let first = |column| rows.cell(0, column, State(0)).to_string();
    assert_eq!(first(EventColumn::Action), "segment_map");
    assert_eq!(first(EventColumn::Address), format!("{:#x}", 20_697_552_257_024u64));
    assert_eq!(first(EventColumn::Allocated), "94482944");
    let count = |query| View::new(&rows, query, &job).unwrap().count();
    let period = Some(Period { from: EventId(100), to: EventId(500) });
    assert_eq!(count(Query { period, ..Query::all(State(0)) }), 401);
    let alloc = Filter { column: EventColumn::Action, test: Test::Is(vec!["alloc".into()]) };
    assert_eq!(count(Query { filters: vec![alloc], ..Query::all(State(0)) }), 2899);

    let rows = BlockRows::new(&recording, 1, &texts, &steps);
    assert_eq!((rows.len(), recording.devices[1].events.len()), (3216, 9700));
    let block = recording.devices[1].blocks.get(rows.by_number(1).unwrap());
    assert_eq!((block.size, block.requested), (37_888, 37_632));
}
