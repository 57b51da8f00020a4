//! Everything about one call, and what was allocated in it.

use crate::{Amount, CallName, OnDevice, OnThread};
use job::{Cancelled, Job};
use model::{BlockId, EventId, Slices, State, Track};
use std::ops::Range;

/// All of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceDetails<'a> {
    /// Its row.
    pub slice: u32,
    /// Its name, as written.
    pub name: &'a str,
    /// The parts of that.
    pub parts: CallName<'a>,
    /// When it began.
    pub start_ns: i64,
    /// When it ended.
    pub end_ns: i64,
    /// Nanoseconds outside the calls made directly in it.
    pub self_ns: i64,
    /// How many calls enclose it.
    pub depth: u32,
    /// It had not ended when tracing stopped.
    pub is_open: bool,
    /// Its start is not in the file.
    pub is_without_start: bool,
    /// The calls around it, innermost first.
    pub parents: Vec<u32>,
    /// How many calls were made directly in it.
    pub children: u32,
}

/// What a device did while a call ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceAllocations {
    /// The device's first and last event in the call, whoever caused them.
    pub events: Option<(EventId, EventId)>,
    /// The device's state when the call began.
    pub before: State,
    /// Whether the device is one of the call's process: else nothing is counted.
    pub is_own: bool,
    /// Blocks that the call's thread allocated in it.
    pub allocated: Amount,
    /// Those of them that were not free again at its end.
    pub unfreed: Amount,
}

impl<'a> OnThread<'a> {
    /// Everything about call `slice`; `None` when there is no such row.
    pub fn slice(self, slice: u32, job: &Job) -> Result<Option<SliceDetails<'a>>, Cancelled> {
        let slices = self.slices();
        if slice >= slices.len() {
            return Ok(None);
        }
        let index = self.index(job)?;
        let at = slice as usize;
        let mut parents = Vec::new();
        while let Some(parent) = index.parent(slices, parents.last().copied().unwrap_or(slice)) {
            parents.push(parent);
        }
        let has = |flag: u8| slices.flags[at] & flag != 0;
        Ok(Some(SliceDetails {
            slice,
            name: self.name(slice),
            parts: self.call_name(slice),
            start_ns: slices.start_ns[at],
            end_ns: slices.end_ns[at],
            self_ns: index.self_ns(slices, slice),
            depth: u32::from(slices.depth[at]),
            is_open: has(Slices::OPEN),
            is_without_start: has(Slices::NO_START),
            parents,
            children: index.children(slices, slice).len() as u32,
        }))
    }

    /// What `device` did while call `slice` ran; `None` when there is no such row.
    pub fn allocations(self, slice: u32, device: OnDevice<'_>) -> Option<SliceAllocations> {
        let at = slice as usize;
        let slices = self.slices();
        let (from, to) = (*slices.start_ns.get(at)?, *slices.end_ns.get(at)?);
        let events = events_in(device, from, to);
        let (before, after) = (State(events.start), State(events.end));
        let dump = device.session.recording().dump.as_deref();
        let track = device.table().track.as_deref();
        let process =
            dump.zip(track).map(|(dump, track)| dump.processes[usize::from(track.process)]);
        let is_own = process.is_none_or(|process| process == self.process());
        let (mut allocated, mut unfreed) = (Amount::default(), Amount::default());
        let blocks = &device.table().blocks;
        let born = |state| index::Lives::born_by(blocks.born(), state);
        for block in born(before)..born(after) {
            if !is_own || !self.is_by(device, BlockId(block as u32)) {
                continue;
            }
            allocated.add(blocks, block);
            if blocks.died()[block] > after.0 {
                unfreed.add(blocks, block);
            }
        }
        let events = (!events.is_empty()).then(|| (EventId(events.start), EventId(events.end - 1)));
        Some(SliceAllocations { events, before, is_own, allocated, unfreed })
    }

    /// Whether this thread allocated `block`, as far as the file says who did.
    fn is_by(self, device: OnDevice<'_>, block: BlockId) -> bool {
        let dump = device.session.recording().dump.as_deref();
        let Some((dump, track)) = dump.zip(device.table().track.as_deref()) else { return true };
        let row = track.malloc_row[block.row()];
        if row == Track::NO_ROW {
            return true;
        }
        let thread = dump.rows.thread[row as usize];
        thread <= 0 || thread == self.thread()
    }
}

/// The events of `device` from `from_ns` to right before `to_ns`.
fn events_in(device: OnDevice<'_>, from_ns: i64, to_ns: i64) -> Range<u32> {
    let Some(times) = device.table().events.time_ns.as_ref() else { return 0..0 };
    let before = |limit: i64| times.partition_point(|time| *time < limit) as u32;
    let first = before(from_ns);
    first..before(to_ns).max(first)
}
