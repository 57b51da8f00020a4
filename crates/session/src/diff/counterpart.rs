//! What in one recording stands for a block or a stack of another.

use super::keys::{Keys, Lines};
use super::{Match, owner_of, stack_of};
use crate::OnDevice;
use model::{BlockId, StackId};
use std::cmp::Reverse;

/// By what two blocks are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    /// Their stacks.
    Stack,
    /// Their owners.
    Owner,
}

/// Why nothing stands for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmatched {
    /// Of the block neither a stack nor an owner is recorded that the other side could have.
    Unrecorded,
    /// The other side has no block of its stack, nor of its owner.
    Unknown,
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
            Err(Unmatched::Unrecorded) => {}
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
    let blocks = &b.table().blocks;
    let mut bytes = vec![0_u64; there.len()];
    for (row, stack) in blocks.stack().iter().enumerate() {
        if let Some(bytes) = bytes.get_mut(*stack as usize) {
            *bytes = bytes.saturating_add(blocks.size()[row]);
        }
    }
    let mut found: Vec<StackId> =
        (0..there.len() as u32).filter(|row| there[*row as usize]).map(StackId).collect();
    found.sort_by_key(|stack| (Reverse(bytes[stack.0 as usize]), stack.0));
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
fn same_stacks(a: OnDevice<'_>, stack: u32, b: OnDevice<'_>, how: Match) -> [Vec<bool>; 2] {
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
    let place = here.partition_point(|row| *row < block.0);
    let last = there.len().checked_sub(1).ok_or(Unmatched::Unknown)?;
    let nearest = place.min(last);
    Ok(Counterpart {
        block: BlockId(there[nearest]),
        how,
        places: [place as u32, nearest as u32],
        counts: [here.len() as u32, there.len() as u32],
    })
}
