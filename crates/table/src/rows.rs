//! What a table is made of.

use crate::{Cell, Column, Direction, Needle, Shape};
use model::{StackId, State};
use std::borrow::Cow;
use std::ops::Range;

/// The bytes a view adds up.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'a> {
    /// By row: what was asked for.
    pub requested: &'a [u64],
    /// By row: what it takes.
    pub size: &'a [u64],
}

/// Neighbouring rows in one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Which.
    pub rows: Range<u32>,
    /// From which end.
    pub direction: Direction,
}

/// Rows that can be filtered and sorted; [`View`](crate::View) does so.
pub trait Rows: Sync {
    /// Names its columns.
    type Column: Column;

    /// How many rows there are.
    fn len(&self) -> u32;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the keys of `column` mean.
    fn shape(&self, column: Self::Column) -> Shape;

    /// Replaces `keys` by those of `rows`, states as of `cursor`.
    fn keys(&self, column: Self::Column, cursor: State, rows: Range<usize>, keys: &mut Vec<u64>);

    /// How many names a [`Shape::Named`] column has.
    fn names(&self, column: Self::Column) -> usize;

    /// The name that key `place` of a [`Shape::Named`] column stands for.
    fn name(&self, column: Self::Column, place: usize) -> Cow<'_, str>;

    /// By place: whether the name has `needle` in it.
    fn containing(&self, column: Self::Column, needle: &Needle) -> Vec<bool> {
        (0..self.names(column)).map(|place| needle.is_in(&self.name(column, place))).collect()
    }

    /// The text of `row` in a [`Shape::Text`] column.
    fn text(&self, _column: Self::Column, _row: usize) -> String {
        String::new()
    }

    /// By key of a [`Shape::Text`] column: whether all texts with that key have `needle` in them,
    /// or none has; nothing where each must be asked.
    fn saying(&self, _column: Self::Column, _needle: &Needle) -> Vec<Option<bool>> {
        Vec::new()
    }

    /// Whether `row` is in `period`.
    fn is_within(&self, period: <Self::Column as Column>::Period, row: usize) -> bool;

    /// Whether what `row` is about holds the byte at `address`.
    fn holds(&self, row: usize, address: u64) -> bool;

    /// The stack of the allocation or the event that `row` is.
    fn stack(&self, row: usize) -> Option<StackId>;

    /// The bytes to add up.
    fn bytes(&self) -> Bytes<'_>;

    /// All rows sorted by `column`, smallest first, when that needs no sorting and no two rows are
    /// equal.
    fn runs(&self, column: Self::Column) -> Option<Vec<Run>>;

    /// What `row` has in `column`, states as of `cursor`.
    fn cell(&self, row: u32, column: Self::Column, cursor: State) -> Cell<'_>;
}
