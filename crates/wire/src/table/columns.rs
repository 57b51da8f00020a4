//! Names of columns.

use crate::WireError;
use serde::{Deserialize, Serialize};
use session::table::{BlockColumn, Column, EventColumn};
use specta::Type;

/// A column of the block table, of the event table, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TableColumn {
    /// What people know the block or the event by.
    Id,
    /// Address.
    Address,
    /// Bytes occupied.
    Size,
    /// Blocks: bytes asked for.
    Requested,
    /// Blocks: the state at the cursor.
    State,
    /// Blocks: the event that allocated it.
    AllocEvent,
    /// Blocks: the event that asked to free it.
    FreeRequestedEvent,
    /// Blocks: the event that completed its free.
    FreeEvent,
    /// Blocks: events for which it was allocated.
    Lifetime,
    /// Blocks: microseconds for which it was allocated.
    LifetimeUs,
    /// `(0, 1)`.
    Pool,
    /// Stream handle.
    Stream,
    /// The frame that tells most about who did it.
    TopFrame,
    /// All frames.
    Stack,
    /// The profiler's step.
    Step,
    /// Microseconds since the epoch.
    Time,
    /// Blocks: how it is known.
    Origin,
    /// Blocks: where its size comes from.
    SizeSource,
    /// Events: what happened.
    Action,
    /// Events: bytes allocated right after it.
    Allocated,
    /// Events: bytes allocated or pending right after it.
    Active,
    /// Events: bytes in segments right after it.
    Reserved,
    /// Events: the block it is about.
    Block,
}

impl TableColumn {
    /// Its name in the first line of a CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Address => "address",
            Self::Size => "size",
            Self::Requested => "requested",
            Self::State => "state",
            Self::AllocEvent => "alloc_event",
            Self::FreeRequestedEvent => "free_requested_event",
            Self::FreeEvent => "free_event",
            Self::Lifetime => "lifetime",
            Self::LifetimeUs => "lifetime_us",
            Self::Pool => "pool",
            Self::Stream => "stream",
            Self::TopFrame => "top_frame",
            Self::Stack => "stack",
            Self::Step => "step",
            Self::Time => "time_us",
            Self::Origin => "origin",
            Self::SizeSource => "size_source",
            Self::Action => "action",
            Self::Allocated => "allocated",
            Self::Active => "active",
            Self::Reserved => "reserved",
            Self::Block => "block",
        }
    }
}

/// A kind of table's own columns.
pub(super) trait Named: Column {
    /// The one called `column`.
    fn find(column: TableColumn) -> Option<Self>;

    /// The one called `column`, or a refusal.
    fn of(column: TableColumn) -> Result<Self, WireError> {
        let name = column.name();
        Self::find(column)
            .ok_or_else(|| WireError::nonsense(format!("this table has no column {name}")))
    }
}

impl Named for BlockColumn {
    fn find(column: TableColumn) -> Option<Self> {
        Some(match column {
            TableColumn::Id => Self::Id,
            TableColumn::Address => Self::Address,
            TableColumn::Size => Self::Size,
            TableColumn::Requested => Self::Requested,
            TableColumn::State => Self::State,
            TableColumn::AllocEvent => Self::AllocEvent,
            TableColumn::FreeRequestedEvent => Self::FreeRequestedEvent,
            TableColumn::FreeEvent => Self::FreeEvent,
            TableColumn::Lifetime => Self::Lifetime,
            TableColumn::LifetimeUs => Self::LifetimeUs,
            TableColumn::Pool => Self::Pool,
            TableColumn::Stream => Self::Stream,
            TableColumn::TopFrame => Self::TopFrame,
            TableColumn::Stack => Self::Stack,
            TableColumn::Step => Self::Step,
            TableColumn::Time => Self::AllocTime,
            TableColumn::Origin => Self::Origin,
            TableColumn::SizeSource => Self::SizeSource,
            TableColumn::Action
            | TableColumn::Allocated
            | TableColumn::Active
            | TableColumn::Reserved
            | TableColumn::Block => return None,
        })
    }
}

impl Named for EventColumn {
    fn find(column: TableColumn) -> Option<Self> {
        Some(match column {
            TableColumn::Id => Self::Id,
            TableColumn::Action => Self::Action,
            TableColumn::Address => Self::Address,
            TableColumn::Size => Self::Size,
            TableColumn::Stream => Self::Stream,
            TableColumn::Allocated => Self::Allocated,
            TableColumn::Active => Self::Active,
            TableColumn::Reserved => Self::Reserved,
            TableColumn::Stack => Self::Stack,
            TableColumn::TopFrame => Self::TopFrame,
            TableColumn::Pool => Self::Pool,
            TableColumn::Step => Self::Step,
            TableColumn::Time => Self::Time,
            TableColumn::Block => Self::Block,
            TableColumn::Requested
            | TableColumn::State
            | TableColumn::AllocEvent
            | TableColumn::FreeRequestedEvent
            | TableColumn::FreeEvent
            | TableColumn::Lifetime
            | TableColumn::LifetimeUs
            | TableColumn::Origin
            | TableColumn::SizeSource => return None,
        })
    }
}
