//! How a segment grows and shrinks.

use super::drawn::recording;
use crate::*;
use model::*;

const EVENTS: &str = "
    map 0x90000 512
    + a 0x90000 512 512 -
    - a
    x a
    + b 0x90000 512 512 -
";

fn plain(addr: u64, size: u64, born: u32, died: Option<u32>) -> Segment {
    Segment {
        addr,
        size,
        born: State(born),
        died: died.map(State),
        stack: None,
        stream: StreamId(0),
        pool: Some(PoolId(0)),
        kind: SegmentKind::Large,
        is_expandable: false,
    }
}

fn part(addr: u64, size: u64, born: u32, died: Option<u32>) -> Segment {
    Segment { is_expandable: true, ..plain(addr, size, born, died) }
}

/// The changes of the segment around `addr` after `state`: event and bytes.
fn changes(parts: Vec<Segment>, state: u32, addr: u64) -> Vec<(u32, i64)> {
    let mut drawn = recording(EVENTS);
    drawn.devices[0].segments = Segments::new(parts, 0, 0).unwrap();
    let session = Session::new(drawn, &Job::unwatched()).unwrap();
    let found = session.device(0).unwrap().segment(State(state), addr).unwrap();
    found.changes.iter().map(|change| (change.at.event.0, change.bytes)).collect()
}

#[test]
fn an_expandable_segment_grows_and_is_punched() {
    // Mapped by event 0, grown by event 1; event 3 unmaps the upper half of the first part.
    let parts = vec![
        part(0x10000, 8192, 1, Some(4)),
        part(0x12000, 4096, 2, None),
        part(0x20000, 4096, 3, None),
        part(0x10000, 4096, 4, None),
    ];
    let whole = [(0, 8192), (1, 4096), (3, -4096)];
    assert_eq!(changes(parts.clone(), 2, 0x10000), whole);
    // Seen when it is in two: the hole was its own.
    assert_eq!(changes(parts.clone(), 5, 0x12000), whole);
    assert_eq!(changes(parts.clone(), 5, 0x10000), whole);
    // Another one, with a hole between them that was never mapped.
    assert_eq!(changes(parts, 5, 0x20000), [(2, 4096)]);
}

#[test]
fn a_plain_segment_comes_and_goes() {
    let parts = vec![
        plain(0x10000, 8192, 0, Some(2)),
        plain(0x12000, 4096, 1, Some(4)),
        plain(0x10000, 4096, 3, None),
    ];
    // There before the recording: only its end is an event.
    assert_eq!(changes(parts.clone(), 1, 0x10000), [(1, -8192)]);
    assert_eq!(changes(parts.clone(), 1, 0x12000), [(0, 4096), (3, -4096)]);
    // The same address again is another segment.
    assert_eq!(changes(parts, 5, 0x10000), [(2, 4096)]);
}
