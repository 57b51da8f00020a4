//! All rows of an order.
//!
//! Keys are made as short as they go (least becomes 0, shared trailing zeros go), put side by side
//! with the row's place in one number, and sorted; as many columns at once as fit 64 bits, from
//! the last column to the first.

use crate::scan::Scan;
use crate::set::ones;
use crate::{Direction, Rows, Shape};
use job::{Cancelled, Progress};
use rayon::prelude::*;

/// How one column's keys are made short.
#[derive(Debug, Clone, Copy)]
struct Short {
    shape: Shape,
    direction: Direction,
    least: u64,
    /// Trailing zeros of all differences.
    zeros: u32,
    /// What empty cells get: one more than the most.
    last: u64,
}

impl Short {
    fn of(self, key: u64) -> u64 {
        match self.shape.ordered(key, self.direction) {
            u64::MAX => self.last,
            key => (key - self.least) >> self.zeros,
        }
    }
}

/// Some bits of a column's short keys.
#[derive(Debug, Clone, Copy)]
struct Part {
    level: usize,
    short: Short,
    from: u32,
    bits: u32,
}

impl Part {
    fn of(&self, key: u64) -> u64 {
        self.short.of(key) >> self.from & (u64::MAX >> (64 - self.bits))
    }
}

/// Every member of the scan's set in its order.
pub(crate) fn all<R: Rows>(scan: &Scan<'_, R>) -> Result<Vec<u32>, Cancelled> {
    let place_bits = 32 - scan.rows.len().leading_zeros();
    let groups = groups(&parts(scan, 64 - place_bits)?, 64 - place_bits);
    // Places among the members, in the order of the columns so far.
    let mut order: Option<Vec<u32>> = None;
    for (at, group) in groups.iter().enumerate() {
        let total = groups.len() as u64;
        scan.job.step(Progress { stage: "sorting", done: at as u64, total })?;
        let mut packed = packed(scan, group, place_bits)?;
        if let Some(order) = &order {
            packed = rearranged(&packed, order, place_bits);
        }
        // A radix sort of ours took as much time of the processor, twice the room, and longer.
        packed.par_sort_unstable();
        let place = |packed: u64| (packed & ((1 << place_bits) - 1)) as usize;
        order = Some(match order {
            None => packed.into_par_iter().map(|packed| place(packed) as u32).collect(),
            Some(order) => packed.into_par_iter().map(|packed| order[place(packed)]).collect(),
        });
    }
    let members: Vec<u32> = scan.set.members().collect();
    Ok(match order {
        None => members,
        Some(order) => order.into_par_iter().map(|place| members[place as usize]).collect(),
    })
}

/// The columns of the order as parts of at most `most` bits, the most significant first; a column
/// that is the same everywhere has none.
fn parts<R: Rows>(scan: &Scan<'_, R>, most: u32) -> Result<Vec<Part>, Cancelled> {
    let mut parts = Vec::new();
    for level in 0..scan.order.len() {
        let short = short(scan, level)?;
        let mut rest = 64 - short.last.leading_zeros();
        while rest > 0 {
            let bits = rest.min(most);
            rest -= bits;
            parts.push(Part { level, short, from: rest, bits });
        }
    }
    Ok(parts)
}

/// Neighbouring parts that fit `most` bits together; the least significant group first.
fn groups(parts: &[Part], most: u32) -> Vec<Vec<Part>> {
    let mut groups: Vec<Vec<Part>> = Vec::new();
    for part in parts.iter().rev() {
        let fits = |group: &&mut Vec<Part>| {
            group.iter().map(|part| part.bits).sum::<u32>() + part.bits <= most
        };
        match groups.last_mut().filter(fits) {
            Some(group) => group.insert(0, *part),
            None => groups.push(vec![*part]),
        }
    }
    groups
}

/// What is met among the keys of a column.
#[derive(Clone, Copy)]
struct Met {
    least: u64,
    most: u64,
    /// Bits that differ from the first key, by difference.
    differ: u64,
    last: bool,
}

fn short<R: Rows>(scan: &Scan<'_, R>, level: usize) -> Result<Short, Cancelled> {
    let (column, direction) = scan.order[level];
    let shape = scan.rows.shape(column);
    let nothing = || Met { least: u64::MAX, most: 0, differ: 0, last: false };
    if scan.set.count() == 0 {
        return Ok(Short { shape, direction, least: 0, zeros: 0, last: 0 });
    }
    let first = scan.key(level, scan.set.select(0), &mut Vec::new());
    let include = |met: &mut Met, chunk: usize, keys: &[u64]| {
        for at in ones(scan.set.words(chunk)) {
            match shape.ordered(keys[at], direction) {
                u64::MAX => met.last = true,
                key => {
                    met.least = met.least.min(key);
                    met.most = met.most.max(key);
                    met.differ |= if first == u64::MAX { 1 } else { key.wrapping_sub(first) };
                }
            }
        }
    };
    let join = |one: Met, other: Met| Met {
        least: one.least.min(other.least),
        most: one.most.max(other.most),
        differ: one.differ | other.differ,
        last: one.last || other.last,
    };
    let met = scan.fold(column, nothing, include, join)?;
    if met.least > met.most {
        return Ok(Short { shape, direction, least: 0, zeros: 0, last: 0 });
    }
    let zeros = met.differ.trailing_zeros().min(63);
    let last = ((met.most - met.least) >> zeros) + u64::from(met.last);
    Ok(Short { shape, direction, least: met.least, zeros, last })
}

/// `group`'s parts of every member in one number, its place among them below.
fn packed<R: Rows>(
    scan: &Scan<'_, R>,
    group: &[Part],
    place_bits: u32,
) -> Result<Vec<u64>, Cancelled> {
    let mut packed = vec![0; scan.set.count() as usize];
    let mut rest = packed.as_mut_slice();
    let (mut stretches, mut start) = (Vec::new(), 0);
    for chunk in scan.set.chunks() {
        let (stretch, after) = rest.split_at_mut(scan.set.count_in(chunk));
        let len = stretch.len();
        stretches.push((chunk, start, stretch));
        (rest, start) = (after, start + len);
    }
    stretches.into_par_iter().with_min_len(8).try_for_each(|(chunk, start, stretch)| {
        scan.job.check()?;
        let mut keys = Vec::new();
        for part in group {
            let column = scan.order[part.level].0;
            scan.rows.keys(column, scan.cursor, scan.set.rows(chunk), &mut keys);
            for (slot, at) in stretch.iter_mut().zip(ones(scan.set.words(chunk))) {
                *slot = *slot << part.bits | part.of(keys[at]);
            }
        }
        for (slot, place) in stretch.iter_mut().zip(start..) {
            *slot = *slot << place_bits | place as u64;
        }
        Ok(())
    })?;
    Ok(packed)
}

/// `packed` of the members in `order`, with the place in `order` below.
fn rearranged(packed: &[u64], order: &[u32], place_bits: u32) -> Vec<u64> {
    let places = order.par_iter().enumerate();
    let parts = |member: u32| packed[member as usize] >> place_bits << place_bits;
    places.map(|(place, member)| parts(*member) | place as u64).collect()
}
