//! Which blocks of the pool stand out.

use super::nonsense::{device, recording};
use crate::{ColorBy, Highlight, PoolGrouping, PoolOrder, PoolQuestion, pool_bytes};
use model::*;
use session::{Job, Session};

/// A segment from before the recording with three blocks: one from before it, one of event 0 and
/// one of event 1.
fn session() -> Session {
    let block = |addr, born| Block {
        addr,
        size: 512,
        requested: 500,
        born: State(born),
        released: None,
        died: None,
        stack: None,
        stream: StreamId(0),
        pool: None,
        origin: Origin::Traced,
        size_source: SizeSource::Computed,
    };
    let alloc = Action::Alloc.code();
    let events = Events {
        action: vec![alloc; 2].into(),
        addr: vec![1024, 2048].into(),
        size: vec![500; 2].into(),
        stream: vec![0; 2].into(),
        stack: vec![Events::NO_STACK; 2].into(),
        pool: None,
        note: None,
        ..Events::empty()
    };
    let blocks = vec![block(512, 0), block(1024, 1), block(2048, 2)];
    let mut table = device(0, events, blocks, &[512, 1024, 1536]);
    let segment = Segment {
        addr: 512,
        size: 4096,
        born: State(0),
        died: None,
        stack: None,
        stream: StreamId(0),
        pool: None,
        kind: SegmentKind::Small,
        is_expandable: false,
    };
    table.segments = Segments::new(vec![segment], 1, 4).unwrap();
    Session::new(recording(vec![table]), &Job::unwatched()).unwrap()
}

/// Bit 4 of every block's flags, by address.
fn dim(highlight: Option<Highlight>) -> Vec<bool> {
    let question = PoolQuestion {
        session: 0,
        device: 0,
        after: 1.0,
        order: PoolOrder::Size,
        grouping: PoolGrouping::Together,
        color: ColorBy::Address,
        highlight,
    };
    let bytes = pool_bytes(&session(), &question).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(word(12), 3, "three blocks");
    // The flags are the last column.
    let flags = (bytes.len() - 12..bytes.len()).step_by(4).map(word);
    flags.map(|flags| flags & 4 != 0).collect()
}

#[test]
fn blocks_from_outside_a_period_step_back() {
    assert_eq!(dim(None), [false; 3]);
    let period = |from, to| Some(Highlight::Period { from, to });
    assert_eq!(dim(period(0.0, 0.0)), [true, false, true]);
    assert_eq!(dim(period(1.0, 1.0)), [true, true, false]);
    assert_eq!(dim(period(0.0, 1.0)), [true, false, false]);
}

#[test]
fn the_blocks_of_a_segment_stay_as_they_are() {
    let around = |address: &str| Some(Highlight::Segment { address: address.into(), after: 1.0 });
    assert_eq!(dim(around("0x300")), [false; 3]);
    // Nothing is there, so nothing steps back.
    assert_eq!(dim(around("0x9000")), [false; 3]);
}
