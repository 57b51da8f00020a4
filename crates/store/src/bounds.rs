//! Whether values that stand for rows are rows of the table they mean.
//!
//! A checksum vouches for what was written and not for who wrote it. Whatever a question looks rows
//! up by is compared once, when an index is opened, so that no question meets a row that is not
//! there; everything else may be any number.

use crate::element::Element;
use model::Column;

/// Values that are looked at together: they stay in the processor's cache.
const CHUNK: usize = 1024;

/// Which values a column may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    below: u64,
    has_none: bool,
}

impl Bound {
    /// Rows of a table of `count`.
    pub(crate) fn rows(count: usize) -> Self {
        Self { below: count as u64, has_none: false }
    }

    /// The same, or the largest number there is: none.
    pub(crate) fn rows_or_none(count: usize) -> Self {
        Self { below: count as u64, has_none: true }
    }

    /// The same with none.
    pub(crate) fn or_none(self) -> Self {
        Self { has_none: true, ..self }
    }

    /// Whether `value` is one of them.
    #[inline]
    pub(crate) fn has<T: Element>(self, value: T) -> bool {
        value.bits() < self.below || self.has_none && value == T::of_bits(u64::MAX)
    }

    /// Whether all of `values` are.
    pub(crate) fn has_all<T: Element>(self, values: &[T]) -> bool {
        // No early end: this way several are compared at once.
        values.iter().fold(true, |all, value| all & self.has(*value))
    }

    /// Whether all values of `column` are, which is not unpacked for it.
    pub(crate) fn has_column<T: Element>(self, column: &Column<T>) -> bool {
        every(column, |values| self.has_all(values))
    }
}

/// Whether `test` holds for each chunk of `column`, which is not unpacked for it.
pub(crate) fn every<T: Element>(column: &Column<T>, test: impl Fn(&[T]) -> bool) -> bool {
    if let Some(plain) = column.plain() {
        return plain.chunks(CHUNK).all(test);
    }
    let mut values = [T::default(); CHUNK];
    (0..column.len()).step_by(CHUNK).all(|from| {
        let values = &mut values[..CHUNK.min(column.len() - from)];
        column.copy(from, values);
        test(values)
    })
}

/// Whether no value of `column` is less than the one before it.
pub(crate) fn is_sorted<T: Element>(column: &Column<T>) -> bool {
    let last = std::cell::Cell::new(None);
    every(column, |values| {
        let is_after = last.get() <= values.first().copied();
        last.set(values.last().copied());
        is_after && values.is_sorted()
    })
}
