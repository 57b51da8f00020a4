//! Lives of blocks and segments, and totals, from the final segments and the events.
//!
//! The order of the work: `workspaces` sets apart what is not history; `history` steps through
//! the events once; `segments` works out what was mapped when; `settle` makes lives end where the
//! final segments say, and `births` moves those that are older than their memory; `rows` puts them
//! in order; `sizes` replays the allocator's size rule; `totals` adds up the rows.
//!
//! Where a file contradicts itself the final segments are right, then the events in their order;
//! each kind of trouble is one counted warning.
//!
//! A `torch_npu` workspace is a block of [`Origin::Workspace`](model::Origin::Workspace) from the start to the end, so that
//! it counts as allocated and active all the time: its segment counts as reserved all the time,
//! and memory that looks free and is not would mislead. A workspace whose segment was not there
//! all the time is listed and not counted. The three entries that tell of it stay events and
//! change nothing.

mod births;
#[cfg(test)]
mod check;
mod history;
mod layout;
mod places;
mod rounding;
mod rows;
mod runs;
mod segments;
mod settle;
mod sizes;
mod spots;
#[cfg(test)]
mod tests;
mod totals;
mod trouble;
mod workspaces;

#[cfg(test)]
use self::check::size_check;

use self::history::History;
use self::rounding::Rounding;
use self::rows::Rows;
use self::trouble::Troubles;
use crate::Warnings;
use crate::torch::raw::RawDevice;
use job::{Cancelled, Job, Progress};
use model::{Action, DeviceTable, Family, Segments, Settings};

/// What decides the size of a block that was freed before the file was written.
pub(crate) struct Rules<'a> {
    pub(crate) family: Family,
    pub(crate) settings: &'a Settings,
}

/// Events between two reports of progress: about 2 ms.
const STRIDE: u32 = 1 << 16;

/// Reports that `done` of two passes over `events` events are done.
fn progress(job: &Job, done: u32, events: u32) -> Result<(), Cancelled> {
    let total = 2 * u64::from(events);
    job.step(Progress { stage: "working out lives", done: u64::from(done), total })
}

/// Derives everything the events and the final segments imply for one device.
pub(crate) fn derive(
    raw: RawDevice,
    rules: &Rules<'_>,
    warnings: &Warnings,
    job: &Job,
) -> Result<DeviceTable, Cancelled> {
    let mut troubles = Troubles::default();
    let triples = workspaces::triples(&raw.events);
    let alloc = Action::Alloc.code();
    let allocs: u32 = raw.events.action.iter().map(|code| u32::from(*code == alloc)).sum();
    let apart = triples.iter().filter(|triple| triple.alloc.is_some()).count();
    let mut history = History::new(&raw, allocs - apart as u32);
    history.run(&mut troubles, job)?;
    let segments = segments::lives(&raw, &history.segment_events, &mut troubles, job)?;
    let stated = settle::settle(&mut history, &triples, &segments, &mut troubles, job)?;
    let (blocks, block_of_event) = Rows::new(history, &stated).blocks(
        &raw.events,
        &segments,
        Rounding { rules, device: raw.device },
        &mut troubles,
        job,
    )?;
    job.check()?;
    let counters = totals::totals(raw.events.len(), &blocks, &segments);
    troubles.tell(warnings);
    let (stated, stated_blocks) = (raw.segments.len() as u32, raw.blocks.len() as u32);
    Ok(DeviceTable {
        device: raw.device,
        events: raw.events,
        blocks,
        segments: Segments::new(segments, stated, stated_blocks).expect("sorted by birth"),
        counters,
        block_of_event: block_of_event.into(),
        workspaces: triples.iter().map(|triple| triple.workspace).collect(),
        track: None,
    })
}
