//! What in one recording stands for a frame, a segment or an event of another.

use super::drawn::recording;
use super::oracle::{Row, acts, run};
use super::session;
use crate::{
    Alike, EventCounterpart, EventId, FrameId, Job, Match, SegmentAlike, SegmentId, Session,
    Unmatched, event_counterpart, same_frame_in, segment_counterpart,
};
use model::{Pool, StreamId};
use proptest::prelude::*;
use std::fmt::Write as _;

const HOWS: [Match; 3] = [Match::Exact, Match::FileFunction, Match::Function];

#[test]
fn a_frame_stands_for_those_of_the_same_line() {
    let a = session("+ a 0x1000 512 400 main");
    let mut other = recording("+ a 0x1000 512 400 main\n+ b 0x2000 4096 400 lib");
    // `linear` some lines further down; `mm` calls itself from a frame of its own.
    let mut frames: Vec<model::Frame> =
        (0..4).map(|row| other.stacks.frame(FrameId(row))).collect();
    frames[1].line = Some(9);
    frames.push(model::Frame { line: Some(7), ..frames[2] });
    let offsets = vec![0, 0, 2, 6];
    other.stacks = model::Stacks::new(offsets, vec![1, 0, 3, 4, 2, 4], frames, Vec::new()).unwrap();
    let b = Session::new(other, &Job::unwatched()).unwrap();
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = |frame, how| -> Vec<u32> {
        same_frame_in(a, FrameId(frame), b, how).into_iter().map(|frame| frame.0).collect()
    };
    // Blocks through either hold as much: the first comes first.
    let expected = [[vec![0], vec![], vec![2]], [vec![0], vec![1], vec![2, 4]]];
    assert_eq!([0, 1, 2].map(|frame| found(frame, Match::Exact)), expected[0]);
    assert_eq!([0, 1, 2].map(|frame| found(frame, Match::FileFunction)), expected[1]);
    assert_eq!(found(u32::MAX, Match::Function), Vec::<u32>::new());
}

#[test]
fn of_several_frames_the_one_with_most_bytes_comes_first() {
    let a = session("+ a 0x1000 512 400 lib");
    let mut other = recording("+ a 0x1000 512 400 main\n+ b 0x2000 4096 400 lib");
    let mut frames: Vec<model::Frame> =
        (0..4).map(|row| other.stacks.frame(FrameId(row))).collect();
    frames.push(model::Frame { line: Some(7), ..frames[1] });
    let ids = vec![1, 0, 4, 0];
    other.stacks = model::Stacks::new(vec![0, 0, 2, 4], ids, frames, Vec::new()).unwrap();
    let b = Session::new(other, &Job::unwatched()).unwrap();
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = same_frame_in(a, FrameId(1), b, Match::Function);
    assert_eq!(found, [FrameId(4), FrameId(1)]);
}

#[test]
fn an_event_that_happens_to_no_block_stands_for_those_of_its_kind_and_stack() {
    let a = session("snap main\nmap 0x1000 4096 main\nsnap main\nsnap lib\nsnap -\nsnap native");
    let b = session("map 0x1000 4096 main\nsnap lib\nsnap main");
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = |event| match event_counterpart(a, EventId(event), b, Match::Exact, Alike::Stack)? {
        EventCounterpart::AsLate { event, places, counts } => Ok((event.0, places, counts)),
        EventCounterpart::OfBlock { .. } => panic!("there is no block"),
    };
    assert_eq!(found(0), Ok((2, [0, 0], [2, 1])));
    assert_eq!(found(1), Ok((0, [0, 0], [1, 1])));
    // There are fewer: the last is the nearest.
    assert_eq!(found(2), Ok((2, [1, 0], [2, 1])));
    assert_eq!(found(3), Ok((1, [0, 0], [1, 1])));
    assert_eq!([4, 5].map(found), [Err(Unmatched::Unrecorded), Err(Unmatched::Unknown)]);
}

#[test]
fn what_did_not_happen_to_the_other_block_has_no_counterpart() {
    let a = session("+ a 0x1000 512 400 main\n- a\nx a");
    let b = session("before old 0x1000 512 512 main\n- old");
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = |event| event_counterpart(a, EventId(event), b, Match::Exact, Alike::Stack);
    let row = |found| match found {
        Ok(EventCounterpart::OfBlock { event, block }) => (event.0, block.block.0),
        other => panic!("{other:?}"),
    };
    assert_eq!(row(found(1)), (0, 0));
    // It was there before its recording began, and when that ended.
    assert_eq!([found(0), found(2)], [Err(Unmatched::Outside); 2]);
}

#[test]
fn segments_of_another_stream_or_pool_are_of_another_shape() {
    let text = "map 0x10000 4096 -\nmap 0x20000 4096 -\nmap 0x30000 4096 -";
    let with = |streams: [u64; 3], of: [(u16, u16); 3]| {
        let mut drawn = recording(text);
        drawn.streams = streams.to_vec();
        drawn.pools = vec![Pool(0, 0), Pool(0, 1)];
        let table = &mut drawn.devices[0];
        let mut rows = table.segments.rows().to_vec();
        for (row, (stream, pool)) in rows.iter_mut().zip(of) {
            (row.stream, row.pool) = (StreamId(stream), Some(model::PoolId(pool)));
        }
        table.segments = model::Segments::new(rows, 3, 3).unwrap();
        Session::new(drawn, &Job::unwatched()).unwrap()
    };
    // A stream is called by an address, which is another one in every run.
    let a = with([0, 0xaa, 0xbb], [(0, 0), (1, 0), (2, 1)]);
    let b = with([0xcc, 0, 0xdd], [(2, 1), (0, 0), (1, 0)]);
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = [0, 1, 2].map(|row| {
        let found = segment_counterpart(a, SegmentId(row), b, Match::Exact).unwrap();
        (found.segment.0, found.how, found.counts)
    });
    let expected = [2, 1, 0].map(|row| (row, SegmentAlike::Shape, [1, 1]));
    assert_eq!(found, expected);
}

/// The events of one kind in the life of a block of a walk.
fn turn(row: &Row, kind: usize) -> Option<usize> {
    [Some(row.3), row.4, row.5][kind]
}

/// Maps and unmaps: bytes and the stack's number, or which of those that are there goes.
fn mapped() -> impl Strategy<Value = Vec<Result<(u64, usize), prop::sample::Index>>> {
    let map = (1..3_u64, 0..4_usize).prop_map(Ok);
    let unmap = any::<prop::sample::Index>().prop_map(Err);
    prop::collection::vec(prop_oneof![2 => map, 1 => unmap], 1..40)
}

/// The drawing of maps, and of each its bytes and its stack's number.
fn segments(acts: &[Result<(u64, usize), prop::sample::Index>]) -> (String, Vec<(u64, usize)>) {
    let (mut text, mut rows, mut there) = (String::new(), Vec::new(), Vec::new());
    for act in acts {
        match act {
            Ok((size, stack)) => {
                let addr = 0x10_0000 * (rows.len() + 1);
                let name = ["main", "lib", "-", "()"][*stack];
                writeln!(text, "map {addr} {} {name}", size * 4096).unwrap();
                rows.push((size * 4096, *stack));
                there.push(addr);
            }
            Err(_) if there.is_empty() => {}
            Err(index) => {
                let addr = there.swap_remove(index.index(there.len()));
                writeln!(text, "unmap {addr}").unwrap();
            }
        }
    }
    (text, rows)
}

proptest! {
    #[test]
    fn events_of_blocks_stand_for_those_of_a_walk(
        one in acts(),
        other in acts(),
        how in prop::sample::select(&HOWS[..]),
    ) {
        let runs = [run(&one), run(&other)];
        let sessions = runs.each_ref().map(|(text, _)| session(text));
        let [a, b] = sessions.each_ref().map(|session| session.device(0).unwrap());
        for (row, block) in runs[0].1.iter().enumerate() {
            let alike = |rows: &[Row]| -> Vec<usize> {
                (0..rows.len()).filter(|at| rows[*at].2 == block.2).collect()
            };
            let (here, there) = (alike(&runs[0].1), alike(&runs[1].1));
            let place = here.iter().position(|at| *at == row).unwrap();
            let twin = there.get(place).or(there.last()).copied();
            for (kind, event) in (0..3).filter_map(|kind| Some((kind, turn(block, kind)?))) {
                let found = event_counterpart(a, EventId(event as u32), b, how, Alike::Stack);
                let expected = match (block.2, twin) {
                    // Neither no stack nor the empty one is a stack.
                    (2 | 3, _) => Err(Unmatched::Unrecorded),
                    (_, None) => Err(Unmatched::Unknown),
                    (_, Some(twin)) => turn(&runs[1].1[twin], kind)
                        .map(|event| (event, twin))
                        .ok_or(Unmatched::Outside),
                };
                let found = found.map(|found| match found {
                    EventCounterpart::OfBlock { event, block } => {
                        (event.0 as usize, block.block.row())
                    }
                    EventCounterpart::AsLate { .. } => panic!("it has a block"),
                });
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn segments_stand_for_those_of_a_walk(
        one in mapped(),
        other in mapped(),
        how in prop::sample::select(&HOWS[..]),
    ) {
        let runs = [segments(&one), segments(&other)];
        prop_assume!(!runs[0].0.is_empty() && !runs[1].0.is_empty());
        let sessions = runs.each_ref().map(|(text, _)| session(text));
        let [a, b] = sessions.each_ref().map(|session| session.device(0).unwrap());
        for (row, segment) in runs[0].1.iter().enumerate() {
            let nth = |is_alike: &dyn Fn(&(u64, usize)) -> bool| {
                let alike = |rows: &[(u64, usize)]| -> Vec<usize> {
                    (0..rows.len()).filter(|at| is_alike(&rows[*at])).collect()
                };
                let (here, there) = (alike(&runs[0].1), alike(&runs[1].1));
                let place = here.iter().position(|at| *at == row).unwrap();
                there.get(place).or(there.last()).copied()
            };
            let by_stack = (segment.1 < 2).then(|| nth(&|other| other.1 == segment.1)).flatten();
            let expected = by_stack.map(|row| (row, SegmentAlike::Stack)).or_else(|| {
                nth(&|other| other.0 == segment.0).map(|row| (row, SegmentAlike::Shape))
            });
            let found = segment_counterpart(a, SegmentId(row as u32), b, how);
            let found = found.map(|found| (found.segment.row(), found.how));
            prop_assert_eq!(found, expected.ok_or(Unmatched::Unknown));
            // It stands for itself.
            let same = segment_counterpart(a, SegmentId(row as u32), a, how).unwrap();
            prop_assert_eq!((same.segment.row(), same.places[0]), (row, same.places[1]));
        }
    }
}
