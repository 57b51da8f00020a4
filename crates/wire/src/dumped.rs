//! What a dump says of a block, as an answer.

use crate::{Micros, Number};
use serde::{Deserialize, Serialize};
use session::Dumped;
use specta::Type;

/// What a dump says of a block beyond its allocation; times are microseconds since the recording's
/// start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DumpedBlock {
    /// Whole path of its owner.
    pub owner: Option<String>,
    /// Process id.
    #[specta(type = Number)]
    pub process: i64,
    /// Thread that allocated it.
    #[specta(type = Option<Number>)]
    pub thread: Option<i64>,
    /// Ties its rows together; 0: not recorded.
    #[specta(type = Number)]
    pub allocation_id: u64,
    /// `ID` of its MALLOC in the file.
    #[specta(type = Option<Number>)]
    pub malloc_id: Option<i64>,
    /// `ID` of its FREE in the file.
    #[specta(type = Option<Number>)]
    pub free_id: Option<i64>,
    /// When it was allocated.
    #[specta(type = Option<Number>)]
    pub malloc_us: Option<Micros>,
    /// When it was freed.
    #[specta(type = Option<Number>)]
    pub free_us: Option<Micros>,
    /// Whether the collector made its MALLOC up: it was there when recording began.
    pub was_before: bool,
    /// Whether the collector made its FREE up: it was there when recording ended.
    pub was_after: bool,
    /// `Attr` of its MALLOC as the file has it.
    pub attr: Option<String>,
    /// C stack of its MALLOC as the file has it.
    pub c_stack: Option<String>,
    /// How often it was accessed.
    pub accesses: u32,
    /// First access.
    #[specta(type = Option<Number>)]
    pub first_access_us: Option<Micros>,
    /// Last access.
    #[specta(type = Option<Number>)]
    pub last_access_us: Option<Micros>,
    /// Longest time between two consecutive accesses.
    #[specta(type = Number)]
    pub longest_gap_us: Micros,
    /// Accesses to draw, by time; of very many some, with the first and the last among them.
    pub drawn: Vec<AccessView>,
}

/// A row of the file as it has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DumpedRow {
    /// `ID`.
    #[specta(type = Number)]
    pub id: i64,
    /// When, microseconds since the recording's start.
    #[specta(type = Number)]
    pub time_us: Micros,
    /// `Event`.
    pub event: String,
    /// `Event Type`.
    pub event_type: String,
    /// `Name`.
    pub name: String,
    /// Process id.
    #[specta(type = Number)]
    pub process: i64,
    /// Thread id.
    #[specta(type = Number)]
    pub thread: i64,
    /// `Attr`.
    pub attr: String,
    /// C stack; empty: none.
    pub c_stack: String,
}

impl From<session::DumpedEvent<'_>> for DumpedRow {
    fn from(row: session::DumpedEvent<'_>) -> Self {
        Self {
            id: row.id,
            time_us: Micros(row.time_ns),
            event: row.event.to_owned(),
            event_type: row.event_type.to_owned(),
            name: row.name.to_owned(),
            process: row.process,
            thread: row.thread,
            attr: row.attr,
            c_stack: row.c_stack.to_owned(),
        }
    }
}

/// One access to a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AccessView {
    /// When, microseconds since the recording's start.
    #[specta(type = Number)]
    pub time_us: Micros,
    /// `READ`, `WRITE`, `UNKNOWN`.
    pub kind: String,
    /// The operator that did it.
    pub name: String,
    /// Bytes from the block's start to where it was accessed.
    #[specta(type = Number)]
    pub offset: u64,
}

impl From<Dumped<'_>> for DumpedBlock {
    fn from(block: Dumped<'_>) -> Self {
        let (first, last) = block.access_span_ns.unzip();
        let access = |access: &session::Access<'_>| AccessView {
            time_us: Micros(access.time_ns),
            kind: access.kind.to_owned(),
            name: access.name.to_owned(),
            offset: access.offset,
        };
        Self {
            owner: block.owner.map(ToOwned::to_owned),
            process: block.process,
            thread: block.thread,
            allocation_id: block.allocation_id,
            malloc_id: block.malloc_id,
            free_id: block.free_id,
            malloc_us: block.malloc_ns.map(Micros),
            free_us: block.free_ns.map(Micros),
            was_before: block.was_before,
            was_after: block.was_after,
            attr: block.attr,
            c_stack: block.c_stack.map(ToOwned::to_owned),
            accesses: block.accesses,
            first_access_us: first.map(Micros),
            last_access_us: last.map(Micros),
            longest_gap_us: Micros(block.longest_gap_ns),
            drawn: block.drawn.iter().map(access).collect(),
        }
    }
}
