//! A filter made ready to be asked of millions of rows.

use crate::set::{keep, keep_keys};
use crate::{AddressFilter, Filter, HexDigits, Needle, Rows, Shape, Test, parse_address};
use model::State;
use std::ops::Range;
use std::sync::Arc;

/// A test of keys; whatever can be decided once is.
#[derive(Debug)]
pub(crate) enum Check {
    Never,
    Always,
    Range(u64, u64),
    Key(u64),
    NotKey(u64),
    /// Among these, sorted.
    Keys(Vec<u64>),
    /// By place of a name.
    Places(Vec<bool>),
    Number(Shape, Needle),
    Digits(HexDigits),
    /// Asked of the row, not of its key.
    Holds(u64),
    /// Asked of the row: by stack.
    Stacks(Arc<[bool]>),
    /// By key what is known of a text, and what to look for in the others.
    Says(Vec<Option<bool>>, Needle),
    /// Exactly one of these texts.
    Texts(Vec<String>),
    Any(Vec<Self>),
}

impl Check {
    /// What `filter` means for `rows`.
    pub(crate) fn new<R: Rows>(rows: &R, filter: &Filter<R::Column>) -> Self {
        let column = filter.column;
        let shape = rows.shape(column);
        match (&filter.test, shape) {
            (Test::Between { from, to }, _) => {
                shape.keys(*from, *to).map_or(Self::Never, |(from, to)| Self::Range(from, to))
            }
            (Test::Stacks(wanted), _) => Self::Stacks(Arc::clone(wanted)),
            (Test::Empty, _) => shape.empty().map_or(Self::Never, Self::Key),
            (Test::NotEmpty, _) => shape.empty().map_or(Self::Always, Self::NotKey),
            (Test::Address(filter), Shape::Address) => Self::address(filter),
            (Test::Address(_), _) => Self::Never,
            (Test::Is(names), Shape::Named) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let is_one = |place| names.contains(&&*rows.name(column, place));
                Self::Places((0..rows.names(column)).map(is_one).collect())
            }
            (Test::Is(texts), Shape::Text) => Self::Texts(texts.clone()),
            (Test::Is(texts), _) => {
                let mut keys: Vec<u64> = texts.iter().filter_map(|text| key(shape, text)).collect();
                keys.sort_unstable();
                Self::Keys(keys)
            }
            (Test::Contains(text), Shape::Named) => {
                Self::Places(rows.containing(column, &Needle::new(text)))
            }
            (Test::Contains(text), Shape::Text) => {
                let needle = Needle::new(text);
                Self::Says(rows.saying(column, &needle), needle)
            }
            (Test::Contains(text), Shape::Address) => {
                AddressFilter::typed(text).map_or(Self::Never, |filter| Self::address(&filter))
            }
            (Test::Contains(text), _) => Self::Number(shape, Needle::new(text.trim())),
        }
    }

    fn address(filter: &AddressFilter) -> Self {
        match filter {
            AddressFilter::Exact(0) => Self::Never,
            AddressFilter::Exact(address) => Self::Key(*address),
            AddressFilter::Holds(address) => Self::Holds(*address),
            AddressFilter::Digits(digits) => Self::Digits(*digits),
            AddressFilter::Any(filters) => Self::Any(filters.iter().map(Self::address).collect()),
        }
    }

    /// Keeps the bits of `words`, those of `at`, whose row passes; `keys` are those of the rows in
    /// `column`.
    pub(crate) fn narrow<R: Rows>(
        &self,
        rows: &R,
        column: R::Column,
        at: Range<usize>,
        keys: &[u64],
        words: &mut [u64],
    ) {
        match self {
            Self::Never => words.fill(0),
            Self::Always => {}
            Self::Range(from, to) => {
                keep_keys(words, keys, |key| *from <= key && key <= *to);
            }
            Self::Key(wanted) => keep_keys(words, keys, |key| key == *wanted),
            Self::NotKey(unwanted) => keep_keys(words, keys, |key| key != *unwanted),
            Self::Keys(wanted) => keep(words, |row| wanted.binary_search(&keys[row]).is_ok()),
            Self::Places(wanted) => {
                keep_keys(words, keys, |key| wanted.get(key as usize).copied().unwrap_or(false));
            }
            Self::Number(shape, needle) => keep(words, |row| {
                shape.value(keys[row]).is_some_and(|value| needle.is_in_number(value))
            }),
            Self::Digits(digits) => {
                keep_keys(words, keys, |key| key != 0 && digits.are_in(key));
            }
            Self::Holds(address) => {
                keep(words, |row| keys[row] != 0 && rows.holds(at.start + row, *address));
            }
            Self::Stacks(wanted) => keep(words, |row| {
                let stack = rows.stack(at.start + row);
                stack.is_some_and(|stack| wanted.get(stack.row()).copied().unwrap_or(false))
            }),
            Self::Says(known, needle) => keep(words, |row| {
                let key = keys[row];
                key != Shape::EMPTY
                    && known
                        .get(key as usize)
                        .copied()
                        .flatten()
                        .unwrap_or_else(|| needle.is_in(&rows.text(column, at.start + row)))
            }),
            Self::Texts(wanted) => keep(words, |row| {
                keys[row] != Shape::EMPTY && wanted.contains(&rows.text(column, at.start + row))
            }),
            Self::Any(checks) => {
                let mut passed = vec![0; words.len()];
                for check in checks {
                    let mut of_check = words.to_vec();
                    check.narrow(rows, column, at.clone(), keys, &mut of_check);
                    passed.iter_mut().zip(of_check).for_each(|(all, one)| *all |= one);
                }
                words.copy_from_slice(&passed);
            }
        }
    }
}

/// The key of a number written as a [`Cell`](crate::Cell) shows it.
fn key(shape: Shape, text: &str) -> Option<u64> {
    let value = match shape {
        Shape::Address => i128::from(parse_address(text)?),
        _ => text.trim().parse().ok()?,
    };
    shape.keys(Some(value), Some(value)).map(|(key, _)| key)
}

/// The filters of a query, ready.
#[derive(Debug)]
pub(crate) struct Checks<C> {
    checks: Vec<(C, Check)>,
}

impl<C: crate::Column> Checks<C> {
    pub(crate) fn new<R: Rows<Column = C>>(rows: &R, filters: &[Filter<C>]) -> Self {
        let check = |filter: &Filter<C>| (filter.column, Check::new(rows, filter));
        Self { checks: filters.iter().map(check).collect() }
    }

    /// Keeps the bits of `words`, those of `at`, whose row passes all; `keys` is room to work in.
    pub(crate) fn narrow<R: Rows<Column = C>>(
        &self,
        rows: &R,
        cursor: State,
        at: &Range<usize>,
        keys: &mut Vec<u64>,
        words: &mut [u64],
    ) {
        let mut filled = None;
        for (column, check) in &self.checks {
            if words.iter().all(|word| *word == 0) {
                return;
            }
            if filled != Some(*column) {
                rows.keys(*column, cursor, at.clone(), keys);
                filled = Some(*column);
            }
            check.narrow(rows, *column, at.clone(), keys, words);
        }
    }
}
