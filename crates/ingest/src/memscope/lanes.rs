//! Which rows are about which device × pool × process.

use super::rows::Rows;
use super::words::{Meaning, Role};
use crate::Warnings;
use job::{Cancelled, Job};
use model::WarningKind;
use rustc_hash::FxHashMap;

/// The rows that allocate and free memory of one pool on one device for one process.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) key: LaneKey,
    /// MALLOC and FREE, as they come.
    pub(super) rows: Vec<u32>,
}

/// What a lane is about; rows of the dump's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LaneKey {
    pub(super) device: u16,
    pub(super) pool: u16,
    pub(super) process: u16,
}

/// All lanes in the order of their first rows, and the rows that access memory.
#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) lanes: Vec<Lane>,
    pub(super) accesses: Vec<u32>,
}

/// Devices of blocks that frees without a device may be about: old collectors wrote `N/A` where a
/// driver's free did not say.
#[derive(Debug, Default)]
struct Homes {
    /// By process, pool and address.
    live: FxHashMap<(u16, u16, u64), u16>,
}

/// Sorts rows into lanes.
pub(super) fn lanes(
    rows: &Rows,
    meaning: &Meaning,
    warnings: &Warnings,
    job: &Job,
) -> Result<Lanes, Cancelled> {
    let columns = &rows.columns;
    let has_nowhere = has_frees_of_nowhere(rows, meaning);
    let mut homes = Homes::default();
    let mut numbers: FxHashMap<LaneKey, usize> = FxHashMap::default();
    let mut last: Option<(LaneKey, usize)> = None;
    let mut found = Lanes { lanes: Vec::new(), accesses: Vec::new() };
    let mut homeless = 0;
    for row in 0..rows.len() {
        if row.is_multiple_of(1 << 16) {
            job.check()?;
        }
        let at = row as usize;
        let role = meaning.role(columns.event[at]);
        match role {
            Role::Malloc | Role::Free => {}
            Role::Access => {
                found.accesses.push(row);
                continue;
            }
            _ => continue,
        }
        let (process, pool) = (columns.process[at], columns.event_type[at]);
        let mut device = columns.device[at];
        if has_nowhere && let Some(ptr) = rows.ptr(row) {
            let block = (process, pool, ptr);
            if role == Role::Malloc {
                homes.live.insert(block, device);
            } else {
                match homes.live.remove(&block) {
                    Some(home) if meaning.is_nowhere(device) => device = home,
                    None if meaning.is_nowhere(device) => {
                        homeless += 1;
                        continue;
                    }
                    _ => {}
                }
            }
        }
        let key = LaneKey { device, pool, process };
        let number = match last {
            Some((known, number)) if known == key => number,
            _ => *numbers.entry(key).or_insert_with(|| {
                found.lanes.push(Lane { key, rows: Vec::new() });
                found.lanes.len() - 1
            }),
        };
        last = Some((key, number));
        found.lanes[number].rows.push(row);
    }
    warnings.add(WarningKind::UnmatchedFree, "nowhere", homeless, || {
        "Frees that name no device and match no block are only in the event table.".into()
    });
    Ok(found)
}

/// Whether any free names no device; only then blocks must be followed to know theirs.
fn has_frees_of_nowhere(rows: &Rows, meaning: &Meaning) -> bool {
    let columns = &rows.columns;
    columns
        .device
        .iter()
        .zip(&columns.event)
        .any(|(device, event)| meaning.is_nowhere(*device) && meaning.role(*event) == Role::Free)
}
