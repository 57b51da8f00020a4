//! Random tables, random questions.

use super::oracle::{Slow, SlowBlocks, SlowEvents};
use super::world::World;
use crate::{
    AddressFilter, BlockColumn, BlockPeriod, BlockRows, Cell, Column, Direction, EventColumn,
    EventRows, Filter, HexDigits, Period, Query, Rows, Shape, Test, View, Within,
};
use job::{Cancelled, Job};
use model::{BlockId, EventId, State};
use proptest::prelude::*;

const BLOCK_COLUMNS: [BlockColumn; 18] = {
    use BlockColumn as C;
    [
        C::Id,
        C::Requested,
        C::Size,
        C::Address,
        C::State,
        C::AllocEvent,
        C::FreeRequestedEvent,
        C::FreeEvent,
        C::Lifetime,
        C::LifetimeUs,
        C::Pool,
        C::Stream,
        C::TopFrame,
        C::Stack,
        C::Step,
        C::AllocTime,
        C::Origin,
        C::SizeSource,
    ]
};

const EVENT_COLUMNS: [EventColumn; 14] = {
    use EventColumn as C;
    [
        C::Id,
        C::Action,
        C::Address,
        C::Size,
        C::Stream,
        C::Allocated,
        C::Active,
        C::Reserved,
        C::Stack,
        C::TopFrame,
        C::Pool,
        C::Step,
        C::Time,
        C::Block,
    ]
};

/// Texts that people may look for.
const WORDS: [&str; 30] = [
    "alloc",
    "segment_alloc",
    "ALLOCATED",
    "allocated",
    "active",
    "inactive",
    "pending free",
    "free",
    "(0,1)",
    "(0, 1)",
    "(0",
    "7",
    "-1",
    "-",
    "0",
    "512",
    "0x7f",
    "7f0000000200",
    "0x7f0000000210",
    "139611588448256",
    "layer_1",
    "py:3 F",
    "malloc",
    "öl",
    "step 1",
    "step",
    "traced",
    "computed",
    "18446744073709551615",
    "",
];

fn test() -> impl Strategy<Value = Test> {
    let word = || prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
    let bound = || {
        prop::option::of(prop_oneof![
            -3..40i128,
            Just(512),
            Just(0xffff_fe00_0000_0000),
            Just(1_700_000_000_000_020),
            Just(i128::from(u64::MAX) - 1),
            Just(i128::from(u64::MAX)),
            Just(i128::MAX),
            Just(i128::MIN),
        ])
    };
    let address = prop_oneof![
        Just(0x7f00_0000_0200),
        Just(0x7f00_0000_0210),
        Just(0),
        Just(1),
        Just(u64::MAX - 1),
        Just(u64::MAX)
    ];
    let filter = prop_oneof![
        address.clone().prop_map(AddressFilter::Exact),
        address.prop_map(AddressFilter::Holds),
        Just(AddressFilter::Digits(HexDigits::parse("00f").unwrap())),
    ];
    prop_oneof![
        3 => (bound(), bound()).prop_map(|(from, to)| Test::Between { from, to }),
        3 => prop::collection::vec(word(), 0..3).prop_map(Test::Is),
        3 => word().prop_map(Test::Contains),
        1 => filter.prop_map(Test::Address),
        1 => prop::collection::vec(any::<bool>(), 0..14).prop_map(|marked| Test::Stacks(marked.into())),
        1 => Just(Test::Empty),
        1 => Just(Test::NotEmpty),
    ]
}

pub(crate) fn query<C: Column>(
    columns: &'static [C],
    period: impl Strategy<Value = Option<C::Period>>,
) -> impl Strategy<Value = Query<C>> {
    let column = || prop::sample::select(columns);
    let direction = prop_oneof![Just(Direction::Ascending), Just(Direction::Descending)];
    let order = prop::collection::vec((column(), direction), 0..4);
    let filter = (column(), test()).prop_map(|(column, test)| Filter { column, test });
    let filters = prop_oneof![Just(Vec::new()), prop::collection::vec(filter, 0..3)];
    (order, filters, period, 0..40u32).prop_map(|(order, filters, period, cursor)| Query {
        order,
        filters,
        period,
        cursor: State(cursor),
    })
}

pub(crate) fn period() -> impl Strategy<Value = Period> {
    let event = || prop_oneof![0..40u32, Just(u32::MAX)];
    (event(), event()).prop_map(|(from, to)| Period { from: EventId(from), to: EventId(to) })
}

pub(crate) fn block_period() -> impl Strategy<Value = Option<BlockPeriod>> {
    let within =
        prop_oneof![Just(Within::Overlapping), Just(Within::Inside), Just(Within::NotFreedIn)];
    let both = (period(), within).prop_map(|(period, within)| BlockPeriod { period, within });
    prop::option::of(both)
}

/// Rows that fit a word, a chunk, and none; enough for the quick and the slow way to sort.
pub(crate) fn rows() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..80u32, 2 => 60..2_000u32, 1 => 8_000..20_000u32]
}

pub(crate) fn numbers_only<R: Rows>(rows: &R, query: &mut Query<R::Column>, places: &[R::Column]) {
    // The places of names sorted by text are nothing the oracle knows.
    for filter in &mut query.filters {
        let is_number = !matches!(rows.shape(filter.column), Shape::Named | Shape::Text);
        let is_known = is_number || places.contains(&filter.column);
        if matches!(filter.test, Test::Between { .. }) && !is_known {
            filter.test = Test::NotEmpty;
        }
    }
    query.order.retain(|(column, _)| rows.shape(*column) != Shape::Text);
}

pub(crate) fn check<R: Rows, S: Slow<Column = R::Column>>(
    rows: &R,
    slow: &S,
    query: &Query<R::Column>,
    columns: &[R::Column],
    pages: (u32, u32),
) -> Result<(), TestCaseError> {
    let job = Job::unwatched();
    let expected = slow.answer(query);
    let view = View::new(rows, query.clone(), &job).unwrap();
    let statistics = view.statistics();
    let sum = |of: fn((u64, u64)) -> u64| {
        let bytes = expected.iter().map(|row| of(slow.bytes(*row)));
        bytes.fold(0, u64::saturating_add)
    };
    let sizes = || expected.iter().map(|row| slow.bytes(*row).1);
    prop_assert_eq!(statistics.count as usize, expected.len());
    prop_assert_eq!(statistics.requested, sum(|bytes| bytes.0));
    prop_assert_eq!(statistics.size, sum(|bytes| bytes.1));
    prop_assert_eq!(statistics.smallest, sizes().min());
    prop_assert_eq!(statistics.largest, sizes().max());

    let places = [0, expected.len() / 3, expected.len().saturating_sub(1)];
    let check_places = |view: &View<R::Column>| {
        for place in places {
            if let Some(row) = expected.get(place) {
                let found = view.position_of(rows, *row, &job).unwrap();
                prop_assert_eq!(found, Some(place as u32));
            }
        }
        let missing = (0..slow.count()).find(|row| !view.contains(*row));
        if let Some(row) = missing {
            prop_assert_eq!(view.position_of(rows, row, &job).unwrap(), None);
        }
        Ok(())
    };
    check_places(&view)?;
    let head = view.rows(rows, 0, pages.0.min(1_000), &job).unwrap();
    prop_assert_eq!(&head[..], &expected[..expected.len().min(pages.0.min(1_000) as usize)]);
    let mut found = Vec::new();
    for offset in (0..slow.count() + pages.1).step_by(pages.1 as usize) {
        found.extend(view.rows(rows, offset, pages.1, &job).unwrap());
    }
    prop_assert_eq!(&found, &expected);
    check_places(&view)?;
    prop_assert_eq!(view.rows(rows, u32::MAX, u32::MAX, &job).unwrap(), Vec::<u32>::new());
    check_columns(rows, slow, &view, &expected, columns)
}

/// Bounds, names and cells of the rows found.
fn check_columns<R: Rows, S: Slow<Column = R::Column>>(
    rows: &R,
    slow: &S,
    view: &View<R::Column>,
    expected: &[u32],
    columns: &[R::Column],
) -> Result<(), TestCaseError> {
    let (job, cursor) = (Job::unwatched(), view.query().cursor);
    for column in columns {
        let values = || expected.iter().map(|row| slow.value(*row, *column, cursor));
        if rows.shape(*column) == Shape::Named {
            let choices = view.choices(rows, *column, &job).unwrap();
            let named = values().filter(|value| value.key.is_some()).count();
            prop_assert_eq!(choices.iter().map(|it| it.count as usize).sum::<usize>(), named);
            if let Some(choice) = choices.first() {
                let same = values().filter(|value| value.text == choice.name).count();
                let twins = choices.iter().filter(|it| it.name == choice.name);
                prop_assert_eq!(twins.map(|it| it.count as usize).sum::<usize>(), same);
            }
        } else if rows.shape(*column) == Shape::Text {
            prop_assert_eq!(view.bounds(rows, *column, &job).unwrap(), None);
        } else {
            let numbers = || values().filter_map(|value| Some(value.key?.0));
            let bounds = numbers().min().zip(numbers().max());
            prop_assert_eq!(view.bounds(rows, *column, &job).unwrap(), bounds);
        }
    }
    let mut place = 0;
    let exported = view.export(rows, columns, &job, |cells: &[Cell<'_>]| {
        if place < 200 {
            let row = expected[place];
            for (cell, column) in cells.iter().zip(columns) {
                let value = slow.value(row, *column, cursor);
                assert_eq!(cell.to_string(), value.text, "{column:?} of row {row}");
                assert_eq!(*cell == Cell::Empty, value.key.is_none());
            }
        }
        place += 1;
        Ok::<(), Cancelled>(())
    });
    prop_assert_eq!(exported, Ok(()));
    prop_assert_eq!(place, expected.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_block_table_is_the_rows_filtered_and_sorted(
        seed: u64,
        count in rows(),
        events in prop_oneof![0..40u32, 0..20_000u32],
        mut query in query(&BLOCK_COLUMNS, block_period()),
        pages in (0..2_000u32, 1..3_000u32),
    ) {
        let world = World::random(seed, count, events);
        let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
        numbers_only(&rows, &mut query, &[BlockColumn::Step, BlockColumn::State]);
        check(&rows, &SlowBlocks(&world), &query, &BLOCK_COLUMNS, pages)?;
    }

    #[test]
    fn the_event_table_is_the_rows_filtered_and_sorted(
        seed: u64,
        events in rows(),
        blocks in 0..40u32,
        mut query in query(&EVENT_COLUMNS, prop::option::of(period())),
        pages in (0..2_000u32, 1..3_000u32),
    ) {
        let world = World::random(seed, blocks, events);
        let rows = EventRows::new(&world.recording, 0, &world.texts, &world.steps);
        numbers_only(&rows, &mut query, &[EventColumn::Step]);
        check(&rows, &SlowEvents(&world), &query, &EVENT_COLUMNS, pages)?;
    }

    #[test]
    fn a_number_leads_back_to_its_block(seed: u64, count in 0..80u32, events in 0..40u32) {
        let world = World::random(seed, count, events);
        let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
        for row in 0..rows.len() {
            let number = rows.number(BlockId(row));
            prop_assert_eq!(rows.by_number(number), Some(BlockId(row)));
        }
        prop_assert_eq!(rows.by_number(i64::MIN), None);
        prop_assert_eq!(rows.by_number(i64::MAX), None);
        prop_assert_eq!(rows.by_number(-1 - i64::from(rows.len())), None);
    }
}

#[test]
fn a_cancelled_question_has_no_answer() {
    let world = World::random(3, 3_000, 500);
    let rows = BlockRows::new(&world.recording, 0, &world.texts, &world.steps);
    let job = Job::unwatched();
    let order = vec![(BlockColumn::Size, Direction::Ascending)];
    let query = Query { order, ..Query::all(State(0)) };
    let view = View::new(&rows, query.clone(), &job).unwrap();
    job.cancel();
    assert_eq!(View::new(&rows, query, &job).map(|_| ()), Err(Cancelled));
    assert_eq!(view.rows(&rows, 0, 10, &job), Err(Cancelled));
    assert_eq!(view.rows(&rows, 2_000, 10, &job), Err(Cancelled));
    assert_eq!(view.position_of(&rows, 0, &job), Err(Cancelled));
    assert_eq!(view.bounds(&rows, BlockColumn::Size, &job), Err(Cancelled));
    let exported = view.export(&rows, &[BlockColumn::Id], &job, |_| Ok::<(), Cancelled>(()));
    assert_eq!(exported, Err(Cancelled));
}
