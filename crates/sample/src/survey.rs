//! The first pass: what the second one must know beforehand.

use std::io;

use crate::allocator::Blocks;
use crate::event::{Action, Event, Observer, StackId, Totals};
use crate::truth::{Peak, Peaks, Start};

/// Counts and largest values, and how much every stack is used.
pub(crate) struct Survey {
    /// Events not written.
    dropped: u64,
    seen: u64,
    pub(crate) actions: [u64; Action::COUNT],
    pub(crate) start: Start,
    pub(crate) start_reserved: u64,
    pub(crate) peaks: Peaks,
    /// For each stack, how many list objects have it.
    pub(crate) stack_lists: Vec<u32>,
    last_call: u64,
    /// The first written event's time.
    pub(crate) first_time_us: u64,
}

impl Survey {
    pub(crate) fn new(dropped: u64, stacks: usize) -> Self {
        Self {
            dropped,
            seen: 0,
            actions: [0; Action::COUNT],
            start: Start::default(),
            start_reserved: 0,
            peaks: Peaks::default(),
            stack_lists: vec![0; stacks],
            last_call: 0,
            first_time_us: 0,
        }
    }

    /// Events so far.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// Takes the state from before the first written event.
    pub(crate) fn begin(&mut self, totals: Totals, blocks: &Blocks) {
        let Totals { allocated, active, reserved, requested } = totals;
        let count = blocks.iter().filter(|(_, block)| block.is_active()).count() as u64;
        self.start = Start { blocks: count, allocated, active, requested };
        self.start_reserved = reserved;
        let peak = |value| Peak { value, event: -1 };
        self.peaks = Peaks {
            allocated: peak(allocated),
            active: peak(active),
            reserved: peak(reserved),
            requested: peak(requested),
        };
    }

    pub(crate) fn count_list(&mut self, stack: StackId) {
        let lists = &mut self.stack_lists[stack.0 as usize];
        *lists = lists.saturating_add(1);
    }
}

impl Observer for Survey {
    fn begin(&mut self, totals: Totals, blocks: &Blocks) {
        if self.dropped == 0 {
            Self::begin(self, totals, blocks);
        }
    }

    fn event(&mut self, event: &Event, totals: Totals, blocks: &Blocks) -> io::Result<()> {
        self.seen += 1;
        if self.seen <= self.dropped {
            if self.seen == self.dropped {
                Self::begin(self, totals, blocks);
            }
            return Ok(());
        }
        let index = (self.seen - self.dropped) as i64 - 1;
        if index == 0 {
            self.first_time_us = event.time_us;
        }
        self.actions[event.action as usize] += 1;
        let raise = |peak: &mut Peak, value: u64| {
            if value > peak.value {
                *peak = Peak { value, event: index };
            }
        };
        raise(&mut self.peaks.allocated, totals.allocated);
        raise(&mut self.peaks.active, totals.active);
        raise(&mut self.peaks.reserved, totals.reserved);
        raise(&mut self.peaks.requested, totals.requested);
        if let Some(trace) = event.trace
            && trace.call != self.last_call
        {
            self.last_call = trace.call;
            self.count_list(trace.stack);
        }
        Ok(())
    }
}
