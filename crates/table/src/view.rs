//! The rows that answer a query.

use crate::check::Checks;
use crate::scan::{Scan, bounds};
use crate::set::{CHUNK, RowSet, WORDS, chunk_rows, keep, ones};
use crate::{Bytes, Cell, Column, Direction, Query, Rows, Run, Shape, order, top};
use job::{Cancelled, Job, Progress};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

/// Rows at the beginning that are found without ordering the rest.
const HEAD: u32 = 1024;
/// Rows an export hands over between two looks at its job.
const STRETCH: u32 = 4096;

/// What the matching rows add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// How many rows match.
    pub count: u32,
    /// Bytes asked for, in all.
    pub requested: u64,
    /// Bytes occupied, in all; of events, the sum of their sizes.
    pub size: u64,
    /// The smallest size; `None` when nothing matches.
    pub smallest: Option<u64>,
    /// The largest size.
    pub largest: Option<u64>,
}

/// A name among the matching rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// As [`Test::Is`](crate::Test::Is) takes it.
    pub name: String,
    /// Matching rows that have it.
    pub count: u32,
}

/// The rows that answer a query: counted, added up, and in order.
///
/// Everything it is asked takes the rows it was made of again, which it does not keep.
/// A page near the beginning takes one pass over the matching rows; the first one beyond orders
/// them all, and whatever follows is read from there.
#[derive(Debug)]
pub struct View<C: Column> {
    query: Query<C>,
    set: RowSet,
    statistics: Statistics,
    /// The order when it needs no sorting.
    runs: Option<Vec<Run>>,
    head: OnceLock<Vec<u32>>,
    all: OnceLock<Vec<u32>>,
}

impl<C: Column> View<C> {
    /// Finds the rows that match `query`.
    pub fn new<R: Rows<Column = C>>(
        rows: &R,
        query: Query<C>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        job.step(Progress { stage: "filtering", done: 0, total: rows.len().into() })?;
        let checks = Checks::new(rows, &query.filters);
        let len = rows.len() as usize;
        let mut words = vec![0; len.div_ceil(64)];
        let start = || (Statistics::default(), Vec::new());
        let narrow = |(sum, mut keys): (Statistics, Vec<u64>), (chunk, words): (_, &mut [u64])| {
            job.check()?;
            let at = chunk_rows(len, chunk);
            fill(words, at.len());
            if let Some(period) = query.period {
                keep(words, |place| rows.is_within(period, at.start + place));
            }
            checks.narrow(rows, query.cursor, &at, &mut keys, words);
            Ok((sum.join(Statistics::of(rows.bytes(), &at, words)), keys))
        };
        let chunks = words.par_chunks_mut(WORDS).enumerate().with_min_len(8);
        let statistics = chunks
            .try_fold(start, narrow)
            .map(|sum| sum.map(|(sum, _)| sum))
            .try_reduce(Statistics::default, |one, other| Ok(one.join(other)))?;
        let runs = runs(rows, &query.order);
        let set = RowSet::new(len, words);
        Ok(Self { query, set, statistics, runs, head: OnceLock::new(), all: OnceLock::new() })
    }

    /// What was asked.
    pub fn query(&self) -> &Query<C> {
        &self.query
    }

    /// How many rows match.
    pub fn count(&self) -> u32 {
        self.set.count()
    }

    /// What the matching rows add up to.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether `row` matches.
    pub fn contains(&self, row: u32) -> bool {
        self.set.contains(row)
    }

    /// How many of the matching rows come before `row` in the recording.
    pub fn before(&self, row: u32) -> u32 {
        self.set.rank(row)
    }

    /// Up to `count` rows from place `offset` of the order.
    pub fn rows<R: Rows<Column = C>>(
        &self,
        rows: &R,
        offset: u32,
        count: u32,
        job: &Job,
    ) -> Result<Vec<u32>, Cancelled> {
        let end = offset.saturating_add(count).min(self.count());
        let offset = offset.min(end);
        let range = offset as usize..end as usize;
        if let Some(runs) = &self.runs {
            return Ok((offset..end).map(|place| self.in_runs(runs, place)).collect());
        }
        if let Some(all) = self.all.get() {
            return Ok(all[range].to_vec());
        }
        if end > HEAD {
            return Ok(self.all(rows, job)?[range].to_vec());
        }
        if self.head.get().is_none() {
            let head = top::first(&self.scan(rows, job), HEAD.min(self.count()) as usize)?;
            // Somebody else may have been quicker, with the same rows.
            self.head.set(head).ok();
        }
        Ok(self.head.get().map_or_else(Vec::new, |head| head[range].to_vec()))
    }

    /// The place of `row` in the order; `None` when it does not match.
    pub fn position_of<R: Rows<Column = C>>(
        &self,
        rows: &R,
        row: u32,
        job: &Job,
    ) -> Result<Option<u32>, Cancelled> {
        if !self.contains(row) {
            return Ok(None);
        }
        if let Some(runs) = &self.runs {
            return Ok(Some(self.place_in_runs(runs, row)));
        }
        if let Some(all) = self.all.get() {
            return Ok(all.iter().position(|at| *at == row).map(|place| place as u32));
        }
        self.scan(rows, job).before(row).map(Some)
    }

    /// Least and most number in `column` over the matching rows; `None` when all are empty, and of
    /// texts. Of a named column, places of names.
    pub fn bounds<R: Rows<Column = C>>(
        &self,
        rows: &R,
        column: C,
        job: &Job,
    ) -> Result<Option<(i128, i128)>, Cancelled> {
        let shape = rows.shape(column);
        if shape == Shape::Text {
            return Ok(None);
        }
        let widen = |one: Option<(u64, u64)>, other: Option<(u64, u64)>| match (one, other) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
        let found = self.scan(rows, job).fold(
            column,
            || None,
            |found, chunk, keys| {
                *found = widen(*found, bounds(shape, self.set.words(chunk), keys));
            },
            widen,
        )?;
        Ok(found.and_then(|(least, most)| Some((shape.value(least)?, shape.value(most)?))))
    }

    /// The names that the matching rows have in `column`, in its order, each with how many; none
    /// of a column of numbers.
    pub fn choices<R: Rows<Column = C>>(
        &self,
        rows: &R,
        column: C,
        job: &Job,
    ) -> Result<Vec<Choice>, Cancelled> {
        if rows.shape(column) != Shape::Named {
            return Ok(Vec::new());
        }
        let count = |counts: &mut Vec<u32>, chunk: usize, keys: &[u64]| {
            for at in ones(self.set.words(chunk)) {
                if let Some(count) = counts.get_mut(keys[at] as usize) {
                    *count += 1;
                }
            }
        };
        let join = |mut one: Vec<u32>, other: Vec<u32>| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
            one
        };
        let start = || vec![0; rows.names(column)];
        let counts = self.scan(rows, job).fold(column, start, count, join)?;
        let met = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
        let choice = |(place, count)| Choice { name: rows.name(column, place).into(), count };
        Ok(met.map(choice).collect())
    }

    /// Hands every matching row's cells in `columns` to `each`, in order, until it fails.
    pub fn export<R: Rows<Column = C>, E: From<Cancelled>>(
        &self,
        rows: &R,
        columns: &[C],
        job: &Job,
        mut each: impl FnMut(&[Cell<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let total = self.count();
        if self.runs.is_none() {
            self.all(rows, job)?;
        }
        for offset in (0..total).step_by(STRETCH as usize) {
            job.step(Progress { stage: "exporting", done: offset.into(), total: total.into() })?;
            for row in self.rows(rows, offset, STRETCH, job)? {
                let cell = |column: &C| rows.cell(row, *column, self.query.cursor);
                let cells: Vec<Cell<'_>> = columns.iter().map(cell).collect();
                each(&cells)?;
            }
        }
        Ok(())
    }

    fn scan<'a, R: Rows<Column = C>>(&'a self, rows: &'a R, job: &'a Job) -> Scan<'a, R> {
        let Query { order, cursor, .. } = &self.query;
        Scan { rows, set: &self.set, order, cursor: *cursor, job }
    }

    /// All rows in order, sorted once.
    fn all<R: Rows<Column = C>>(&self, rows: &R, job: &Job) -> Result<&[u32], Cancelled> {
        if self.all.get().is_none() {
            let all = order::all(&self.scan(rows, job))?;
            // Somebody else may have been quicker, with the same rows.
            self.all.set(all).ok();
        }
        Ok(self.all.get().map_or(&[], Vec::as_slice))
    }

    /// The row at `place`, which is below the count.
    fn in_runs(&self, runs: &[Run], place: u32) -> u32 {
        let mut rest = place;
        for Run { rows, direction } in runs {
            let (before, until) = (self.set.rank(rows.start), self.set.rank(rows.end));
            if rest < until - before {
                return self.set.select(match direction {
                    Direction::Ascending => before + rest,
                    Direction::Descending => until - 1 - rest,
                });
            }
            rest -= until - before;
        }
        unreachable!("runs hold every row, and fewer than {place} match")
    }

    fn place_in_runs(&self, runs: &[Run], row: u32) -> u32 {
        let mut place = 0;
        for Run { rows, direction } in runs {
            let (before, until) = (self.set.rank(rows.start), self.set.rank(rows.end));
            if rows.contains(&row) {
                let at = self.set.rank(row);
                return place
                    + match direction {
                        Direction::Ascending => at - before,
                        Direction::Descending => until - 1 - at,
                    };
            }
            place += until - before;
        }
        place
    }
}

impl Statistics {
    /// Of the rows of `at` whose bits are set.
    fn of(bytes: Bytes<'_>, at: &Range<usize>, words: &[u64]) -> Self {
        let (requested, size) = (&bytes.requested[at.clone()], &bytes.size[at.clone()]);
        let mut sum = Self::default();
        let (mut smallest, mut largest) = (u64::MAX, 0);
        for place in ones(words) {
            sum.count += 1;
            sum.requested = sum.requested.saturating_add(requested[place]);
            sum.size = sum.size.saturating_add(size[place]);
            smallest = smallest.min(size[place]);
            largest = largest.max(size[place]);
        }
        if sum.count > 0 {
            (sum.smallest, sum.largest) = (Some(smallest), Some(largest));
        }
        sum
    }

    fn join(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            requested: self.requested.saturating_add(other.requested),
            size: self.size.saturating_add(other.size),
            smallest: self.smallest.into_iter().chain(other.smallest).min(),
            largest: self.largest.max(other.largest),
        }
    }
}

/// Sets the first `rows` bits.
fn fill(words: &mut [u64], rows: usize) {
    debug_assert!(rows <= CHUNK);
    words.fill(u64::MAX);
    if let (Some(last), 1..) = (words.last_mut(), rows % 64) {
        *last = (1 << (rows % 64)) - 1;
    }
}

/// The order when it needs no sorting: as the recording has them, or by a column that is sorted.
fn runs<R: Rows>(rows: &R, order: &[(R::Column, Direction)]) -> Option<Vec<Run>> {
    let Some((column, direction)) = order.first() else {
        return Some(vec![Run { rows: 0..rows.len(), direction: Direction::Ascending }]);
    };
    let mut runs = rows.runs(*column)?;
    if *direction == Direction::Descending {
        runs.reverse();
        for run in &mut runs {
            run.direction = match run.direction {
                Direction::Ascending => Direction::Descending,
                Direction::Descending => Direction::Ascending,
            };
        }
    }
    Some(runs)
}
