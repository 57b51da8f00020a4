//! What a track holds in vain: blocks allocated early, freed late, or idle for long.

use crate::table::{DumpBlockRows, Flags, Thresholds, Use};
use crate::{Amount, OnDevice, TopFrame};
use job::{Cancelled, Job};
use layout::Lit;
use model::{BlockId, StackId};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::PoisonError;

/// Blocks that are inefficient, and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waste {
    /// The blocks.
    pub amount: Amount,
    /// Nanoseconds that each was not used for too long, in all.
    pub unused_ns: u128,
    /// Their bytes times these nanoseconds.
    pub byte_ns: u128,
}

impl Waste {
    /// Bytes times seconds.
    pub fn byte_seconds(&self) -> f64 {
        self.byte_ns as f64 / 1e9
    }

    fn add(&mut self, amount: Amount, unused_ns: i64) {
        let unused = u128::from(unused_ns.max(0).unsigned_abs());
        self.amount.count += amount.count;
        self.amount.requested = self.amount.requested.saturating_add(amount.requested);
        self.amount.size = self.amount.size.saturating_add(amount.size);
        self.unused_ns = self.unused_ns.saturating_add(unused);
        let byte_ns = unused.saturating_mul(amount.size.into());
        self.byte_ns = self.byte_ns.saturating_add(byte_ns);
    }
}

/// What one owner's or one stack's blocks cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WasteOf<T> {
    /// Whose; `None`: not recorded.
    pub of: Option<T>,
    /// All of it.
    pub all: Waste,
    /// By [`Inefficiency`](crate::table::Inefficiency).
    pub each: [Waste; 3],
}

/// A block that is inefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WastefulBlock {
    /// Its row.
    pub id: BlockId,
    /// What people know it by.
    pub number: i64,
    /// When it was there and used.
    pub life: Use,
    /// How it is inefficient.
    pub flags: Flags,
    /// What it costs.
    pub waste: Waste,
    /// The frame that tells most about who allocated it.
    pub top_frame: Option<TopFrame>,
}

/// What a track holds in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wasted<'a> {
    /// Blocks of the track whose accesses are recorded: only these can be judged.
    pub accessed: u32,
    /// All inefficient blocks, each counted once.
    pub all: Waste,
    /// By [`Inefficiency`](crate::table::Inefficiency); a block can be in several.
    pub each: [Waste; 3],
    /// By owner, the most costly first.
    pub owners: Vec<WasteOf<&'a str>>,
    /// Owners there are.
    pub owner_count: usize,
    /// By stack, the most costly first.
    pub stacks: Vec<WasteOf<StackId>>,
    /// Stacks there are.
    pub stack_count: usize,
    /// The most costly blocks.
    pub blocks: Vec<WastefulBlock>,
}

impl<'a> OnDevice<'a> {
    /// What is inefficient by `thresholds`, of which the `top` most costly owners, stacks and
    /// blocks are listed; `None` in a snapshot.
    pub fn wasted(
        self,
        thresholds: Thresholds,
        top: usize,
        job: &Job,
    ) -> Result<Option<Wasted<'a>>, Cancelled> {
        let Some(rows) = self.dump_block_rows(thresholds, job)? else { return Ok(None) };
        let found = Tally::new(self, &rows, job)?;
        let (owners, owner_count) = found.owners(self, top);
        let (stacks, stack_count) = listed(found.stacks, top, |stack| {
            (*stack != 0 && *stack != u32::MAX).then_some(StackId(*stack))
        });
        let mut blocks = found.blocks;
        keep_first(&mut blocks, top, |one| (Reverse(one.waste.byte_ns), one.id));
        for block in &mut blocks {
            let stack = self.table().blocks.get(block.id).stack;
            block.top_frame = stack.and_then(|stack| self.session.top_frame(stack));
        }
        Ok(Some(Wasted {
            accessed: found.accessed,
            all: found.whole.all,
            each: found.whole.each,
            owners,
            owner_count,
            stacks,
            stack_count,
            blocks,
        }))
    }
}

impl OnDevice<'_> {
    /// The blocks that are inefficient by `thresholds`, to stand out in a picture; `None` in a
    /// snapshot. The answer is kept until it is asked for with others.
    pub fn inefficient_lit(self, thresholds: Thresholds) -> Option<Lit> {
        let (table, recording) = (self.table(), self.session.recording());
        let (track, dump) = (table.track.as_deref()?, recording.dump.as_deref()?);
        // A look at what is kept cannot leave it half changed.
        let mut kept = self.kept_lit().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, lit)) = kept.as_ref()
            && *of == thresholds
        {
            return Some(lit.clone());
        }
        let lit = Lit::marked(table.blocks.len(), |row| {
            !Use::of(table, track, &dump.rows, row).flags(&thresholds).is_none()
        });
        *kept = Some((thresholds, lit.clone()));
        Some(lit)
    }
}

/// Blocks with something in common.
#[derive(Clone, Copy, Default)]
struct Group {
    all: Waste,
    each: [Waste; 3],
}

/// Groups by what they have in common.
type Groups = HashMap<u32, Group>;

/// Sums over all blocks.
#[derive(Default)]
struct Tally {
    accessed: u32,
    whole: Group,
    owners: Groups,
    stacks: Groups,
    blocks: Vec<WastefulBlock>,
}

impl Tally {
    fn new(on: OnDevice<'_>, rows: &DumpBlockRows<'_>, job: &Job) -> Result<Self, Cancelled> {
        let table = on.table();
        let owners = table.track.as_deref().map(|track| &track.owner);
        let mut tally = Self::default();
        for row in 0..table.blocks.len() {
            if row % 4096 == 0 {
                job.check()?;
            }
            let (id, at) = (BlockId(row), row as usize);
            let life = rows.life(at);
            tally.accessed += u32::from(life.accessed_ns.is_some());
            let flags = rows.flags(at);
            if flags.is_none() {
                continue;
            }
            let mut amount = Amount::default();
            amount.add(&table.blocks, at);
            // The stretches do not overlap: before the first access, between two, after the last.
            let unused = flags.iter().map(|one| life.unused_ns(one)).sum();
            let mut waste = Waste::default();
            waste.add(amount, unused);
            let owner = owners.map_or(0, |owners| owners[at]);
            let stack = table.blocks.stack()[at];
            let owner = tally.owners.entry(owner).or_default();
            let stack = tally.stacks.entry(stack).or_default();
            for Group { all, each } in [&mut tally.whole, owner, stack] {
                all.add(amount, unused);
                for one in flags.iter() {
                    each[one as usize].add(amount, life.unused_ns(one));
                }
            }
            let number = rows.number(id);
            tally.blocks.push(WastefulBlock { id, number, life, flags, waste, top_frame: None });
        }
        Ok(tally)
    }

    fn owners<'a>(&self, on: OnDevice<'a>, top: usize) -> (Vec<WasteOf<&'a str>>, usize) {
        let recording = on.session.recording();
        let owners = recording.dump.as_deref().map_or(&[][..], |dump| &dump.owners);
        listed(self.owners.clone(), top, |owner| {
            let owner = owners.get(*owner as usize).filter(|_| *owner != 0)?;
            Some(recording.text(*owner))
        })
    }
}

/// The most costly of `groups`, and how many there are.
fn listed<T>(
    groups: Groups,
    top: usize,
    of: impl Fn(&u32) -> Option<T>,
) -> (Vec<WasteOf<T>>, usize) {
    let mut groups: Vec<_> = groups.into_iter().collect();
    let count = groups.len();
    keep_first(&mut groups, top, |(key, group)| {
        (Reverse((group.all.byte_ns, group.all.amount.size)), *key)
    });
    let listed = |(key, Group { all, each }): (u32, Group)| WasteOf { of: of(&key), all, each };
    (groups.into_iter().map(listed).collect(), count)
}

/// The first `count` of `list` by `key`, sorted.
fn keep_first<T, K: Ord>(list: &mut Vec<T>, count: usize, key: impl Fn(&T) -> K) {
    if count < list.len() {
        list.select_nth_unstable_by_key(count, &key);
        list.truncate(count);
    }
    list.sort_unstable_by_key(key);
}
