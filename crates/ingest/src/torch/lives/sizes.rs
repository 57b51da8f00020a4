//! Sizes of blocks that were freed before the file was written: the allocator's rule, replayed on
//! the free range there was at each allocation.

use super::layout::{Ends, Layout, Room};
use super::rounding::{Rounding, Site};
use super::trouble::{Trouble, Troubles};
use super::{STRIDE, progress};
use job::{Cancelled, Job};
use model::{Action, Block, Events, PoolId, SizeSource, State};

/// Blocks by row, as far as they are known.
pub(super) struct Sizes<'a> {
    pub(super) events: &'a Events,
    pub(super) rounding: Rounding<'a>,
    /// By event: the row, or `u32::MAX`.
    pub(super) block_of_event: &'a [u32],
    pub(super) addrs: &'a [u64],
    /// By row: which of `addrs`.
    pub(super) spot: &'a [u32],
    /// Blocks that no event begins, with their rows; those from the start come first.
    pub(super) untraced: &'a [(u32, Block)],
    /// By row.
    pub(super) ends: Vec<Ends>,
    /// By row; 0: not known yet.
    pub(super) size: Vec<u64>,
    /// By row.
    pub(super) source: Vec<SizeSource>,
    /// By row: the pool of the segment around, or `u16::MAX`.
    pub(super) pool: Vec<u16>,
}

impl Sizes<'_> {
    /// Works out all sizes. `layout` is at the start, without blocks.
    pub(super) fn run(
        &mut self,
        layout: &mut Layout<'_>,
        troubles: &mut Troubles,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let first = self.untraced.partition_point(|(_, block)| block.born == State(0));
        let (from_start, mut later) = self.untraced.split_at(first);
        for (row, _) in from_start {
            layout.put(self.spot[*row as usize], *row);
        }
        for (row, block) in from_start {
            self.begin(layout, *row, block.requested, 0, troubles);
        }
        let has_unseen = self.ends.iter().any(|ends| ends.is_unseen());
        let actions: [Action; 256] = std::array::from_fn(|code| Action::from_code(code as u8));
        for event in 0..self.events.len() {
            if event.is_multiple_of(STRIDE) {
                progress(job, self.events.len() + event, self.events.len())?;
            }
            let row = self.block_of_event[event as usize];
            match actions[usize::from(self.events.action[event as usize])] {
                // An `alloc` of a row from the start tells of a workspace.
                Action::Alloc if row as usize >= first && row != u32::MAX => {
                    let requested = self.events.size[event as usize];
                    self.begin(layout, row, requested, event + 1, troubles);
                    layout.put(self.spot[row as usize], row);
                }
                Action::FreeRequested | Action::FreeCompleted
                    if self.ends.get(row as usize).is_some_and(|it| it.died == event + 1) =>
                {
                    layout.take(self.spot[row as usize], row);
                }
                Action::SegmentAlloc | Action::SegmentMap => layout.advance(event + 1),
                Action::SegmentFree | Action::SegmentUnmap => {
                    layout.advance(event + 1);
                    if has_unseen {
                        self.end_unseen(layout, event);
                    }
                }
                _ => {}
            }
            while let Some(((row, block), rest)) = later.split_first()
                && block.born.0 <= event + 1
            {
                self.begin(layout, *row, block.requested, event + 1, troubles);
                layout.put(self.spot[*row as usize], *row);
                later = rest;
            }
        }
        Ok(())
    }

    /// `event` gives memory back to the driver: blocks in it that nobody saw go are gone.
    fn end_unseen(&mut self, layout: &mut Layout<'_>, event: u32) {
        let start = self.events.addr[event as usize];
        let end = start.saturating_add(self.events.size[event as usize]);
        let spots = self.addrs.partition_point(|addr| *addr < start) as u32;
        for row in layout.rows(spots, end) {
            let ends = &mut self.ends[row as usize];
            if ends.is_unseen() {
                ends.died = event + 1;
                layout.take(self.spot[row as usize], row);
            }
        }
    }

    /// `row` begins at `state`.
    fn begin(
        &mut self,
        layout: &mut Layout<'_>,
        row: u32,
        requested: u64,
        state: u32,
        troubles: &mut Troubles,
    ) {
        let at = row as usize;
        let addr = self.addrs[self.spot[at] as usize];
        let needed = match self.size[at] {
            0 => self.rounding.rounded(requested),
            stated => stated,
        };
        let room = loop {
            let room = layout.room(self.spot[at]);
            match self.in_the_way(room, needed) {
                Some(other) if self.ends[other as usize].is_unseen() => {
                    self.ends[other as usize].died = state;
                    layout.take(self.spot[other as usize], other);
                }
                Some(_) if room.run.is_some() => {
                    troubles.add(Trouble::Overlap, addr);
                    break layout.room(self.spot[at]);
                }
                _ => break layout.room(self.spot[at]),
            }
        };
        self.pool[at] = room.run.and_then(|run| run.pool).map_or(u16::MAX, |PoolId(pool)| pool);
        if room.run.is_none() {
            troubles.add(Trouble::Outside, addr);
        }
        if self.size[at] == 0 {
            let site = site(room);
            let taken = site.and_then(|site| self.rounding.taken(requested, site));
            let rule = if site.is_some() { SizeSource::Computed } else { SizeSource::Requested };
            self.source[at] = rule;
            self.size[at] = taken.unwrap_or(if site.is_some() { needed } else { requested });
        }
    }

    /// A live row that lies over the first `needed` bytes of `room`.
    fn in_the_way(&self, room: Room<'_>, needed: u64) -> Option<u32> {
        if let Some((at, row)) = room.before
            && at.saturating_add(self.size[row as usize]) > room.addr
        {
            return Some(row);
        }
        room.next.filter(|(at, _)| at - room.addr < needed).map(|(_, row)| row)
    }
}

/// What the split rule looks at; `None` outside of every known segment.
pub(super) fn site(room: Room<'_>) -> Option<Site> {
    let run = room.run?;
    let end = room.next.map_or(run.end, |(next, _)| next.min(run.end));
    Some(Site { range: end - room.addr, kind: run.kind, is_expandable: run.is_expandable })
}
