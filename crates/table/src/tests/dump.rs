//! The tables of a dump against a walk over all rows.

use super::dump_world::{DumpWorld, SlowDumpBlocks, SlowDumpEvents};
use super::laws::{block_period, check, numbers_only, query, rows};
use crate::{
    DumpBlockColumn, DumpBlockRows, DumpEventColumn, DumpEventRows, Rows as _, TimePeriod,
};
use model::{EventId, Track};
use proptest::prelude::*;

const BLOCK_COLUMNS: [DumpBlockColumn; 22] = {
    use DumpBlockColumn as C;
    [
        C::Id,
        C::Address,
        C::Size,
        C::MallocTime,
        C::FreeTime,
        C::Owner,
        C::Process,
        C::Thread,
        C::FirstAccess,
        C::LastAccess,
        C::LongestGap,
        C::Attr,
        C::Accesses,
        C::AllocationId,
        C::Lifetime,
        C::State,
        C::AllocEvent,
        C::FreeEvent,
        C::TopFrame,
        C::Stack,
        C::Inefficient,
        C::Shadow,
    ]
};

const EVENT_COLUMNS: [DumpEventColumn; 14] = {
    use DumpEventColumn as C;
    [
        C::Id,
        C::Event,
        C::EventType,
        C::Name,
        C::Time,
        C::Process,
        C::Thread,
        C::Address,
        C::Attr,
        C::PythonStack,
        C::CStack,
        C::Device,
        C::Size,
        C::Block,
    ]
};

fn time_period() -> impl Strategy<Value = Option<TimePeriod>> {
    prop::option::of(
        (-1..60i64, -1..60i64).prop_map(|(from_ns, to_ns)| TimePeriod { from_ns, to_ns }),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_block_table_of_a_dump_is_the_rows_filtered_and_sorted(
        seed: u64,
        count in rows(),
        lines in prop_oneof![0..80u32, 0..20_000u32],
        mut query in query(&BLOCK_COLUMNS, block_period()),
        pages in (0..2_000u32, 1..3_000u32),
    ) {
        let dump = DumpWorld::random(seed, count, lines);
        let world = &dump.world;
        let stacks = (&world.texts, &world.steps);
        let rows =
            DumpBlockRows::new(&world.recording, 0, stacks, &dump.texts, dump.thresholds).unwrap();
        let places = [DumpBlockColumn::State, DumpBlockColumn::Inefficient, DumpBlockColumn::Shadow];
        numbers_only(&rows, &mut query, &places);
        check(&rows, &SlowDumpBlocks(&dump), &query, &BLOCK_COLUMNS, pages)?;
    }

    #[test]
    fn the_event_table_of_a_dump_is_the_rows_filtered_and_sorted(
        seed: u64,
        lines in rows(),
        blocks in 0..40u32,
        mut query in query(&EVENT_COLUMNS, time_period()),
        pages in (0..2_000u32, 1..3_000u32),
    ) {
        let dump = DumpWorld::random(seed, blocks, lines);
        let world = &dump.world;
        let stacks = (&world.texts, &world.steps);
        let rows =
            DumpEventRows::new(&world.recording, 0, stacks, &dump.texts, &dump.rows).unwrap();
        numbers_only(&rows, &mut query, &[]);
        check(&rows, &SlowDumpEvents::new(&dump), &query, &EVENT_COLUMNS, pages)?;
    }

    #[test]
    fn an_event_of_the_track_and_its_row_lead_to_each_other(seed: u64, lines in 0..200u32) {
        let dump = DumpWorld::random(seed, 9, lines);
        let world = &dump.world;
        let stacks = (&world.texts, &world.steps);
        let rows =
            DumpEventRows::new(&world.recording, 0, stacks, &dump.texts, &dump.rows).unwrap();
        let track: &Track = world.recording.devices[0].track.as_deref().unwrap();
        let found: Vec<EventId> = (0..rows.len()).filter_map(|row| rows.event(row)).collect();
        for event in (0..track.row_of_event.len() as u32).map(EventId) {
            let row = rows.of_event(event);
            prop_assert_eq!(row.is_some(), found.contains(&event));
            prop_assert_eq!(row.and_then(|row| rows.event(row)), row.map(|_| event));
        }
    }
}
