//! The block table and the event table of one device: filtered, sorted, counted, paged, exported.
//!
//! Start reading at [`View`]: [`BlockRows`] or [`EventRows`] say what a row is ([`DumpBlockRows`] and
//! [`DumpEventRows`] those of a dump), a [`Query`] says which rows in which order, and the view
//! answers pages of them.
//! A view costs one bit a row of the table; four bytes a matching row once somebody scrolls deep
//! into a sorted one.
//! Knows no pixels, no JSON and no windows; cannot fail, a question returns a value or
//! [`job::Cancelled`].
//!
//! To add a column: a variant of [`BlockColumn`] or [`EventColumn`] with its shape, keys and cell
//! in `blocks.rs` or `events.rs`.

mod address;
mod attr;
mod blocks;
mod cell;
mod check;
pub mod csv;
mod dump_blocks;
mod dump_events;
mod dump_rows;
mod dump_texts;
mod events;
mod inefficient;
mod lists;
mod needle;
mod numbers;
mod order;
mod query;
mod rows;
mod scan;
mod set;
mod shape;
mod steps;
#[cfg(test)]
mod tests;
mod texts;
mod top;
mod view;

pub use address::{AddressFilter, HexDigits, parse_address};
pub use blocks::{BlockColumn, BlockPeriod, BlockRows, BlockState, Within};
pub use cell::Cell;
pub use dump_blocks::{DumpBlockColumn, DumpBlockRows};
pub use dump_events::{DumpEventColumn, DumpEventRows, TimePeriod};
pub use dump_rows::DeviceRows;
pub use dump_texts::DumpTexts;
pub use events::{EventColumn, EventRows};
pub use inefficient::{Flags, Inefficiency, Threshold, Thresholds, Use};
pub use needle::Needle;
pub use numbers::BlockNumbers;
pub use query::{Column, Direction, Filter, Period, Query, Test};
pub use rows::{Bytes, Rows, Run};
pub use shape::Shape;
pub use steps::Steps;
pub use texts::StackTexts;
pub use view::{Choice, Statistics, View};
