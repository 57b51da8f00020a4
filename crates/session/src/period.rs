//! What happened between two states.

use crate::{Amount, OnDevice};
use index::Lives;
use model::{Counter, State};

/// A number of blocks with the sizes of the extremes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spread {
    /// How many, and their bytes.
    pub amount: Amount,
    /// Bytes of the largest, 0 when there are none.
    pub largest: u64,
    /// Bytes of the smallest, 0 when there are none.
    pub smallest: u64,
}

impl Spread {
    fn add(&mut self, blocks: &model::Blocks, row: usize) {
        let size = blocks.size()[row];
        self.smallest = if self.amount.count == 0 { size } else { self.smallest.min(size) };
        self.largest = self.largest.max(size);
        self.amount.add(blocks, row);
    }
}

/// What happened in a stretch of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodDetails {
    /// The state before its first event.
    pub from: State,
    /// The state after its last event.
    pub to: State,
    /// Blocks allocated in it.
    pub allocated: Spread,
    /// Blocks freed in it, wherever they were allocated.
    pub freed: Spread,
    /// Blocks allocated in it and not freed in it.
    pub unfreed: Spread,
    /// Allocated, active, reserved at `from`.
    pub before: [u64; 3],
    /// Allocated, active, reserved at `to`.
    pub after: [u64; 3],
}

impl OnDevice<'_> {
    /// What happened between `from` and `to`, which are clamped to the recording.
    pub fn period(self, from: State, to: State) -> PeriodDetails {
        let to = to.min(self.last_state());
        let from = from.min(to);
        let table = self.table();
        let blocks = &table.blocks;
        let (mut allocated, mut freed, mut unfreed) =
            (Spread::default(), Spread::default(), Spread::default());
        let (first, last) =
            (Lives::born_by(blocks.born(), from), Lives::born_by(blocks.born(), to));
        for row in 0..last {
            let died = blocks.died()[row];
            if died > from.0 && died <= to.0 {
                freed.add(blocks, row);
            }
            if row >= first {
                allocated.add(blocks, row);
                if died > to.0 {
                    unfreed.add(blocks, row);
                }
            }
        }
        let totals = |state| {
            [Counter::Allocated, Counter::Active, Counter::Reserved]
                .map(|counter| table.counters.at(counter, state))
        };
        PeriodDetails {
            from,
            to,
            allocated,
            freed,
            unfreed,
            before: totals(from),
            after: totals(to),
        }
    }
}
