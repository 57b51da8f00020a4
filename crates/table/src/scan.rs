//! Walks over the members of a set, in parallel, by their keys.

use crate::set::{RowSet, ones};
use crate::{Direction, Rows, Shape};
use job::{Cancelled, Job};
use model::State;
use rayon::prelude::*;

/// Rows of a table as one view looks at them.
pub(crate) struct Scan<'a, R: Rows> {
    pub(crate) rows: &'a R,
    pub(crate) set: &'a RowSet,
    pub(crate) order: &'a [(R::Column, Direction)],
    pub(crate) cursor: State,
    pub(crate) job: &'a Job,
}

impl<R: Rows> Scan<'_, R> {
    /// Folds every chunk that has members with its keys of `column`, then the results of both.
    ///
    /// `fold` gets the chunk's number and its keys.
    pub(crate) fn fold<T: Send>(
        &self,
        column: R::Column,
        start: impl Fn() -> T + Sync,
        fold: impl Fn(&mut T, usize, &[u64]) + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, Cancelled> {
        let with_keys = || (start(), Vec::new());
        let chunks = self.set.chunks().into_par_iter().with_min_len(8);
        let folded = chunks.try_fold(with_keys, |(mut folded, mut keys), chunk| {
            if self.set.count_in(chunk) > 0 {
                self.job.check()?;
                self.rows.keys(column, self.cursor, self.set.rows(chunk), &mut keys);
                fold(&mut folded, chunk, &keys);
            }
            Ok((folded, keys))
        });
        let joined = folded.map(|folded| folded.map(|(folded, _)| folded));
        joined.try_reduce(&start, |one, other| Ok(join(one, other)))
    }

    /// The key of `row` in the order's `level`.
    pub(crate) fn key(&self, level: usize, row: u32, room: &mut Vec<u64>) -> u64 {
        let (column, direction) = self.order[level];
        let row = row as usize;
        self.rows.keys(column, self.cursor, row..row + 1, room);
        self.rows.shape(column).ordered(room[0], direction)
    }

    /// The keys of `row` in all levels of the order.
    pub(crate) fn tuple(&self, row: u32) -> Vec<u64> {
        let mut room = Vec::new();
        (0..self.order.len()).map(|level| self.key(level, row, &mut room)).collect()
    }

    /// How many members come before `row`, which is one.
    pub(crate) fn before(&self, row: u32) -> Result<u32, Cancelled> {
        let wanted = self.tuple(row);
        let count = |chunk: usize| {
            self.job.check()?;
            let at = self.set.rows(chunk);
            let mut keys = Vec::new();
            // Bits of rows that are equal to `row` in all columns so far.
            let mut equal = self.set.words(chunk).to_vec();
            let mut before = 0;
            for ((column, direction), wanted) in self.order.iter().zip(&wanted) {
                if equal.iter().all(|word| *word == 0) {
                    break;
                }
                self.rows.keys(*column, self.cursor, at.clone(), &mut keys);
                let shape = self.rows.shape(*column);
                crate::set::keep(&mut equal, |place| {
                    let key = shape.ordered(keys[place], *direction);
                    before += u32::from(key < *wanted);
                    key == *wanted
                });
            }
            let ties = ones(&equal).take_while(|place| ((at.start + place) as u32) < row);
            Ok(before + ties.count() as u32)
        };
        let chunks = self.set.chunks().into_par_iter().with_min_len(8);
        chunks.map(count).try_reduce(|| 0, |one, other| Ok(one + other))
    }
}

/// Least and most number of `keys` at the members among `words`.
pub(crate) fn bounds(shape: Shape, words: &[u64], keys: &[u64]) -> Option<(u64, u64)> {
    let empty = shape.empty();
    let there = ones(words).map(|at| keys[at]).filter(|key| Some(*key) != empty);
    there.fold(None, |found: Option<(u64, u64)>, key| {
        let (least, most) = found.unwrap_or((key, key));
        Some((least.min(key), most.max(key)))
    })
}
