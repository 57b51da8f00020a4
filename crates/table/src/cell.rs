//! What a row has in a column.

use model::{BlockId, EventId};
use std::borrow::Cow;
use std::fmt;

/// A value to show; how it is written is up to who shows it.
///
/// [`fmt::Display`] writes it for export: whole numbers, no units, addresses in hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Nothing to show.
    Empty,
    /// A number without a unit.
    Int(i64),
    /// Bytes.
    Bytes(u64),
    /// An address.
    Address(u64),
    /// The raw handle of a stream.
    Stream(u64),
    /// An event of the same device.
    Event(EventId),
    /// A block of the same device.
    Block {
        /// Its row.
        id: BlockId,
        /// What people know it by, see [`BlockRows::number`](crate::BlockRows::number).
        number: i64,
    },
    /// A name, a frame, or the frames of a stack, innermost first, one a line.
    Text(Cow<'a, str>),
    /// Microseconds since the epoch.
    Time(i64),
    /// Microseconds between two moments.
    Span(i64),
    /// Nanoseconds since the recording's start; −1: it never happened.
    Moment(i64),
    /// Nanoseconds between two moments.
    Nanos(i64),
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Int(value)
            | Self::Time(value)
            | Self::Span(value)
            | Self::Moment(value)
            | Self::Nanos(value) => write!(f, "{value}"),
            Self::Bytes(value) | Self::Stream(value) => write!(f, "{value}"),
            Self::Address(value) => write!(f, "{value:#x}"),
            Self::Event(event) => write!(f, "{}", event.0),
            Self::Block { number, .. } => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Whole microseconds of nanoseconds.
pub(crate) fn micros(nanoseconds: i64) -> i64 {
    nanoseconds.div_euclid(1_000)
}
