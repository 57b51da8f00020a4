//! How many bytes the allocator takes for a request: rounding, then the split rule.

use super::Rules;
use model::{Device, Family, SegmentKind};

/// Smallest block, and the unit that sizes are rounded to (`kMinBlockSize`).
const MIN_BLOCK: u64 = 512;
/// Largest rounded size that the small pool serves (`kSmallSize`).
const SMALL: u64 = 1 << 20;
/// What `torch_npu` adds to each request before it rounds.
const NPU_EXTRA: u64 = 32;

/// The allocator's size rules for one device.
#[derive(Clone, Copy)]
pub(super) struct Rounding<'a> {
    pub(super) rules: &'a Rules<'a>,
    pub(super) device: Device,
}

/// Where a block was put: what the split rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Site {
    /// Free bytes from the block's address on.
    pub(super) range: u64,
    pub(super) kind: SegmentKind,
    pub(super) is_expandable: bool,
}

impl Rounding<'_> {
    /// The request rounded up, before any look at where it is put.
    pub(super) fn rounded(self, requested: u64) -> u64 {
        // Pinned memory is rounded to a power of two, above `max_round_threshold` not at all; its
        // events state the outcome. That setting is about nothing else.
        if self.device == Device::Host {
            return requested;
        }
        if self.rules.family == Family::Npu {
            return ceil(requested.saturating_add(NPU_EXTRA));
        }
        let divisions = self.divisions(requested);
        if divisions > 1 && requested > MIN_BLOCK.saturating_mul(divisions) {
            next_division(requested, divisions)
        } else {
            ceil(requested).max(MIN_BLOCK)
        }
    }

    /// Bytes of a block of `requested` bytes put at `site`; `None` when they do not fit there.
    pub(super) fn taken(self, requested: u64, site: Site) -> Option<u64> {
        let rounded = self.rounded(requested);
        if rounded > site.range {
            // A rounding that was changed half way may ask for too much; the request itself must
            // fit.
            return (requested <= site.range).then_some(site.range);
        }
        let rest = site.range - rounded;
        let is_split = if self.device == Device::Host {
            false
        } else if site.is_expandable || self.rules.settings.expandable_segments {
            rest >= MIN_BLOCK
        } else {
            let is_small = match site.kind {
                SegmentKind::Small => true,
                SegmentKind::Large => false,
                // The allocator chooses the pool by the rounded size.
                SegmentKind::Unknown => rounded <= SMALL,
            };
            if is_small { rest >= MIN_BLOCK } else { self.may_split(rounded) && rest > SMALL }
        };
        Some(if is_split { rounded } else { site.range })
    }

    fn may_split(self, rounded: u64) -> bool {
        self.rules.settings.max_split_size.is_none_or(|limit| rounded < limit)
    }

    /// Divisions of each power of two that apply to `requested`; 0 or 1: none.
    fn divisions(self, requested: u64) -> u64 {
        let table = &self.rules.settings.roundup_power2_divisions;
        // c10 looks up the request's power of two, from 1 MiB; the table ends at the largest.
        let mib = (requested >> 20).max(1);
        let after = table.partition_point(|(from, _)| *from <= mib);
        after.checked_sub(1).map_or(0, |row| table[row].1)
    }
}

/// `size` rounded up to whole smallest blocks.
fn ceil(size: u64) -> u64 {
    size.saturating_add(MIN_BLOCK - 1) & !(MIN_BLOCK - 1)
}

/// c10's `roundup_power2_next_division`.
fn next_division(size: u64, divisions: u64) -> u64 {
    if size.is_power_of_two() {
        return size;
    }
    let floor = 1u64 << size.ilog2();
    let division = floor >> divisions.ilog2();
    if division == 0 {
        return floor.saturating_mul(2);
    }
    let down = size & !(division - 1);
    if down == size { size } else { down.saturating_add(division) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Settings;

    fn rounded(requested: u64, family: Family, divisions: &[(u64, u64)]) -> u64 {
        let settings =
            Settings { roundup_power2_divisions: divisions.to_vec(), ..Settings::default() };
        let rules = Rules { family, settings: &settings };
        Rounding { rules: &rules, device: Device::Accelerator(0) }.rounded(requested)
    }

    #[test]
    fn requests_are_rounded_to_512_and_at_least_that() {
        for (requested, size) in [(0, 512), (1, 512), (512, 512), (513, 1024), (1 << 20, 1 << 20)] {
            assert_eq!(rounded(requested, Family::Cuda, &[]), size);
            assert_eq!(rounded(requested, Family::Xpu, &[]), size);
        }
    }

    #[test]
    fn npu_adds_32_bytes_first() {
        for (requested, size) in [(1, 512), (480, 512), (481, 1024), (512, 1024), (4096, 4608)] {
            assert_eq!(rounded(requested, Family::Npu, &[]), size);
        }
    }

    #[test]
    fn divisions_of_powers_of_two_are_those_of_the_power_below() {
        // c10's own example: 1200 at 4 divisions: steps of 256 between 1024 and 2048; but only
        // requests above 512 x divisions are rounded so.
        assert_eq!(rounded(1200, Family::Cuda, &[(1, 4)]), 1536);
        assert_eq!(rounded(5000, Family::Cuda, &[(1, 4)]), 5120);
        assert_eq!(rounded(4096, Family::Cuda, &[(1, 4)]), 4096);
        let table = [(1, 0), (2, 2), (4, 8)];
        assert_eq!(rounded(1_500_000, Family::Cuda, &table), 1_500_160);
        assert_eq!(rounded((2 << 20) + 1, Family::Cuda, &table), 3 << 20);
        assert_eq!(rounded((4 << 20) + 1, Family::Cuda, &table), (4 << 20) + (512 << 10));
        assert_eq!(rounded((64 << 20) + 1, Family::Cuda, &table), 72 << 20);
    }

    #[test]
    fn pinned_memory_has_a_segment_to_itself_rounded_or_not() {
        let settings = Settings::default();
        let rules = Rules { family: Family::Cuda, settings: &settings };
        let taken = |requested, range, device| {
            let site = Site { range, kind: SegmentKind::Small, is_expandable: false };
            Rounding { rules: &rules, device }.taken(requested, site)
        };
        let mib = 1 << 20;
        // Below a `max_round_threshold`, and above one.
        assert_eq!(taken(3 * mib, 4 * mib, Device::Host), Some(4 * mib));
        assert_eq!(taken(3 * mib + 1, 3 * mib + 1, Device::Host), Some(3 * mib + 1));
        // Memory of the device is split.
        assert_eq!(taken(3 * mib, 4 * mib, Device::Accelerator(0)), Some(3 * mib));
    }

    #[test]
    fn absurd_sizes_do_not_overflow() {
        for requested in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) + 1] {
            rounded(requested, Family::Npu, &[]);
            rounded(requested, Family::Cuda, &[(1, 2), (64, u64::MAX)]);
            rounded(requested, Family::Cuda, &[(1, 3)]);
        }
    }
}
