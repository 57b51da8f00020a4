//! What stacks, frames and owners hold, against a walk over all blocks.

use super::dump::{Life, dump};
use super::oracle::{Row, acts, amount, run};
use super::{STORY, session};
use crate::*;
use model::Counter;
use proptest::prelude::*;

/// Each holder of the walk, and which of its stacks are meant: 0 is `main`, 1 `lib`; `linear` is
/// in both, `forward` in the first alone, `native` in neither.
fn holders() -> [(Holder, &'static [usize]); 5] {
    [
        (Holder::Stack(StackId(1)), &[0]),
        (Holder::Stack(StackId(2)), &[1]),
        (Holder::Stack(StackId(3)), &[]),
        (Holder::Frame(FrameId(0)), &[0]),
        (Holder::Frame(FrameId(1)), &[0, 1]),
    ]
}

fn is_there(row: &Row, state: usize) -> bool {
    row.3 < state && row.4.is_none_or(|end| end >= state)
}

/// Blocks that are not free: allocated, or their free not completed.
fn is_held(row: &Row, state: usize) -> bool {
    row.3 < state && row.5.is_none_or(|end| end >= state)
}

#[test]
fn what_the_recording_does_not_know_holds_nothing() {
    let session = session(STORY);
    let device = session.device(0).unwrap();
    // Row 0 is the empty stack.
    for holder in [
        Holder::Stack(StackId(0)),
        Holder::Stack(StackId(99)),
        Holder::Frame(FrameId(99)),
        Holder::Owner("PTA".to_owned()),
    ] {
        assert!(device.holder(&holder).is_none(), "{holder:?}");
        assert!(device.stacks_of(&holder).iter().all(|is_meant| !is_meant), "{holder:?}");
    }
    let main = device.holder(&Holder::Stack(StackId(1))).unwrap();
    let totals = main.totals(State(3));
    assert_eq!(totals.all, device.same_stack(StackId(1)).all);
    // Two allocations; drawn frees are all by `main`.
    assert_eq!((totals.largest, totals.events), (Some(BlockId(2)), Some(7)));
}

#[test]
fn an_owner_holds_what_those_below_it_hold() {
    let lives: [Life; 4] = [
        ("PTA", "PTA@ops", 40, 10, None),
        ("PTA", "ops@aten", 80, 20, Some(30)),
        ("PTA", "PTA@model", 7, 5, None),
        ("PTA", "", 3, 15, None),
    ];
    let session = Session::new(dump(&lives, &[]), &Job::unwatched()).unwrap();
    let device = session.device(0).unwrap();
    let held = |tag: &str| {
        let totals = device.holder(&Holder::Owner(tag.to_owned())).unwrap();
        let totals = totals.totals(device.state_at_ns(25));
        assert_eq!(totals.events, None);
        [totals.all.size, totals.now.size, totals.unfreed.size]
    };
    assert_eq!(held("PTA@ops"), [120, 120, 40]);
    assert_eq!(held("PTA@ops@aten"), [80, 80, 0]);
    assert_eq!(held("PTA"), [130, 130, 50]);
    assert_eq!(held("ATB"), [0; 3]);

    // Each has its own alone, and the blocks without an owner are a row.
    let rows = device.holders(device.state_at_ns(25), HoldersBy::Owner).unwrap();
    let own = |row: &HolderRow| match &row.holder {
        Some(Holder::Owner(tag)) => (tag.clone(), row.totals.all.size, row.totals.now.size),
        _ => ("none".to_owned(), row.totals.all.size, row.totals.now.size),
    };
    let mut own: Vec<_> = rows.iter().map(own).collect();
    own.sort();
    let expected =
        [("PTA@model", 7, 7), ("PTA@ops", 40, 40), ("PTA@ops@aten", 80, 80), ("none", 3, 3)];
    assert_eq!(own, expected.map(|(tag, all, now)| (tag.to_owned(), all, now)));
    assert!(rows.iter().all(|row| row.totals.events.is_none()));

    let (from, to) = (device.state_at_ns(10), device.state_at_ns(30));
    let rows = device.period_by(from, to, HoldersBy::Owner).unwrap();
    let said = |row: &HolderChange| match &row.holder {
        Some(Holder::Owner(tag)) => tag.clone(),
        None => "none".to_owned(),
        other => panic!("{other:?} is no owner"),
    };
    let mut rows: Vec<_> =
        rows.iter().map(|row| (said(row), row.change(), row.allocated.size)).collect();
    rows.sort();
    let expected =
        [("PTA@model", 0, 0), ("PTA@ops", 0, 0), ("PTA@ops@aten", 0, 80), ("none", 3, 3)];
    assert_eq!(rows, expected.map(|(tag, change, made)| (tag.to_owned(), change, made)));
    let snapshot = super::session(STORY);
    let device = snapshot.device(0).unwrap();
    assert_eq!(device.period_by(State(0), State(9), HoldersBy::Owner), None);
    assert_eq!(device.holders(State(0), HoldersBy::Owner), None);
}

proptest! {
    #[test]
    fn what_a_holder_holds_equals_a_walk(acts in acts(), width in 1..160_u32, cut in any::<prop::sample::Index>()) {
        let (text, rows) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let states = text.lines().count() + 1;
        let state = cut.index(states);
        let x = (-1.0, states as f64 - 1.0);
        let stretches = layout::stretches(device.table(), Axis::Event, x, width);
        for (holder, meant) in holders() {
            let held = device.holder(&holder).unwrap();
            let is_meant = |row: &Row| meant.contains(&row.2);
            let totals = held.totals(State(state as u32));
            prop_assert_eq!(totals.all, amount(&rows, is_meant));
            prop_assert_eq!(totals.now, amount(&rows, |row| is_meant(row) && is_there(row, state)));
            let peak = device.summary().peak[0].at.0 as usize;
            prop_assert_eq!(totals.at_peak, amount(&rows, |row| is_meant(row) && is_there(row, peak)));
            prop_assert_eq!(totals.unfreed, amount(&rows, |row| is_meant(row) && row.4.is_none()));
            let most = rows.iter().filter(|row| is_meant(row)).map(|row| row.0).max();
            let size = totals.largest.map(|block| device.table().blocks.get(block).size);
            prop_assert_eq!(size, most);
            let lit = held.lit();
            for (id, row) in rows.iter().enumerate() {
                prop_assert_eq!(lit.holds(&device.table().blocks, id), is_meant(row));
                prop_assert_eq!(held.holds(id), is_meant(row));
            }

            let walk: Vec<u64> = (0..states)
                .map(|state| amount(&rows, |row| is_meant(row) && is_there(row, state)).size)
                .collect();
            let columns = held.columns(Axis::Event, x, width);
            prop_assert_eq!(&columns.edge, &stretches.edge);
            prop_assert_eq!(columns.most.len(), stretches.states.len());
            for (at, range) in stretches.states.iter().enumerate() {
                let part = &walk[range.start.0 as usize..range.end.0 as usize];
                prop_assert_eq!(Some(columns.least[at]), part.iter().copied().min());
                prop_assert_eq!(Some(columns.most[at]), part.iter().copied().max());
                let first = part.iter().position(|bytes| *bytes == columns.most[at]).unwrap();
                prop_assert_eq!(columns.at[at].0, range.start.0 + first as u32);
            }
            prop_assert_eq!(Some(columns.peak.bytes), walk.iter().copied().max());
        }
    }

    #[test]
    fn all_holders_together_are_each_of_them_alone(acts in acts(), cut in any::<prop::sample::Index>()) {
        let (text, rows) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let state = cut.index(text.lines().count() + 1);
        let now = State(state as u32);
        let found = device.holders(now, HoldersBy::Stack).unwrap();
        let mut sum = HolderTotals::default();
        for row in &found {
            if let Some(holder) = &row.holder {
                prop_assert_eq!(row.totals, device.holder(holder).unwrap().totals(now));
            } else {
                let is_meant = |row: &Row| row.2 >= 2;
                prop_assert_eq!(row.totals.all, amount(&rows, is_meant));
                let is_now = |row: &Row| is_meant(row) && is_there(row, state);
                prop_assert_eq!(row.totals.now, amount(&rows, is_now));
                let size = |block: BlockId| device.table().blocks.get(block).size;
                let largest = rows.iter().filter(|row| is_meant(row)).map(|row| row.0).max();
                prop_assert_eq!(row.totals.largest.map(size), largest);
            }
            sum.join(&row.totals);
        }
        let holders: std::collections::HashSet<_> = found.iter().map(|row| &row.holder).collect();
        prop_assert_eq!(holders.len(), found.len());
        prop_assert_eq!(sum.all, amount(&rows, |_| true));
        prop_assert_eq!(sum.now, amount(&rows, |row| is_there(row, state)));
        prop_assert_eq!(sum.unfreed, amount(&rows, |row| row.4.is_none()));
        let counters = &device.table().counters;
        prop_assert_eq!(sum.at_peak.size, device.summary().peak[0].bytes);
        prop_assert_eq!(sum.now.size, counters.at(Counter::Allocated, now));
    }

    #[test]
    fn the_stacks_add_up_to_what_is_allocated(acts in acts()) {
        let (text, rows) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let states = text.lines().count() + 1;
        // A column a state.
        let x = (-1.0, states as f64 - 1.0);
        let columns = (1..4_u32).map(|stack| {
            let held = device.holder(&Holder::Stack(StackId(stack))).unwrap();
            held.columns(Axis::Event, x, 4 * states as u32)
        });
        let columns: Vec<HolderColumns> = columns.collect();
        for state in 0..states {
            let stacks: u64 = columns.iter().map(|columns| columns.most[state]).sum();
            let least: u64 = columns.iter().map(|columns| columns.least[state]).sum();
            let none = amount(&rows, |row| row.2 >= 2 && is_there(row, state)).size;
            let all = device.table().counters.at(Counter::Allocated, State(state as u32));
            prop_assert_eq!([stacks + none, least + none], [all, all]);
        }
    }

    #[test]
    fn a_period_by_stack_adds_up(acts in acts(), cut in any::<[prop::sample::Index; 2]>()) {
        let (text, rows) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let states = text.lines().count() + 1;
        let mut ends = cut.map(|cut| cut.index(states));
        ends.sort_unstable();
        let [from, to] = ends;
        let states = ends.map(|end| State(end as u32));
        let found = device.period_by(states[0], states[1], HoldersBy::Stack).unwrap();
        let mut sum = HolderChange::default();
        for row in &found {
            let is_meant = |block: &&Row| match row.holder {
                Some(Holder::Stack(stack)) => block.2 == stack.row() - 1,
                _ => block.2 >= 2,
            };
            let of = |is_one: &dyn Fn(&Row) -> bool| amount(&rows, |row| is_meant(&row) && is_one(row));
            let is_in = |row: &Row| row.3 >= from && row.3 < to;
            prop_assert_eq!(row.before, of(&|row| is_there(row, from)));
            prop_assert_eq!(row.after, of(&|row| is_there(row, to)));
            prop_assert_eq!(row.allocated, of(&is_in));
            prop_assert_eq!(row.unfreed, of(&|row| is_in(row) && is_held(row, to)));
            sum.join(row);
        }
        let holders: std::collections::HashSet<_> = found.iter().map(|row| &row.holder).collect();
        prop_assert_eq!(holders.len(), found.len());
        let period = device.period(states[0], states[1]);
        prop_assert_eq!([sum.before.size, sum.after.size], [period.before[0], period.after[0]]);
        prop_assert_eq!(sum.change(), period.after[0] as i64 - period.before[0] as i64);
        prop_assert_eq!(sum.allocated, period.allocated.amount);
        prop_assert_eq!(sum.unfreed, period.unfreed.amount);
    }
}
