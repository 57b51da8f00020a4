//! Makes the lives end where the final segments say.

use super::births;
use super::history::{History, Phase, Untraced};
use super::layout::Ends;
use super::places::Place;
use super::trouble::{Trouble, Troubles};
use super::workspaces::{self, Triple};
use crate::torch::raw::{BlockState, RawBlock, RawSegment};
use job::{Cancelled, Job};
use model::{Block, EventId, Origin, Segment, SizeSource, StackId, State};
use rustc_hash::FxHashMap;

/// What the final segments state of a life.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stated {
    pub(super) life: u32,
    pub(super) size: u64,
    pub(super) stack: Option<StackId>,
}

/// Settles all lives; returns what is stated of those that an `alloc` began, by no order.
pub(super) fn settle(
    history: &mut History<'_>,
    triples: &[Triple],
    segments: &[Segment],
    troubles: &mut Troubles,
    job: &Job,
) -> Result<Vec<Stated>, Cancelled> {
    let mut stated = Vec::new();
    end_unrequested(history, troubles);
    let raw = history.raw;
    let mut taken_to = 0;
    for segment in &raw.segments {
        let (first, last) = segment.blocks;
        let blocks = raw.blocks.get(first as usize..last as usize).unwrap_or_default();
        if !tiles(segment, blocks) {
            troubles.add(Trouble::BadSegment, segment.addr);
        }
        for block in blocks.iter().filter(|block| block.state != BlockState::Inactive) {
            if block.size == 0 || block.addr < taken_to {
                troubles.add(Trouble::BadSegment, block.addr);
                continue;
            }
            taken_to = block.addr.saturating_add(block.size);
            stated.extend(settle_block(history, segment, block, troubles));
        }
    }
    end_the_rest(history, troubles);
    births::find(history, segments, troubles, job)?;
    place_workspaces(history, triples, segments, troubles);
    place_notes(history);
    Ok(stated)
}

/// Whether a segment's blocks cover it, in order.
fn tiles(segment: &RawSegment, blocks: &[RawBlock]) -> bool {
    let mut at = segment.addr;
    for block in blocks {
        if block.addr != at {
            return false;
        }
        at = at.saturating_add(block.size);
    }
    at == segment.addr.saturating_add(segment.size)
}

/// Completions whose request is not in the trace: cut off by the ring buffer, so that the block
/// was pending at the start; or never recorded, which shows where a block was allocated in the
/// trace and completed without a request.
fn end_unrequested(history: &mut History<'_>, troubles: &mut Troubles) {
    let are_recorded = history.requests > 0 || troubles.count(Trouble::NotRequested) == 0;
    if !are_recorded {
        troubles.forgive(Trouble::NotRequested);
    }
    for (row, untraced) in history.untraced.iter().enumerate() {
        if untraced.unrequested.is_some() {
            let ends = &mut history.ends[history.traced as usize + row];
            ends.released = if are_recorded { 0 } else { ends.died };
        }
    }
}

fn settle_block(
    history: &mut History<'_>,
    segment: &RawSegment,
    block: &RawBlock,
    troubles: &mut Troubles,
) -> Option<Stated> {
    let place = history.places.at(block.addr);
    let life = history.places.get(place).life;
    let is_pending = block.state == BlockState::PendingFree;
    let last = history.raw.events.len();
    let phase = history.phase(life);
    let stated = match (phase, is_pending) {
        (Phase::Unknown, _) => {
            let life = history.begin_untraced(ghost(segment, block, place, State(0)));
            if is_pending {
                history.ends[life as usize].released = 0;
            }
            None
        }
        (Phase::Allocated, false) | (Phase::Pending, true) => state(history, life, segment, block),
        (Phase::Allocated, true) => {
            if history.requests > 0 {
                troubles.add(Trouble::PendingUnseen, block.addr);
            }
            history.ends[life as usize].released = last;
            state(history, life, segment, block)
        }
        (Phase::Pending, false) | (Phase::Free, _) => {
            troubles.add(Trouble::Appeared, block.addr);
            if phase == Phase::Pending {
                history.ends[life as usize].died = history.ends[life as usize].released;
            }
            let life = history.begin_untraced(ghost(segment, block, place, State(last)));
            if is_pending {
                history.ends[life as usize].released = last;
            }
            None
        }
    };
    history.places.get_mut(place).life = Place::NOBODY;
    stated
}

/// A block that only `segment` speaks of.
fn ghost(segment: &RawSegment, block: &RawBlock, place: u32, born: State) -> Untraced {
    Untraced {
        place,
        block: Block {
            addr: block.addr,
            size: block.size,
            requested: block.requested.unwrap_or(block.size),
            born,
            released: None,
            died: None,
            stack: recorded(block.stack),
            stream: segment.stream,
            pool: segment.pool,
            origin: Origin::Ghost,
            size_source: SizeSource::Stated,
        },
        unrequested: None,
    }
}

/// The final segments write an empty list where no stack was recorded.
fn recorded(stack: Option<StackId>) -> Option<StackId> {
    stack.filter(|stack| *stack != StackId(0))
}

/// `life` is what `block` is at the end.
fn state(
    history: &mut History<'_>,
    life: u32,
    segment: &RawSegment,
    block: &RawBlock,
) -> Option<Stated> {
    let stack = recorded(block.stack);
    let Some(row) = life.checked_sub(history.traced) else {
        return Some(Stated { life, size: block.size, stack });
    };
    let known = &mut history.untraced[row as usize].block;
    known.size = block.size;
    known.size_source = SizeSource::Stated;
    known.stack = stack;
    known.pool = known.pool.or(segment.pool);
    None
}

/// Ends what the final segments do not hold.
fn end_the_rest(history: &mut History<'_>, troubles: &mut Troubles) {
    let last = history.raw.events.len();
    for place in history.places.iter() {
        match history.phase(place.life) {
            Phase::Unknown | Phase::Free => {}
            Phase::Allocated => {
                troubles.add(Trouble::Vanished, place.addr);
                history.ends[place.life as usize] = Ends::unseen(last);
            }
            Phase::Pending => {
                troubles.add(Trouble::NotCompleted, place.addr);
                let ends = &mut history.ends[place.life as usize];
                ends.died = ends.released;
            }
        }
    }
    if history.completions == 0 {
        troubles.forgive(Trouble::NotCompleted);
    }
}

fn place_workspaces(
    history: &mut History<'_>,
    triples: &[Triple],
    segments: &[Segment],
    troubles: &mut Troubles,
) {
    let mut placed: FxHashMap<u64, u32> = FxHashMap::default();
    for triple in triples {
        let addr = triple.workspace.addr;
        let life = placed.get(&addr).copied().or_else(|| {
            let place = history.places.at(addr);
            let is_unused = history.places.get(place).life == Place::NOBODY;
            let block =
                is_unused.then(|| workspaces::block(triple, history.raw, segments)).flatten();
            let Some(block) = block else {
                troubles.add(Trouble::WorkspaceApart, addr);
                return None;
            };
            troubles.add(Trouble::Workspace, addr);
            let untraced = Untraced { place, block, unrequested: None };
            let life = history.begin_untraced(untraced);
            placed.insert(addr, life);
            Some(life)
        });
        if let (Some(event), Some(life)) = (triple.alloc, life) {
            history.life_of_event[event.row()] = life;
        }
    }
}

/// Annotations that came before any other event of their address belong to a block from the start.
fn place_notes(history: &mut History<'_>) {
    if history.early_notes.is_empty() {
        return;
    }
    let mut lives: FxHashMap<u32, u32> = FxHashMap::default();
    for (untraced, life) in history.untraced.iter().zip(history.traced..) {
        lives.entry(untraced.place).or_insert(life);
    }
    for (event, place) in &history.early_notes {
        let life = lives.get(place).filter(|life| {
            let row = **life - history.traced;
            history.untraced[row as usize].block.born < State::after(EventId(*event))
        });
        if let Some(life) = life {
            history.life_of_event[*event as usize] = *life;
        }
    }
}
