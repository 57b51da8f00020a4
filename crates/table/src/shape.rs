//! How the values of a column become numbers that can be compared.

use crate::Direction;

/// What the keys of a column mean.
///
/// A key is the `u64` that a row is filtered and sorted by; every shape but [`Shape::Exact`] sets
/// one key aside for empty cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The number itself; never empty.
    Exact,
    /// A number below 2⁶⁴−1, which is the empty key.
    Unsigned,
    /// A signed number, see [`Shape::signed`].
    Signed,
    /// An address; no memory is at 0, which is the empty key.
    Address,
    /// The place of a name among the names of the column, see [`Rows::name`](crate::Rows::name).
    Named,
    /// What texts of the column have in common, see [`Rows::saying`](crate::Rows::saying); a text
    /// is asked for row by row, and is nothing to sort by.
    Text,
}

const SIGN: u64 = 1 << 63;

impl Shape {
    /// The key of an empty cell, except of [`Shape::Address`] where it is 0.
    pub const EMPTY: u64 = u64::MAX;

    /// The key of `value` in a [`Shape::Signed`] column; the largest `i64` counts as the one below.
    pub const fn signed(value: i64) -> u64 {
        let key = value as u64 ^ SIGN;
        if key == Self::EMPTY { key - 1 } else { key }
    }

    /// The key set aside for empty cells.
    pub(crate) const fn empty(self) -> Option<u64> {
        match self {
            Self::Exact => None,
            Self::Address => Some(0),
            Self::Unsigned | Self::Signed | Self::Named | Self::Text => Some(Self::EMPTY),
        }
    }

    /// The number behind `key`; `None` of an empty cell.
    pub(crate) fn value(self, key: u64) -> Option<i128> {
        (self.empty() != Some(key)).then(|| match self {
            Self::Signed => i128::from((key ^ SIGN) as i64),
            _ => i128::from(key),
        })
    }

    /// The keys of the numbers within both bounds; `None` when there is no such number.
    pub(crate) fn keys(self, from: Option<i128>, to: Option<i128>) -> Option<(u64, u64)> {
        let (least, most) = match self {
            Self::Exact => (0, i128::from(u64::MAX)),
            Self::Address => (1, i128::from(u64::MAX)),
            Self::Unsigned | Self::Named => (0, i128::from(u64::MAX - 1)),
            Self::Text => return None,
            Self::Signed => (i128::from(i64::MIN), i128::from(i64::MAX - 1)),
        };
        let (from, to) = (from.unwrap_or(least).max(least), to.unwrap_or(most).min(most));
        let key = |value: i128| match self {
            Self::Signed => Self::signed(value as i64),
            _ => value as u64,
        };
        (from <= to).then(|| (key(from), key(to)))
    }

    /// `key` as a number that grows in `direction`; an empty cell is the largest.
    pub(crate) fn ordered(self, key: u64, direction: Direction) -> u64 {
        match (self, direction) {
            (Self::Address, Direction::Ascending) => key.wrapping_sub(1),
            (_, Direction::Ascending) => key,
            (Self::Exact | Self::Address, Direction::Descending) => !key,
            (_, Direction::Descending) if key == Self::EMPTY => key,
            (_, Direction::Descending) => Self::EMPTY - 1 - key,
        }
    }
}
