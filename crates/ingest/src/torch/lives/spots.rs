//! Which of many sorted addresses hold a live block, with the next one and the one before.

/// A set of small numbers that finds neighbours in a handful of steps.
///
/// A tree of 64-bit words: a bit of a level says whether the word below it has any bit.
/// For 10 million numbers that is four levels and 1.27 bits a number.
pub(super) struct Spots {
    levels: Vec<Vec<u64>>,
}

impl Spots {
    /// An empty set of numbers below `len`.
    pub(super) fn new(len: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = len;
        loop {
            words = words.div_ceil(64).max(1);
            levels.push(vec![0; words]);
            if words == 1 {
                return Self { levels };
            }
        }
    }

    pub(super) fn insert(&mut self, spot: u32) {
        let mut at = spot as usize;
        for words in &mut self.levels {
            let before = words[at / 64];
            words[at / 64] = before | 1 << (at % 64);
            if before != 0 {
                return;
            }
            at /= 64;
        }
    }

    pub(super) fn remove(&mut self, spot: u32) {
        let mut at = spot as usize;
        for words in &mut self.levels {
            words[at / 64] &= !(1 << (at % 64));
            if words[at / 64] != 0 {
                return;
            }
            at /= 64;
        }
    }

    /// The smallest number above `spot`.
    pub(super) fn after(&self, spot: u32) -> Option<u32> {
        let mut at = spot as usize;
        for (level, words) in self.levels.iter().enumerate() {
            let above = words[at / 64] & (u64::MAX << (at % 64) << 1);
            if above != 0 {
                let found = at / 64 * 64 + above.trailing_zeros() as usize;
                return Some(self.down(level, found, |word| word.trailing_zeros() as usize));
            }
            at /= 64;
        }
        None
    }

    /// The largest number below `spot`.
    pub(super) fn before(&self, spot: u32) -> Option<u32> {
        let mut at = spot as usize;
        for (level, words) in self.levels.iter().enumerate() {
            let below = words[at / 64] & ((1 << (at % 64)) - 1);
            if below != 0 {
                let found = at / 64 * 64 + below.ilog2() as usize;
                return Some(self.down(level, found, |word| word.ilog2() as usize));
            }
            at /= 64;
        }
        None
    }

    /// Follows bit `at` of `level` down to a number, choosing by `pick` in each word.
    fn down(&self, level: usize, at: usize, pick: impl Fn(u64) -> usize) -> u32 {
        self.levels[..level].iter().rev().fold(at, |at, words| at * 64 + pick(words[at])) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn neighbours_are_those_of_a_sorted_set(
            steps in prop::collection::vec((any::<bool>(), 0u32..9000), 1..400),
        ) {
            let (mut spots, mut oracle) = (Spots::new(9000), BTreeSet::new());
            for (is_insert, spot) in steps {
                if is_insert {
                    spots.insert(spot);
                    oracle.insert(spot);
                } else {
                    spots.remove(spot);
                    oracle.remove(&spot);
                }
                for probe in [spot, spot / 2, 8999, 0] {
                    prop_assert_eq!(spots.after(probe), oracle.range(probe + 1..).next().copied());
                    prop_assert_eq!(spots.before(probe), oracle.range(..probe).next_back().copied());
                }
            }
        }
    }
}
