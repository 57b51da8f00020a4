//! The true answers about a recording, as the simulated allocator knew them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is true about a written recording.
///
/// Event indices count the entries of a device's list as written, after a ring has dropped the oldest. -1 is the
/// moment before the first of them. Block sizes are the allocator's real ones, also for blocks whose size the file
/// does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// The pickle's length.
    pub bytes: u64,
    /// Entries in all lists, those for workspaces included.
    pub events: u64,
    /// Different stacks the program could record.
    pub stacks: u64,
    /// Different frames in them.
    pub frames: u64,
    /// What is true about each device.
    pub devices: Vec<DeviceTruth>,
}

/// What is true about one device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceTruth {
    /// The device's index.
    pub device: u32,
    /// Entries in the device's list, those for workspaces left out.
    pub events: u64,
    /// Events the ring dropped.
    pub dropped: u64,
    /// How many entries there are of each action.
    pub actions: BTreeMap<String, u64>,
    /// Segments at the end.
    pub segments: u64,
    /// Blocks in them, free ones included.
    pub blocks: u64,
    /// Bytes of all segments before the first entry.
    pub start_reserved: u64,
    /// Bytes of all segments at the end.
    pub final_reserved: u64,
    /// The largest number of reserved bytes, as in `peaks`.
    pub peak_reserved: Peak,
    /// What is alive before the first entry.
    pub start: Start,
    /// The largest values, each with the first moment it is reached.
    pub peaks: Peaks,
    /// Sums at some moments: the first and last entry, the peaks, and others at random.
    pub totals: Vec<TotalsAt>,
    /// What is alive at some moments, the peak of `allocated` among them.
    pub live: Vec<LiveSet>,
    /// The places that keep more and more.
    pub leaks: Vec<Leak>,
    /// Profiler steps begun and ended inside the written list.
    pub steps: u64,
    /// Entries of the device in `external_annotations`.
    pub annotations: u64,
    /// Those among them that end a range whose start was dropped, or start one that does not end.
    pub unpaired_annotations: u64,
    /// Blocks alive at the end that no written entry allocates.
    pub ghosts: u64,
    /// Blocks at the end whose free is not complete.
    pub pending: u64,
    /// Entries at the head of the list that `torch_npu` adds when it writes, not counted in any sum or index.
    pub workspace_entries: u64,
}

/// What is alive before the first entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Blocks in use or with a pending free.
    pub blocks: u64,
    /// Real bytes of the blocks in use.
    pub allocated: u64,
    /// The same and the blocks with a pending free.
    pub active: u64,
    /// Bytes asked for, of the same blocks as `active`.
    pub requested: u64,
}

/// A largest value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peak {
    /// In bytes.
    pub value: u64,
    /// The first entry right after which it is reached; -1 when it is so from the start.
    pub event: i64,
}

/// The largest values of a device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peaks {
    /// Real bytes of blocks in use.
    pub allocated: Peak,
    /// Those and blocks with a pending free.
    pub active: Peak,
    /// Bytes of all segments.
    pub reserved: Peak,
    /// Bytes asked for, of blocks whose free is not complete.
    pub requested: Peak,
}

/// Sums right after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotalsAt {
    /// The entry.
    pub event: i64,
    /// Real bytes of blocks in use.
    pub allocated: u64,
    /// Those and blocks with a pending free.
    pub active: u64,
    /// Bytes of all segments.
    pub reserved: u64,
    /// Bytes asked for, of blocks whose free is not complete.
    pub requested: u64,
}

/// What is alive right after an entry: blocks in use and blocks with a pending free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSet {
    /// The entry.
    pub event: i64,
    /// How many blocks.
    pub count: u64,
    /// Bytes asked for.
    pub requested: u64,
    /// Real bytes.
    pub size: u64,
    /// The 20 largest, then by address.
    pub largest: Vec<LiveBlock>,
}

/// A block alive at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveBlock {
    /// Where it begins.
    pub address: u64,
    /// Real bytes.
    pub size: u64,
    /// Bytes asked for.
    pub requested: u64,
    /// The entry that allocates it, unless that is not in the list.
    pub alloc: Option<i64>,
    /// The entry that asks to free it, if that came before this moment and is in the list.
    pub free_requested: Option<i64>,
}

/// A place that keeps one more block every step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// The innermost frame of the user's own code: `file:line function`.
    pub frame: String,
    /// Its blocks alive at the end whose allocation is in the list.
    pub count: u64,
    /// The bytes asked for, of those blocks.
    pub bytes: u64,
    /// Its blocks alive at the end, also those whose allocation the ring dropped.
    pub count_in_all: u64,
    /// The bytes asked for, of all those blocks.
    pub bytes_in_all: u64,
}
