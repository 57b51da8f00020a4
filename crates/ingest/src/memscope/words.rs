//! Words of the format that decide what a row means.

use super::rows::Rows;
use super::texts::Texts;

/// What the column `Event` says, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Malloc,
    Free,
    Access,
    Mark,
    System,
    Oom,
    Snapshot,
    /// Only a row.
    Other,
}

/// Pools in the order in which they are shown; others follow by name.
const POOLS: [&str; 7] = ["PTA", "PTA_WORKSPACE", "ATB", "MINDSPORE", "HAL", "HOST_PINNED", "HOST"];
/// How many of [`POOLS`] hold tensors, so that accesses can be to their blocks.
const TENSOR_POOLS: usize = 4;

/// What the words of a dump mean.
#[derive(Debug)]
pub(super) struct Meaning {
    /// By row of the dump's words.
    roles: Vec<Role>,
    /// Place in [`POOLS`], by row of the dump's words.
    ranks: Vec<usize>,
    /// Whether a device is `N/A`, by row of the dump's devices.
    nowhere: Vec<bool>,
}

impl Meaning {
    pub(super) fn new(rows: &Rows, texts: &Texts) -> Self {
        let words = || rows.words.iter().map(|text| texts.text(*text));
        let rank = |word| POOLS.iter().position(|pool| *pool == word).unwrap_or(POOLS.len());
        Self {
            roles: words().map(role).collect(),
            ranks: words().map(rank).collect(),
            nowhere: rows.devices.iter().map(|text| texts.text(*text) == "N/A").collect(),
        }
    }

    pub(super) fn role(&self, word: u16) -> Role {
        self.roles[usize::from(word)]
    }

    /// Where a pool comes among others.
    pub(super) fn rank(&self, pool: u16) -> usize {
        self.ranks[usize::from(pool)]
    }

    /// Whether accesses can be to blocks of `pool`.
    pub(super) fn holds_tensors(&self, pool: u16) -> bool {
        self.rank(pool) < TENSOR_POOLS
    }

    pub(super) fn is_pta(&self, pool: u16) -> bool {
        self.rank(pool) < 2
    }

    pub(super) fn is_atb(&self, pool: u16) -> bool {
        POOLS.get(self.rank(pool)) == Some(&"ATB")
    }

    /// Whether `used` of `pool` is about something larger: the process's whole pinned memory.
    pub(super) fn shares_used(&self, pool: u16) -> bool {
        POOLS.get(self.rank(pool)) == Some(&"HOST_PINNED")
    }

    /// Whether a device is `N/A`.
    pub(super) fn is_nowhere(&self, device: u16) -> bool {
        self.nowhere[usize::from(device)]
    }
}

fn role(word: &str) -> Role {
    match word {
        "MALLOC" => Role::Malloc,
        "FREE" => Role::Free,
        "ACCESS" => Role::Access,
        "MSTX" => Role::Mark,
        "SYSTEM" => Role::System,
        "OOM_DETAIL" => Role::Oom,
        "SNAPSHOT" => Role::Snapshot,
        _ => Role::Other,
    }
}
