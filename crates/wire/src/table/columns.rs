//! Names of columns.

use crate::WireError;
use serde::{Deserialize, Serialize};
use session::table::{BlockColumn, Column, DumpBlockColumn, DumpEventColumn, EventColumn};
use specta::Type;

/// A column of one or more kinds of tables.
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
    /// Blocks of a dump: when it was allocated. Nanoseconds of a dump count from the recording's
    /// start.
    MallocTimeNs,
    /// Blocks of a dump: when it was freed.
    FreeTimeNs,
    /// Blocks of a dump: who holds it.
    Owner,
    /// Of a dump: process id.
    Process,
    /// Of a dump: thread id.
    Thread,
    /// Blocks of a dump: when it was first accessed; −1: not recorded.
    FirstAccessNs,
    /// Blocks of a dump: when it was last accessed; −1: not recorded.
    LastAccessNs,
    /// Blocks of a dump: the longest time between two consecutive accesses.
    LongestGapNs,
    /// Of a dump: attributes.
    Attr,
    /// Blocks of a dump: how often it was accessed.
    Accesses,
    /// Blocks of a dump: the collector's number of its allocation.
    AllocationId,
    /// Blocks of a dump: how long it was allocated.
    LifetimeNs,
    /// Blocks of a dump: `lazy_used`, `delayed_free`, `long_idle`, by the thresholds asked.
    Inefficient,
    /// Blocks of a dump: which ends of its life the collector made up.
    Shadow,
    /// Events of a dump: what it is.
    Event,
    /// Events of a dump: which kind of that.
    EventType,
    /// Events of a dump: what it is called.
    Name,
    /// Events of a dump: when it happened.
    TimeNs,
    /// Events of a dump: frames of Python.
    PythonStack,
    /// Events of a dump: frames of C.
    CStack,
    /// Events of a dump: its device as the file has it.
    Device,
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
            Self::MallocTimeNs => "malloc_time_ns",
            Self::FreeTimeNs => "free_time_ns",
            Self::Owner => "owner",
            Self::Process => "process",
            Self::Thread => "thread",
            Self::FirstAccessNs => "first_access_ns",
            Self::LastAccessNs => "last_access_ns",
            Self::LongestGapNs => "longest_gap_ns",
            Self::Attr => "attr",
            Self::Accesses => "accesses",
            Self::AllocationId => "allocation_id",
            Self::LifetimeNs => "lifetime_ns",
            Self::Inefficient => "inefficient",
            Self::Shadow => "shadow",
            Self::Event => "event",
            Self::EventType => "event_type",
            Self::Name => "name",
            Self::TimeNs => "time_ns",
            Self::PythonStack => "python_stack",
            Self::CStack => "c_stack",
            Self::Device => "device",
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
            _ => return None,
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
            _ => return None,
        })
    }
}

impl Named for DumpBlockColumn {
    fn find(column: TableColumn) -> Option<Self> {
        Some(match column {
            TableColumn::Id => Self::Id,
            TableColumn::Address => Self::Address,
            TableColumn::Size => Self::Size,
            TableColumn::MallocTimeNs => Self::MallocTime,
            TableColumn::FreeTimeNs => Self::FreeTime,
            TableColumn::Owner => Self::Owner,
            TableColumn::Process => Self::Process,
            TableColumn::Thread => Self::Thread,
            TableColumn::FirstAccessNs => Self::FirstAccess,
            TableColumn::LastAccessNs => Self::LastAccess,
            TableColumn::LongestGapNs => Self::LongestGap,
            TableColumn::Attr => Self::Attr,
            TableColumn::Accesses => Self::Accesses,
            TableColumn::AllocationId => Self::AllocationId,
            TableColumn::LifetimeNs => Self::Lifetime,
            TableColumn::State => Self::State,
            TableColumn::AllocEvent => Self::AllocEvent,
            TableColumn::FreeEvent => Self::FreeEvent,
            TableColumn::TopFrame => Self::TopFrame,
            TableColumn::Stack => Self::Stack,
            TableColumn::Inefficient => Self::Inefficient,
            TableColumn::Shadow => Self::Shadow,
            _ => return None,
        })
    }
}

impl Named for DumpEventColumn {
    fn find(column: TableColumn) -> Option<Self> {
        Some(match column {
            TableColumn::Id => Self::Id,
            TableColumn::Event => Self::Event,
            TableColumn::EventType => Self::EventType,
            TableColumn::Name => Self::Name,
            TableColumn::TimeNs => Self::Time,
            TableColumn::Process => Self::Process,
            TableColumn::Thread => Self::Thread,
            TableColumn::Address => Self::Address,
            TableColumn::Attr => Self::Attr,
            TableColumn::PythonStack => Self::PythonStack,
            TableColumn::CStack => Self::CStack,
            TableColumn::Device => Self::Device,
            TableColumn::Size => Self::Size,
            TableColumn::Block => Self::Block,
            _ => return None,
        })
    }
}
