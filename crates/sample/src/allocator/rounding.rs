//! Sizes: how a request becomes a block, and which segment is made for it.

use crate::plan::Rounding;

pub(crate) const KIB: u64 = 1 << 10;
pub(crate) const MIB: u64 = 1 << 20;
/// The smallest block, and the step of all sizes.
pub(crate) const MIN_BLOCK: u64 = 512;
/// The largest rounded request of the small pool.
pub(crate) const SMALL: u64 = MIB;
const SMALL_BUFFER: u64 = 2 * MIB;
/// The segment for large requests below [`MIN_LARGE`].
pub(crate) const LARGE_BUFFER: u64 = 20 * MIB;
const MIN_LARGE: u64 = 10 * MIB;
const ROUND_LARGE: u64 = 2 * MIB;

/// `round_size`. `divisions` is `roundup_power2_divisions`, 0 or 1 when off.
pub(crate) fn rounded(request: u64, rounding: Rounding, divisions: u32) -> u64 {
    let divisions = u64::from(divisions);
    match rounding {
        Rounding::Npu => (request + 32).next_multiple_of(MIN_BLOCK),
        Rounding::Cuda if divisions > 1 && request > MIN_BLOCK * divisions => {
            next_division(request, divisions)
        }
        Rounding::Cuda => request.max(1).next_multiple_of(MIN_BLOCK),
    }
}

/// `roundup_power2_next_division`: up to the next of `divisions` equal steps between two powers of two.
fn next_division(size: u64, divisions: u64) -> u64 {
    if size.is_power_of_two() {
        return size;
    }
    let floor = 1u64 << size.ilog2();
    let step = floor >> divisions.ilog2();
    if step == 0 { floor << 1 } else { size.next_multiple_of(step) }
}

/// `get_allocation_size`: what is asked of the driver for a block of `size`.
pub(crate) fn segment_size(size: u64) -> u64 {
    if size <= SMALL {
        SMALL_BUFFER
    } else if size < MIN_LARGE {
        LARGE_BUFFER
    } else {
        size.next_multiple_of(ROUND_LARGE)
    }
}

/// The page of an expandable segment.
pub(crate) fn page(kind: super::Kind) -> u64 {
    match kind {
        super::Kind::Small => SMALL_BUFFER,
        super::Kind::Large => LARGE_BUFFER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_in_pytorchs_comment_holds() {
        assert_eq!(rounded(1200, Rounding::Cuda, 2), 1536);
        assert_eq!(next_division(1200, 4), 1280);
        assert_eq!(next_division(1024, 4), 1024);
        // Below 512 times the divisions the plain rule stays.
        assert_eq!(rounded(1200, Rounding::Cuda, 4), 1536);
        assert_eq!(rounded(5000, Rounding::Cuda, 4), 5120);
    }

    #[test]
    fn an_npu_block_has_room_for_32_more_bytes() {
        assert_eq!(rounded(480, Rounding::Npu, 0), 512);
        assert_eq!(rounded(481, Rounding::Npu, 0), 1024);
        assert_eq!(rounded(1, Rounding::Cuda, 0), 512);
        assert_eq!(rounded(513, Rounding::Cuda, 0), 1024);
    }

    #[test]
    fn segments_have_three_sizes() {
        assert_eq!(segment_size(512), 2 * MIB);
        assert_eq!(segment_size(SMALL + 512), 20 * MIB);
        assert_eq!(segment_size(10 * MIB), 10 * MIB);
        assert_eq!(segment_size(11 * MIB), 12 * MIB);
    }
}
