//! Which blocks stand out while something other than a block is selected.

use crate::Bands;
use model::{Blocks, Segment, StackId, State};

/// What is selected, as far as it makes blocks stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

impl Lit {
    /// The blocks of `segment`.
    pub fn segment(segment: &Segment) -> Self {
        Self::In { addr: segment.addr, size: segment.size, born: segment.born, died: segment.died }
    }

    /// Whether block `row` stands out.
    pub fn holds(&self, blocks: &Blocks, row: usize) -> bool {
        let born = blocks.born()[row];
        match *self {
            Self::In { addr, size, born: mapped, died } => {
                let at = blocks.addr()[row];
                at >= addr
                    && at - addr < size
                    && blocks.died()[row] > mapped.0
                    && died.is_none_or(|died| born < died.0)
            }
            Self::Of(stack) => blocks.stack()[row] == stack.0,
            Self::Between(from, to) => born > from.0 && born <= to.0,
        }
    }

    /// For every one of `bands`: 1 where its block stands out, or where nothing does.
    pub(crate) fn flags(lit: Option<Self>, blocks: &Blocks, bands: &Bands) -> Vec<u32> {
        let flag = |row: &u32| lit.is_none_or(|lit| lit.holds(blocks, *row as usize));
        bands.block.iter().map(|row| u32::from(flag(row))).collect()
    }
}
