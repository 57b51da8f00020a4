//! Which blocks stand out while something other than a block is selected.

use crate::Bands;
use model::{Blocks, Segment, StackId, State};
use std::sync::Arc;

/// What is selected, as far as it makes blocks stand out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lit {
    /// Blocks that ever lay in a segment while it was mapped.
    In {
        /// First byte.
        addr: u64,
        /// Bytes.
        size: u64,
        /// State from which it is mapped.
        born: State,
        /// State from which it is gone; `None` if it outlives the recording.
        died: Option<State>,
    },
    /// Blocks with an allocation stack.
    Of(StackId),
    /// Blocks allocated after the first state, by the second.
    Between(State, State),
    /// Blocks whose bit is set, 64 a word.
    Marked(Arc<[u64]>),
}

impl Lit {
    /// The blocks of `segment`.
    pub fn segment(segment: &Segment) -> Self {
        Self::In { addr: segment.addr, size: segment.size, born: segment.born, died: segment.died }
    }

    /// The blocks, of `count`, for which `is_meant` holds.
    pub fn marked(count: u32, is_meant: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0_u64; (count as usize).div_ceil(64)];
        for row in (0..count as usize).filter(|row| is_meant(*row)) {
            words[row / 64] |= 1 << (row % 64);
        }
        Self::Marked(words.into())
    }

    /// Whether block `row` stands out.
    pub fn holds(&self, blocks: &Blocks, row: usize) -> bool {
        let born = blocks.born()[row];
        match self {
            Self::In { addr, size, born: mapped, died } => {
                let at = blocks.addr()[row];
                at >= *addr
                    && at - addr < *size
                    && blocks.died()[row] > mapped.0
                    && died.is_none_or(|died| born < died.0)
            }
            Self::Of(stack) => blocks.stack()[row] == stack.0,
            Self::Between(from, to) => born > from.0 && born <= to.0,
            Self::Marked(words) => {
                words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
            }
        }
    }

    /// For every one of `bands`: 1 where its block stands out, or where nothing does.
    pub(crate) fn flags(lit: Option<&Self>, blocks: &Blocks, bands: &Bands) -> Vec<u32> {
        let flag = |row: &u32| lit.is_none_or(|lit| lit.holds(blocks, *row as usize));
        bands.block.iter().map(|row| u32::from(flag(row))).collect()
    }
}
