//! Small dumps, and who holds memory in them.

use super::drawn::Texts;
use crate::{PartKind, Session, When, Whole};
use job::Job;
use model::{
    Action, Annotation, AnnotationKind, Block, Blocks, Carrier, Column, Counters, Device,
    DeviceTable, Dump, DumpRows, Events, Family, Note, Origin, Recording, Segments, Settings,
    SizeSource, Source, Stacks, State, StreamId, StringId, Track,
};

/// Pool, owner, bytes, when it is allocated and when it is freed, in nanoseconds.
pub(crate) type Life = (&'static str, &'static str, u64, i64, Option<i64>);

const END_NS: i64 = 1_000;

/// A dump of device 0 of process 7 with `lives`, and what pools say they hold in all.
pub(crate) fn dump(lives: &[Life], held: &[(&str, u64)]) -> Recording {
    let mut texts = Texts::default();
    let mut owners = vec![texts.id("")];
    let mut pools: Vec<&str> = lives.iter().map(|life| life.0).collect();
    pools.sort_unstable();
    pools.dedup();
    let devices = pools
        .iter()
        .map(|pool| {
            let held = held.iter().find(|(name, _)| name == pool).map(|(_, bytes)| *bytes);
            let lives: Vec<&Life> = lives.iter().filter(|life| life.0 == *pool).collect();
            track(&lives, held, &mut texts, &mut owners)
        })
        .collect();
    let rows = DumpRows {
        id: Vec::new().into(),
        time_ns: Vec::new().into(),
        event: Vec::new().into(),
        event_type: Vec::new().into(),
        name: Vec::new().into(),
        process: Vec::new().into(),
        thread: Vec::new().into(),
        device: Vec::new().into(),
        ptr: Vec::new().into(),
        attr: Vec::new().into(),
        slots: std::array::from_fn(|_| Vec::new().into()),
        python_stack: Vec::new().into(),
        c_stack: Vec::new().into(),
        words: Vec::new(),
        attr_templates: Vec::new(),
        has_stacks: [false; 2],
    };
    let zero = texts.id("0");
    Recording {
        source: Source { name: "dump".into(), bytes: 0, carrier: Carrier::Sqlite, protocol: None },
        family: Family::Npu,
        strings: texts.finish(),
        stacks: Stacks::new(vec![0, 0], Vec::new(), Vec::new(), Vec::new()).unwrap(),
        notes: vec![Note::default()],
        streams: vec![0],
        pools: Vec::new(),
        other_actions: Vec::new(),
        devices,
        annotations: Vec::new(),
        settings: Settings::default(),
        warnings: Vec::new(),
        zero_ns: 1_700_000_000_000_000_000,
        dump: Some(Box::new(Dump {
            end_ns: END_NS,
            processes: vec![7],
            devices: vec![zero],
            rows,
            owners,
            threads: Vec::new(),
        })),
    }
}

fn track(
    lives: &[&Life],
    held: Option<u64>,
    texts: &mut Texts,
    owners: &mut Vec<StringId>,
) -> DeviceTable {
    // Frees come before allocations of the same moment.
    let mut moments: Vec<At> = Vec::new();
    for (row, life) in lives.iter().enumerate() {
        moments.push((life.3, true, row));
        moments.extend(life.4.map(|free| (free, false, row)));
    }
    moments.sort_unstable();
    let n = moments.len();
    let state = |row: usize, is_alloc| {
        let found = moments.iter().position(|at| (at.1, at.2) == (is_alloc, row));
        found.map(|event| State(event as u32 + 1))
    };
    let mut order: Vec<usize> = (0..lives.len()).collect();
    order.sort_by_key(|row| state(*row, true));
    let block = |row: &usize| Block {
        addr: 4096 * (*row as u64 + 1),
        size: lives[*row].2,
        requested: lives[*row].2,
        born: state(*row, true).unwrap(),
        released: state(*row, false),
        died: state(*row, false),
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Stated,
    };
    let blocks: Vec<Block> = order.iter().map(block).collect();
    let there = |state: u32| {
        let alive =
            |block: &&Block| block.born.0 <= state && block.died.is_none_or(|died| state < died.0);
        blocks.iter().filter(alive).map(|block| block.size).sum::<u64>()
    };
    let allocated: Vec<u64> = (0..=n as u32).map(there).collect();
    let reserved = allocated.iter().map(|bytes| held.unwrap_or(*bytes)).collect();
    let pool = texts.id(lives[0].0);
    let owner = order.iter().map(|row| {
        let id = texts.id(lives[*row].1);
        owners.iter().position(|known| *known == id).unwrap_or_else(|| {
            owners.push(id);
            owners.len() - 1
        }) as u32
    });
    let track = Track { has_total: held.is_some(), ..extra(pool, n, owner.collect()) };
    DeviceTable {
        device: Device::Track,
        events: events(&moments),
        block_of_event: vec![u32::MAX; n].into(),
        blocks: Blocks::new(blocks.into_iter()).unwrap(),
        segments: Segments::default(),
        counters: Counters {
            allocated: Column::from(allocated.clone()),
            active: allocated.into(),
            reserved,
        },
        workspaces: Vec::new(),
        track: Some(Box::new(track)),
    }
}

/// A moment, whether it allocates, and the life it is of.
type At = (i64, bool, usize);

fn events(moments: &[At]) -> Events {
    let n = moments.len();
    let action = |at: &At| if at.1 { Action::Alloc.code() } else { Action::FreeCompleted.code() };
    Events {
        action: moments.iter().map(action).collect(),
        time_ns: Some(moments.iter().map(|at| at.0).collect()),
        addr: vec![0; n].into(),
        size: vec![0; n].into(),
        stream: vec![0; n].into(),
        stack: vec![Events::NO_STACK; n].into(),
        pool: None,
        note: None,
    }
}

fn extra(pool: StringId, events: usize, owner: Column<u32>) -> Track {
    let blocks = owner.len();
    Track {
        device: 0,
        pool,
        process: 0,
        end_ns: END_NS,
        row_of_event: vec![0; events].into(),
        has_used: false,
        has_total: false,
        owner,
        allocation_id: vec![0; blocks].into(),
        malloc_row: vec![Track::NO_ROW; blocks].into(),
        free_row: vec![Track::NO_ROW; blocks].into(),
        access_offsets: vec![0; blocks + 1].into(),
        access_rows: Vec::new().into(),
        longest_gap_ns: vec![0; blocks].into(),
        flags: vec![0; blocks].into(),
    }
}

/// `(tag, kind, bytes at the first moment, bytes at the second)` of every part.
fn shown(recording: Recording, device: usize, when: When, then: When) -> (Whole, Vec<String>) {
    let session = Session::new(recording, &Job::unwatched()).unwrap();
    let found = session.device(device).unwrap().decompose(when, then).unwrap();
    for (place, part) in found.parts.iter().enumerate() {
        let below = || found.parts.iter().filter(|it| it.parent == Some(place as u32));
        for moment in [0, 1] {
            let sum: u64 = below().map(|it| it.bytes[moment]).sum();
            assert!(below().next().is_none() || sum == part.bytes[moment], "{part:?}");
        }
    }
    let kind = |kind| match kind {
        PartKind::Whole => "whole",
        PartKind::Owner => "",
        PartKind::Unclassified => " unclassified",
        PartKind::PoolFree => " free",
        PartKind::Outside => "outside",
    };
    let line = |part: &crate::Part| {
        format!("{}{} {} {}", part.tag, kind(part.kind), part.bytes[0], part.bytes[1])
    };
    (found.whole, found.parts.iter().map(line).collect())
}

const LEAK: [Life; 7] = [
    ("HAL", "CANN@RUNTIME", 900, 0, None),
    ("HAL", "", 100, 0, None),
    ("PTA", "PTA@model@weight", 300, 10, None),
    ("PTA", "PTA@ops@aten", 50, 20, Some(90)),
    ("PTA", "PTA@ops@aten@leaks_mem", 40, 30, None),
    ("PTA", "PTA@ops@aten@leaks_mem", 40, 60, None),
    ("ATB", "", 70, 25, None),
];

#[test]
fn parts_add_up_within_what_the_process_took() {
    let found = shown(dump(&LEAK, &[("PTA", 600)]), 2, When::Time(30), When::Time(95));
    // At 30: PTA holds 300 + 50 + 40 = 390 of 600, ATB 70; of 1,000 that leaves 330 to others.
    // At 95: the operator's 50 are gone and another 40 leaked: 380 of 600.
    assert_eq!(found.0, Whole::Process);
    let expected = [
        "whole 1000 1000",
        "PTA 390 380",
        "PTA@model 300 300",
        "PTA@model@weight 300 300",
        "PTA@ops 90 80",
        "PTA@ops@aten 90 80",
        "PTA@ops@aten unclassified 50 0",
        "PTA@ops@aten@leaks_mem 40 80",
        "outside 330 330",
        "PTA free 210 220",
        "ATB 70 70",
    ];
    assert_eq!(found.1, expected);
}

#[test]
fn the_drivers_pool_stands_alone() {
    let found = shown(dump(&LEAK, &[]), 1, When::Time(500), When::Time(500));
    assert_eq!(found.0, Whole::Pools);
    let expected = ["whole 1000 1000", "CANN 900 900", "CANN@RUNTIME 900 900", "HAL 100 100"];
    assert_eq!(found.1, expected);
}

#[test]
fn without_the_drivers_pool_the_whole_is_the_sum() {
    let lives = [("PTA", "mine@@deep", 8, 5, None), ("PTA", "PTA_WORKSPACE", 4, 6, Some(9))];
    let before = shown(dump(&lives, &[]), 0, When::State(State(0)), When::State(State(2)));
    // A tag that begins with no pool lies below its own; empty levels are skipped; what is typed
    // PTA and tagged as workspace is workspace.
    assert_eq!(before.0, Whole::Pools);
    let expected =
        ["whole 0 12", "PTA 0 8", "PTA@mine 0 8", "PTA@mine@deep 0 8", "PTA_WORKSPACE 0 4"];
    assert_eq!(before.1, expected);
}

#[test]
fn pools_that_hold_more_than_the_driver_gave_are_believed() {
    let lives = [("HAL", "", 10, 0, None), ("PTA", "PTA", 40, 1, None)];
    let found = shown(dump(&lives, &[]), 1, When::Time(1), When::Time(1));
    assert_eq!(found, (Whole::Pools, vec!["whole 40 40".into(), "PTA 40 40".into()]));
}

#[test]
fn a_pool_without_blocks_holds_nothing_before_its_first_event() {
    let lives = [("HAL", "", 700, 5, None), ("PTA", "PTA", 40, 10, None)];
    let found = shown(dump(&lives, &[("PTA", 600)]), 1, When::Time(4), When::Time(10));
    // What it says after its first allocation, 600, was taken from the driver at 5.
    let expected = ["whole 0 700", "PTA free 0 560", "outside 0 100", "PTA 0 40"];
    assert_eq!(found, (Whole::Process, expected.map(str::to_owned).to_vec()));
}

#[test]
fn owners_below_a_tag_are_found_by_whole_levels() {
    let lives = [("PTA", "PTA@ops", 1, 0, None), ("PTA", "PTA@ops2", 1, 1, None), LEAK[4]];
    let session = Session::new(dump(&lives, &[]), &Job::unwatched()).unwrap();
    let on = session.device(0).unwrap();
    assert_eq!(on.owners_below("PTA@ops"), [false, true, false, true]);
    assert_eq!(on.owners_below("PTA"), [true, true, true, true]);
    assert_eq!(on.name(), "npu:0 PTA");
    // Nothing is stretched to the first event: tracks share the recording's own time line.
    assert_eq!(on.table().span_ns(), Some((0, 1_000)));
}

#[test]
fn what_was_a_moment_is_over_right_after_it() {
    let mut recording = dump(&LEAK, &[]);
    let [switch, step, instant] = [1, 2, 3].map(StringId);
    let annotation = |name, kind, start, end| Annotation {
        name,
        device: -1,
        kind,
        start_ns: Some(start),
        end_ns: Some(end),
        depth: 0,
    };
    recording.annotations = vec![
        annotation(switch, AnnotationKind::Switch, 10, 10),
        annotation(step, AnnotationKind::Step, 10, 30),
        annotation(instant, AnnotationKind::Step, 30, 30),
    ];
    let session = Session::new(recording, &Job::unwatched()).unwrap();
    let within = |time_ns| session.device(0).unwrap().within(time_ns);
    assert_eq!(within(9), []);
    assert_eq!(within(10), [switch, step]);
    assert_eq!(within(11), [step]);
    // A step that begins and ends with the stamp of the one before holds it.
    assert_eq!(within(30), [instant]);
    assert_eq!(within(31), []);
}
