//! Running totals, from the tables alone: what a total says is what the rows of a moment add up
//! to, whatever the file says.

use model::{Blocks, Column, Counters, Segment};

/// Totals at every state of a trace of `events` events.
pub(super) fn totals(events: u32, blocks: &Blocks, segments: &[Segment]) -> Counters {
    let states = events as usize + 1;
    let (mut allocated, mut active) = (vec![0; states], vec![0; states]);
    for row in 0..blocks.len() as usize {
        let size = blocks.size()[row];
        change(&mut allocated, blocks.born()[row], size);
        change(&mut active, blocks.born()[row], size);
        change(&mut allocated, blocks.released()[row], size.wrapping_neg());
        change(&mut active, blocks.died()[row], size.wrapping_neg());
    }
    let mut reserved = vec![0; states];
    for segment in segments {
        change(&mut reserved, segment.born.0, segment.size);
        if let Some(died) = segment.died {
            change(&mut reserved, died.0, segment.size.wrapping_neg());
        }
    }
    Counters { allocated: sums(allocated), active: sums(active), reserved: sums(reserved) }
}

/// `by` more from `state` on. Sizes that no machine has may wrap; they add up all the same.
fn change(changes: &mut [u64], state: u32, by: u64) {
    if let Some(change) = changes.get_mut(state as usize) {
        *change = change.wrapping_add(by);
    }
}

fn sums(mut changes: Vec<u64>) -> Column<u64> {
    let mut sum = 0u64;
    for change in &mut changes {
        sum = sum.wrapping_add(*change);
        *change = sum;
    }
    changes.into()
}
