//! A sum of bytes over time, kept where it changes.

use crate::Peak;
use crate::totals::Pyramid;
use model::{Blocks, Column, State};
use std::ops::Range;

/// A value that changes at some states and stays until the next.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Where it changes, ascending; the first is 0.
    states: Vec<u32>,
    values: Column<u64>,
    pyramid: Pyramid,
}

impl Curve {
    pub(crate) fn new(steps: Steps) -> Self {
        let pyramid = Pyramid::new(&steps.values);
        Self { states: steps.states, values: steps.values.into(), pyramid }
    }

    /// The bytes allocated in the blocks whose rows pass `is_meant`: from birth to release.
    ///
    /// One pass over all blocks, and sorting those that are meant and released.
    pub fn allocated(blocks: &Blocks, is_meant: impl Fn(usize) -> bool) -> Self {
        let (born, released, size) = (blocks.born(), blocks.released(), blocks.size());
        let rows: Vec<usize> = (0..born.len()).filter(|row| is_meant(*row)).collect();
        let mut ends: Vec<usize> =
            rows.iter().copied().filter(|row| released[*row] != Blocks::NEVER).collect();
        ends.sort_unstable_by_key(|row| released[*row]);
        let mut ends = ends.into_iter().peekable();
        let mut steps = Steps::default();
        for row in rows {
            while let Some(end) = ends.next_if(|end| released[*end] < born[row]) {
                steps.add(released[end], size[end].wrapping_neg());
            }
            steps.add(born[row], size[row]);
        }
        for end in ends {
            steps.add(released[end], size[end].wrapping_neg());
        }
        Self::new(steps)
    }

    /// The row in force at `state`.
    fn row(&self, state: State) -> usize {
        self.states.partition_point(|from| *from <= state.0) - 1
    }

    /// Over `states`, not empty: least, most, and the first state that has it.
    pub fn peak(&self, states: &Range<State>) -> Peak {
        let first = self.row(states.start);
        let end = self.states.partition_point(|from| *from < states.end.0).max(first + 1);
        let found = self.pyramid.peak(&self.values, first..end);
        let at = self.states[found.at.0 as usize].max(states.start.0);
        Peak { at: State(at), ..found }
    }
}

/// A [`Curve`] under construction.
#[derive(Debug)]
pub(crate) struct Steps {
    states: Vec<u32>,
    values: Vec<u64>,
}

impl Default for Steps {
    /// Nothing at state 0.
    fn default() -> Self {
        Self { states: vec![0], values: vec![0] }
    }
}

impl Steps {
    /// `by` more (modulo 2^64) from `state` on, which is not before any earlier one.
    pub(crate) fn add(&mut self, state: u32, by: u64) {
        let last = self.values.len() - 1;
        let value = self.values[last].wrapping_add(by);
        if self.states[last] == state {
            self.values[last] = value;
        } else {
            self.states.push(state);
            self.values.push(value);
        }
    }
}
