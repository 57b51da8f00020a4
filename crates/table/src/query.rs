//! Which rows, in which order.

use crate::AddressFilter;
use model::{EventId, State};
use std::fmt::Debug;
use std::sync::Arc;

/// Names the columns of one kind of table.
pub trait Column: Copy + Eq + Debug + Send + Sync + 'static {
    /// How rows are chosen by time.
    type Period: Copy + Debug + Send + Sync;
}

/// Which end comes first. Empty cells come last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Small values, early names first.
    Ascending,
    /// Large values, late names first.
    Descending,
}

/// A question to a table.
#[derive(Debug, Clone)]
pub struct Query<C: Column> {
    /// The first column decides, the next among equals, and so on; rows equal in all of them, and
    /// all rows when there is none, come as the recording has them.
    pub order: Vec<(C, Direction)>,
    /// A row passes all of them.
    pub filters: Vec<Filter<C>>,
    /// Only rows of this stretch of events.
    pub period: Option<C::Period>,
    /// Where [`BlockColumn::State`](crate::BlockColumn::State) is looked at; events do not mind.
    pub cursor: State,
}

impl<C: Column> Query<C> {
    /// Every row as the recording has them, states as of `cursor`.
    pub fn all(cursor: State) -> Self {
        Self { order: Vec::new(), filters: Vec::new(), period: None, cursor }
    }

    /// Whether `column` decides which rows match or how they are ordered.
    ///
    /// A view that asks for no state stays right when the cursor moves.
    pub fn asks_for(&self, column: C) -> bool {
        self.filters.iter().any(|filter| filter.column == column)
            || self.order.iter().any(|(ordered, _)| *ordered == column)
    }
}

/// What a row's cell must be.
#[derive(Debug, Clone)]
pub struct Filter<C> {
    /// Which cell.
    pub column: C,
    /// What it must be.
    pub test: Test,
}

/// What a cell must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A number within both bounds, which are included; of a named column, the place of its name
    /// in the order of the column (steps from 0). Empty cells are outside.
    Between {
        /// `None`: no lower bound.
        from: Option<i128>,
        /// `None`: no upper bound.
        to: Option<i128>,
    },
    /// Exactly one of these texts, as [`Rows::name`](crate::Rows::name) gives them: `alloc` is not
    /// `segment_alloc`. Of a number, its decimal digits; of an address, hex or decimal.
    Is(Vec<String>),
    /// Somewhere in it, whatever the case: `alloc` is in `segment_alloc`. Of a number, within its
    /// decimal digits; of an address, [`AddressFilter::typed`]; of a stack, within the
    /// `file:line name` of any of its frames.
    Contains(String),
    /// An address; never true of other columns.
    Address(AddressFilter),
    /// Its row has one of these stacks, marked by row of the recording's stacks; whatever the column.
    Stacks(Arc<[bool]>),
    /// There is nothing to show.
    Empty,
    /// There is something to show.
    NotEmpty,
}

/// A stretch of events, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First event.
    pub from: EventId,
    /// Last event.
    pub to: EventId,
}
