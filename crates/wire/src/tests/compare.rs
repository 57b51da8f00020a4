//! Two recordings beside each other, as answers.

use super::nonsense;
use crate::{
    AlignedStepsQuestion, ComparedDevice, Counterpart, CounterpartOf, CounterpartQuestion, DiffBy,
    Unfound, aligned_steps, counterpart,
};

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
}

#[test]
fn what_is_not_there_is_refused() {
    let session = nonsense::session();
    let of = CounterpartOf::Block { block: u32::MAX };
    assert!(counterpart(&session, &session, &question(of)).is_err());
    let there = ComparedDevice { session: 0, device: 0 };
    let nowhere = AlignedStepsQuestion { a: there, b: ComparedDevice { device: 7, ..there } };
    assert!(aligned_steps(&session, &session, &nowhere).is_err());
    let both = AlignedStepsQuestion { a: there, b: there };
    let found = aligned_steps(&session, &session, &both).unwrap();
    assert_eq!((found.steps.len(), found.each, found.only_a.count), (0, 1, 0));
}
