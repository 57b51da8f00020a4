//! Which rows match: one bit each.

use std::ops::Range;

/// Rows worked on together: their keys fit the second-level cache.
pub(crate) const CHUNK: usize = 8192;
/// Words of a chunk's bits.
pub(crate) const WORDS: usize = CHUNK / 64;

/// A set of rows that finds its n-th member and the place of a member at once.
#[derive(Debug, Clone)]
pub(crate) struct RowSet {
    len: usize,
    words: Vec<u64>,
    /// By chunk: members before it; one more for all.
    starts: Vec<u32>,
}

impl RowSet {
    /// Of a table of `len` rows; row `n` is a member when bit `n % 64` of word `n / 64` is set.
    pub(crate) fn new(len: usize, words: Vec<u64>) -> Self {
        let mut starts = vec![0];
        let mut before = 0;
        for chunk in words.chunks(WORDS) {
            before += count(chunk);
            starts.push(before);
        }
        Self { len, words, starts }
    }

    /// How many members.
    pub(crate) fn count(&self) -> u32 {
        self.starts[self.starts.len() - 1]
    }

    pub(crate) fn contains(&self, row: u32) -> bool {
        let word = self.words.get(row as usize / 64).copied().unwrap_or(0);
        word >> (row % 64) & 1 == 1
    }

    /// Members below `row`.
    pub(crate) fn rank(&self, row: u32) -> u32 {
        let (chunk, word) = (row as usize / CHUNK, row as usize / 64);
        let Some(start) = self.starts.get(chunk) else { return self.count() };
        let whole = count(&self.words[chunk * WORDS..word.min(self.words.len())]);
        let part = self.words.get(word).map_or(0, |bits| bits & ((1 << (row % 64)) - 1));
        start + whole + part.count_ones()
    }

    /// The member with `rank` members below it, which must exist.
    pub(crate) fn select(&self, rank: u32) -> u32 {
        let chunk = self.starts.partition_point(|start| *start <= rank) - 1;
        let mut rest = rank - self.starts[chunk];
        let mut word = chunk * WORDS;
        while rest >= self.words[word].count_ones() {
            rest -= self.words[word].count_ones();
            word += 1;
        }
        let mut bits = self.words[word];
        for _ in 0..rest {
            bits &= bits - 1;
        }
        word as u32 * 64 + bits.trailing_zeros()
    }

    /// All members, ascending.
    pub(crate) fn members(&self) -> impl Iterator<Item = u32> {
        self.chunks().flat_map(|chunk| {
            let start = self.rows(chunk).start;
            ones(self.words(chunk)).map(move |at| (start + at) as u32)
        })
    }

    /// Chunks, for work on all members; see [`RowSet::rows`] and [`RowSet::words`].
    pub(crate) fn chunks(&self) -> Range<usize> {
        0..self.starts.len() - 1
    }

    /// The rows of `chunk`, members or not.
    pub(crate) fn rows(&self, chunk: usize) -> Range<usize> {
        chunk_rows(self.len, chunk)
    }

    /// The bits of `chunk`.
    pub(crate) fn words(&self, chunk: usize) -> &[u64] {
        &self.words[chunk * WORDS..((chunk + 1) * WORDS).min(self.words.len())]
    }

    /// How many members `chunk` has.
    pub(crate) fn count_in(&self, chunk: usize) -> usize {
        (self.starts[chunk + 1] - self.starts[chunk]) as usize
    }
}

/// The rows of `chunk` in a table of `len` rows.
pub(crate) fn chunk_rows(len: usize, chunk: usize) -> Range<usize> {
    chunk * CHUNK..((chunk + 1) * CHUNK).min(len)
}

fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Places of the set bits of `words`, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut bits = *word;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(at * 64 + bit)
        })
    })
}

/// Keeps the set bits of `words` whose place passes `test`.
pub(crate) fn keep(words: &mut [u64], mut test: impl FnMut(usize) -> bool) {
    for (at, word) in words.iter_mut().enumerate() {
        let mut bits = *word;
        while bits != 0 {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            if !test(at * 64 + bit as usize) {
                *word &= !(1 << bit);
            }
        }
    }
}

/// Keeps the set bits of `words` whose key passes `test`; a cheap test needs no branch a row.
pub(crate) fn keep_keys(words: &mut [u64], keys: &[u64], test: impl Fn(u64) -> bool) {
    for (word, keys) in words.iter_mut().zip(keys.chunks(64)) {
        if *word != 0 {
            let passed = keys.iter().rev().fold(0, |bits, key| bits << 1 | u64::from(test(*key)));
            *word &= passed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn members_are_found_by_place_and_places_by_member(
            rows in prop::collection::btree_set(0u32..30_000, 0..200)
        ) {
            let mut words = vec![0; 30_000usize.div_ceil(64)];
            for row in &rows {
                words[*row as usize / 64] |= 1 << (row % 64);
            }
            let set = RowSet::new(30_000, words);
            prop_assert_eq!(set.count() as usize, rows.len());
            for (rank, row) in rows.iter().enumerate() {
                prop_assert_eq!(set.select(rank as u32), *row);
                prop_assert_eq!(set.rank(*row), rank as u32);
                prop_assert!(set.contains(*row));
            }
            prop_assert_eq!(set.rank(30_000), set.count());
            let walked: Vec<u32> = set.members().collect();
            prop_assert_eq!(walked, rows.into_iter().collect::<Vec<_>>());
        }
    }
}
