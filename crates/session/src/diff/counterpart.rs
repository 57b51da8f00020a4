//! What in one recording stands for a block, a stack or a frame of another.

use super::keys::{Keys, Lines};
use super::{Match, owner_of, stack_of};
use crate::OnDevice;
use model::{BlockId, FrameId, StackId};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// By what two blocks are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// Their stacks.
    Stack,
    /// Their owners.
    Owner,
}

/// Why nothing stands for a block, a segment or an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmatched {
    /// Neither a stack nor an owner is recorded that the other side could have.
    Unrecorded,
    /// The other side has nothing that is alike.
    Unknown,
    /// To the block that stands for an event's block this does not happen in its recording.
    Outside,
}

/// The block that stands for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counterpart {
    /// Its row.
    pub block: BlockId,
    /// By what it was found.
    pub how: Alike,
    /// Places of the two among the blocks alike on their sides, in the order of allocation, from 0.
    pub places: [u32; 2],
    /// How many are alike on each side.
    pub counts: [u32; 2],
}

/// The block of `b` that stands for `block` of `a`: of those of the same stack, failing that of the
/// same owner, the one that comes as late; the last where `b` has fewer. With `prefer` an owner, the
/// other way round.
pub fn counterpart(
    a: OnDevice<'_>,
    block: BlockId,
    b: OnDevice<'_>,
    how: Match,
    prefer: Alike,
) -> Result<Counterpart, Unmatched> {
    let order = match prefer {
        Alike::Stack => [Alike::Stack, Alike::Owner],
        Alike::Owner => [Alike::Owner, Alike::Stack],
    };
    let mut missing = Unmatched::Unrecorded;
    for alike in order {
        let found = match alike {
            Alike::Stack => by_stack(a, block, b, how),
            Alike::Owner => by_owner(a, block, b),
        };
        match found {
            Ok(found) => return Ok(found),
            Err(Unmatched::Unknown) => missing = Unmatched::Unknown,
            Err(Unmatched::Unrecorded | Unmatched::Outside) => {}
        }
    }
    Err(missing)
}

/// The stacks of `b` that are the same as `stack` of `a`, the one with the most bytes first.
pub fn same_stack_in(a: OnDevice<'_>, stack: StackId, b: OnDevice<'_>, how: Match) -> Vec<StackId> {
    let known = a.session.recording().stacks.len();
    if stack.0 == 0 || stack.0 as usize >= known {
        return Vec::new();
    }
    let [_, there] = same_stacks(a, stack.0, b, how);
    let bytes = bytes_by_stack(b);
    let mut found: Vec<StackId> =
        (0..there.len() as u32).filter(|row| there[*row as usize]).map(StackId).collect();
    found.sort_by_key(|stack| (Reverse(bytes[stack.0 as usize]), stack.0));
    found
}

/// The frames of `b` that are the same as `frame` of `a`, the one with the most bytes in blocks
/// allocated through it first.
pub fn same_frame_in(a: OnDevice<'_>, frame: FrameId, b: OnDevice<'_>, how: Match) -> Vec<FrameId> {
    if frame.0 as usize >= a.session.recording().stacks.frame_count() {
        return Vec::new();
    }
    let keys = Keys::stacks([a.session, b.session], how, &mut Lines::default());
    let line = keys[0].frame_line(frame);
    let stacks = &b.session.recording().stacks;
    let same = |frame: &FrameId| keys[1].frame_line(*frame) == line;
    let mut found: Vec<FrameId> =
        (0..stacks.frame_count() as u32).map(FrameId).filter(same).collect();
    if found.len() > 1 {
        let through = bytes_by_frame(b, &found);
        found.sort_by_key(|frame| (Reverse(through.get(&frame.0).copied().unwrap_or(0)), frame.0));
    }
    found
}

/// All bytes ever allocated with each stack of the recording.
fn bytes_by_stack(on: OnDevice<'_>) -> Vec<u64> {
    let blocks = &on.table().blocks;
    let mut bytes = vec![0_u64; on.session.recording().stacks.len()];
    for (row, stack) in blocks.stack().iter().enumerate() {
        if let Some(bytes) = bytes.get_mut(*stack as usize) {
            *bytes = bytes.saturating_add(blocks.size()[row]);
        }
    }
    bytes
}

/// All bytes ever allocated through each of `frames`.
fn bytes_by_frame(on: OnDevice<'_>, frames: &[FrameId]) -> HashMap<u32, u64> {
    let stacks = &on.session.recording().stacks;
    let mut found: HashMap<u32, u64> = frames.iter().map(|frame| (frame.0, 0)).collect();
    for (row, bytes) in bytes_by_stack(on).into_iter().enumerate().filter(|(_, bytes)| *bytes > 0) {
        // A function that calls itself is in its stack several times.
        let through: BTreeSet<u32> =
            stacks.frame_ids(StackId(row as u32)).iter().copied().collect();
        for frame in through {
            if let Some(sum) = found.get_mut(&frame) {
                *sum = sum.saturating_add(bytes);
            }
        }
    }
    found
}

fn by_stack(
    a: OnDevice<'_>,
    block: BlockId,
    b: OnDevice<'_>,
    how: Match,
) -> Result<Counterpart, Unmatched> {
    let stack = stack_of(a, block).ok_or(Unmatched::Unrecorded)?;
    let [here, there] = same_stacks(a, stack, b, how);
    let rows = |on: OnDevice<'_>, alike: &[bool]| -> Vec<u32> {
        let is_alike = |stack: u32| alike.get(stack as usize).copied().unwrap_or(false);
        let stacks = on.table().blocks.stack().iter().enumerate();
        stacks.filter(|(_, stack)| is_alike(**stack)).map(|(row, _)| row as u32).collect()
    };
    nth(block, &rows(a, &here), &rows(b, &there), Alike::Stack)
}

/// Which stacks of each side are the same as the one in row `stack` of `a`.
pub(super) fn same_stacks(
    a: OnDevice<'_>,
    stack: u32,
    b: OnDevice<'_>,
    how: Match,
) -> [Vec<bool>; 2] {
    let keys = Keys::stacks([a.session, b.session], how, &mut Lines::default());
    let key = keys[0].key(stack);
    let same = |on: OnDevice<'_>, keys: &Keys<'_>| {
        let count = on.session.recording().stacks.len() as u32;
        (0..count).map(|row| row != 0 && keys.key(row) == key).collect()
    };
    [same(a, &keys[0]), same(b, &keys[1])]
}

fn by_owner(a: OnDevice<'_>, block: BlockId, b: OnDevice<'_>) -> Result<Counterpart, Unmatched> {
    let owner = owner_of(a, block).ok_or(Unmatched::Unrecorded)?;
    let mut lines = Lines::default();
    let keys = [Keys::owners(a, &mut lines), Keys::owners(b, &mut lines)];
    let [Some(here), Some(there)] = keys else { return Err(Unmatched::Unrecorded) };
    let key = here.key(owner);
    let rows = |on: OnDevice<'_>, keys: &Keys<'_>| -> Vec<u32> {
        let owners = on.table().track.as_deref().map_or(&[][..], |track| &track.owner);
        let is_of = |(_, owner): &(usize, &u32)| keys.key(**owner) == key;
        owners.iter().enumerate().filter(is_of).map(|(row, _)| row as u32).collect()
    };
    nth(block, &rows(a, &here), &rows(b, &there), Alike::Owner)
}

/// Blocks lie in the order of their allocation.
fn nth(block: BlockId, here: &[u32], there: &[u32], how: Alike) -> Result<Counterpart, Unmatched> {
    let (row, places, counts) = as_late(block.0, here, there).ok_or(Unmatched::Unknown)?;
    Ok(Counterpart { block: BlockId(row), how, places, counts })
}

/// The row of `there` that comes as late as `row` does in `here`, the last where there are fewer;
/// the places of both, and how many there are. Rows are sorted.
pub(super) fn as_late(row: u32, here: &[u32], there: &[u32]) -> Option<(u32, [u32; 2], [u32; 2])> {
    let place = here.partition_point(|one| *one < row);
    let nearest = place.min(there.len().checked_sub(1)?);
    let counts = [here.len() as u32, there.len() as u32];
    Some((there[nearest], [place as u32, nearest as u32], counts))
}
