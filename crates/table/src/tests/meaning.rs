//! What each question means, on a table small enough to be worked out by hand.

use super::world::World;
use crate::{
    AddressFilter, BlockColumn, BlockPeriod, BlockRows, BlockState, Cell, Column, Direction,
    EventColumn, EventRows, Filter, HexDigits, Period, Query, Rows, Test, View, Within, csv,
};
use job::Job;
use model::{
    Action, Block, BlockId, Blocks, Counters, Device, DeviceTable, EventId, Events, Origin, PoolId,
    Segments, SizeSource, StackId, State, StreamId,
};

const HIGH: u64 = 0xffff_fe00_0000_0000;
const LOW: u64 = 0x7f00_0000_0000;

const NONE: [u32; 0] = [];

/// Rows of the blocks.
const BEFORE: u32 = 0;
const GHOST: u32 = 1;
const FIRST: u32 = 2;
const LAST: u32 = 3;

fn block(addr: u64, bytes: (u64, u64), life: (u32, Option<u32>, Option<u32>)) -> Block {
    Block {
        addr,
        size: bytes.1,
        requested: bytes.0,
        born: State(life.0),
        released: life.1.map(State),
        died: life.2.map(State),
        stack: None,
        stream: StreamId(2),
        pool: Some(PoolId(0)),
        origin: Origin::Traced,
        size_source: SizeSource::Computed,
    }
}

fn device(rows: Vec<Block>, events: &[(Action, u64, u64, u32)]) -> DeviceTable {
    let count = events.len();
    let totals: model::Column<u64> = (0..=count as u64).map(|state| state * 100).collect();
    DeviceTable {
        device: Device::Accelerator(0),
        events: Events {
            action: events.iter().map(|event| event.0.code()).collect(),
            addr: events.iter().map(|event| event.1).collect(),
            size: events.iter().map(|event| event.2).collect(),
            stream: vec![2; count].into(),
            stack: (0..count as u32).collect(),
            time_ns: Some((0..count as i64).map(|event| (1_000 + event * 10) * 1_000).collect()),
            pool: None,
            note: None,
        },
        blocks: Blocks::new(rows.into_iter()).unwrap(),
        segments: Segments::default(),
        counters: Counters { allocated: totals.clone(), active: totals.clone(), reserved: totals },
        block_of_event: events.iter().map(|event| event.3).collect(),
        workspaces: Vec::new(),
        track: None,
    }
}

fn world() -> World {
    let none = u32::MAX;
    let rows = vec![
        Block { origin: Origin::BeforeRecording, ..block(LOW, (300, 512), (0, Some(7), Some(8))) },
        Block { origin: Origin::Ghost, ..block(HIGH, (1 << 20, 1 << 20), (0, None, None)) },
        Block { stack: Some(StackId(1)), ..block(LOW + 512, (500, 512), (1, Some(3), Some(5))) },
        Block { stack: Some(StackId(4)), ..block(LOW + 1024, (1000, 1024), (4, None, None)) },
    ];
    let events = [
        (Action::Alloc, LOW + 512, 500, FIRST),
        (Action::SegmentAlloc, LOW, 1 << 21, none),
        (Action::FreeRequested, LOW + 512, 500, FIRST),
        (Action::Alloc, LOW + 1024, 1000, LAST),
        (Action::FreeCompleted, LOW + 512, 500, FIRST),
        (Action::Oom, 4096, 1 << 30, none),
        (Action::FreeRequested, LOW, 300, BEFORE),
        (Action::FreeCompleted, LOW, 300, BEFORE),
    ];
    let other = Block { origin: Origin::Ghost, ..block(LOW, (1, 512), (0, None, None)) };
    let steps = vec![(EventId(4), "step 1".into()), (EventId(2), "step 0".into())];
    World::new(vec![device(rows, &events), device(vec![other], &[])], steps)
}

fn ask<R: Rows>(rows: &R, query: Query<R::Column>) -> Vec<u32> {
    let job = Job::unwatched();
    let view = View::new(rows, query, &job).unwrap();
    view.rows(rows, 0, 100, &job).unwrap()
}

fn only<C: Column>(column: C, test: Test) -> Query<C> {
    Query { filters: vec![Filter { column, test }], ..Query::all(State(0)) }
}

fn by<C: Column>(column: C, direction: Direction) -> Query<C> {
    Query { order: vec![(column, direction)], ..Query::all(State(0)) }
}

fn blocks(ask: impl FnOnce(&BlockRows<'_>)) {
    let world = world();
    ask(&BlockRows::new(&world.recording, 0, &world.texts, &world.steps));
}

fn events(ask: impl FnOnce(&EventRows<'_>)) {
    let world = world();
    ask(&EventRows::new(&world.recording, 0, &world.texts, &world.steps));
}

fn contains(text: &str) -> Test {
    Test::Contains(text.into())
}

fn is(text: &str) -> Test {
    Test::Is(vec![text.into()])
}

#[test]
fn blocks_are_known_by_their_alloc_event_or_counted_downward_over_the_file() {
    let world = world();
    let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
    let numbers = [BEFORE, GHOST, FIRST, LAST].map(|row| rows.number(BlockId(row)));
    assert_eq!(numbers, [-1, -2, 0, 3]);
    let ascending = ask(&rows, by(BlockColumn::Id, Direction::Ascending));
    assert_eq!(ascending, [GHOST, BEFORE, FIRST, LAST]);
    let descending = ask(&rows, by(BlockColumn::Id, Direction::Descending));
    assert_eq!(descending, [LAST, FIRST, BEFORE, GHOST]);
    let negative = Test::Between { from: None, to: Some(-1) };
    assert_eq!(ask(&rows, only(BlockColumn::Id, negative)), [BEFORE, GHOST]);
    let other = BlockRows::new(&world.recording, 1, &world.texts, &world.steps);
    assert_eq!(other.number(BlockId(0)), -3);
    assert_eq!((other.by_number(-3), other.by_number(-1)), (Some(BlockId(0)), None));
}

#[test]
fn a_block_that_appears_at_the_end_is_counted_after_those_there_from_the_start() {
    let late = Block { origin: Origin::Ghost, ..block(LOW, (1, 512), (1, None, None)) };
    let rows = vec![
        Block { origin: Origin::Ghost, ..block(LOW, (1, 512), (0, None, None)) },
        block(LOW, (1, 512), (1, None, None)),
        late,
    ];
    let world = World::new(vec![device(rows, &[(Action::Alloc, LOW, 1, 1)])], Vec::new());
    let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
    assert_eq!([0, 1, 2].map(|row| rows.number(BlockId(row))), [-1, 0, -2]);
    assert_eq!(ask(&rows, by(BlockColumn::Id, Direction::Ascending)), [2, 0, 1]);
    assert_eq!(ask(&rows, only(BlockColumn::AllocEvent, Test::Empty)), [0, 2]);
}

#[test]
fn the_state_is_the_one_at_the_cursor() {
    blocks(|rows| {
        let states = |block| {
            let state = |cursor| rows.state(BlockId(block), State(cursor));
            [0, 1, 3, 4, 5, 8].map(|cursor| match state(cursor) {
                BlockState::NotYet => '-',
                BlockState::Allocated => 'A',
                BlockState::PendingFree => 'P',
                BlockState::Freed => 'F',
            })
        };
        assert_eq!(states(BEFORE), ['A', 'A', 'A', 'A', 'A', 'F']);
        assert_eq!(states(GHOST), ['A'; 6]);
        assert_eq!(states(FIRST), ['-', 'A', 'P', 'P', 'F', 'F']);
        assert_eq!(states(LAST), ['-', '-', '-', 'A', 'A', 'A']);
        let at = |cursor, test| {
            ask(rows, Query { cursor: State(cursor), ..only(BlockColumn::State, test) })
        };
        assert_eq!(at(3, is("allocated")), [BEFORE, GHOST]);
        assert_eq!(at(3, contains("Allocated")), [BEFORE, GHOST, LAST]);
        assert_eq!(at(3, contains("active_pending")), [FIRST]);
        assert_eq!(at(8, contains("active")), [GHOST, LAST]);
        assert_eq!(at(8, contains("inactive")), [BEFORE, FIRST]);
    });
}

#[test]
fn a_picked_action_is_that_one_and_a_typed_one_is_any_with_the_text() {
    events(|rows| {
        assert_eq!(ask(rows, only(EventColumn::Action, is("alloc"))), [0, 3]);
        assert_eq!(ask(rows, only(EventColumn::Action, contains("ALLOC"))), [0, 1, 3]);
        assert_eq!(ask(rows, only(EventColumn::Action, is("ALLOC"))), NONE);
        let both = Test::Is(vec!["oom".into(), "segment_alloc".into()]);
        assert_eq!(ask(rows, only(EventColumn::Action, both)), [1, 5]);
    });
}

#[test]
fn a_period_includes_both_ends() {
    blocks(|rows| {
        let ask = |within, from, to| {
            let period = Period { from: EventId(from), to: EventId(to) };
            let period = Some(BlockPeriod { period, within });
            ask(rows, Query { period, ..Query::all(State(0)) })
        };
        assert_eq!(ask(Within::Overlapping, 0, 0), [BEFORE, GHOST, FIRST]);
        assert_eq!(ask(Within::Overlapping, 4, 4), [BEFORE, GHOST, FIRST, LAST]);
        assert_eq!(ask(Within::Overlapping, 5, 7), [BEFORE, GHOST, LAST]);
        assert_eq!(ask(Within::Overlapping, 7, 7), [BEFORE, GHOST, LAST]);
        assert_eq!(ask(Within::Overlapping, 8, 9), [GHOST, LAST]);
        assert_eq!(ask(Within::Inside, 0, 4), [FIRST]);
        assert_eq!(ask(Within::Inside, 0, 3), NONE);
        // Freed by event 4; what was there before never counts as left over.
        assert_eq!(ask(Within::NotFreedIn, 0, 3), [FIRST, LAST]);
        assert_eq!(ask(Within::NotFreedIn, 0, 4), [LAST]);
        assert_eq!(ask(Within::NotFreedIn, 1, 3), [LAST]);
        assert_eq!(ask(Within::NotFreedIn, 0, u32::MAX), [LAST]);
    });
    events(|rows| {
        let period = Some(Period { from: EventId(2), to: EventId(4) });
        assert_eq!(ask(rows, Query { period, ..Query::all(State(0)) }), [2, 3, 4]);
    });
}

#[test]
fn an_address_is_found_exactly_by_what_holds_it_and_by_its_digits() {
    blocks(|rows| {
        let at = |filter| ask(rows, only(BlockColumn::Address, Test::Address(filter)));
        assert_eq!(at(AddressFilter::Exact(LOW + 512)), [FIRST]);
        assert_eq!(at(AddressFilter::Exact(LOW + 513)), NONE);
        assert_eq!(at(AddressFilter::Holds(LOW + 1023)), [FIRST]);
        assert_eq!(at(AddressFilter::Holds(HIGH + (1 << 20) - 1)), [GHOST]);
        assert_eq!(at(AddressFilter::Holds(HIGH + (1 << 20))), NONE);
        assert_eq!(at(AddressFilter::Digits(HexDigits::parse("7f0000000").unwrap())).len(), 3);
        let typed = |text: &str| ask(rows, only(BlockColumn::Address, contains(text)));
        assert_eq!(typed("0xfffffe"), [GHOST]);
        assert_eq!(typed("FE00"), [GHOST]);
        assert_eq!(typed(&(LOW + 700).to_string()), [FIRST]);
        assert_eq!(typed("no address"), NONE);
        let exact = Test::Between { from: Some(HIGH.into()), to: Some(HIGH.into()) };
        assert_eq!(ask(rows, only(BlockColumn::Address, exact)), [GHOST]);
        let descending = ask(rows, by(BlockColumn::Address, Direction::Descending));
        assert_eq!(descending, [GHOST, LAST, FIRST, BEFORE]);
    });
    events(|rows| {
        let typed = |text: &str| ask(rows, only(EventColumn::Address, contains(text)));
        // Every event of the block that holds it, and the segment around it.
        assert_eq!(typed("0x7f00000002ff"), [0, 1, 2, 4]);
        // The address column of an `oom` holds a number of bytes.
        assert_eq!(typed("1000"), NONE);
        assert_eq!(ask(rows, only(EventColumn::Address, Test::Empty)), [5]);
        let ascending = ask(rows, by(EventColumn::Address, Direction::Ascending));
        assert_eq!(ascending.last(), Some(&5));
    });
}

#[test]
fn a_stack_has_a_text_when_any_of_its_frames_has_it() {
    events(|rows| {
        // The stack of every event is the one with its number.
        let ask = |text| ask(rows, only(EventColumn::Stack, contains(text)));
        assert_eq!(ask("/me/LAYER_1.PY:3 f"), [1, 4, 6]);
        assert_eq!(ask("malloc"), [1, 2, 3]);
        assert_eq!(ask(":3 forward\n"), NONE);
        assert_eq!(ask("").len(), 7);
        let none = only(EventColumn::Stack, Test::Empty);
        assert_eq!(super::meaning::ask(rows, none), [0]);
    });
}

#[test]
fn empty_cells_come_last_either_way() {
    blocks(|rows| {
        let free = |direction| ask(rows, by(BlockColumn::FreeEvent, direction));
        assert_eq!(free(Direction::Ascending), [FIRST, BEFORE, GHOST, LAST]);
        assert_eq!(free(Direction::Descending), [BEFORE, FIRST, GHOST, LAST]);
        let several = Query {
            order: vec![
                (BlockColumn::Size, Direction::Ascending),
                (BlockColumn::Address, Direction::Descending),
            ],
            ..Query::all(State(0))
        };
        assert_eq!(ask(rows, several), [FIRST, BEFORE, LAST, GHOST]);
    });
}

#[test]
fn cells_say_what_is_known() {
    let world = world();
    let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
    let cell = |row, column| rows.cell(row, column, State(4)).to_string();
    let lives = [BEFORE, GHOST, FIRST, LAST].map(|row| {
        let of = |column| cell(row, column);
        [
            of(BlockColumn::AllocEvent),
            of(BlockColumn::FreeRequestedEvent),
            of(BlockColumn::FreeEvent),
        ]
        .join(",")
            + "; "
            + &[of(BlockColumn::Lifetime), of(BlockColumn::LifetimeUs), of(BlockColumn::AllocTime)]
                .join(",")
    });
    assert_eq!(lives, [",6,7; 7,60,", ",,; 8,70,", "0,2,4; 2,20,1000", "3,,; 4,40,1030"]);
    assert_eq!(cell(FIRST, BlockColumn::Stack), "malloc\n/me/Layer_1.py:3 forward");
    assert_eq!(cell(FIRST, BlockColumn::TopFrame), "/ME/LAYER_1.PY:3 FORWARD");
    assert_eq!(cell(FIRST, BlockColumn::Step), "");
    assert_eq!(cell(LAST, BlockColumn::Step), "step 0");
    assert_eq!(cell(LAST, BlockColumn::Pool), "(0, 1)");
    assert_eq!(rows.cell(GHOST, BlockColumn::Address, State(0)), Cell::Address(HIGH));

    let rows = EventRows::new(&world.recording, 0, &world.texts, &world.steps);
    let cell = |row, column| rows.cell(row, column, State(0)).to_string();
    let steps = [0, 2, 3, 4, 7].map(|row| cell(row, EventColumn::Step));
    assert_eq!(steps, ["", "step 0", "step 0", "step 1", "step 1"]);
    assert_eq!(cell(0, EventColumn::Allocated), "100");
    assert_eq!(cell(0, EventColumn::Block), "0");
    assert_eq!(cell(7, EventColumn::Block), "-1");
    // Said by the block, not by the event.
    assert_eq!(
        (cell(0, EventColumn::Pool), cell(1, EventColumn::Pool)),
        ("(0, 1)".into(), String::new())
    );
}

#[test]
fn what_is_not_freed_adds_up() {
    blocks(|rows| {
        let period = Period { from: EventId(0), to: EventId(3) };
        let period = Some(BlockPeriod { period, within: Within::NotFreedIn });
        let job = Job::unwatched();
        let query = Query { period, ..Query::all(State(0)) };
        let sum = View::new(rows, query, &job).unwrap().statistics();
        assert_eq!((sum.count, sum.requested, sum.size), (2, 1500, 1536));
        assert_eq!((sum.smallest, sum.largest), (Some(512), Some(1024)));
        let nothing = only(BlockColumn::Size, Test::Between { from: Some(1), to: Some(0) });
        let view = View::new(rows, nothing, &job).unwrap();
        assert_eq!(view.statistics(), crate::Statistics::default());
        assert_eq!(view.bounds(rows, BlockColumn::Id, &job).unwrap(), None);
    });
}

#[test]
fn all_matching_rows_become_a_file_in_the_order_of_the_table() {
    events(|rows| {
        let query = Query {
            order: vec![(EventColumn::Size, Direction::Descending)],
            ..only(EventColumn::Action, contains("alloc"))
        };
        let job = Job::unwatched();
        let view = View::new(rows, query, &job).unwrap();
        let columns =
            [EventColumn::Id, EventColumn::Action, EventColumn::Address, EventColumn::Pool];
        let mut file = csv::Writer::new(Vec::new());
        file.texts(["ID", "Action", "Address", "Pool"]).unwrap();
        view.export(rows, &columns, &job, |cells| {
            file.cells(cells).map_err(|error| panic!("{error}"))
        })
        .unwrap_or_else(|cancelled: job::Cancelled| panic!("{cancelled}"));
        assert_eq!(
            String::from_utf8(file.into_inner()).unwrap(),
            "ID,Action,Address,Pool\r\n\
             1,segment_alloc,0x7f0000000000,\r\n\
             3,alloc,0x7f0000000400,\"(0, 1)\"\r\n\
             0,alloc,0x7f0000000200,\"(0, 1)\"\r\n"
        );
    });
}
