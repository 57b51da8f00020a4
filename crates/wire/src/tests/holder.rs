//! Whatever is asked about holders is answered or refused.

use super::nonsense::session;
use crate::{
    Axis, Holder, HolderCurveQuestion, HolderQuestion, PeriodAmounts, PeriodBy, PeriodByQuestion,
    PeriodOrder, StackSet, StackTreeQuestion, holder, holder_curve, period_by, stack_tree,
};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -3.0..6.0_f64,
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY)
    ]
}

fn holders() -> impl Strategy<Value = Holder> {
    let row = || prop_oneof![0..4_u32, any::<u32>()];
    prop_oneof![
        row().prop_map(|stack| Holder::Stack { stack }),
        row().prop_map(|frame| Holder::Frame { frame }),
        "[A-Z@]{0,5}".prop_map(|tag| Holder::Owner { tag }),
    ]
}

#[test]
fn a_refusal_names_what_is_not_there() {
    let refused = |holder_of: Holder| {
        let question = HolderQuestion { session: 0, device: 0, holder: holder_of, after: 0.0 };
        holder(&session(), &question).unwrap_err().message
    };
    assert_eq!(refused(Holder::Stack { stack: 99 }), "the recording has no stack 99");
    assert_eq!(refused(Holder::Frame { frame: 99 }), "the recording has no frame 99");
    let owner = refused(Holder::Owner { tag: "PTA".to_owned() });
    assert!(owner.contains("snapshot"), "{owner}");
}

proptest! {
    #[test]
    fn any_question_is_answered_or_refused(
        of in holders(),
        device in 0..3_u32,
        [x0, x1] in [number(), number()],
        width_px in any::<u32>(),
        by_owner in any::<bool>(),
        order in prop_oneof![
            Just(PeriodOrder::Change),
            Just(PeriodOrder::Allocated),
            Just(PeriodOrder::Unfreed)
        ],
        top in 0..4_u32,
    ) {
        let session = session();
        let at = |holder: Holder| HolderQuestion { session: 0, device, holder, after: x0 };
        drop(holder(&session, &at(of.clone())));
        for axis in [Axis::Event, Axis::Time] {
            let holder = of.clone();
            let question =
                HolderCurveQuestion { session: 0, device, holder, axis, x0, x1, width_px };
            if let Ok(curve) = holder_curve(&session, &question) {
                prop_assert!(curve.most.len() <= 2 * 2048);
                prop_assert!(curve.edge.iter().all(|edge| edge.is_finite()));
            }
        }
        for set in [
            StackSet::At { after: x0 },
            StackSet::Peak,
            StackSet::Allocated { from: x0, to: x1 },
            StackSet::Unfreed { from: x0, to: x1 },
        ] {
            let below = if by_owner { Vec::new() } else { vec![top] };
            let question = StackTreeQuestion { session: 0, device, set, below, width_px };
            if let Ok(tree) = stack_tree(&session, &question) {
                let top = tree.nodes.iter().filter(|node| node.parent.is_none());
                prop_assert_eq!(top.map(|node| node.amount.size).sum::<u64>(), tree.shown.size);
            }
        }
        let by = if by_owner { PeriodBy::Owner } else { PeriodBy::Stack };
        let question = PeriodByQuestion { session: 0, device, from: x0, to: x1, by, order, top };
        if let Ok(found) = period_by(&session, &question) {
            prop_assert!(found.rows.len() <= top as usize);
            let sum = |of: fn(&PeriodAmounts) -> i64| {
                let rows = found.rows.iter().map(|row| &row.amounts).chain([&found.rest]);
                (rows.map(of).sum::<i64>(), of(&found.whole))
            };
            for of in [
                (|one| one.change) as fn(&PeriodAmounts) -> i64,
                |one| one.change_count,
                |one| one.allocated.size as i64,
                |one| i64::from(one.unfreed.count),
            ] {
                let (rows, whole) = sum(of);
                prop_assert_eq!(rows, whole);
            }
        }
    }
}
