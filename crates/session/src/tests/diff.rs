//! The difference of two moments, to drawn recordings and to random ones.

use super::drawn::recording;
use super::dump::{Life, dump};
use super::oracle::{acts, amount, ended, run};
use super::{STORY, session};
use crate::{
    Alike, Amount, At, BlockId, By, Difference, Job, Match, Session, State, StepPeaks, StepPlace,
    Unmatched, counterpart, diff, same_stack_in,
};
use model::{Annotation, AnnotationKind};
use proptest::prelude::*;

const EXACT: By = By::Stack(Match::Exact);

/// `a` and `b` at the end of both.
fn at_end(a: &Session, b: &Session, by: By) -> Difference {
    let [a, b] = [a, b].map(|session| session.device(0).unwrap());
    diff(a, a.last_state(), b, b.last_state(), by).unwrap()
}

/// Each row's lines, bytes and whether the sides know it; the largest change first.
fn rows(found: &Difference) -> Vec<(String, [u64; 2], [bool; 2])> {
    let words = |row| found.lines(row).map_or("none".to_owned(), |lines| lines.join(" < "));
    found.rows.iter().map(|row| (words(row), row.amounts.map(|a| a.size), row.is_known)).collect()
}

#[test]
fn stacks_are_named_by_what_does_not_depend_on_the_machine() {
    let a = session("+ a 0x1000 512 400 main\n+ b 0x2000 1024 1000 -\n+ c 0x3000 512 512 ()");
    let b = session("+ a 0x1000 2048 2000 main\n+ b 0x2000 1024 1000 native\n- a");
    let main = "torch/nn/functional.py:2374 linear < mlp.py:62 forward";
    let found = at_end(&a, &b, EXACT);
    let expected = [
        // Its free is pending, so it is held. The empty stack is no stack.
        (main.to_owned(), [512, 2048], [true; 2]),
        ("none".to_owned(), [1536, 0], [true; 2]),
        ("torch::unwind::unwind() < Blas.cpp at::native::mm".to_owned(), [0, 1024], [true; 2]),
    ];
    // 1536 either way: of equal changes the larger sum comes first.
    assert_eq!(rows(&found), expected);
    assert_eq!(found.change(), 1024);
    // The user's frame tells most; the unwinder's own tells least.
    let top: Vec<_> = found.rows.iter().map(|row| row.top_line).collect();
    assert_eq!(top, [Some(1), None, Some(1)]);
    let lines = |by| rows(&at_end(&a, &b, by))[0].0.clone();
    let files = "torch/nn/functional.py linear < mlp.py forward";
    assert_eq!(lines(By::Stack(Match::FileFunction)), files);
    assert_eq!(lines(By::Stack(Match::Function)), "linear < forward");
}

#[test]
fn a_stack_that_only_one_recording_knows_is_shown_as_such() {
    let a = session("+ a 0x1000 512 400 main");
    let mut other = recording("+ a 0x1000 512 400 main");
    // The same call, some lines further down.
    let ids: Vec<u32> = vec![1, 0];
    let frames = (0..2).map(|row| other.stacks.frame(model::FrameId(row)));
    let frames =
        frames.map(|frame| model::Frame { line: frame.line.map(|line| line + 5), ..frame });
    other.stacks = model::Stacks::new(vec![0, 0, 2], ids, frames.collect(), Vec::new()).unwrap();
    let b = Session::new(other, &Job::unwatched()).unwrap();
    let found = rows(&at_end(&a, &b, EXACT));
    let known: Vec<_> = found.iter().map(|row| (row.1, row.2)).collect();
    let only = |a: bool| if a { ([512, 0], [true, false]) } else { ([0, 512], [false, true]) };
    assert_eq!(known, [only(true), only(false)]);
    for by in [Match::FileFunction, Match::Function] {
        let found = at_end(&a, &b, By::Stack(by));
        assert!(found.rows.iter().all(crate::DifferenceRow::is_unchanged), "{by:?}");
        assert_eq!(rows(&found)[0].2, [true; 2]);
    }
}

#[test]
fn steps_of_one_number_stand_beside_each_other() {
    let a = session(STORY);
    let mut other = recording("+ a 0x1000 512 400 main\n+ b 0x2000 512 400 main");
    // The step has no end: the recording's is taken. Of the other the beginning is lost.
    let step = |name: model::StringId, kind, start_ns| Annotation {
        name,
        device: 0,
        kind,
        start_ns,
        end_ns: None,
        depth: 0,
    };
    let (one, forward) = (other.annotations[0].name, other.annotations[1].name);
    other.annotations = vec![
        step(one, AnnotationKind::Range, Some(super::FIRST_NS + 5)),
        step(forward, AnnotationKind::Step, None),
    ];
    let b = Session::new(other, &Job::unwatched()).unwrap();
    let found = at_end(&a, &b, EXACT);
    assert_eq!(found.steps.len(), 1);
    assert_eq!(found.steps[0].step, "1");
    // In the story the step sees a and b come (old and ghost are there) and a go.
    let peaks = |allocated, reserved| StepPeaks { allocated, reserved };
    assert_eq!(found.steps[0].peaks, [peaks(4096, 8192), peaks(1024, 0)]);
    assert_eq!(found.lonely_steps, [vec![], vec!["## forward ##".to_owned()]]);
    let first = super::FIRST_NS;
    let there = StepPlace { from: State(1), to: State(2), ns: [first + 5, first + 10] };
    assert_eq!(found.steps[0].places[1], there);
}

#[test]
fn a_block_stands_for_the_one_that_comes_as_late_among_its_like() {
    let a = session(
        "+ a 0x1000 512 400 main\n+ b 0x2000 512 400 lib\n+ c 0x3000 512 400 main\n\
         + d 0x4000 512 1 main\n+ e 0x5000 512 1 -\n+ f 0x6000 512 1 native",
    );
    let b = session("+ x 0x1000 512 1 lib\n+ y 0x2000 512 1 main\n- x\n+ z 0x5000 2048 2000 main");
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let found = |block| {
        let found = counterpart(a, BlockId(block), b, Match::Exact, Alike::Stack)?;
        assert_eq!(found.how, Alike::Stack);
        Ok((found.block.0, found.places, found.counts))
    };
    assert_eq!(found(0), Ok((1, [0, 0], [3, 2])));
    assert_eq!(found(1), Ok((0, [0, 0], [1, 1])));
    assert_eq!(found(2), Ok((2, [1, 1], [3, 2])));
    // There are fewer: the last is the nearest.
    assert_eq!(found(3), Ok((2, [2, 1], [3, 2])));
    assert_eq!((found(4), found(5)), (Err(Unmatched::Unrecorded), Err(Unmatched::Unknown)));
    // Rows of stacks are those of a drawing: main is 1, lib 2, native 3.
    let main = a.table().blocks.get(BlockId(0)).stack.unwrap();
    let there = b.table().blocks.get(BlockId(1)).stack.unwrap();
    assert_eq!(same_stack_in(a, main, b, Match::Exact), [there]);
    let far = [model::StackId(0), model::StackId(u32::MAX)];
    assert!(far.iter().all(|stack| same_stack_in(a, *stack, b, Match::Exact).is_empty()));
}

#[test]
fn a_block_without_a_stack_stands_for_one_of_its_owner() {
    let lives: [Life; 3] = [
        ("PTA", "PTA@ops", 40, 10, None),
        ("PTA", "PTA@model", 7, 5, None),
        ("PTA", "", 3, 15, None),
    ];
    let a = Session::new(dump(&lives, &[]), &Job::unwatched()).unwrap();
    let b = Session::new(dump(&lives[..1], &[]), &Job::unwatched()).unwrap();
    let [a, b] = [&a, &b].map(|session| session.device(0).unwrap());
    let owners: Vec<_> = (0..3).map(|row| a.owner(BlockId(row)).unwrap_or("none")).collect();
    let found: Vec<_> = (0..3)
        .map(|row| counterpart(a, BlockId(row), b, Match::Exact, Alike::Stack))
        .map(|found| found.map(|found| (found.block.0, found.how)))
        .collect();
    // In the order of allocation.
    assert_eq!(owners, ["PTA@model", "PTA@ops", "none"]);
    let ops = Ok((0, Alike::Owner));
    assert_eq!(found, [Err(Unmatched::Unknown), ops, Err(Unmatched::Unrecorded)]);
}

#[test]
fn dumps_differ_by_owner() {
    let lives: [Life; 4] = [
        ("PTA", "PTA@ops", 40, 10, None),
        ("PTA", "PTA@ops", 80, 20, None),
        ("PTA", "PTA@model", 7, 5, None),
        ("PTA", "", 3, 15, None),
    ];
    let a = Session::new(dump(&lives, &[]), &Job::unwatched()).unwrap();
    let on = a.device(0).unwrap();
    let found = diff(on, on.state_at_ns(10), on, on.state_at_ns(20), By::Owner).unwrap();
    let expected = [
        ("PTA@ops".to_owned(), [40, 120], [true; 2]),
        ("none".to_owned(), [0, 3], [true; 2]),
        ("PTA@model".to_owned(), [7, 7], [true; 2]),
    ];
    assert_eq!(rows(&found), expected);
    // A snapshot has no owners, whichever side it is; stacks and totals still compare.
    let b = session(STORY);
    let other = b.device(0).unwrap();
    assert_eq!(diff(on, State(1), other, State(1), By::Owner), None);
    assert_eq!(diff(other, State(1), on, State(1), By::Owner), None);
    assert_eq!(at_end(&a, &b, EXACT).change(), 4608 - 130);
}

/// What is there after `events`, by the stack's number in the walk; 2 and 3 are no stack.
fn walked(rows: &[super::oracle::Row], events: usize, stack: usize) -> Amount {
    let is_none = |stack: usize| stack >= 2;
    amount(rows, |row| {
        let is_alike = row.2 == stack || is_none(row.2) && is_none(stack);
        is_alike && row.3 < events && events.checked_sub(1).is_none_or(|at| !ended(row.5, at))
    })
}

proptest! {
    #[test]
    fn a_difference_adds_up_and_turns_round(
        one in acts(),
        other in acts(),
        cut in any::<[prop::sample::Index; 2]>(),
        how in prop_oneof![Just(Match::Exact), Just(Match::FileFunction), Just(Match::Function)],
    ) {
        let by = By::Stack(how);
        let runs = [run(&one), run(&other)];
        let sessions = runs.each_ref().map(|(text, _)| session(text));
        let on = sessions.each_ref().map(|session| session.device(0).unwrap());
        let at = [0, 1].map(|side| State(cut[side].index(runs[side].0.lines().count() + 1) as u32));
        let there = diff(on[0], at[0], on[1], at[1], by).unwrap();
        let back = diff(on[1], at[1], on[0], at[0], by).unwrap();

        // Every row by a walk over the events, and nothing beside them.
        for side in 0..2 {
            let mut sum = Amount::default();
            for row in &there.rows {
                let stack = match there.lines(row) {
                    None => 3,
                    Some(lines) => usize::from(lines.len() == 3),
                };
                let events = at[side].0 as usize;
                prop_assert_eq!(row.amounts[side], walked(&runs[side].1, events, stack));
                sum.join(row.amounts[side]);
            }
            let at = at[side].event().map_or(At::Start, At::Event);
            prop_assert_eq!(sum, on[side].live_set(at, 0).unwrap().total);
            prop_assert_eq!(sum, there.sides[side].live);
        }
        prop_assert_eq!(there.rows.iter().map(crate::DifferenceRow::change).sum::<i64>(), there.change());

        // The other way round everything is the same with the sides changed.
        prop_assert_eq!(back.change(), -there.change());
        prop_assert_eq!(back.rows.len(), there.rows.len());
        for (back_row, row) in back.rows.iter().zip(&there.rows) {
            prop_assert_eq!(back.lines(back_row), there.lines(row));
            let [a, b] = row.amounts;
            prop_assert_eq!(back_row.amounts, [b, a]);
            prop_assert_eq!(back_row.change(), -row.change());
        }
        for (back, step) in back.steps.iter().zip(&there.steps) {
            let [a, b] = step.peaks;
            prop_assert_eq!(back.peaks, [b, a]);
        }

        // The largest block is one of the row's, and there is none where it holds nothing.
        for row in &there.rows {
            for (side, on) in on.iter().enumerate() {
                let sizes = on.table().blocks.size();
                let largest = row.largest[side].map(|block| sizes[block.row()]);
                prop_assert_eq!(largest.is_some(), row.amounts[side].count > 0);
                prop_assert!(largest.unwrap_or(0) <= row.amounts[side].size);
            }
        }

        // A block stands for itself, and what comes as late stands for each other.
        for row in 0..on[0].table().blocks.len() {
            let block = BlockId(row);
            if let Ok(same) = counterpart(on[0], block, on[0], how, Alike::Stack) {
                prop_assert_eq!((same.block, same.places[0]), (block, same.places[1]));
            }
            let Ok(other) = counterpart(on[0], block, on[1], how, Alike::Stack) else { continue };
            let back = counterpart(on[1], other.block, on[0], how, Alike::Stack).unwrap();
            prop_assert_eq!(back.counts, [other.counts[1], other.counts[0]]);
            let is_as_late = other.places[0] == other.places[1];
            prop_assert!(!is_as_late || back.block == block);
        }

        // To itself nothing differs.
        let none = diff(on[0], at[0], on[0], at[0], by).unwrap();
        prop_assert!(none.rows.iter().all(crate::DifferenceRow::is_unchanged));
        prop_assert!(none.steps.iter().all(|step| step.peaks[0] == step.peaks[1]));
        prop_assert_eq!(none.change(), 0);
        prop_assert_eq!(none.lonely_steps, [Vec::<String>::new(), Vec::new()]);
    }
}
