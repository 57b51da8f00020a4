//! A column: an immutable, cheaply cloned slice.

use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// An immutable column of plain values; derefs to `&[T]`.
///
/// It is a `Vec` after an import. When a recording is opened again it is a slice of a mapped file,
/// or [`Packed`] in one: then the whole is unpacked when it is first looked at as a slice, and
/// [`Column::value`], [`Column::copy`], the length and both ends are had without.
#[derive(Clone)]
pub struct Column<T: ArrowNativeType>(Inner<T>);

#[derive(Clone)]
enum Inner<T: ArrowNativeType> {
    Plain(ScalarBuffer<T>),
    Packed(Arc<Unpacked<T>>),
}

/// Values in less room than they take as a slice.
///
/// Unpacking must not wait for other threads: it is done under a lock that others wait for.
pub trait Packed<T>: Send + Sync {
    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a few rows are had without nearly the work of all.
    fn is_by_row(&self) -> bool {
        true
    }

    /// Writes the values from row `from` on into `into`; both lie within the column.
    fn unpack(&self, from: usize, into: &mut [T]);
}

struct Unpacked<T: ArrowNativeType> {
    packed: Box<dyn Packed<T>>,
    whole: OnceLock<ScalarBuffer<T>>,
}

impl<T: ArrowNativeType> Unpacked<T> {
    fn whole(&self) -> &[T] {
        self.whole.get_or_init(|| {
            let mut values = vec![T::default(); self.packed.len()];
            self.packed.unpack(0, &mut values);
            values.into()
        })
    }

    fn copy(&self, from: usize, into: &mut [T]) {
        match self.whole.get() {
            None if self.packed.is_by_row() => self.packed.unpack(from, into),
            _ => into.copy_from_slice(&self.whole()[from..from + into.len()]),
        }
    }
}

impl<T: ArrowNativeType> Column<T> {
    /// A column that is unpacked when it is looked at.
    pub fn packed(packed: impl Packed<T> + 'static) -> Self {
        let (packed, whole) = (Box::new(packed), OnceLock::new());
        Self(Inner::Packed(Arc::new(Unpacked { packed, whole })))
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        match &self.0 {
            Inner::Plain(values) => values.len(),
            Inner::Packed(column) => column.packed.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value in `row`, which is one of the column's; never unpacks the whole.
    #[inline]
    pub fn value(&self, row: usize) -> T {
        match &self.0 {
            Inner::Plain(values) => values[row],
            Inner::Packed(column) => {
                assert!(row < column.packed.len(), "row {row} of a column");
                let mut one = [T::default()];
                column.copy(row, &mut one);
                one[0]
            }
        }
    }

    /// Copies the values from row `from` on, as many as `into` takes; never unpacks the whole.
    ///
    /// They lie within the column.
    pub fn copy(&self, from: usize, into: &mut [T]) {
        match &self.0 {
            Inner::Plain(values) => into.copy_from_slice(&values[from..from + into.len()]),
            Inner::Packed(column) => {
                assert!(from + into.len() <= column.packed.len(), "rows of a column");
                column.copy(from, into);
            }
        }
    }

    /// The first and the last value; never unpacks the whole.
    pub fn ends(&self) -> Option<(T, T)> {
        let last = self.len().checked_sub(1)?;
        Some((self.value(0), self.value(last)))
    }

    /// Its memory, where it is plain.
    pub fn plain(&self) -> Option<&ScalarBuffer<T>> {
        match &self.0 {
            Inner::Plain(values) => Some(values),
            Inner::Packed(_) => None,
        }
    }
}

impl<T: ArrowNativeType> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Inner::Plain(values) => values,
            Inner::Packed(column) => column.whole(),
        }
    }
}

impl<T: ArrowNativeType> AsRef<[T]> for Column<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: ArrowNativeType> Default for Column<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: ArrowNativeType> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: ArrowNativeType> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self(Inner::Plain(values.into()))
    }
}

impl<T: ArrowNativeType> From<ScalarBuffer<T>> for Column<T> {
    fn from(values: ScalarBuffer<T>) -> Self {
        Self(Inner::Plain(values))
    }
}

impl<T: ArrowNativeType> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        values.into_iter().collect::<Vec<T>>().into()
    }
}

impl<'a, T: ArrowNativeType> IntoIterator for &'a Column<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: ArrowNativeType, S: AsRef<[T]> + ?Sized> PartialEq<S> for Column<T> {
    fn eq(&self, other: &S) -> bool {
        **self == *other.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Row × 3, and how many rows were unpacked.
    struct Triples(usize, Arc<AtomicUsize>);

    impl Packed<u64> for Triples {
        fn len(&self) -> usize {
            self.0
        }

        fn unpack(&self, from: usize, into: &mut [u64]) {
            self.1.fetch_add(into.len(), Ordering::Relaxed);
            for (at, value) in into.iter_mut().enumerate() {
                *value = (from + at) as u64 * 3;
            }
        }
    }

    #[test]
    fn a_packed_column_is_unpacked_once_and_only_when_looked_at_as_a_slice() {
        let unpacked = Arc::new(AtomicUsize::new(0));
        let column = Column::packed(Triples(100, Arc::clone(&unpacked)));
        assert_eq!((column.len(), column.value(7)), (100, 21));
        assert_eq!(column.ends(), Some((0, 297)));
        let mut some = [0; 3];
        column.copy(40, &mut some);
        assert_eq!(some, [120, 123, 126]);
        assert_eq!(unpacked.load(Ordering::Relaxed), 6);
        let other = column.clone();
        assert_eq!(other[99], 297);
        assert_eq!(column.iter().sum::<u64>(), 14_850);
        column.copy(98, &mut some[..2]);
        assert_eq!(some, [294, 297, 126]);
        assert_eq!(unpacked.load(Ordering::Relaxed), 106);
    }
}
