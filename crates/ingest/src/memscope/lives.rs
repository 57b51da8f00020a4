//! Every block's life, from the rows of one lane.

use super::lanes::Lane;
use super::rows::Rows;
use super::words::{Meaning, Role};
use job::{Cancelled, Job};
use model::{Slot, Track};
use rustc_hash::FxHashMap;

/// In [`Life::released`]: it outlives the recording.
pub(super) const NEVER: u32 = u32::MAX;
/// Marks events of blocks that were there before, until all of those are known.
const BEFORE: u32 = 1 << 31;
/// In the map of addresses: there was a block, it is gone.
const GONE: u32 = u32::MAX;

/// One block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Life {
    pub(super) addr: u64,
    pub(super) size: u64,
    pub(super) allocation_id: u64,
    /// State from which it is there; 0: from before the first event.
    pub(super) born: u32,
    /// State from which it is gone.
    pub(super) released: u32,
    pub(super) malloc_row: u32,
    pub(super) free_row: u32,
}

/// What was odd, counted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Odd {
    /// Blocks whose free was not recorded: something else was allocated at their address.
    pub(super) unfreed: u64,
    /// Frees of an address where nothing is.
    pub(super) unmatched: u64,
    /// Rows without an address.
    pub(super) nowhere: u64,
    /// Blocks of which no row says how large they are.
    pub(super) sizeless: u64,
}

/// The blocks and events of one lane.
#[derive(Debug)]
pub(super) struct Lives {
    /// Those from before first, by address; then by birth.
    pub(super) blocks: Vec<Life>,
    pub(super) row_of_event: Vec<u32>,
    pub(super) block_of_event: Vec<u32>,
    pub(super) odd: Odd,
}

/// Pairs the rows of `lane`.
pub(super) fn lives(
    lane: &Lane,
    rows: &Rows,
    meaning: &Meaning,
    job: &Job,
) -> Result<Lives, Cancelled> {
    let mut pairing = Pairing { rows, ..Pairing::new(rows, lane.rows.len()) };
    for (count, row) in lane.rows.iter().enumerate() {
        if count.is_multiple_of(1 << 16) {
            job.check()?;
        }
        let Some(ptr) = rows.ptr(*row) else {
            pairing.odd.nowhere += 1;
            continue;
        };
        match meaning.role(rows.columns.event[*row as usize]) {
            Role::Malloc => pairing.malloc(*row, ptr),
            _ => pairing.free(*row, ptr),
        }
    }
    Ok(pairing.finish())
}

struct Pairing<'a> {
    rows: &'a Rows,
    /// The block last seen at an address, or [`GONE`].
    at: FxHashMap<u64, u32>,
    before: Vec<Life>,
    traced: Vec<Life>,
    row_of_event: Vec<u32>,
    block_of_event: Vec<u32>,
    odd: Odd,
}

impl<'a> Pairing<'a> {
    fn new(rows: &'a Rows, events: usize) -> Self {
        Self {
            rows,
            at: FxHashMap::default(),
            before: Vec::new(),
            traced: Vec::with_capacity(events / 2),
            row_of_event: Vec::with_capacity(events),
            block_of_event: Vec::with_capacity(events),
            odd: Odd::default(),
        }
    }

    /// The state after the next event.
    fn next_state(&self) -> u32 {
        self.row_of_event.len() as u32 + 1
    }

    fn event(&mut self, row: u32, block: u32) {
        self.row_of_event.push(row);
        self.block_of_event.push(block);
    }

    fn allocation_id(&self, row: u32) -> u64 {
        let id = self.rows.number(Slot::Allocation, row);
        id.and_then(|id| u64::try_from(id).ok()).unwrap_or_default()
    }

    fn malloc(&mut self, row: u32, addr: u64) {
        let state = self.next_state();
        let block = self.traced.len() as u32;
        if let Some(older) = self.at.insert(addr, block)
            && older != GONE
        {
            self.traced[older as usize].released = state;
            self.odd.unfreed += 1;
        }
        self.traced.push(Life {
            addr,
            size: self.rows.size(row),
            allocation_id: self.allocation_id(row),
            born: state,
            released: NEVER,
            malloc_row: row,
            free_row: Track::NO_ROW,
        });
        self.event(row, block);
    }

    fn free(&mut self, row: u32, addr: u64) {
        let state = self.next_state();
        let size = self.rows.size(row);
        match self.at.insert(addr, GONE) {
            Some(GONE) => self.odd.unmatched += 1,
            Some(block) => {
                let life = &mut self.traced[block as usize];
                life.released = state;
                life.free_row = row;
                if life.size == 0 {
                    life.size = size;
                }
                self.event(row, block);
            }
            None if size == 0 => {
                self.odd.unmatched += 1;
                self.at.remove(&addr);
            }
            None => {
                let block = BEFORE | self.before.len() as u32;
                self.before.push(Life {
                    addr,
                    size,
                    allocation_id: self.allocation_id(row),
                    born: 0,
                    released: state,
                    malloc_row: Track::NO_ROW,
                    free_row: row,
                });
                self.event(row, block);
            }
        }
    }

    fn finish(mut self) -> Lives {
        let mut order: Vec<u32> = (0..self.before.len() as u32).collect();
        order.sort_unstable_by_key(|block| self.before[*block as usize].addr);
        let mut place = vec![0_u32; order.len()];
        for (row, block) in (0..).zip(&order) {
            place[*block as usize] = row;
        }
        let shift = order.len() as u32;
        for block in &mut self.block_of_event {
            *block = match *block & BEFORE {
                0 => *block + shift,
                _ => place[(*block & !BEFORE) as usize],
            };
        }
        let mut blocks: Vec<Life> =
            order.iter().map(|block| self.before[*block as usize]).collect();
        blocks.append(&mut self.traced);
        self.odd.sizeless = blocks.iter().filter(|life| life.size == 0).count() as u64;
        let Self { row_of_event, block_of_event, odd, .. } = self;
        Lives { blocks, row_of_event, block_of_event, odd }
    }
}
