//! What in one recording stands for an event of another.

use super::counterpart::{as_late, counterpart, same_stacks};
use super::{Alike, Counterpart, Match, Unmatched};
use crate::OnDevice;
use model::{Action, BlockId, EventId, State};

/// The event that stands for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventCounterpart {
    /// The same happens to the block that stands for its block.
    OfBlock {
        /// Its row.
        event: EventId,
        /// The block, and how it was found.
        block: Counterpart,
    },
    /// Of the events of its kind and its stack the one that comes as late.
    AsLate {
        /// Its row.
        event: EventId,
        /// Places of the two among the events alike on their sides, from 0.
        places: [u32; 2],
        /// How many are alike on each side.
        counts: [u32; 2],
    },
}

/// A place in a block's life.
#[derive(Debug, Clone, Copy)]
enum Turn {
    Alloc,
    FreeRequested,
    FreeCompleted,
}

/// The event of `b` that stands for `event` of `a`: what happens to a block is found by the block,
/// as [`counterpart()`] does, all else by kind and stack.
pub fn event_counterpart(
    a: OnDevice<'_>,
    event: EventId,
    b: OnDevice<'_>,
    how: Match,
    prefer: Alike,
) -> Result<EventCounterpart, Unmatched> {
    let Some((block, turn)) = turn_at(a, event) else { return of_kind(a, event, b, how) };
    let block = counterpart(a, block, b, how, prefer)?;
    let state = state_of(b, block.block, turn);
    let event = state.and_then(State::event).ok_or(Unmatched::Outside)?;
    Ok(EventCounterpart::OfBlock { event, block })
}

/// The block whose life `event` turns, and how.
fn turn_at(on: OnDevice<'_>, event: EventId) -> Option<(BlockId, Turn)> {
    let row = on.table().block_of_event[event.row()];
    let block = (row != u32::MAX).then_some(BlockId(row))?;
    let turns = [Turn::Alloc, Turn::FreeRequested, Turn::FreeCompleted];
    let is_here = |turn: &Turn| state_of(on, block, *turn) == Some(State::after(event));
    turns.into_iter().find(is_here).map(|turn| (block, turn))
}

fn state_of(on: OnDevice<'_>, block: BlockId, turn: Turn) -> Option<State> {
    let block = on.table().blocks.get(block);
    match turn {
        Turn::Alloc => Some(block.born),
        Turn::FreeRequested => block.released,
        Turn::FreeCompleted => block.died,
    }
}

fn of_kind(
    a: OnDevice<'_>,
    event: EventId,
    b: OnDevice<'_>,
    how: Match,
) -> Result<EventCounterpart, Unmatched> {
    let stack = a.table().events.stack(event).filter(|stack| stack.0 != 0);
    let stack = stack.ok_or(Unmatched::Unrecorded)?;
    let action = a.table().events.action(event);
    let there = named_in(b, name(a, action)).ok_or(Unmatched::Unknown)?;
    let [here_same, there_same] = same_stacks(a, stack.0, b, how);
    let rows = |on: OnDevice<'_>, action: Action, alike: &[bool]| -> Vec<u32> {
        let events = &on.table().events;
        let is_alike = |row: &u32| {
            let stack = events.stack.value(*row as usize) as usize;
            events.action.value(*row as usize) == action.code()
                && alike.get(stack).copied().unwrap_or(false)
        };
        (0..events.len()).filter(is_alike).collect()
    };
    let (here, there) = (rows(a, action, &here_same), rows(b, there, &there_same));
    let (row, places, counts) = as_late(event.0, &here, &there).ok_or(Unmatched::Unknown)?;
    Ok(EventCounterpart::AsLate { event: EventId(row), places, counts })
}

/// What a file calls `action`: rows of unknown ones are of one recording.
fn name(on: OnDevice<'_>, action: Action) -> Option<&str> {
    match action {
        Action::Other(row) => {
            let name = on.session.recording().other_actions.get(usize::from(row))?;
            Some(on.session.recording().text(*name))
        }
        known => known.name(),
    }
}

fn named_in(on: OnDevice<'_>, name: Option<&str>) -> Option<Action> {
    let name = name?;
    let recording = on.session.recording();
    let other = || {
        let others = recording.other_actions.iter();
        let row = others.map(|id| recording.text(*id)).position(|known| known == name)?;
        u8::try_from(row).ok().map(Action::Other)
    };
    Action::from_name(name).or_else(other)
}
