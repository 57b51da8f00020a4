//! The calls of one thread by depth: what lies in a stretch, and where the next long one is.

use job::{Cancelled, Job};
use model::Slices;
use std::ops::Range;

/// Values a leaf of [`Longest`] covers, and children of a node.
const FAN: usize = 64;
/// Rows between two looks at whether the work is still wanted.
const STEP: usize = 1 << 18;

/// The calls of one thread, a [`Row`] for every depth, and their names.
#[derive(Debug, Clone)]
pub struct SliceIndex {
    rows: Vec<Row>,
    names: Vec<u32>,
    /// `by_name[offsets[n]..offsets[n + 1]]` are the calls of `names[n]`, by start.
    offsets: Vec<u32>,
    by_name: Vec<u32>,
}

impl SliceIndex {
    /// Indexes `slices`.
    pub fn new(slices: &Slices, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let depths = slices.depth.iter().max().map_or(0, |deepest| usize::from(*deepest) + 1);
        let mut members = vec![Vec::new(); depths];
        for (row, depth) in slices.depth.iter().enumerate() {
            members[usize::from(*depth)].push(row as u32);
        }
        job.check()?;
        let mut rows = Vec::with_capacity(depths);
        for members in members {
            job.check()?;
            rows.push(Row::new(slices, members));
        }
        job.check()?;
        let mut by_name: Vec<u32> = (0..slices.len()).collect();
        by_name.sort_by_key(|row| slices.name[*row as usize]);
        let (mut names, mut offsets) = (Vec::new(), Vec::new());
        for (at, row) in by_name.iter().enumerate() {
            if at.is_multiple_of(STEP) {
                job.check()?;
            }
            let name = slices.name[*row as usize];
            if names.last() != Some(&name) {
                names.push(name);
                offsets.push(at as u32);
            }
        }
        offsets.push(by_name.len() as u32);
        Ok(Self { rows, names, offsets, by_name })
    }

    /// How many depths there are.
    pub fn depths(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The calls at `depth`; `None` when it is deeper than any.
    pub fn row(&self, depth: u32) -> Option<&Row> {
        self.rows.get(depth as usize)
    }

    /// Distinct names, as rows of the recording's strings.
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// The calls of `names()[name]`, by start.
    pub fn calls_of(&self, name: usize) -> &[u32] {
        &self.by_name[self.offsets[name] as usize..self.offsets[name + 1] as usize]
    }

    /// The call that `slice` was made in.
    pub fn parent(&self, slices: &Slices, slice: u32) -> Option<u32> {
        let depth = slices.depth[slice as usize].checked_sub(1)?;
        let outer = &self.rows[usize::from(depth)].slices;
        let before = outer.partition_point(|row| *row < slice);
        before.checked_sub(1).map(|at| outer[at])
    }

    /// The calls that were made directly in `slice`, by start.
    pub fn children(&self, slices: &Slices, slice: u32) -> &[u32] {
        let depth = usize::from(slices.depth[slice as usize]);
        let Some(inner) = self.rows.get(depth + 1) else { return &[] };
        let own = &self.rows[depth].slices;
        let next = own.get(own.partition_point(|row| *row <= slice)).copied().unwrap_or(u32::MAX);
        let from = inner.slices.partition_point(|row| *row < slice);
        let to = inner.slices.partition_point(|row| *row < next);
        &inner.slices[from..to]
    }

    /// Nanoseconds `slice` spent outside the calls that were made directly in it.
    pub fn self_ns(&self, slices: &Slices, slice: u32) -> i64 {
        let (start, end) = bounds(slices, slice);
        let inside = |child: &u32| {
            let (from, to) = bounds(slices, *child);
            (to.min(end) - from.max(start)).max(0)
        };
        let children: i64 = self.children(slices, slice).iter().map(inside).sum();
        (end - start - children).max(0)
    }

    /// The deepest call running at `time_ns` at `depth` or above.
    pub fn at(&self, slices: &Slices, depth: u32, time_ns: i64) -> Option<u32> {
        let row = self.row(depth)?;
        let after = row.slices.partition_point(|slice| bounds(slices, *slice).0 <= time_ns);
        let slice = row.slices[after.checked_sub(1)?];
        (time_ns < bounds(slices, slice).1).then_some(slice)
    }
}

/// The calls at one depth: by start, none over another.
#[derive(Debug, Clone)]
pub struct Row {
    slices: Vec<u32>,
    durations: Longest,
    gaps: Longest,
}

impl Row {
    fn new(slices: &Slices, members: Vec<u32>) -> Self {
        let duration = |at: usize| {
            let (start, end) = bounds(slices, members[at]);
            end - start
        };
        let durations = Longest::new(members.len(), duration);
        let gaps = Longest::new(members.len(), |at| gap_before(slices, &members, at));
        Self { slices: members, durations, gaps }
    }

    /// The calls, by start.
    pub fn slices(&self) -> &[u32] {
        &self.slices
    }

    /// Places of the calls that touch `from_ns..to_ns`.
    pub fn within(&self, slices: &Slices, from_ns: f64, to_ns: f64) -> Range<usize> {
        let first = self.slices.partition_point(|slice| {
            let (start, end) = bounds(slices, *slice);
            end as f64 <= from_ns && (start as f64) < from_ns
        });
        let last = self.slices.partition_point(|slice| (bounds(slices, *slice).0 as f64) < to_ns);
        first..last.max(first)
    }

    /// The first place in `range` whose call lasts at least `least_ns`.
    pub fn next_long(&self, slices: &Slices, range: Range<usize>, least_ns: f64) -> Option<usize> {
        let duration = |at: usize| {
            let (start, end) = bounds(slices, self.slices[at]);
            end - start
        };
        self.durations.next(range, least_ns, duration)
    }

    /// The first place in `range` that begins at least `least_ns` after the one before it ends.
    pub fn next_gap(&self, slices: &Slices, range: Range<usize>, least_ns: f64) -> Option<usize> {
        self.gaps.next(range, least_ns, |at| gap_before(slices, &self.slices, at))
    }

    /// The place of the longest call in `range`, the first of several; `None` of an empty range.
    pub fn longest(&self, slices: &Slices, range: Range<usize>) -> Option<usize> {
        let duration = |at: usize| {
            let (start, end) = bounds(slices, self.slices[at]);
            end - start
        };
        let most = self.durations.most(range.clone(), duration)?;
        self.durations.next(range, most as f64, duration)
    }

    /// Where `slice` is among [`Row::slices`].
    pub fn place_of(&self, slice: u32) -> Option<usize> {
        self.slices.binary_search(&slice).ok()
    }
}

/// When `slice` begins and ends.
fn bounds(slices: &Slices, slice: u32) -> (i64, i64) {
    (slices.start_ns[slice as usize], slices.end_ns[slice as usize])
}

fn gap_before(slices: &Slices, members: &[u32], at: usize) -> i64 {
    let Some(before) = at.checked_sub(1) else { return 0 };
    bounds(slices, members[at]).0 - bounds(slices, members[before]).1
}

/// The most of any stretch of values that are kept elsewhere: level 0 has one value for every
/// [`FAN`] of those, each further level one for every [`FAN`] of the one below.
#[derive(Debug, Clone)]
struct Longest {
    levels: Vec<Vec<i64>>,
}

impl Longest {
    fn new(count: usize, value: impl Fn(usize) -> i64) -> Self {
        let chunk = |first: usize| (first..count.min(first + FAN)).map(&value).max();
        let mut level: Vec<i64> = (0..count).step_by(FAN).filter_map(chunk).collect();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let above = level.chunks(FAN).filter_map(|values| values.iter().copied().max());
            let above = above.collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { levels }
    }

    /// The first place in `range` whose value is at least `least`.
    fn next(&self, range: Range<usize>, least: f64, value: impl Fn(usize) -> i64) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            // As far up as `at` begins a node that has nothing.
            let mut skipped = 0;
            let mut size = FAN;
            for level in &self.levels {
                if !at.is_multiple_of(size) || level[at / size] as f64 >= least {
                    break;
                }
                skipped = size;
                size = size.saturating_mul(FAN);
            }
            if skipped > 0 {
                at += skipped;
            } else if value(at) as f64 >= least {
                return Some(at);
            } else {
                at += 1;
            }
        }
        None
    }

    /// The largest value in `range`.
    fn most(&self, range: Range<usize>, value: impl Fn(usize) -> i64) -> Option<i64> {
        let mut most = None;
        let mut at = range.start;
        while at < range.end {
            let (mut found, mut step, mut size) = (value(at), 1, FAN);
            for level in &self.levels {
                if !at.is_multiple_of(size) || at + size > range.end {
                    break;
                }
                (found, step) = (level[at / size], size);
                size = size.saturating_mul(FAN);
            }
            most = most.max(Some(found));
            at += step;
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Calls from `(start, duration, depth)`; a depth has none over another.
    fn calls(rows: &[(i64, i64, u16)]) -> Slices {
        let column = |of: fn(&(i64, i64, u16)) -> i64| rows.iter().map(of).collect::<Vec<_>>();
        Slices {
            start_ns: column(|row| row.0).into(),
            end_ns: column(|row| row.0 + row.1).into(),
            name: rows.iter().map(|row| row.1 as u32 % 3).collect::<Vec<_>>().into(),
            depth: rows.iter().map(|row| row.2).collect::<Vec<_>>().into(),
            flags: vec![0; rows.len()].into(),
        }
    }

    fn index(slices: &Slices) -> SliceIndex {
        SliceIndex::new(slices, &Job::unwatched()).expect("not cancelled")
    }

    #[test]
    fn a_call_knows_what_it_was_made_in_and_what_was_made_in_it() {
        // a: 0–100 holds b: 10–30 (holding c: 12–20) and d: 40–90; then e: 100–110 holds f.
        let slices =
            calls(&[(0, 100, 0), (10, 20, 1), (12, 8, 2), (40, 50, 1), (100, 10, 0), (101, 3, 1)]);
        let index = index(&slices);
        assert_eq!(index.depths(), 3);
        assert_eq!(index.parent(&slices, 2), Some(1));
        assert_eq!(index.parent(&slices, 5), Some(4));
        assert_eq!(index.parent(&slices, 0), None);
        assert_eq!(index.children(&slices, 0), [1, 3]);
        assert_eq!(index.children(&slices, 4), [5]);
        assert_eq!(index.children(&slices, 2), [] as [u32; 0]);
        assert_eq!(index.self_ns(&slices, 0), 100 - 20 - 50);
        assert_eq!(index.self_ns(&slices, 1), 12);
        assert_eq!(index.at(&slices, 1, 29), Some(1));
        assert_eq!(index.at(&slices, 1, 30), None);
        assert_eq!(index.at(&slices, 7, 30), None);
    }

    #[test]
    fn a_call_that_outlasts_the_one_it_was_made_in_takes_only_what_is_inside() {
        let slices = calls(&[(0, 10, 0), (6, 10, 1)]);
        assert_eq!(index(&slices).self_ns(&slices, 0), 6);
    }

    #[test]
    fn no_calls_have_no_depths_and_no_names() {
        let index = index(&calls(&[]));
        assert_eq!((index.depths(), index.names().len()), (0, 0));
        assert!(index.row(0).is_none());
    }

    fn some_calls() -> impl Strategy<Value = Vec<(i64, i64, u16)>> {
        prop::collection::vec((0..9_i64, 0..20_i64), 0..9_000).prop_map(|steps| {
            let mut at = 0;
            let row = |(gap, duration): (i64, i64)| {
                let start = at + gap;
                at = start + duration;
                (start, duration, 0)
            };
            steps.into_iter().map(row).collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_stretch_and_its_longest_are_what_a_walk_finds(
            rows in some_calls(),
            from in 0..9_000_usize,
            length in 0..9_000_usize,
            least in 0..22_i64,
        ) {
            let slices = calls(&rows);
            let index = index(&slices);
            let Some(row) = index.row(0) else { return Ok(()) };
            let (from, to) = (from.min(rows.len()), (from + length).min(rows.len()));
            let places = || (from..to.max(from)).map(|at| (at, rows[at]));
            let least_ns = least as f64;
            prop_assert_eq!(
                row.next_long(&slices, from..to, least_ns),
                places().find(|(_, row)| row.1 >= least).map(|(at, _)| at)
            );
            let gap = |at: usize| if at == 0 { 0 } else {
                rows[at].0 - rows[at - 1].0 - rows[at - 1].1
            };
            prop_assert_eq!(
                row.next_gap(&slices, from..to, least_ns),
                places().map(|(at, _)| at).find(|at| gap(*at) >= least)
            );
            let longest = places().map(|(_, row)| row.1).max();
            let first = places().find(|(_, row)| Some(row.1) == longest).map(|(at, _)| at);
            prop_assert_eq!(row.longest(&slices, from..to), first);
        }

        #[test]
        fn exactly_the_calls_that_touch_a_stretch_are_within(
            rows in some_calls(),
            from in 0..50_000_i64,
            length in 1..5_000_i64,
        ) {
            let slices = calls(&rows);
            let index = index(&slices);
            let Some(row) = index.row(0) else { return Ok(()) };
            let to = from + length;
            let touches = |row: &(i64, i64, u16)| row.0 < to && (row.0 + row.1 > from || row.0 >= from);
            let found = row.within(&slices, from as f64, to as f64);
            let walked: Vec<usize> = (0..rows.len()).filter(|at| touches(&rows[*at])).collect();
            prop_assert_eq!(found.collect::<Vec<_>>(), walked);
        }

        #[test]
        fn every_call_is_under_its_name_once(rows in some_calls()) {
            let slices = calls(&rows);
            let index = index(&slices);
            let mut all = Vec::new();
            for (at, name) in index.names().iter().enumerate() {
                let calls = index.calls_of(at);
                prop_assert!(calls.is_sorted());
                prop_assert!(calls.iter().all(|row| slices.name[*row as usize] == *name));
                all.extend_from_slice(calls);
            }
            all.sort_unstable();
            prop_assert_eq!(all, (0..slices.len()).collect::<Vec<_>>());
        }
    }
}
