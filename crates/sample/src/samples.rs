//! The second pass's answers: sums and live blocks at chosen moments.

use crate::allocator::{Block, Blocks};
use crate::event::Totals;
use crate::random::Random;
use crate::truth::{LiveBlock, LiveSet, Peaks, TotalsAt};

/// How many moments sums are taken at.
const TOTALS: usize = 64;
const LARGEST: usize = 20;

/// Chosen moments, and what was found there.
pub(crate) struct Samples {
    /// Ascending; the next one is the first not yet taken.
    moments: Vec<i64>,
    live_moments: Vec<i64>,
    dropped: u64,
    pub(crate) totals: Vec<TotalsAt>,
    pub(crate) live: Vec<LiveSet>,
}

impl Samples {
    /// Chooses moments among `events` written events.
    pub(crate) fn new(peaks: &Peaks, events: u64, dropped: u64, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x7a11);
        let last = events as i64 - 1;
        let mut moments = vec![
            0,
            last,
            peaks.allocated.event,
            peaks.active.event,
            peaks.reserved.event,
            peaks.requested.event,
        ];
        let mut live_moments = vec![0, peaks.allocated.event, last / 3, last / 4 * 3, last];
        while moments.len() < TOTALS {
            moments.push(random.below(events) as i64);
        }
        moments.extend(&live_moments);
        for moments in [&mut moments, &mut live_moments] {
            moments.retain(|&moment| (0..=last).contains(&moment));
            moments.sort_unstable();
            moments.dedup();
        }
        Self { moments, live_moments, dropped, totals: Vec::new(), live: Vec::new() }
    }

    /// Told the state right after each written event.
    pub(crate) fn after(&mut self, event: i64, totals: Totals, blocks: &Blocks) {
        if self.moments.get(self.totals.len()) != Some(&event) {
            return;
        }
        let Totals { allocated, active, reserved, requested } = totals;
        self.totals.push(TotalsAt { event, allocated, active, reserved, requested });
        if self.live_moments.get(self.live.len()) == Some(&event) {
            let set = self.live_set(event, blocks);
            self.live.push(set);
        }
    }

    fn live_set(&self, event: i64, blocks: &Blocks) -> LiveSet {
        let mut live: Vec<_> =
            blocks.iter().map(|(_, block)| block).filter(|block| block.is_active()).collect();
        live.sort_by_key(|block| (std::cmp::Reverse(block.size), block.address));
        LiveSet {
            event,
            count: live.len() as u64,
            requested: live.iter().map(|block| block.requested).sum(),
            size: live.iter().map(|block| block.size).sum(),
            largest: live.iter().take(LARGEST).map(|block| self.live_block(block)).collect(),
        }
    }

    fn live_block(&self, block: &Block) -> LiveBlock {
        let written =
            |event: Option<u64>| event?.checked_sub(self.dropped).map(|event| event as i64);
        LiveBlock {
            address: block.address,
            size: block.size,
            requested: block.requested,
            alloc: written(block.alloc),
            free_requested: written(block.free_requested),
        }
    }
}
