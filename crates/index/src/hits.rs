//! Which calls of a thread a search found.

use crate::SliceIndex;
use model::Slices;
use std::ops::Range;

/// Calls that a search found, by start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SliceHits {
    rows: Vec<u32>,
    /// Of each depth, their places among [`crate::Row::slices`].
    places: Vec<Vec<u32>>,
}

impl SliceHits {
    /// The calls of those names in `names`, which are places in [`SliceIndex::names`].
    pub fn of_names(slices: &Slices, index: &SliceIndex, names: &[usize]) -> Self {
        let calls = names.iter().flat_map(|name| index.calls_of(*name));
        let mut rows: Vec<u32> = calls.copied().collect();
        rows.sort_unstable();
        rows.dedup();
        let mut places = vec![Vec::new(); index.depths() as usize];
        for row in &rows {
            let depth = slices.depth[*row as usize];
            let place = index.row(u32::from(depth)).and_then(|at_depth| at_depth.place_of(*row));
            places[usize::from(depth)].extend(place.map(|place| place as u32));
        }
        Self { rows, places }
    }

    /// The calls, by start.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many lie at `places` of `depth`.
    pub fn count(&self, depth: u32, places: Range<usize>) -> u32 {
        let Some(own) = self.places.get(depth as usize) else { return 0 };
        let before = |end: usize| own.partition_point(|place| (*place as usize) < end);
        (before(places.end) - before(places.start)) as u32
    }

    /// The place among [`SliceHits::rows`] of the first that begins at `time_ns` or later; around
    /// the end to the first. `None` when there are none.
    pub fn from_moment(&self, slices: &Slices, time_ns: i64) -> Option<usize> {
        let before = |row: &u32| slices.start_ns[*row as usize] < time_ns;
        self.around(self.rows.partition_point(before))
    }

    /// The place of the one after `slice`; around the end to the first.
    pub fn after(&self, slice: u32) -> Option<usize> {
        self.around(self.rows.partition_point(|row| *row <= slice))
    }

    /// The place of the one before `slice`; around the start to the last.
    pub fn before(&self, slice: u32) -> Option<usize> {
        let before = self.rows.partition_point(|row| *row < slice);
        before.checked_sub(1).or_else(|| self.rows.len().checked_sub(1))
    }

    fn around(&self, place: usize) -> Option<usize> {
        match self.rows.len() {
            0 => None,
            count => Some(if place < count { place } else { 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use job::Job;

    #[test]
    fn hits_are_walked_by_start_and_around_both_ends() {
        // Names 7 and 8 in turn, every second one inside the one before it.
        let slices = Slices {
            start_ns: vec![0, 1, 10, 11, 20, 21].into(),
            end_ns: vec![5, 3, 15, 13, 25, 23].into(),
            name: vec![7, 8, 8, 7, 7, 8].into(),
            depth: vec![0, 1, 0, 1, 0, 1].into(),
            flags: vec![0; 6].into(),
        };
        let index = SliceIndex::new(&slices, &Job::unwatched()).expect("not cancelled");
        assert_eq!(index.names(), [7, 8]);
        let hits = SliceHits::of_names(&slices, &index, &[0]);
        assert_eq!(hits.rows(), [0, 3, 4]);
        assert_eq!(hits.count(0, 0..3), 2);
        assert_eq!(hits.count(0, 1..2), 0);
        assert_eq!(hits.count(1, 1..2), 1);
        assert_eq!(hits.count(9, 0..2), 0);
        assert_eq!(hits.from_moment(&slices, 1), Some(1));
        assert_eq!(hits.from_moment(&slices, 21), Some(0));
        assert_eq!((hits.after(0), hits.after(4)), (Some(1), Some(0)));
        assert_eq!((hits.before(3), hits.before(0)), (Some(0), Some(2)));
        let both = SliceHits::of_names(&slices, &index, &[0, 1, 1]);
        assert_eq!(both.rows(), [0, 1, 2, 3, 4, 5]);
        let none = SliceHits::of_names(&slices, &index, &[]);
        assert_eq!(
            (none.after(0), none.before(0), none.from_moment(&slices, 0)),
            (None, None, None)
        );
    }
}
