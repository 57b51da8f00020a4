//! Each block of a dump: its life, its owner and how it was used.

use super::expected::{Key, Lived};
use super::exported;
use super::held::Held;
use session::{BlockId, Dumped};
use std::collections::BTreeMap;

/// Columns that say all of a block's life.
const COLUMNS: &str = "address,size,owner,process,allocation_id,malloc_time_ns,free_time_ns,\
                       accesses,first_access_ns,last_access_ns,longest_gap_ns";

impl Held<'_> {
    /// Every block is what it must be, through the command line and below it.
    pub(super) fn blocks_agree(&self) {
        let mut pools: BTreeMap<Key, Vec<&Lived>> = BTreeMap::new();
        for block in &self.expected.blocks {
            pools.entry(block.key()).or_default().push(block);
        }
        for (key, mut expected) in pools {
            let row = self.row(&key);
            let on = self.session.device(row).unwrap();
            // As blocks are numbered: those from before by address, then by allocation.
            expected.sort_by_key(|block| {
                let told = &block.told;
                if block.was_before { (0, told.address) } else { (1 + told.malloc_ns, told.id) }
            });
            let printed = exported(self.path, "blocks", row, COLUMNS);
            assert_eq!(printed.len(), expected.len(), "{key:?}");
            for (place, (block, cells)) in expected.iter().zip(&printed).enumerate() {
                let told = on.dumped(BlockId(place as u32)).unwrap();
                let name = format!("{key:?} {place} {:?}", block.told);
                assert_eq!(*cells, line(block), "{name}");
                beneath(&told, block, &name);
            }
        }
    }
}

/// The block as the table must have it.
fn line(block: &Lived) -> Vec<String> {
    let told = &block.told;
    let text = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let access = |at: Option<u64>| at.map_or_else(|| "-1".to_owned(), |at| at.to_string());
    vec![
        format!("{:#x}", told.address),
        told.size.to_string(),
        told.owner.clone().unwrap_or_default(),
        told.process.to_string(),
        told.allocation.unwrap_or(0).to_string(),
        if block.was_before { String::new() } else { told.malloc_ns.to_string() },
        text(told.free_ns),
        told.accesses.to_string(),
        access(told.first_access_ns),
        access(told.last_access_ns),
        told.longest_gap_ns.to_string(),
    ]
}

fn beneath(ours: &Dumped<'_>, block: &Lived, name: &str) {
    let told = &block.told;
    let at = |time: Option<i64>| time.map(|time| time as u64);
    assert_eq!(ours.malloc_id, (!block.was_before).then_some(told.id as i64), "{name}");
    assert_eq!(ours.owner, told.owner.as_deref(), "{name}");
    assert_eq!(at(ours.free_ns), told.free_ns, "{name}");
    assert_eq!(u64::from(ours.accesses), told.accesses, "{name}");
    let span = told.first_access_ns.zip(told.last_access_ns);
    assert_eq!(ours.access_span_ns.map(|(a, b)| (a as u64, b as u64)), span, "{name}");
    assert_eq!(ours.longest_gap_ns as u64, told.longest_gap_ns, "{name}");
    // Few enough that all are drawn: the list gives the same figures by a slow walk.
    let times: Vec<i64> = ours.drawn.iter().map(|access| access.time_ns).collect();
    assert!(times.is_sorted() && times.len() as u64 == told.accesses, "{name}");
    let gap = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    assert_eq!(gap as u64, told.longest_gap_ns, "{name}");
    assert!(ours.drawn.iter().all(|access| access.offset < told.size), "{name}");
}
