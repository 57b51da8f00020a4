//! Random allocator runs: the answers equal those of a walk over all events.

use super::session;
use crate::{Amount, At, BlockId, EventId, StackId};
use proptest::prelude::*;
use std::fmt::Write as _;

/// What may happen next: an allocation of `(size, requested, stack)`, or the next step in the life
/// of one of the blocks that live.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Alloc(u64, u64, usize),
    Free(prop::sample::Index),
}

pub(super) fn acts() -> impl Strategy<Value = Vec<Act>> {
    let alloc = (1..9_u64, 0..512_u64, 0..4_usize)
        .prop_map(|(cells, less, stack)| Act::Alloc(cells * 512, cells * 512 - less, stack));
    let free = any::<prop::sample::Index>().prop_map(Act::Free);
    prop::collection::vec(prop_oneof![3 => alloc, 4 => free], 1..120)
}

const STACKS: [&str; 4] = ["main", "lib", "-", "()"];

/// One block of the walk: size, requested, stack; events of alloc, request and completion.
pub(super) type Row = (u64, u64, usize, usize, Option<usize>, Option<usize>);

pub(super) fn run(acts: &[Act]) -> (String, Vec<Row>) {
    let (mut text, mut rows): (String, Vec<Row>) = (String::new(), Vec::new());
    let mut event = 0;
    for act in acts {
        let living: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].5.is_none()).collect();
        match act {
            Act::Alloc(size, requested, stack) => {
                let (name, addr) = (rows.len(), 0x1000 * rows.len());
                writeln!(text, "+ {name} {addr} {size} {requested} {}", STACKS[*stack]).unwrap();
                rows.push((*size, *requested, *stack, event, None, None));
            }
            Act::Free(_) if living.is_empty() => continue,
            Act::Free(index) => {
                let name = *index.get(&living);
                let is_request = rows[name].4.is_none();
                writeln!(text, "{} {name}", if is_request { '-' } else { 'x' }).unwrap();
                *(if is_request { &mut rows[name].4 } else { &mut rows[name].5 }) = Some(event);
            }
        }
        event += 1;
    }
    (text, rows)
}

pub(super) fn amount(rows: &[Row], is_meant: impl Fn(&Row) -> bool) -> Amount {
    let mut amount = Amount::default();
    for row in rows.iter().filter(|row| is_meant(row)) {
        amount.count += 1;
        amount.size += row.0;
        amount.requested += row.1;
    }
    amount
}

pub(super) fn ended(end: Option<usize>, event: usize) -> bool {
    end.is_some_and(|end| end <= event)
}

proptest! {
    #[test]
    fn live_sets_and_peaks_equal_those_of_a_walk(acts in acts()) {
        let (text, rows) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let mut most_requested = (0, 0);
        for event in 0..text.lines().count() {
            let born = |row: &Row| row.3 <= event;
            let set = device.live_set(At::Event(EventId(event as u32)), 3).unwrap();
            prop_assert_eq!(set.total, amount(&rows, |row| born(row) && !ended(row.5, event)));
            prop_assert_eq!(set.allocated, amount(&rows, |row| born(row) && !ended(row.4, event)));
            prop_assert_eq!(set.pending.count, set.total.count - set.allocated.count);
            let mut largest: Vec<u64> =
                rows.iter().filter(|row| born(row) && !ended(row.5, event)).map(|row| row.0).collect();
            largest.sort_unstable_by(|one, other| other.cmp(one));
            largest.truncate(3);
            let sizes: Vec<u64> = set.largest.iter().map(|row| row.block.size).collect();
            prop_assert_eq!(sizes, largest);
            if set.total.requested > most_requested.0 {
                most_requested = (set.total.requested, event as u32 + 1);
            }
        }
        let peak = device.summary().peak_requested;
        prop_assert_eq!((peak.bytes, peak.at.0), most_requested);
    }

    #[test]
    fn same_stack_amounts_equal_those_of_a_walk(acts in acts()) {
        let (text, rows) = run(&acts);
        prop_assume!(!rows.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let peak = device.summary().peak[0].at.0 as usize;
        // In the drawing's own table, `main` is stack 1 and `lib` 2.
        for (stack, id) in [(0, StackId(1)), (1, StackId(2))] {
            let found = device.same_stack(id);
            prop_assert_eq!(found.all, amount(&rows, |row| row.2 == stack));
            let at_peak = |row: &Row| row.2 == stack && row.3 < peak && row.4.is_none_or(|end| end >= peak);
            prop_assert_eq!(found.at_peak, amount(&rows, at_peak));
            prop_assert_eq!(found.unfreed, amount(&rows, |row| row.2 == stack && row.4.is_none()));
        }
        for id in 0..rows.len() {
            prop_assert!(device.block(BlockId(id as u32)).is_some());
        }
    }
}
