//! Which block an ACCESS row is about.

use super::attr::Accessed;
use super::lanes::{Lane, LaneKey, Lanes};
use super::lives::{Life, Lives};
use super::rows::Rows;
use super::words::Meaning;
use crate::Warnings;
use job::{Cancelled, Job};
use model::{Slot, Track, WarningKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A block: its lane and its row there.
type Place = (u32, u32);

/// The accesses of each lane's blocks: block and row, by row.
pub(super) fn accesses(
    found: &Lanes,
    lives: &[Lives],
    rows: &Rows,
    meaning: &Meaning,
    warnings: &Warnings,
    job: &Job,
) -> Result<Vec<Vec<(u32, u32)>>, Cancelled> {
    let mut of_lane: Vec<Vec<(u32, u32)>> = found.lanes.iter().map(|_| Vec::new()).collect();
    if found.accesses.is_empty() {
        return Ok(of_lane);
    }
    let ids = Ids::new(&found.lanes, lives);
    let mut loose = Vec::new();
    let mut placed: Vec<(u32, Place)> = Vec::with_capacity(found.accesses.len());
    for (count, row) in found.accesses.iter().enumerate() {
        if count.is_multiple_of(1 << 16) {
            job.check()?;
        }
        match ids.block(*row, rows, lives) {
            Some(place) => placed.push((*row, place)),
            None => loose.push(*row),
        }
    }
    let unknown = by_address(&loose, found, lives, rows, meaning, &mut placed, job)?;
    warnings.add(WarningKind::UnknownAccess, "", unknown, || {
        "Accesses of memory that is in no block known here are only in the event table.".into()
    });
    if !loose.is_empty() {
        placed.sort_unstable_by_key(|(row, _)| *row);
    }
    for (row, (lane, block)) in placed {
        of_lane[lane as usize].push((block, row));
    }
    Ok(of_lane)
}

/// Blocks by what the collector numbers them with.
struct Ids {
    /// The last block of a process with an id.
    last: FxHashMap<(u16, u64), u32>,
    /// All of them, with the one before that has the same id.
    blocks: Vec<(Place, u32)>,
}

impl Ids {
    const NONE: u32 = u32::MAX;

    fn new(lanes: &[Lane], lives: &[Lives]) -> Self {
        let mut ids = Self { last: FxHashMap::default(), blocks: Vec::new() };
        for (lane, (of, lives)) in (0..).zip(lanes.iter().zip(lives)) {
            for (block, life) in (0..).zip(&lives.blocks) {
                if life.allocation_id == 0 {
                    continue;
                }
                let next = ids.blocks.len() as u32;
                let key = (of.key.process, life.allocation_id);
                let before = ids.last.insert(key, next).unwrap_or(Self::NONE);
                ids.blocks.push(((lane, block), before));
            }
        }
        ids
    }

    /// The block that the row's own number names, when it is there and the address is in it.
    fn block(&self, row: u32, rows: &Rows, lives: &[Lives]) -> Option<Place> {
        let id = u64::try_from(rows.number(Slot::Allocation, row)?).ok().filter(|id| *id != 0)?;
        let process = rows.columns.process[row as usize];
        let mut next = *self.last.get(&(process, id))?;
        while next != Self::NONE {
            let (place, before) = self.blocks[next as usize];
            let life = &lives[place.0 as usize].blocks[place.1 as usize];
            // A collector that could not tell the address wrote 0; the number says enough.
            let is_inside =
                rows.ptr(row).is_none_or(|ptr| ptr == 0 || ptr.wrapping_sub(life.addr) < life.size);
            if is_inside && is_there(life, row, rows) {
                return Some(place);
            }
            next = before;
        }
        None
    }
}

/// Whether `life` covers the time of `row`, both ends included: times are not fine enough to tell.
fn is_there(life: &Life, row: u32, rows: &Rows) -> bool {
    let time = |row: u32| rows.columns.time_ns[row as usize];
    let has_begun = life.malloc_row == Track::NO_ROW || time(life.malloc_row) <= time(row);
    let end = if life.free_row == Track::NO_ROW { None } else { Some(life.free_row) };
    has_begun && end.is_none_or(|end| time(row) <= time(end))
}

/// Finds the blocks of the accesses `loose` by their addresses; returns how many have none.
fn by_address(
    loose: &[u32],
    found: &Lanes,
    lives: &[Lives],
    rows: &Rows,
    meaning: &Meaning,
    placed: &mut Vec<(u32, Place)>,
    job: &Job,
) -> Result<u64, Cancelled> {
    let mut unknown = 0;
    let mut groups: BTreeMap<(u16, u16), Vec<u32>> = BTreeMap::new();
    for row in loose {
        let at = *row as usize;
        groups.entry((rows.columns.process[at], rows.columns.device[at])).or_default().push(*row);
    }
    for ((process, device), accesses) in groups {
        let is_own = |key: LaneKey| {
            key.process == process && key.device == device && meaning.holds_tensors(key.pool)
        };
        let mut lanes: Vec<usize> =
            (0..found.lanes.len()).filter(|lane| is_own(found.lanes[*lane].key)).collect();
        lanes.sort_by_key(|lane| meaning.rank(found.lanes[*lane].key.pool));
        let mut candidates: Vec<Candidate> = Vec::with_capacity(accesses.len());
        for lane in lanes {
            job.check()?;
            sweep(&accesses, lane, found, &lives[lane], rows, meaning, &mut candidates);
        }
        // The best of each row first: the pool it says, then pools in their order.
        candidates.sort_by_key(|candidate| (candidate.row, !candidate.is_preferred));
        candidates.dedup_by_key(|candidate| candidate.row);
        unknown += (accesses.len() - candidates.len()) as u64;
        placed.extend(candidates.iter().map(|candidate| (candidate.row, candidate.place)));
    }
    Ok(unknown)
}

/// A block that an access may be about.
struct Candidate {
    row: u32,
    place: Place,
    is_preferred: bool,
}

/// Goes through `accesses` and the events of a lane together, as they come.
fn sweep(
    accesses: &[u32],
    lane: usize,
    found: &Lanes,
    lives: &Lives,
    rows: &Rows,
    meaning: &Meaning,
    candidates: &mut Vec<Candidate>,
) {
    let pool = found.lanes[lane].key.pool;
    let from_before = lives.blocks.iter().take_while(|life| life.born == 0).zip(0..);
    let mut present: BTreeMap<u64, u32> =
        from_before.map(|(life, block)| (life.addr, block)).collect();
    let mut events = lives.row_of_event.iter().zip(&lives.block_of_event).zip(1..).peekable();
    for access in accesses {
        while let Some(((_, block), state)) = events.next_if(|((row, _), _)| *row < access) {
            let life = &lives.blocks[*block as usize];
            if life.born == state {
                present.insert(life.addr, *block);
            } else {
                present.remove(&life.addr);
            }
        }
        let Some(ptr) = rows.ptr(*access) else { continue };
        let Some((addr, block)) = present.range(..=ptr).next_back() else { continue };
        if ptr - addr >= lives.blocks[*block as usize].size {
            continue;
        }
        let is_preferred = match rows.facts(*access).accessed {
            Some(Accessed::Pta) => meaning.is_pta(pool),
            Some(Accessed::Atb) => meaning.is_atb(pool),
            None => false,
        };
        candidates.push(Candidate { row: *access, place: (lane as u32, *block), is_preferred });
    }
}
