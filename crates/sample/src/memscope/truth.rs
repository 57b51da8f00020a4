//! What is true about a dump.
//!
//! All times are nanoseconds since [`Truth::zero_ns`] unless a name says otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is true about a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// The first timestamp of all rows and trace rows, since 1970.
    pub zero_ns: u64,
    /// The last one.
    pub end_ns: u64,
    /// The files.
    pub files: Vec<FileTruth>,
    /// Rows of all files; a row without a device is in every file of its process.
    pub rows: u64,
    /// The same by `Event`.
    pub events: BTreeMap<String, u64>,
    /// What each pool did, by process, device and pool.
    pub pools: Vec<PoolTruth>,
    /// Sums at the end of each step and at the moments asked for, by process, then time.
    pub moments: Vec<Moment>,
    /// Blocks in all.
    pub blocks_in_all: u64,
    /// The first of them, by process, then their `MALLOC`'s id.
    pub blocks: Vec<BlockTruth>,
    /// Threads with a trace, by process, then thread.
    pub threads: Vec<ThreadTruth>,
    /// Rows that are out of the ordinary; no other number here counts them, but for `rows` and `events`.
    pub odd: Vec<OddRows>,
    /// What a dump with given sums could not keep to, in words.
    pub not_met: Vec<String>,
}

/// One file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileTruth {
    /// From the path that was written to; empty if it is that file itself.
    pub name: String,
    /// Rows of the dump.
    pub rows: u64,
    /// Rows of all traces.
    pub trace_rows: u64,
}

/// What a pool did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolTruth {
    /// Process id.
    pub process: u32,
    /// As in the column `Device Id`.
    pub device: String,
    /// As in the column `Event Type`.
    pub pool: String,
    /// `MALLOC` rows, each of which begins a block.
    pub mallocs: u64,
    /// `FREE` rows that end one of these blocks, also those the file has on no device.
    pub frees: u64,
    /// Those of them that are synthetic.
    pub shadow_frees: u64,
    /// Blocks without a `FREE`.
    pub never_freed: u64,
    /// The most bytes held at once.
    pub peak_bytes: u64,
    /// The first time of it.
    pub peak_ns: u64,
}

/// Sums right after every row up to a moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Process id.
    pub process: u32,
    /// `step 1`, whose moment is its `STEP` row; or `asked`.
    pub name: String,
    /// When.
    pub at_ns: u64,
    /// What each pool holds, if it ever held anything.
    pub pools: Vec<Holding>,
    /// What the blocks of each owner hold, if not nothing. An owner is a whole tag: what hangs below it is not in.
    pub owners: Vec<OwnerBytes>,
}

/// What a pool holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    /// As in the column `Device Id`.
    pub device: String,
    /// As in the column `Event Type`.
    pub pool: String,
    /// Bytes.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
}

/// What the blocks of an owner hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnerBytes {
    /// As in the column `Device Id`.
    pub device: String,
    /// As in the column `Event Type`.
    pub pool: String,
    /// The tag.
    pub owner: String,
    /// Bytes.
    pub bytes: u64,
}

/// One block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockTruth {
    /// Process id.
    pub process: u32,
    /// As in the column `Device Id`.
    pub device: String,
    /// As in the column `Event Type`.
    pub pool: String,
    /// `ID` of its `MALLOC`.
    pub id: u64,
    /// Its allocation id, in versions that write it.
    pub allocation: Option<u64>,
    /// Where it begins.
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// Its tag, if it has one.
    pub owner: Option<String>,
    /// When it began.
    pub malloc_ns: u64,
    /// When it ended.
    pub free_ns: Option<u64>,
    /// Its `ACCESS` rows, also those at an address inside of it.
    pub accesses: u64,
    /// The first of them.
    pub first_access_ns: Option<u64>,
    /// The last of them.
    pub last_access_ns: Option<u64>,
    /// The longest time between one and the next; 0 with fewer than two.
    pub longest_gap_ns: u64,
}

/// One traced thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadTruth {
    /// Process id.
    pub process: u32,
    /// Thread id.
    pub thread: u32,
    /// Slices with both times.
    pub slices: u64,
    /// Rows that lack a time.
    pub open: u64,
    /// The most slices with both times that are open at once.
    pub max_depth: u64,
}

/// Rows that are out of the ordinary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OddRows {
    /// Process id.
    pub process: u32,
    /// The field of the plan's oddities that made them.
    pub oddity: String,
    /// Their `ID`s.
    pub ids: Vec<u64>,
}
