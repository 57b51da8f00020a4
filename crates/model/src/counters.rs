//! Totals at every state.

use crate::{Column, State};

/// One of the running totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Bytes in allocated blocks (their sizes, not what was requested).
    Allocated,
    /// Plus blocks whose free was requested and not completed.
    Active,
    /// Bytes in segments.
    Reserved,
}

/// The three totals at every state: `events + 1` values each.
#[derive(Debug, Clone)]
pub struct Counters {
    /// See [`Counter::Allocated`].
    pub allocated: Column<u64>,
    /// See [`Counter::Active`].
    pub active: Column<u64>,
    /// See [`Counter::Reserved`].
    pub reserved: Column<u64>,
}

impl Counters {
    /// All values of `counter`, one a state.
    pub fn column(&self, counter: Counter) -> &Column<u64> {
        match counter {
            Counter::Allocated => &self.allocated,
            Counter::Active => &self.active,
            Counter::Reserved => &self.reserved,
        }
    }

    /// `counter` at `state`.
    pub fn at(&self, counter: Counter, state: State) -> u64 {
        self.column(counter).value(state.0 as usize)
    }
}
