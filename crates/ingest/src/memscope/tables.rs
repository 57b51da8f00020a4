//! One lane as a device's table.

use super::lanes::LaneKey;
use super::lives::{Life, Lives, NEVER};
use super::rows::Rows;
use super::words::Meaning;
use model::{
    Action, Block, Blocks, Column, Counters, Device, DeviceTable, DumpRows, Events, Origin,
    Segments, SizeSource, Slot, StackId, State, StreamId, StringId, Track,
};

/// What all tables of a dump are made with.
pub(super) struct Maker<'a> {
    pub(super) rows: &'a Rows,
    pub(super) meaning: &'a Meaning,
    /// Row of the dump's owners, by template.
    pub(super) owners: &'a [u32],
    pub(super) end_ns: i64,
}

impl Maker<'_> {
    /// The table of a lane; `accesses` are its blocks' by row.
    pub(super) fn table(&self, key: LaneKey, lives: Lives, accesses: &[(u32, u32)]) -> DeviceTable {
        let track = self.track(key, &lives, accesses);
        let events = self.events(&lives);
        let counters = self.counters(&lives, &track);
        let blocks = Blocks::new(lives.blocks.iter().map(|life| self.block(life)))
            .expect("blocks from before come first, then by birth, and end after they begin");
        DeviceTable {
            device: Device::Track,
            events,
            blocks,
            segments: Segments::default(),
            counters,
            block_of_event: lives.block_of_event.into(),
            workspaces: Vec::new(),
            track: Some(Box::new(track)),
        }
    }

    fn stack(&self, row: u32) -> Option<StackId> {
        let stack = self.rows.columns.python_stack[row as usize];
        (stack != DumpRows::NO_STACK).then_some(StackId(stack))
    }

    fn block(&self, life: &Life) -> Block {
        let is_traced = life.malloc_row != Track::NO_ROW;
        let released = (life.released != NEVER).then_some(State(life.released));
        Block {
            addr: life.addr,
            size: life.size,
            requested: life.size,
            born: State(life.born),
            released,
            died: released,
            stack: if is_traced { self.stack(life.malloc_row) } else { None },
            stream: StreamId(0),
            pool: None,
            origin: if is_traced { Origin::Traced } else { Origin::BeforeRecording },
            size_source: SizeSource::Stated,
        }
    }

    fn events(&self, lives: &Lives) -> Events {
        let count = lives.row_of_event.len();
        let (mut action, mut addr) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut size, mut stack) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut time_ns = Vec::with_capacity(count);
        let (alloc, free) = (Action::Alloc.code(), Action::FreeCompleted.code());
        for (row, block) in lives.row_of_event.iter().zip(&lives.block_of_event) {
            let life = &lives.blocks[*block as usize];
            action.push(if life.malloc_row == *row { alloc } else { free });
            addr.push(life.addr);
            size.push(life.size);
            stack.push(self.stack(*row).map_or(Events::NO_STACK, |stack| stack.0));
            time_ns.push(self.rows.columns.time_ns[*row as usize]);
        }
        Events {
            action: action.into(),
            addr: addr.into(),
            size: size.into(),
            stream: vec![0; count].into(),
            stack: stack.into(),
            time_ns: Some(time_ns.into()),
            pool: None,
            note: None,
        }
    }

    fn track(&self, key: LaneKey, lives: &Lives, accesses: &[(u32, u32)]) -> Track {
        let blocks = &lives.blocks;
        let has =
            |slot| lives.row_of_event.iter().any(|row| self.rows.number(slot, *row).is_some());
        let (access_offsets, access_rows) = by_block(blocks.len(), accesses);
        let facts = |row: u32| (row != Track::NO_ROW).then(|| self.rows.facts(row));
        let is_shadow = |row| facts(row).is_some_and(|facts| facts.is_shadow);
        let owner = |life: &Life| match life.malloc_row {
            Track::NO_ROW => 0,
            row => self.owners[self.rows.columns.attr[row as usize] as usize],
        };
        let flags = |life: &Life| {
            let malloc = if is_shadow(life.malloc_row) { Track::SHADOW_MALLOC } else { 0 };
            malloc | if is_shadow(life.free_row) { Track::SHADOW_FREE } else { 0 }
        };
        Track {
            device: key.device,
            pool: StringId(self.rows.words[usize::from(key.pool)]),
            process: key.process,
            end_ns: self.end_ns,
            row_of_event: lives.row_of_event.clone().into(),
            has_used: !self.meaning.shares_used(key.pool) && has(Slot::Used),
            has_total: has(Slot::Total),
            owner: blocks.iter().map(owner).collect::<Vec<_>>().into(),
            allocation_id: blocks.iter().map(|life| life.allocation_id).collect::<Vec<_>>().into(),
            malloc_row: blocks.iter().map(|life| life.malloc_row).collect::<Vec<_>>().into(),
            free_row: blocks.iter().map(|life| life.free_row).collect::<Vec<_>>().into(),
            longest_gap_ns: self.longest_gaps(&access_offsets, &access_rows).into(),
            access_offsets: access_offsets.into(),
            access_rows: access_rows.into(),
            flags: blocks.iter().map(flags).collect::<Vec<_>>().into(),
        }
    }

    /// The longest time between two consecutive accesses, by block.
    fn longest_gaps(&self, offsets: &[u32], rows: &[u32]) -> Vec<i64> {
        let time = |row: u32| self.rows.columns.time_ns[row as usize];
        let ends = offsets.windows(2).map(|ends| &rows[ends[0] as usize..ends[1] as usize]);
        let gap = |rows: &[u32]| {
            let gaps = rows.windows(2).map(|pair| time(pair[1]).saturating_sub(time(pair[0])));
            gaps.max().unwrap_or(0)
        };
        ends.map(gap).collect()
    }

    fn counters(&self, lives: &Lives, track: &Track) -> Counters {
        let states = lives.row_of_event.len() + 1;
        let mut allocated = Vec::with_capacity(states);
        let before = lives.blocks.iter().take_while(|life| life.born == 0);
        let mut bytes = before.fold(0_u64, |sum, life| sum.saturating_add(life.size));
        allocated.push(bytes);
        // What is released by a MALLOC in its place is not what the event is about.
        let mut replaced: Vec<(u32, u64)> = Vec::new();
        let is_replaced = |life: &&Life| life.released != NEVER && life.free_row == Track::NO_ROW;
        let all_replaced = lives.blocks.iter().filter(is_replaced);
        replaced.extend(all_replaced.map(|life| (life.released, life.size)));
        replaced.sort_unstable();
        let mut replaced = replaced.into_iter().peekable();
        for (state, block) in (1..).zip(&lives.block_of_event) {
            let life = &lives.blocks[*block as usize];
            while let Some((_, size)) = replaced.next_if(|(released, _)| *released == state) {
                bytes = bytes.saturating_sub(size);
            }
            bytes = if life.born == state {
                bytes.saturating_add(life.size)
            } else {
                bytes.saturating_sub(life.size)
            };
            allocated.push(bytes);
        }
        let allocated: Column<u64> = allocated.into();
        let or_allocated =
            |stated: Option<Column<u64>>| stated.unwrap_or_else(|| allocated.clone());
        let used = track.has_used.then(|| self.stated(Slot::Used, lives, &allocated));
        let total = track.has_total.then(|| self.stated(Slot::Total, lives, &allocated));
        Counters { active: or_allocated(used), reserved: or_allocated(total), allocated }
    }

    /// What the pool itself says after each event, the last known value where an event does not
    /// say; before the first that does, `allocated`.
    fn stated(&self, slot: Slot, lives: &Lives, allocated: &[u64]) -> Column<u64> {
        let mut values = Vec::with_capacity(allocated.len());
        let stated = |row: u32| {
            let number = self.rows.number(slot, row)?;
            u64::try_from(number).ok()
        };
        let first = lives.row_of_event.first().and_then(|row| stated(*row));
        let mut last = first.map(|after| match (slot, lives.blocks.first()) {
            // What was handed out before the first event follows from what is after it.
            (Slot::Used, Some(_)) => {
                let life = &lives.blocks[lives.block_of_event[0] as usize];
                if life.born == 1 {
                    after.saturating_sub(life.size)
                } else {
                    after.saturating_add(life.size)
                }
            }
            _ => after,
        });
        values.push(last.unwrap_or(allocated[0]));
        for (row, allocated) in lives.row_of_event.iter().zip(&allocated[1..]) {
            last = stated(*row).or(last);
            values.push(last.unwrap_or(*allocated));
        }
        values.into()
    }
}

/// Rows by block: where each block's begin, and all of them.
fn by_block(blocks: usize, accesses: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0_u32; blocks + 1];
    for (block, _) in accesses {
        offsets[*block as usize + 1] += 1;
    }
    for block in 0..blocks {
        offsets[block + 1] += offsets[block];
    }
    let mut next = offsets.clone();
    let mut rows = vec![0_u32; accesses.len()];
    for (block, row) in accesses {
        let place = &mut next[*block as usize];
        rows[*place as usize] = *row;
        *place += 1;
    }
    (offsets, rows)
}
