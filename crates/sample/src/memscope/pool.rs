//! torch's caching pool over the driver's blocks: segments that are split and joined.

use std::collections::{BTreeMap, BTreeSet};

/// Blocks are multiples of this.
const ROUND: u64 = 512;
/// An NPU kernel may read this much beyond a tensor.
const BEYOND: u64 = 32;
/// Up to here, blocks share small segments.
const SMALL: u64 = 1 << 20;
const SMALL_SEGMENT: u64 = 2 << 20;
const LARGE_SEGMENT: u64 = 20 << 20;
/// From here on, a block has a segment of its own size.
const OWN_SEGMENT: u64 = 10 << 20;
const OWN_ROUND: u64 = 2 << 20;

/// The real size of a tensor of `bytes`.
pub(crate) fn rounded(bytes: u64) -> u64 {
    (bytes + BEYOND).next_multiple_of(ROUND).max(ROUND)
}

/// The pool of a device.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    small: Part,
    large: Part,
    /// Bytes of all segments.
    pub(crate) reserved: u64,
    /// Bytes of all blocks in use.
    pub(crate) used: u64,
}

/// Blocks that share segments.
#[derive(Debug, Default)]
struct Part {
    /// Free ranges: where each begins, how long it is.
    free: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
    /// Where segments begin: ranges are not joined across.
    segments: BTreeSet<u64>,
}

impl Pool {
    /// The size of the segment that must be added before a block of `size` fits; none if there is room.
    pub(crate) fn lacks(&self, size: u64) -> Option<u64> {
        if self.part(size).best(size).is_some() {
            return None;
        }
        Some(if size <= SMALL {
            SMALL_SEGMENT
        } else if size < OWN_SEGMENT {
            LARGE_SEGMENT
        } else {
            size.next_multiple_of(OWN_ROUND)
        })
    }

    /// Adds a segment for blocks of `size`.
    pub(crate) fn add(&mut self, size: u64, address: u64, segment: u64) {
        self.reserved += segment;
        let part = self.part_mut(size);
        part.segments.insert(address);
        part.insert(address, segment);
    }

    /// Takes a block; nothing if there is no room.
    pub(crate) fn take(&mut self, size: u64) -> Option<u64> {
        let part = self.part_mut(size);
        let (length, address) = part.best(size)?;
        part.remove(address, length);
        part.insert(address + size, length - size);
        self.used += size;
        Some(address)
    }

    /// Gives a block back.
    pub(crate) fn give_back(&mut self, address: u64, size: u64) {
        self.used -= size;
        let part = self.part_mut(size);
        let (mut begin, mut length) = (address, size);
        if let Some((&before, &long)) = part.free.range(..address).next_back()
            && before + long == address
            && !part.segments.contains(&address)
        {
            part.remove(before, long);
            begin = before;
            length += long;
        }
        let end = begin + length;
        if let Some(&long) = part.free.get(&end)
            && !part.segments.contains(&end)
        {
            part.remove(end, long);
            length += long;
        }
        part.insert(begin, length);
    }

    fn part(&self, size: u64) -> &Part {
        if size <= SMALL { &self.small } else { &self.large }
    }

    fn part_mut(&mut self, size: u64) -> &mut Part {
        if size <= SMALL { &mut self.small } else { &mut self.large }
    }
}

impl Part {
    /// The smallest range with room for `size`.
    fn best(&self, size: u64) -> Option<(u64, u64)> {
        self.by_size.range((size, 0)..).next().copied()
    }

    fn insert(&mut self, address: u64, length: u64) {
        if length > 0 {
            self.free.insert(address, length);
            self.by_size.insert((length, address));
        }
    }

    fn remove(&mut self, address: u64, length: u64) {
        self.free.remove(&address);
        self.by_size.remove(&(length, address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tensor_is_rounded_with_room_to_read_beyond() {
        assert_eq!(rounded(0), 512);
        assert_eq!(rounded(480), 512);
        assert_eq!(rounded(481), 1024);
        assert_eq!(rounded(41_943_040), 41_943_552);
    }

    #[test]
    fn neighbours_join_within_their_segment_only() {
        let mut pool = Pool::default();
        assert_eq!(pool.lacks(512), Some(2 << 20));
        pool.add(512, 0x20_0000, 2 << 20);
        let first = pool.take(512).unwrap();
        let second = pool.take(1024).unwrap();
        assert_eq!((first, second), (0x20_0000, 0x20_0200));
        assert_eq!((pool.used, pool.reserved), (1536, 2 << 20));
        pool.add(512, 0x40_0000, 2 << 20);
        pool.give_back(first, 512);
        pool.give_back(second, 1024);
        // Two whole segments that touch: neither has room for more than itself.
        assert_eq!(pool.small.by_size.len(), 2);
        assert_eq!(pool.lacks(41_943_552), Some(42 << 20));
        assert_eq!(pool.used, 0);
    }
}
