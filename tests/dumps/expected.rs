//! What must be found in a dump: its blocks, one by one, and what follows from them by a slow walk.

use sample::memscope::{BlockTruth, Truth};
use std::collections::BTreeMap;

/// Process, device, pool.
pub(super) type Key = (u32, String, String);

/// A block as the reader has to tell it.
#[derive(Debug, Clone)]
pub(super) struct Lived {
    /// What the generator knows of it; its end may be another one.
    pub(super) told: BlockTruth,
    /// When it is gone: its own free, or another block in its place.
    pub(super) end_ns: Option<u64>,
    /// Its allocation is not in the file.
    pub(super) was_before: bool,
}

impl Lived {
    /// Which pool it is in.
    pub(super) fn key(&self) -> Key {
        (self.told.process, self.told.device.clone(), self.told.pool.clone())
    }

    /// Whether it is there right after all rows of a moment.
    pub(super) fn is_there(&self, at_ns: u64) -> bool {
        (self.was_before || self.told.malloc_ns <= at_ns)
            && self.end_ns.is_none_or(|end| at_ns < end)
    }
}

/// All blocks of a dump.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    pub(super) blocks: Vec<Lived>,
}

/// What one pool does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PoolSums {
    pub(super) mallocs: u64,
    pub(super) frees: u64,
    pub(super) never_freed: u64,
    pub(super) end_bytes: u64,
    pub(super) peak_bytes: u64,
    /// The first time of it.
    pub(super) peak_ns: u64,
}

impl Expected {
    /// The blocks of `truth`, all of which it must tell.
    pub(super) fn new(truth: &Truth) -> Self {
        assert_eq!(truth.blocks.len() as u64, truth.blocks_in_all, "every block is told");
        let lived = |told: &BlockTruth| Lived {
            told: told.clone(),
            end_ns: told.free_ns,
            was_before: false,
        };
        Self { blocks: truth.blocks.iter().map(lived).collect() }
    }

    /// Every pool with the sums that its blocks give.
    pub(super) fn pools(&self) -> BTreeMap<Key, PoolSums> {
        let mut keys: BTreeMap<Key, Vec<&Lived>> = BTreeMap::new();
        for block in &self.blocks {
            keys.entry(block.key()).or_default().push(block);
        }
        keys.into_iter().map(|(key, blocks)| (key, sums(&blocks))).collect()
    }

    /// Bytes and blocks of a pool at a moment.
    pub(super) fn held(&self, key: &Key, at_ns: u64) -> (u64, u64) {
        let there = self.blocks.iter().filter(|block| block.key() == *key && block.is_there(at_ns));
        there.fold((0, 0), |(bytes, count), block| (bytes + block.told.size, count + 1))
    }

    /// Bytes and blocks of every owner and those below it, over `pools` of one process and device.
    pub(super) fn owners(&self, pools: &[Key], at_ns: u64) -> BTreeMap<String, (u64, u64)> {
        let mut owners: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let there = self.blocks.iter().filter(|block| block.is_there(at_ns));
        for block in there.filter(|block| pools.contains(&block.key())) {
            let path = self.path(block);
            let ends = path.match_indices('@').map(|(at, _)| at).chain([path.len()]);
            for tag in ends.map(|end| &path[..end]) {
                let sum = owners.entry(tag.to_owned()).or_default();
                *sum = (sum.0 + block.told.size, sum.1 + 1);
            }
        }
        owners
    }

    /// Bytes and blocks that belong to an owner and to none below it, where there are such below.
    pub(super) fn unclassified(&self, pools: &[Key], at_ns: u64) -> BTreeMap<String, (u64, u64)> {
        let owners = self.owners(pools, at_ns);
        let has_below =
            |tag: &str| owners.keys().any(|other| other.starts_with(&format!("{tag}@")));
        let mut own: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let there = self.blocks.iter().filter(|block| block.is_there(at_ns));
        for block in there.filter(|block| pools.contains(&block.key())) {
            let path = self.path(block);
            if has_below(&path) {
                let sum = own.entry(path).or_default();
                *sum = (sum.0 + block.told.size, sum.1 + 1);
            }
        }
        own
    }

    /// An owner that does not begin with a pool lies below the block's own one.
    fn path(&self, block: &Lived) -> String {
        let pool = &block.told.pool;
        let Some(owner) = &block.told.owner else { return pool.clone() };
        let first = owner.split('@').next().unwrap_or_default();
        let is_pool = first == "CANN" || self.blocks.iter().any(|other| other.told.pool == first);
        if is_pool || first == "PTA_WORKSPACE" { owner.clone() } else { format!("{pool}@{owner}") }
    }
}

fn sums(blocks: &[&Lived]) -> PoolSums {
    // Of one moment, what goes comes before what is new: it makes room.
    let mut changes: Vec<(u64, bool, u64)> = Vec::new();
    let mut bytes: u64 = blocks.iter().filter(|it| it.was_before).map(|it| it.told.size).sum();
    for block in blocks {
        if !block.was_before {
            changes.push((block.told.malloc_ns, true, block.told.size));
        }
        changes.extend(block.end_ns.map(|end| (end, false, block.told.size)));
    }
    changes.sort_unstable();
    let mut peak = (bytes, 0);
    for (at_ns, is_birth, size) in changes {
        bytes = if is_birth { bytes + size } else { bytes - size };
        if bytes > peak.0 {
            peak = (bytes, at_ns);
        }
    }
    let count = |is: fn(&Lived) -> bool| blocks.iter().filter(|block| is(block)).count() as u64;
    PoolSums {
        mallocs: count(|block| !block.was_before),
        frees: count(|block| block.told.free_ns.is_some()),
        never_freed: count(|block| block.end_ns.is_none()),
        end_bytes: bytes,
        peak_bytes: peak.0,
        peak_ns: peak.1,
    }
}
