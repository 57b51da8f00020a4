//! Two recordings beside each other, as answers.

use super::nonsense;
use crate::{
    AlignedStepsQuestion, ComparedDevice, Counterpart, CounterpartOf, CounterpartQuestion, DiffBy,
    FoundBy, Unfound, aligned_steps, counterpart,
};
use model::{Segment, SegmentKind, Segments, State, StreamId};
use session::{Job, Session};

fn question(of: CounterpartOf) -> CounterpartQuestion {
    let device = ComparedDevice { session: 0, device: 0 };
    CounterpartQuestion { a: device, b: device, by: DiffBy::Stack, of }
}

#[test]
fn what_is_not_recorded_has_no_counterpart() {
    let session = nonsense::session();
    let ask = |of| counterpart(&session, &session, &question(of));
    let none = |why| Counterpart::None { why };
    let block = CounterpartOf::Block { block: 0 };
    assert_eq!(ask(block).unwrap(), none(Unfound::Unrecorded));
    assert_eq!(ask(CounterpartOf::Stack { stack: 7 }).unwrap(), none(Unfound::Unknown));
    let owner = CounterpartOf::Owner { tag: "PTA".to_owned() };
    assert_eq!(ask(owner).unwrap(), none(Unfound::Unrecorded));
    assert_eq!(ask(CounterpartOf::Frame { frame: 7 }).unwrap(), none(Unfound::Unknown));
    assert_eq!(ask(CounterpartOf::Event { event: 1 }).unwrap(), none(Unfound::Unrecorded));
}

#[test]
fn a_segment_is_told_with_the_events_right_after_which_it_is_there() {
    let segment = |addr, born, died: Option<u32>| Segment {
        addr,
        size: 4096,
        born: State(born),
        died: died.map(State),
        stack: None,
        stream: StreamId(0),
        pool: None,
        kind: SegmentKind::Large,
        is_expandable: false,
    };
    let of = |segments: Vec<Segment>| {
        let mut recording = nonsense::session().recording().clone();
        let stated = segments.len() as u32;
        recording.devices[0].segments = Segments::new(segments, stated, stated).unwrap();
        Session::new(recording, &Job::unwatched()).unwrap()
    };
    let a = of(vec![segment(0x1000, 0, None), segment(0x8000, 2, None)]);
    let b = of(vec![segment(0x70_0000, 0, Some(2)), segment(0x90_0000, 2, None)]);
    let ask = |address: &str, after| {
        let of = CounterpartOf::Segment { address: address.to_owned(), after };
        counterpart(&a, &b, &question(of))
    };
    let found = |address: &str, [from, to]: [i64; 2], place| Counterpart::Segment {
        address: address.to_owned(),
        from,
        to,
        how: FoundBy::Shape,
        place_a: place,
        place_b: place,
        count_a: 2,
        count_b: 2,
    };
    assert_eq!(ask("0x1800", -1.0).unwrap(), found("0x700000", [-1, 0], 1));
    // Decimal, and somewhere inside; it is there to the end.
    assert_eq!(ask("32769", 2.0).unwrap(), found("0x900000", [1, 2], 2));
    // Not yet there.
    assert!(ask("0x8000", 0.0).is_err());
    let nothing = counterpart(
        &a,
        &nonsense::session(),
        &question(CounterpartOf::Segment { address: "0x1000".to_owned(), after: 0.0 }),
    );
    assert_eq!(nothing.unwrap(), Counterpart::None { why: Unfound::Unrecorded });
}

#[test]
fn what_is_not_there_is_refused() {
    let session = nonsense::session();
    let of = CounterpartOf::Block { block: u32::MAX };
    assert!(counterpart(&session, &session, &question(of)).is_err());
    let of = CounterpartOf::Event { event: u32::MAX };
    assert!(counterpart(&session, &session, &question(of)).is_err());
    let there = ComparedDevice { session: 0, device: 0 };
    let nowhere = AlignedStepsQuestion { a: there, b: ComparedDevice { device: 7, ..there } };
    assert!(aligned_steps(&session, &session, &nowhere).is_err());
    let both = AlignedStepsQuestion { a: there, b: there };
    let found = aligned_steps(&session, &session, &both).unwrap();
    assert_eq!((found.steps.len(), found.each, found.only_a.count), (0, 1, 0));
}
