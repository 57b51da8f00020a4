//! How well the size rule does, judged by the blocks whose true sizes are known.

use super::Rules;
use super::layout::Layout;
use super::rounding::{Rounding, Site};
use super::sizes::site;
use model::{Action, BlockId, Blocks, DeviceTable, Origin, SizeSource};

/// Of the blocks that are there at the end and whose allocation is in the trace: for how many the
/// replayed rule gives the size that the final segments state, and how many there are.
///
/// Uses nothing of the table but its events, the lives and the segments: what the rule is given
/// for a block that was freed, it is given here.
pub(super) fn size_check(table: &DeviceTable, rules: &Rules<'_>) -> (u64, u64) {
    let (events, blocks) = (&table.events, &table.blocks);
    let rounding = Rounding { rules, device: table.device };
    let mut addrs = blocks.addr().to_vec();
    addrs.sort_unstable();
    addrs.dedup();
    let spot = |row: u32| addrs.partition_point(|addr| *addr < blocks.addr()[row as usize]) as u32;
    let mut layout = Layout::new(&addrs, table.segments.rows());
    let from_start = blocks.born().partition_point(|born| *born == 0) as u32;
    for row in 0..from_start {
        layout.put(spot(row), row);
    }
    let (mut agree, mut total) = (0, 0);
    let mut next = from_start;
    for event in 0..events.len() {
        layout.advance(event + 1);
        let row = table.block_of_event[event as usize];
        while blocks.born().get(next as usize).is_some_and(|born| *born <= event + 1) {
            if next != row {
                layout.put(spot(next), next);
            }
            next += 1;
        }
        let Some(born) = blocks.born().get(row as usize) else { continue };
        match Action::from_code(events.action[event as usize]) {
            Action::Alloc if *born == event + 1 => {
                let at = spot(row);
                let site = free_site(&mut layout, blocks, at, event + 1, &spot);
                if is_known(blocks, row) {
                    let requested = blocks.requested()[row as usize];
                    let taken = site.and_then(|site| rounding.taken(requested, site));
                    total += 1;
                    agree += u64::from(taken == Some(blocks.size()[row as usize]));
                }
                layout.put(at, row);
            }
            Action::FreeRequested | Action::FreeCompleted
                if blocks.died()[row as usize] == event + 1 =>
            {
                layout.take(spot(row), row);
            }
            _ => {}
        }
    }
    (agree, total)
}

/// The free range at a spot, once blocks that went unseen are out of the way.
fn free_site(
    layout: &mut Layout<'_>,
    blocks: &Blocks,
    at: u32,
    state: u32,
    spot: &impl Fn(u32) -> u32,
) -> Option<Site> {
    loop {
        let room = layout.room(at);
        match room.next {
            Some((_, next)) if blocks.died()[next as usize] <= state => {
                layout.take(spot(next), next);
            }
            _ => return site(room),
        }
    }
}

fn is_known(blocks: &Blocks, row: u32) -> bool {
    let block = blocks.get(BlockId(row));
    block.died.is_none()
        && block.origin == Origin::Traced
        && block.size_source == SizeSource::Stated
}
