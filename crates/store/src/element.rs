//! The number types a column can have.

use arrow_array::types::{
    ArrowPrimitiveType, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_buffer::ArrowNativeType;

/// A number in a column, and its 64 bits: differences and sums of those wrap around.
pub(crate) trait Element: ArrowNativeType + Ord {
    /// What Arrow calls it.
    type Arrow: ArrowPrimitiveType<Native = Self>;

    /// As 64 bits.
    fn bits(self) -> u64;

    /// Of 64 bits, the lower ones.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! element {
    ($native:ty, $arrow:ty) => {
        impl Element for $native {
            type Arrow = $arrow;

            #[inline]
            #[allow(clippy::cast_lossless, reason = "one of the types has a sign")]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of_bits(bits: u64) -> Self {
                bits as Self
            }
        }
    };
}

element!(u8, UInt8Type);
element!(u16, UInt16Type);
element!(u32, UInt32Type);
element!(u64, UInt64Type);
element!(i64, Int64Type);
