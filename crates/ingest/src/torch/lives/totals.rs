//! Running totals, from the tables alone: what a total says is what the rows of a moment add up
//! to, whatever the file says.

use model::{Blocks, Column, Counters, Segment};

/// Totals at every state of a trace of `events` events.
pub(super) fn totals(events: u32, blocks: &Blocks, segments: &[Segment]) -> Counters {
    let states = events as usize + 1;
    let of_blocks = |ends: &[u32]| {
        let mut changes = vec![0; states];
        for ((born, end), size) in blocks.born().iter().zip(ends).zip(blocks.size()) {
            change(&mut changes, *born, *size);
            change(&mut changes, *end, size.wrapping_neg());
        }
        sums(changes)
    };
    let of_segments = || {
        let mut changes = vec![0; states];
        for segment in segments {
            change(&mut changes, segment.born.0, segment.size);
            if let Some(died) = segment.died {
                change(&mut changes, died.0, segment.size.wrapping_neg());
            }
        }
        sums(changes)
    };
    let (allocated, (active, reserved)) = rayon::join(
        || of_blocks(blocks.released()),
        || rayon::join(|| of_blocks(blocks.died()), of_segments),
    );
    Counters { allocated, active, reserved }
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
