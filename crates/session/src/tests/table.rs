//! The tables have what the rest of the session says.

use super::{STORY, session};
use crate::Job;
use crate::State;
use crate::table::{
    BlockColumn, BlockPeriod, Direction, EventColumn, Filter, Period, Query, Rows, Test, Within,
};
use model::EventId;

#[test]
fn blocks_are_sorted_counted_and_named_by_their_top_frames() {
    let session = session(STORY);
    let device = session.device(0).unwrap();
    let job = Job::unwatched();
    let rows = device.block_rows(&job).unwrap();
    let by_size = vec![(BlockColumn::Size, Direction::Descending)];
    let view = device.block_view(Query { order: by_size, ..Query::all(State(0)) }, &job).unwrap();
    let first = view.rows(&rows, 0, 3, &job).unwrap();
    let sizes: Vec<String> =
        first.iter().map(|row| rows.cell(*row, BlockColumn::Size, State(0)).to_string()).collect();
    assert_eq!(sizes, ["2048", "1024", "512"]);
    let top = rows.cell(2, BlockColumn::TopFrame, State(0)).to_string();
    let told = session.top_frame(crate::StackId(device.table().blocks.stack()[2])).unwrap();
    assert_eq!(top, session.frame_line(told.frame));
}

#[test]
fn what_a_period_leaves_behind_is_what_its_details_say() {
    let session = session(STORY);
    let device = session.device(0).unwrap();
    let job = Job::unwatched();
    let last = device.table().events.len();
    for (from, to) in [(0, last - 1), (1, 4), (3, 9)] {
        let period = Period { from: EventId(from), to: EventId(to) };
        let period = Some(BlockPeriod { period, within: Within::NotFreedIn });
        let view = device.block_view(Query { period, ..Query::all(State(0)) }, &job).unwrap();
        let told = device.period(State(from), State(to + 1)).unfreed;
        let statistics = view.statistics();
        assert_eq!((statistics.count, statistics.size), (told.amount.count, told.amount.size));
        assert_eq!(statistics.largest.unwrap_or(0), told.largest);
    }
}

#[test]
fn events_are_filtered_by_what_they_are() {
    let session = session(STORY);
    let device = session.device(0).unwrap();
    let job = Job::unwatched();
    let alloc = Filter { column: EventColumn::Action, test: Test::Is(vec!["alloc".to_owned()]) };
    let query = Query { filters: vec![alloc], ..Query::all(State(0)) };
    assert_eq!(device.event_view(query, &job).unwrap().count(), 6);
}
