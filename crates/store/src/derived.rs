//! Columns that follow from others, but for some rows.
//!
//! Nearly all that an event says is what its block says, and which block that is follows from the
//! blocks' lives. Such columns cost nothing on disk.

use crate::bounds::Bound;
use crate::element::Element;
use crate::reading::File;
use crate::writing::Columns;
use model::{BlockColumns, Blocks, Column, Packed};

/// In [`model::DeviceTable::block_of_event`]: none.
const NONE: u32 = u32::MAX;
/// Fewer rows than this are looked up one by one.
const FEW: usize = 4_096;
/// Where more than one row in so many does not follow, the column is kept as it is.
const WORTH: usize = 8;

/// What does not follow, by row.
struct Rest<T: Element> {
    rows: Column<u32>,
    values: Column<T>,
}

impl<T: Element> Rest<T> {
    fn of(file: &File, name: &str) -> Option<Self> {
        let rows: Column<u32> = file.column(&format!("{name}.rest"))?;
        let values: Column<T> = file.column(&format!("{name}.rest_values"))?;
        (rows.len() == values.len()).then_some(Self { rows, values })
    }

    /// Writes those of the rows from `from` on into `into`.
    fn put(&self, from: usize, into: &mut [T]) {
        let first = self.rows.partition_point(|row| (*row as usize) < from);
        for (row, value) in self.rows[first..].iter().zip(&self.values[first..]) {
            let place = (*row as usize).checked_sub(from).and_then(|row| into.get_mut(row));
            let Some(place) = place else { return };
            *place = *value;
        }
    }
}

/// The rows in which `actual` is not what `follows`; `None` when they are many.
fn rest<T: Element>(actual: &[T], follows: &[T]) -> Option<(Vec<u32>, Vec<T>)> {
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (row, (actual, follow)) in actual.iter().zip(follows).enumerate() {
        if actual != follow {
            rows.push(row as u32);
            values.push(*actual);
            if rows.len() > follows.len() / WORTH {
                return None;
            }
        }
    }
    Some((rows, values))
}

/// Which block an event is about: those that begin, are released or die with it.
struct OfLives {
    events: usize,
    lives: [Column<u32>; 3],
    rest: Option<Rest<u32>>,
}

impl OfLives {
    fn new(blocks: &BlockColumns, events: usize) -> Self {
        let lives = [blocks.born.clone(), blocks.released.clone(), blocks.died.clone()];
        Self { events, lives, rest: None }
    }
}

impl Packed<u32> for OfLives {
    fn len(&self) -> usize {
        self.events
    }

    fn is_by_row(&self) -> bool {
        false
    }

    fn unpack(&self, from: usize, into: &mut [u32]) {
        into.fill(NONE);
        for states in &self.lives {
            for (block, state) in states.iter().enumerate() {
                // A state is one more than the event that made it; 0 and NEVER are of none.
                let event = (*state as usize).checked_sub(from + 1);
                if let Some(place) = event.and_then(|event| into.get_mut(event)) {
                    *place = block as u32;
                }
            }
        }
        if let Some(rest) = &self.rest {
            rest.put(from, into);
        }
    }
}

/// Values of another column, in the rows that a column of rows names.
struct Through<T: Element, S: Element> {
    rows: Column<u32>,
    of: Column<S>,
    rest: Option<Rest<T>>,
}

impl<T: Element, S: Element> Packed<T> for Through<T, S> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn unpack(&self, from: usize, into: &mut [T]) {
        if into.len() < FEW {
            for (at, value) in into.iter_mut().enumerate() {
                let row = self.rows.value(from + at) as usize;
                let known = row < self.of.len();
                *value = if known { T::of_bits(self.of.value(row).bits()) } else { T::default() };
            }
        } else {
            let unpacked: Vec<S>;
            let of: &[S] = if let Some(plain) = self.of.plain() {
                plain
            } else {
                let mut whole = vec![S::default(); self.of.len()];
                self.of.copy(0, &mut whole);
                unpacked = whole;
                &unpacked
            };
            for (value, row) in into.iter_mut().zip(&self.rows[from..]) {
                *value = of.get(*row as usize).map_or(T::default(), |it| T::of_bits(it.bits()));
            }
        }
        if let Some(rest) = &self.rest {
            rest.put(from, into);
        }
    }
}

impl Columns {
    /// Keeps which block each event is about.
    pub(crate) fn blocks_of_events(&mut self, name: &str, actual: &Column<u32>, blocks: &Blocks) {
        let mut follows = vec![0; actual.len()];
        OfLives::new(blocks.columns(), actual.len()).unpack(0, &mut follows);
        match rest::<u32>(actual, &follows) {
            Some(rest) => self.rest(name, &format!("lives {}", actual.len()), rest),
            None => self.packed(name, actual),
        }
    }

    /// Keeps `actual`, which mostly is what `of` has in `rows`.
    pub(crate) fn through<T: Element, S: Element>(
        &mut self,
        name: &str,
        actual: &Column<T>,
        (rows, of): (&Column<u32>, &Column<S>),
    ) {
        let mut follows = vec![T::default(); actual.len()];
        if rows.len() == actual.len() {
            Through { rows: rows.clone(), of: of.clone(), rest: None }.unpack(0, &mut follows);
        }
        match rest::<T>(actual, &follows) {
            Some(rest) if rows.len() == actual.len() => self.rest(name, "through", rest),
            _ => self.packed(name, actual),
        }
    }
}

impl File {
    /// What [`Columns::blocks_of_events`] kept.
    pub(crate) fn blocks_of_events(&self, name: &str, blocks: &Blocks) -> Option<Column<u32>> {
        let bound = Bound::rows_or_none(blocks.len() as usize);
        let Some(events) = self.packing(name).and_then(|it| it.strip_prefix("lives ")) else {
            return self.within(name, bound);
        };
        let rest = Rest::of(self, name)?;
        // What follows from the blocks' lives is a block, or none.
        if !bound.has_column(&rest.values) {
            return None;
        }
        let rest = Some(rest);
        let events = events.parse::<u32>().ok()? as usize;
        Some(Column::packed(OfLives { rest, ..OfLives::new(blocks.columns(), events) }))
    }

    /// What [`Columns::through`] kept, if all values are within `bound`, as those of `of` are.
    pub(crate) fn through_within<T: Element, S: Element>(
        &self,
        name: &str,
        (rows, of): (&Column<u32>, &Column<S>),
        bound: Bound,
    ) -> Option<Column<T>> {
        if self.packing(name) != Some("through") {
            return self.within(name, bound);
        }
        let column = self.through(name, (rows, of))?;
        let values: Column<T> = self.column(&format!("{name}.rest_values"))?;
        // Where the other column has no such row stands 0.
        let fits = bound.has(T::default()) && bound.has_column(&values);
        (fits || bound.has_column(&column)).then_some(column)
    }

    /// What [`Columns::through`] kept.
    pub(crate) fn through<T: Element, S: Element>(
        &self,
        name: &str,
        (rows, of): (&Column<u32>, &Column<S>),
    ) -> Option<Column<T>> {
        if self.packing(name) != Some("through") {
            return self.column(name);
        }
        let rest = Some(Rest::of(self, name)?);
        Some(Column::packed(Through { rows: rows.clone(), of: of.clone(), rest }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_follow_is_kept_beside() {
        let rows: Column<u32> =
            (0..6_000).map(|row| if row % 7 == 0 { NONE } else { row / 2 }).collect();
        let of: Column<i64> = (0..3_000).map(|row| row * 10).collect();
        let mut actual: Vec<u64> =
            rows.iter().map(|row| of.get(*row as usize).map_or(0, |value| *value as u64)).collect();
        actual[4_999] = 3;
        actual[5] = u64::MAX;
        let rest = rest(
            &actual,
            &Through::<u64, i64> { rows: rows.clone(), of: of.clone(), rest: None }.all(),
        )
        .unwrap();
        assert_eq!(rest, (vec![5, 4_999], vec![u64::MAX, 3]));
        let rest = Some(Rest { rows: rest.0.into(), values: rest.1.into() });
        let through = Through { rows, of, rest };
        assert_eq!(through.all(), actual);
        let mut some = [0; 10];
        through.unpack(4_995, &mut some);
        assert_eq!(some, actual[4_995..5_005]);
    }

    impl<T: Element, S: Element> Through<T, S> {
        fn all(&self) -> Vec<T> {
            let mut all = vec![T::default(); self.rows.len()];
            self.unpack(0, &mut all);
            all
        }
    }
}
