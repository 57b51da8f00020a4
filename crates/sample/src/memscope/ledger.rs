//! Keeps the books of one process while it runs.

use std::collections::BTreeMap;

use crate::memscope::truth::{
    BlockTruth, Holding, Moment, OddRows, OwnerBytes, PoolTruth, ThreadTruth, Truth,
};

/// Device and pool, as the columns have them.
pub(crate) type Key = (String, &'static str);

/// The books.
#[derive(Debug)]
pub(crate) struct Ledger {
    process: u32,
    zero_ns: u64,
    pools: BTreeMap<Key, Sum>,
    owners: BTreeMap<(Key, String), u64>,
    moments: Vec<Moment>,
    /// Moments still to come, the next one last.
    asked_ns: Vec<u64>,
    blocks: Vec<BlockTruth>,
    blocks_in_all: u64,
    told_blocks: usize,
    pub(crate) threads: Vec<ThreadTruth>,
    pub(crate) odd: Vec<OddRows>,
}

#[derive(Debug, Default)]
struct Sum {
    truth: PoolTruth,
    bytes: u64,
    blocks: u64,
}

impl Ledger {
    pub(crate) fn new(process: u32, zero_ns: u64, asked_ns: &[u64], told_blocks: usize) -> Self {
        let mut asked_ns = asked_ns.to_vec();
        asked_ns.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            process,
            zero_ns,
            pools: BTreeMap::new(),
            owners: BTreeMap::new(),
            moments: Vec::new(),
            asked_ns,
            blocks: Vec::new(),
            blocks_in_all: 0,
            told_blocks,
            threads: Vec::new(),
            odd: Vec::new(),
        }
    }

    pub(crate) fn since_zero(&self, time_ns: u64) -> u64 {
        time_ns - self.zero_ns
    }

    /// A block begins.
    pub(crate) fn malloc(&mut self, key: &Key, owner: Option<&str>, size: u64, time_ns: u64) {
        self.reach(time_ns);
        let at_ns = self.since_zero(time_ns);
        let sum = self.pools.entry(key.clone()).or_default();
        sum.truth.mallocs += 1;
        sum.bytes += size;
        sum.blocks += 1;
        if sum.bytes > sum.truth.peak_bytes {
            sum.truth.peak_bytes = sum.bytes;
            sum.truth.peak_ns = at_ns;
        }
        if let Some(owner) = owner {
            *self.owners.entry((key.clone(), owner.to_owned())).or_default() += size;
        }
    }

    /// A block ends.
    pub(crate) fn free(&mut self, key: &Key, owner: Option<&str>, size: u64, time_ns: u64) {
        self.reach(time_ns);
        let sum = self.pools.entry(key.clone()).or_default();
        sum.truth.frees += 1;
        sum.bytes -= size;
        sum.blocks -= 1;
        if let Some(owner) = owner {
            *self.owners.entry((key.clone(), owner.to_owned())).or_default() -= size;
        }
    }

    /// The end of a block that the collector made up.
    pub(crate) fn shadow_free(&mut self, key: &Key) {
        self.pools.entry(key.clone()).or_default().truth.shadow_frees += 1;
    }

    /// A block is whole.
    pub(crate) fn block(&mut self, block: BlockTruth) {
        self.blocks_in_all += 1;
        self.blocks.push(block);
        // Blocks come as they end, and only the first by id are told.
        if self.blocks.len() > self.told_blocks.saturating_mul(2).max(1024) {
            self.cut();
        }
    }

    /// What is held now, under a name.
    pub(crate) fn moment(&mut self, name: &str, time_ns: u64) {
        self.reach(time_ns);
        let at_ns = self.since_zero(time_ns);
        let moment = self.now(name, at_ns);
        self.moments.push(moment);
    }

    /// The process is over.
    pub(crate) fn finish(mut self, truth: &mut Truth) {
        while let Some(at_ns) = self.asked_ns.pop() {
            let moment = self.now("asked", at_ns);
            self.moments.push(moment);
        }
        self.cut();
        for ((device, pool), sum) in self.pools {
            truth.pools.push(PoolTruth {
                process: self.process,
                device,
                pool: pool.to_owned(),
                never_freed: sum.truth.mallocs - sum.truth.frees,
                ..sum.truth
            });
        }
        truth.moments.append(&mut self.moments);
        truth.blocks_in_all += self.blocks_in_all;
        truth.blocks.append(&mut self.blocks);
        truth.threads.append(&mut self.threads);
        truth.odd.append(&mut self.odd);
    }

    fn cut(&mut self) {
        self.blocks.sort_by_key(|block| block.id);
        self.blocks.truncate(self.told_blocks);
    }

    /// Notes the moments asked for that lie before `time_ns`.
    fn reach(&mut self, time_ns: u64) {
        let at_ns = self.since_zero(time_ns);
        while let Some(asked_ns) = self.asked_ns.pop_if(|asked_ns| *asked_ns < at_ns) {
            let moment = self.now("asked", asked_ns);
            self.moments.push(moment);
        }
    }

    fn now(&self, name: &str, at_ns: u64) -> Moment {
        let pools = self.pools.iter().map(|((device, pool), sum)| Holding {
            device: device.clone(),
            pool: (*pool).to_owned(),
            bytes: sum.bytes,
            blocks: sum.blocks,
        });
        let owners = self.owners.iter().filter(|(_, bytes)| **bytes > 0);
        Moment {
            process: self.process,
            name: name.to_owned(),
            at_ns,
            pools: pools.collect(),
            owners: owners
                .map(|(((device, pool), owner), bytes)| OwnerBytes {
                    device: device.clone(),
                    pool: (*pool).to_owned(),
                    owner: owner.clone(),
                    bytes: *bytes,
                })
                .collect(),
        }
    }
}
