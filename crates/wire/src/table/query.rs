//! Which rows, in which order.

use super::columns::{Named, TableColumn};
use crate::event::state;
use crate::{Number, Thresholds, WireError};
use serde::{Deserialize, Serialize};
use session::table::{
    AddressFilter, BlockPeriod, Direction, DumpEventColumn, EventColumn, Filter, Period, Query,
    Test, TimePeriod, Within, parse_address,
};
use session::{EventId, FrameId, Holder, OnDevice, StackId};
use specta::Type;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// A block.
    Blocks,
    /// An event.
    Events,
    /// A block of a track of a dump.
    DumpBlocks,
    /// A row of a dump about the device of a track, or about none.
    DumpEvents,
}

/// Which end comes first; empty cells come last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum SortDirection {
    /// Small values, early names first.
    Ascending,
    /// Large values, late names first.
    Descending,
}

/// A column that decides the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TableOrder {
    /// Which.
    pub column: TableColumn,
    /// Which end first.
    pub direction: SortDirection,
}

/// What a cell must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TableTest {
    /// `text` is somewhere in it, whatever the case. Of an address: hex digits of it, or an address
    /// in hex or decimal inside the block. Of a stack: within a line of any frame.
    Contains {
        /// As typed.
        text: String,
    },
    /// A number within both bounds, which are included.
    Between {
        /// Absent: no lower bound.
        #[specta(type = Option<Number>)]
        from: Option<f64>,
        /// Absent: no upper bound.
        #[specta(type = Option<Number>)]
        to: Option<f64>,
    },
    /// Exactly one of these.
    Is {
        /// As [`TableChoice`](super::TableChoice) names them.
        names: Vec<String>,
    },
    /// Whatever the column: the row is of this stack.
    Stack {
        /// Its row among the recording's stacks.
        stack: u32,
    },
    /// Whatever the column: the row's stack has this frame.
    Frame {
        /// Its row among the recording's frames.
        frame: u32,
    },
    /// Of an address: inside the block, or the block or segment an event is about, is one of these.
    Holds {
        /// In hex or decimal.
        addresses: Vec<String>,
    },
}

/// A column's cell and what it must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct TableFilter {
    /// Which cell.
    pub column: TableColumn,
    /// What it must be.
    pub test: TableTest,
}

/// What a block has to do with a period; an event is inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TableWithin {
    /// Some of its life is in it.
    Overlapping,
    /// It was allocated and freed in it.
    Inside,
    /// It was allocated in it and not freed in it.
    NotFreed,
}

/// A stretch of events, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct TablePeriod {
    /// First event.
    #[specta(type = Number)]
    pub from: f64,
    /// Last event.
    #[specta(type = Number)]
    pub to: f64,
    /// What a block has to do with it.
    pub within: TableWithin,
    /// Of the events of a dump: this stretch of time instead.
    #[serde(default)]
    pub span_ns: Option<TableSpan>,
}

/// A stretch of time, nanoseconds since the recording's start, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct TableSpan {
    /// First moment.
    #[specta(type = Number)]
    pub from: f64,
    /// Last moment.
    #[specta(type = Number)]
    pub to: f64,
}

/// Which rows, in which order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct TableQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// What a row is.
    pub kind: TableKind,
    /// The first decides, the next among equals; empty: as the recording has them.
    pub order: Vec<TableOrder>,
    /// A row passes all of them.
    pub filters: Vec<TableFilter>,
    /// Only rows of this stretch.
    pub period: Option<TablePeriod>,
    /// The event right after which states are looked at; −1: before the first.
    #[specta(type = Number)]
    pub cursor: f64,
    /// Of the blocks of a dump: what counts as inefficient; absent: nothing.
    #[serde(default)]
    pub thresholds: Option<Thresholds>,
}

impl TableQuestion {
    /// A question about blocks, of a snapshot or a dump.
    pub(super) fn blocks<C: Named<Period = BlockPeriod>>(
        &self,
        on: OnDevice<'_>,
    ) -> Result<Query<C>, WireError> {
        let within = |within| match within {
            TableWithin::Overlapping => Within::Overlapping,
            TableWithin::Inside => Within::Inside,
            TableWithin::NotFreed => Within::NotFreedIn,
        };
        let period = self
            .period
            .map(|period| BlockPeriod { period: stretch(period), within: within(period.within) });
        self.query(on, period)
    }

    pub(super) fn events(&self, on: OnDevice<'_>) -> Result<Query<EventColumn>, WireError> {
        self.query(on, self.period.map(stretch))
    }

    pub(super) fn dump_events(
        &self,
        on: OnDevice<'_>,
    ) -> Result<Query<DumpEventColumn>, WireError> {
        self.query(on, self.period.map(|period| span(on, period)))
    }

    fn query<C: Named>(
        &self,
        on: OnDevice<'_>,
        period: Option<C::Period>,
    ) -> Result<Query<C>, WireError> {
        let order = |order: &TableOrder| {
            let direction = match order.direction {
                SortDirection::Ascending => Direction::Ascending,
                SortDirection::Descending => Direction::Descending,
            };
            if order.column == TableColumn::Attr {
                return Err(WireError::nonsense("attributes have no order".to_owned()));
            }
            Ok((C::of(order.column)?, direction))
        };
        let filter = |filter: &TableFilter| {
            Ok(Filter { column: C::of(filter.column)?, test: test(on, &filter.test) })
        };
        Ok(Query {
            order: self.order.iter().map(order).collect::<Result<_, WireError>>()?,
            filters: self.filters.iter().map(filter).collect::<Result<_, WireError>>()?,
            period,
            cursor: state(on, self.cursor),
        })
    }
}

/// An event below 0 is before the first: the stretch begins there, or nothing is in it.
fn stretch(period: TablePeriod) -> Period {
    let event = |event: f64| EventId(event.clamp(0.0, f64::from(u32::MAX - 1)) as u32);
    if period.to < 0.0 {
        return Period { from: EventId(1), to: EventId(0) };
    }
    Period { from: event(period.from), to: event(period.to) }
}

/// A stretch of events as time: from the first to the last of them.
fn span(on: OnDevice<'_>, period: TablePeriod) -> TimePeriod {
    if let Some(TableSpan { from, to }) = period.span_ns {
        return TimePeriod { from_ns: from.ceil() as i64, to_ns: to.floor() as i64 };
    }
    let Period { from, to } = stretch(period);
    let events = &on.table().events;
    let last = events.len().saturating_sub(1);
    let at = |event: EventId| match events.len() {
        0 => None,
        _ => events.time_ns(EventId(event.0.min(last))),
    };
    let is_empty = from > to || from.0 > last;
    match (at(from), at(to)) {
        (Some(from_ns), Some(to_ns)) if !is_empty => TimePeriod { from_ns, to_ns },
        _ => TimePeriod { from_ns: 1, to_ns: 0 },
    }
}

fn test(on: OnDevice<'_>, test: &TableTest) -> Test {
    match test {
        TableTest::Stack { stack } => Test::Stacks(on.stacks_of(&Holder::Stack(StackId(*stack)))),
        TableTest::Frame { frame } => Test::Stacks(on.stacks_of(&Holder::Frame(FrameId(*frame)))),
        TableTest::Contains { text } => Test::Contains(text.clone()),
        TableTest::Is { names } => Test::Is(names.clone()),
        TableTest::Holds { addresses } => {
            let held = addresses.iter().filter_map(|text| parse_address(text));
            Test::Address(AddressFilter::Any(held.map(AddressFilter::Holds).collect()))
        }
        TableTest::Between { from, to } => Test::Between {
            from: from.map(|from| from.ceil() as i128),
            to: to.map(|to| to.floor() as i128),
        },
    }
}
