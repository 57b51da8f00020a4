//! Turns a viewport of the lifecycle view into a bounded scene.
//!
//! Start at [`scene`]. Knows nothing of colours, fonts, toolkits or JSON; a band carries a colour
//! *key*, and whoever draws picks the colour.

mod address_map;
mod annotations;
mod axis;
mod columns;
mod flame;
mod grouping;
mod lanes;
mod lit;
mod pool;
mod scene;
mod stack;
mod stretches;
#[cfg(test)]
mod tests;

pub use address_map::{AddressMap, address_map};
pub use annotations::{Mark, marks};
pub use axis::Axis;
pub use flame::{Flame, FlameViewport, Narrow, flame};
pub use lanes::{Lane, LaneOrder, Lanes};
pub use lit::Lit;
pub use pool::{Placed, PoolGrouping, PoolOrder, PoolRows, pool_rows};
pub use scene::{Bands, Columns, Scene, scene};
pub use stretches::{Stretches, stretches};

use model::{BlockId, Blocks};

/// What decides a band's colour key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorBy {
    /// Hash of the address.
    Address,
    /// Row of the allocation stack; `u32::MAX` when there is none.
    Stack,
    /// Power of two of the size.
    Size,
    /// Ordinal of the stream.
    Stream,
    /// Ordinal of the pool; `u32::MAX` when nothing says.
    Pool,
}

impl ColorBy {
    /// The key of block `row`.
    pub fn key(self, blocks: &Blocks, row: usize) -> u32 {
        match self {
            // Fibonacci hashing: neighbouring addresses get unlike keys.
            Self::Address => {
                (blocks.columns().addr.value(row).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
            }
            Self::Stack => blocks.columns().stack.value(row),
            Self::Size => blocks.size()[row].max(1).ilog2(),
            Self::Stream => u32::from(blocks.columns().stream.value(row)),
            Self::Pool => match blocks.columns().pool.value(row) {
                u16::MAX => u32::MAX,
                pool => u32::from(pool),
            },
        }
    }
}

/// Whether bands are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Lines and bands.
    Full,
    /// Lines only.
    Lines,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Viewport {
    /// Unit of `x`.
    pub axis: Axis,
    /// Left and right edge, axis units.
    pub x: (f64, f64),
    /// Bottom and top edge, bytes.
    pub y: (f64, f64),
    /// Device pixels across.
    pub width_px: u32,
    /// Device pixels down.
    pub height_px: u32,
    /// Colour key.
    pub color: ColorBy,
    /// How much is wanted.
    pub detail: Detail,
    /// A block whose outline is wanted however small it is.
    pub selected: Option<BlockId>,
    /// Blocks that stand out.
    pub lit: Option<Lit>,
}
