//! Works out from the stored rows what the truth claims to know.

use std::collections::BTreeMap;

use sample::memscope::{Holding, Moment, OwnerBytes, PoolTruth, ThreadTruth, Truth};

use crate::read::{Row, Slice};

/// A block as the rows tell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub(crate) process: u32,
    pub(crate) device: String,
    pub(crate) pool: String,
    pub(crate) id: u64,
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) owner: Option<String>,
    pub(crate) malloc_ns: u64,
    pub(crate) free_ns: Option<u64>,
    pub(crate) is_shadow_freed: bool,
    pub(crate) accesses_ns: Vec<u64>,
}

/// Pairs rows by process, pool and address, in the order of time.
pub(crate) fn blocks(rows: &[Row], truth: &Truth) -> Vec<Block> {
    let is_odd = |row: &Row| {
        truth.odd.iter().any(|odd| {
            !odd.oddity.starts_with("owner_")
                && odd.process == row.process
                && odd.ids.contains(&(row.id as u64))
        })
    };
    let unit = if truth.zero_ns / 1000 == rows.iter().map(|row| row.time).min().unwrap_or(0) as u64
    {
        1000
    } else {
        1
    };
    let mut ordered: Vec<&Row> = rows.iter().filter(|row| !is_odd(row)).collect();
    ordered.sort_by_key(|row| (row.time, row.id));
    let mut blocks: Vec<Block> = Vec::new();
    let mut live: BTreeMap<(u32, &str, &str), usize> = BTreeMap::new();
    let mut by_allocation: BTreeMap<(u32, String), usize> = BTreeMap::new();
    for row in ordered {
        let at_ns = row.time as u64 * unit - truth.zero_ns;
        let key = (row.process, row.kind.as_str(), row.pointer.as_str());
        match row.event.as_str() {
            "MALLOC" => {
                assert_eq!(live.insert(key, blocks.len()), None, "an address is free: {row:?}");
                if let Some(allocation) = row.key("allocation_id") {
                    by_allocation.insert((row.process, allocation), blocks.len());
                }
                blocks.push(block(row, at_ns));
            }
            "FREE" => {
                let block = &mut blocks[live.remove(&key).expect("a block to free")];
                block.free_ns = Some(at_ns);
                block.is_shadow_freed = row.key("shadow").is_some();
            }
            "ACCESS" => {
                if let Some(allocation) = row.key("allocation_id") {
                    let block = by_allocation[&(row.process, allocation)];
                    blocks[block].accesses_ns.push(at_ns);
                }
            }
            _ => {}
        }
    }
    blocks.sort_by_key(|block| (block.process, block.id));
    blocks
}

fn block(row: &Row, at_ns: u64) -> Block {
    let address = row.pointer.strip_prefix("0x").map_or_else(
        || row.pointer.parse().expect("decimal"),
        |digits| u64::from_str_radix(digits, 16).expect("hexadecimal"),
    );
    Block {
        process: row.process,
        device: row.device.clone(),
        pool: row.kind.clone(),
        id: row.id as u64,
        address,
        size: row.size(),
        owner: row.key("owner").filter(|owner| !owner.is_empty()),
        malloc_ns: at_ns,
        free_ns: None,
        is_shadow_freed: false,
        accesses_ns: Vec::new(),
    }
}

/// What each pool did.
pub(crate) fn pools(blocks: &[Block]) -> Vec<PoolTruth> {
    let mut pools: BTreeMap<(u32, &str, &str), Vec<&Block>> = BTreeMap::new();
    for block in blocks {
        pools.entry((block.process, &block.device, &block.pool)).or_default().push(block);
    }
    let pool = |((process, device, pool), blocks): ((u32, &str, &str), Vec<&Block>)| {
        // At one time, births come in the order of ids, after all deaths that are no shadows: no two rows share a
        // time but at the very start and end.
        let mut changes: Vec<(u64, u64, i64)> = Vec::new();
        for block in &blocks {
            changes.push((block.malloc_ns, block.id, block.size as i64));
            changes.extend(block.free_ns.map(|free| (free, u64::MAX, -(block.size as i64))));
        }
        changes.sort_unstable();
        let (mut bytes, mut peak_bytes, mut peak_ns) = (0, 0, 0);
        for (at_ns, _, change) in changes {
            bytes += change;
            if bytes > peak_bytes {
                (peak_bytes, peak_ns) = (bytes, at_ns);
            }
        }
        let frees = blocks.iter().filter(|block| block.free_ns.is_some()).count() as u64;
        PoolTruth {
            process,
            device: device.to_owned(),
            pool: pool.to_owned(),
            mallocs: blocks.len() as u64,
            frees,
            shadow_frees: blocks.iter().filter(|block| block.is_shadow_freed).count() as u64,
            never_freed: blocks.len() as u64 - frees,
            peak_bytes: peak_bytes as u64,
            peak_ns,
        }
    };
    pools.into_iter().map(pool).collect()
}

/// What is held right after `moment`, as the blocks tell; pools that hold nothing are left out.
pub(crate) fn held(blocks: &[Block], moment: &Moment) -> Moment {
    let at_ns = moment.at_ns;
    let live = blocks.iter().filter(|block| {
        block.process == moment.process
            && block.malloc_ns <= at_ns
            && block.free_ns.is_none_or(|free_ns| free_ns > at_ns)
    });
    let mut pools: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    let mut owners: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
    for block in live {
        let sum = pools.entry((&block.device, &block.pool)).or_default();
        sum.0 += block.size;
        sum.1 += 1;
        if let Some(owner) = &block.owner {
            *owners.entry((&block.device, &block.pool, owner)).or_default() += block.size;
        }
    }
    let pools = pools.into_iter().map(|((device, pool), (bytes, blocks))| Holding {
        device: device.to_owned(),
        pool: pool.to_owned(),
        bytes,
        blocks,
    });
    let owners = owners.into_iter().map(|((device, pool, owner), bytes)| OwnerBytes {
        device: device.to_owned(),
        pool: pool.to_owned(),
        owner: owner.to_owned(),
        bytes,
    });
    Moment { pools: pools.collect(), owners: owners.collect(), ..moment.clone() }
}

/// What the rows of the traces tell of each thread.
pub(crate) fn threads(slices: &[Slice]) -> Vec<ThreadTruth> {
    let mut threads: BTreeMap<(u32, u32), Vec<&Slice>> = BTreeMap::new();
    for slice in slices {
        threads.entry((slice.process, slice.thread)).or_default().push(slice);
    }
    let thread = |((process, thread), slices): ((u32, u32), Vec<&Slice>)| {
        let (open, closed): (Vec<&Slice>, Vec<&Slice>) =
            slices.into_iter().partition(|slice| slice.start == "N/A" || slice.end == "N/A");
        let time = |text: &str| text.parse::<u64>().expect("a time");
        let spans: Vec<(u64, u64)> =
            closed.iter().map(|slice| (time(&slice.start), time(&slice.end))).collect();
        let depth = |at: u64| spans.iter().filter(|span| span.0 <= at && at < span.1).count();
        ThreadTruth {
            process,
            thread,
            slices: spans.len() as u64,
            open: open.len() as u64,
            max_depth: spans.iter().map(|span| depth(span.0)).max().unwrap_or(0) as u64,
        }
    };
    threads.into_iter().map(thread).collect()
}
