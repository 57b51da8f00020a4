//! What one stack, one frame or one owner holds: in all, at a moment, and over time.
//!
//! Start at [`OnDevice::holder`]: it finds which blocks are meant once, and what it returns is
//! asked for totals, for columns over the axis, and for what makes the blocks stand out.

use crate::{Amount, OnDevice, Peak, Session};
use index::Curve;
use layout::{Axis, Lit, stretches};
use model::{BlockId, Blocks, Counter, FrameId, StackId, State};
use std::sync::Arc;

/// Something that blocks have in common about their allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Holder {
    /// Their whole stack.
    Stack(StackId),
    /// A frame somewhere in their stack.
    Frame(FrameId),
    /// Their owner in a dump, by its whole path, or one below it.
    Owner(String),
}

/// The blocks of a [`Holder`] on one device.
#[derive(Debug)]
pub struct HeldBy<'a> {
    on: OnDevice<'a>,
    /// By block: row of its stack or its owner.
    of: &'a [u32],
    meant: Meant,
}

/// Rows of stacks or of owners.
#[derive(Debug)]
enum Meant {
    Stack(u32),
    Stacks(Vec<bool>),
    Owners(Vec<bool>),
}

impl Meant {
    fn has(&self, row: u32) -> bool {
        match self {
            Self::Stack(one) => row == *one,
            Self::Stacks(marked) | Self::Owners(marked) => {
                marked.get(row as usize).copied().unwrap_or(false)
            }
        }
    }
}

/// What a holder holds, and held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HolderTotals {
    /// In the whole recording.
    pub all: Amount,
    /// Allocated at the moment asked for.
    pub now: Amount,
    /// Allocated when the allocated total of the device peaks.
    pub at_peak: Amount,
    /// Never freed.
    pub unfreed: Amount,
    /// The largest block, the first of several.
    pub largest: Option<BlockId>,
    /// Events of the device with the stack, or with a stack that has the frame; `None` of owners.
    pub events: Option<u32>,
}

impl HolderTotals {
    /// Counts all of `other` in, of the amounts; the largest block and the events are of one alone.
    pub fn join(&mut self, other: &Self) {
        self.all.join(other.all);
        self.now.join(other.now);
        self.at_peak.join(other.at_peak);
        self.unfreed.join(other.unfreed);
    }
}

/// What a holder holds over a stretch of the axis, a value a column.
#[derive(Debug, Clone, PartialEq)]
pub struct HolderColumns {
    /// Left edges in pixels, and the last one's right edge: one more than there are columns.
    pub edge: Vec<f32>,
    /// Fewest allocated bytes over all states that the column covers.
    pub least: Vec<u64>,
    /// Most allocated bytes likewise.
    pub most: Vec<u64>,
    /// The first state of the column that has the most.
    pub at: Vec<State>,
    /// The most in all of the recording, and when that is first reached.
    pub peak: Peak,
}

impl Session {
    /// For each stack: whether `frame` is in it.
    fn stacks_through(&self, frame: FrameId) -> Vec<bool> {
        let stacks = &self.recording().stacks;
        let has = |row| stacks.frame_ids(StackId(row)).contains(&frame.0);
        (0..stacks.len() as u32).map(has).collect()
    }

    fn has_stack(&self, stack: StackId) -> bool {
        let stacks = &self.recording().stacks;
        (stack.0 as usize) < stacks.len() && !stacks.frame_ids(stack).is_empty()
    }

    fn has_frame(&self, frame: FrameId) -> bool {
        (frame.0 as usize) < self.recording().stacks.frame_count()
    }
}

impl<'a> OnDevice<'a> {
    /// For each of the recording's stacks: whether blocks with it are of `holder`. Of an owner, or
    /// of what the recording does not know, none are.
    pub fn stacks_of(self, holder: &Holder) -> Arc<[bool]> {
        let stacks = self.session.recording().stacks.len();
        match holder {
            Holder::Stack(stack) if self.session.has_stack(*stack) => {
                (0..stacks).map(|row| row == stack.row()).collect()
            }
            Holder::Frame(frame) => self.session.stacks_through(*frame).into(),
            Holder::Stack(_) | Holder::Owner(_) => vec![false; stacks].into(),
        }
    }

    /// The blocks of `holder`; `None` where the recording knows no such thing.
    pub fn holder(self, holder: &Holder) -> Option<HeldBy<'a>> {
        let stacks = self.table().blocks.stack();
        let (of, meant) = match holder {
            Holder::Stack(stack) if self.session.has_stack(*stack) => {
                (stacks, Meant::Stack(stack.0))
            }
            Holder::Frame(frame) if self.session.has_frame(*frame) => {
                (stacks, Meant::Stacks(self.session.stacks_through(*frame)))
            }
            Holder::Owner(tag) => {
                let owners: &[u32] = &self.table().track.as_deref()?.owner;
                (owners, Meant::Owners(self.owners_below(tag)))
            }
            _ => return None,
        };
        Some(HeldBy { on: self, of, meant })
    }
}

/// Takes blocks of a device into totals.
pub(crate) struct Counting<'a> {
    blocks: &'a Blocks,
    born: &'a [u32],
    released: &'a [u32],
    size: &'a [u64],
    now: u32,
    peak: u32,
}

impl<'a> Counting<'a> {
    /// Totals of which `now` is at `state`.
    pub(crate) fn new(on: OnDevice<'a>, state: State) -> Self {
        let blocks = &on.table().blocks;
        let (born, released, size) = (blocks.born(), blocks.released(), blocks.size());
        let peak = on.peak_state(Counter::Allocated).0;
        Self { blocks, born, released, size, now: state.0, peak }
    }

    /// Counts block `row` in.
    pub(crate) fn add(&self, to: &mut HolderTotals, row: usize) {
        let is_there = |at: u32| self.born[row] <= at && at < self.released[row];
        to.all.add(self.blocks, row);
        if is_there(self.now) {
            to.now.add(self.blocks, row);
        }
        if is_there(self.peak) {
            to.at_peak.add(self.blocks, row);
        }
        if self.released[row] == Blocks::NEVER {
            to.unfreed.add(self.blocks, row);
        }
        if to.largest.is_none_or(|largest| self.size[largest.row()] < self.size[row]) {
            to.largest = Some(BlockId(row as u32));
        }
    }
}

impl HeldBy<'_> {
    /// Whether block `row` is one of them.
    pub fn holds(&self, row: usize) -> bool {
        self.meant.has(self.of[row])
    }

    /// What makes them stand out.
    pub fn lit(&self) -> Lit {
        match &self.meant {
            Meant::Stack(stack) => Lit::Of(StackId(*stack)),
            Meant::Stacks(_) | Meant::Owners(_) => {
                Lit::marked(self.on.table().blocks.len(), |row| self.holds(row))
            }
        }
    }

    /// How many stacks it is; `None` of owners.
    pub fn stacks(&self) -> Option<u32> {
        match &self.meant {
            Meant::Stack(_) => Some(1),
            Meant::Stacks(marked) => Some(marked.iter().filter(|is_one| **is_one).count() as u32),
            Meant::Owners(_) => None,
        }
    }

    /// Their totals, `now` being at `state`: one pass over blocks and events.
    pub fn totals(&self, state: State) -> HolderTotals {
        let table = self.on.table();
        let counting = Counting::new(self.on, state);
        let mut found = HolderTotals::default();
        for row in (0..counting.born.len()).filter(|row| self.holds(*row)) {
            counting.add(&mut found, row);
        }
        found.events = match &self.meant {
            Meant::Owners(_) => None,
            meant => {
                let stacks = table.events.stack.iter();
                Some(stacks.filter(|stack| meant.has(**stack)).count() as u32)
            }
        };
        found
    }

    /// What they hold from `x.0` to `x.1` of the axis in `width_px` pixels.
    ///
    /// Bounded by the pixels; one pass over all blocks.
    pub fn columns(&self, axis: Axis, x: (f64, f64), width_px: u32) -> HolderColumns {
        let curve = Curve::allocated(&self.on.table().blocks, |row| self.holds(row));
        let columns = stretches(self.on.table(), axis, x, width_px);
        let peaks: Vec<index::Peak> =
            columns.states.iter().map(|states| curve.peak(states)).collect();
        let whole = curve.peak(&(State(0)..State(self.on.last_state().0 + 1)));
        HolderColumns {
            edge: columns.edge,
            least: peaks.iter().map(|peak| peak.least).collect(),
            most: peaks.iter().map(|peak| peak.most).collect(),
            at: peaks.iter().map(|peak| peak.at).collect(),
            peak: Peak { bytes: whole.most, at: whole.at, time_ns: self.on.time_ns(whole.at) },
        }
    }
}
