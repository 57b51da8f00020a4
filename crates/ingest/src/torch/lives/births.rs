//! Blocks that cannot have been there from the start, because their memory was not.
//!
//! Their allocation is not in the trace though that of their segment is: recording was off for a
//! while, or left allocations out. They are shown from the moment their memory was mapped, so that
//! no more is allocated than reserved.

use super::history::History;
use super::trouble::{Trouble, Troubles};
use job::{Cancelled, Job};
use model::{Segment, State};
use std::collections::BTreeMap;

/// Since when the memory of a block is mapped, as far as the sweep has come.
#[derive(Clone, Copy)]
struct Since {
    row: usize,
    died: u32,
    mapped: Option<u32>,
    unmapped: Option<u32>,
}

/// Moves the births of blocks whose memory was not mapped, or was given back and taken anew, since
/// the start. `segments` are sorted by birth, then address.
pub(super) fn find(
    history: &mut History<'_>,
    segments: &[Segment],
    troubles: &mut Troubles,
    job: &Job,
) -> Result<(), Cancelled> {
    let mut watched = watched(history, segments);
    if watched.is_empty() {
        return Ok(());
    }
    // Ends before births at each state: what sticks out of an unmapped range begins anew at once.
    let births = segments.iter().map(|row| (row.born, 1, row));
    let ends = segments.iter().filter_map(|row| Some((row.died?, 0, row)));
    let births = births.filter(|(born, ..)| *born > State(0));
    let mut changes: Vec<(State, u8, &Segment)> = births.chain(ends).collect();
    changes.sort_by_key(|(state, order, _)| (*state, *order));
    for (State(state), order, segment) in changes {
        job.check()?;
        let end = segment.addr.saturating_add(segment.size);
        let mut gone = Vec::new();
        for (addr, since) in watched.range_mut(segment.addr..end) {
            if since.died <= state {
                gone.push(*addr);
            } else if order == 0 {
                since.unmapped = Some(state);
            } else if since.unmapped.take() != Some(state) {
                since.mapped = Some(state);
            }
        }
        // Each block is met once after its end: segments come and go at the same addresses.
        for addr in gone {
            if let Some(since) = watched.remove(&addr) {
                settle(history, since, troubles);
            }
        }
    }
    for since in watched.into_values() {
        settle(history, since, troubles);
    }
    Ok(())
}

fn settle(history: &mut History<'_>, since: Since, troubles: &mut Troubles) {
    let Since { row, mapped: Some(state @ 1..), unmapped: None, .. } = since else { return };
    let block = &mut history.untraced[row].block;
    block.born = State(state);
    troubles.add(Trouble::Unseen, block.addr);
    let ends = &mut history.ends[history.traced as usize + row];
    ends.released = ends.released.max(state);
}

/// Blocks from the start, by address: all when any segment ends, else those outside of what was
/// mapped then.
fn watched(history: &History<'_>, segments: &[Segment]) -> BTreeMap<u64, Since> {
    let at_start = &segments[..segments.partition_point(|row| row.born == State(0))];
    let is_mapped = |addr: u64| {
        let after = at_start.partition_point(|row| row.addr <= addr);
        let before = after.checked_sub(1).map(|row| &at_start[row]);
        before.is_some_and(|row| addr - row.addr < row.size)
    };
    let may_remap = segments.iter().any(|row| row.died.is_some());
    let mut watched = BTreeMap::new();
    for (row, untraced) in history.untraced.iter().enumerate() {
        let addr = untraced.block.addr;
        let mapped = is_mapped(addr).then_some(0);
        if untraced.block.born == State(0) && (may_remap || mapped.is_none()) {
            let died = history.ends[history.traced as usize + row].died;
            watched.insert(addr, Since { row, died, mapped, unmapped: None });
        }
    }
    watched
}
