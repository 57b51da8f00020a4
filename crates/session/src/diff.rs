//! The difference of two moments: of two recordings, of two devices, or of one.
//!
//! Start at [`diff`]. Every byte that is held at either moment is in exactly one [`DifferenceRow`],
//! so the rows add up to both wholes; what only one side knows is a row like any other.

mod counterpart;
mod keys;
mod like_event;
mod like_segment;
mod steps;

use crate::{Amount, OnDevice, summary::COUNTERS};
use keys::{Keys, Lines};
use model::{BlockId, StackId, State};
use std::cmp::Reverse;
use std::collections::HashMap;

pub use counterpart::{Alike, Counterpart, Unmatched, counterpart, same_frame_in, same_stack_in};
pub use like_event::{EventCounterpart, event_counterpart};
pub use like_segment::{SegmentAlike, SegmentCounterpart, segment_counterpart};
pub use steps::{AlignedSteps, StepDifference, StepPeaks, StepPlace, aligned_steps};

/// How much of two stacks has to be alike for them to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// File, line and function of every frame.
    Exact,
    /// File and function of every frame.
    FileFunction,
    /// The function of every frame.
    Function,
}

/// What a row of a difference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Who allocated.
    Stack(Match),
    /// Who owns, as a dump says it.
    Owner,
}

/// What two moments hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What a row stands for.
    pub by: By,
    /// Both sides.
    pub sides: [DifferenceSide; 2],
    /// The largest change of bytes first, then the largest sum; unchanged ones are among them.
    pub rows: Vec<DifferenceRow>,
    /// Steps of both, by number.
    pub steps: Vec<StepDifference>,
    /// Steps of one side that the other has not, or whose beginning is not in its file.
    pub lonely_steps: [Vec<String>; 2],
    lines: Lines,
}

/// One side of a [`Difference`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferenceSide {
    /// The moment.
    pub state: State,
    /// Its event's time, nanoseconds since the recording's zero.
    pub time_ns: Option<i64>,
    /// All that holds memory then: allocated, or its free not completed.
    pub live: Amount,
    /// Allocated, active, reserved then.
    pub totals: [u64; 3],
}

/// What one stack or owner holds on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferenceRow {
    /// Places of its lines; `None`: blocks of which no stack or owner is recorded.
    key: Option<Box<[u32]>>,
    /// What it holds on each side.
    pub amounts: [Amount; 2],
    /// Its largest block on each side; of several, the first.
    pub largest: [Option<BlockId>; 2],
    /// Whether each side's recording knows such a stack or owner, at whatever moment.
    pub is_known: [bool; 2],
    /// Place among its lines of the frame that tells most about who allocated.
    pub top_line: Option<usize>,
}

impl DifferenceRow {
    /// Bytes on the second side less those on the first.
    pub fn change(&self) -> i64 {
        change(self.amounts)
    }

    /// Whether the sides hold the same, in bytes and in blocks.
    pub fn is_unchanged(&self) -> bool {
        self.amounts[0] == self.amounts[1]
    }
}

impl Difference {
    /// The lines of a row's stack, innermost first, or its owner; `None`: not recorded.
    pub fn lines(&self, row: &DifferenceRow) -> Option<Vec<&str>> {
        let key = row.key.as_deref()?;
        Some(key.iter().map(|line| self.lines.text(*line)).collect())
    }

    /// Bytes held on the second side less those on the first.
    pub fn change(&self) -> i64 {
        change([self.sides[0].live, self.sides[1].live])
    }

    fn sort(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_cached_key(|row| {
            let [a, b] = row.amounts.map(|amount| amount.size);
            let lines = self.lines(row).map(|lines| lines.join("\n"));
            (Reverse(row.change().unsigned_abs()), Reverse(a.saturating_add(b)), lines)
        });
        self.rows = rows;
    }
}

fn change([a, b]: [Amount; 2]) -> i64 {
    b.size.wrapping_sub(a.size) as i64
}

/// What `a` holds at `at_a` beside what `b` holds at `at_b`, moments clamped to the recordings;
/// `None` by owner when one of them is a snapshot's, which knows no owners.
pub fn diff(
    a: OnDevice<'_>,
    at_a: State,
    b: OnDevice<'_>,
    at_b: State,
    by: By,
) -> Option<Difference> {
    let (on, mut lines) = ([a, b], Lines::default());
    let keys = match by {
        By::Stack(how) => Keys::stacks(on.map(|on| on.session), how, &mut lines),
        By::Owner => [Keys::owners(a, &mut lines)?, Keys::owners(b, &mut lines)?],
    };
    let states = [at_a.min(a.last_state()), at_b.min(b.last_state())];
    let mut rows: Vec<DifferenceRow> = Vec::new();
    let mut row_of: HashMap<Option<Box<[u32]>>, usize> = HashMap::new();
    for (side, (on, state)) in on.into_iter().zip(states).enumerate() {
        let sizes = on.table().blocks.size();
        for Group { source, amount, largest } in grouped(on, on.held_at(state), by) {
            let key = source.map(|source| keys[side].key(source));
            let row = *row_of.entry(key.clone()).or_insert_with(|| {
                let top_line = source.and_then(|source| top_line(on, source, by));
                rows.push(DifferenceRow {
                    key,
                    amounts: Default::default(),
                    largest: [None; 2],
                    is_known: [true; 2],
                    top_line,
                });
                rows.len() - 1
            });
            rows[row].amounts[side].join(amount);
            let kept = &mut rows[row].largest[side];
            let is_larger = |kept: BlockId| sizes[largest.row()] > sizes[kept.row()];
            if kept.is_none_or(is_larger) {
                *kept = Some(largest);
            }
        }
    }
    for (side, keys) in keys.iter().enumerate() {
        let known = keys.all();
        for row in &mut rows {
            row.is_known[side] = row.key.as_ref().is_none_or(|key| known.contains(key));
        }
    }
    let sides = [side(a, states[0]), side(b, states[1])];
    let AlignedSteps { steps, lonely } = aligned_steps(a, b);
    let mut difference = Difference { by, sides, rows, steps, lonely_steps: lonely, lines };
    difference.sort();
    Some(difference)
}

/// Where in the stack in row `source` its telling frame is.
fn top_line(on: OnDevice<'_>, source: u32, by: By) -> Option<usize> {
    match by {
        By::Stack(_) => {
            let top = on.session.top_frame(StackId(source))?.frame.0;
            let frames = on.session.recording().stacks.frame_ids(StackId(source));
            frames.iter().position(|frame| *frame == top)
        }
        By::Owner => Some(0),
    }
}

fn side(on: OnDevice<'_>, state: State) -> DifferenceSide {
    let table = on.table();
    let mut live = Amount::default();
    for block in on.held_at(state) {
        live.add(&table.blocks, block.row());
    }
    let totals = COUNTERS.map(|counter| table.counters.at(counter, state));
    DifferenceSide { state, time_ns: on.time_ns(state), live, totals }
}

/// What one stack or owner of a recording holds.
struct Group {
    /// Its row in its own recording; `None` of what says nothing.
    source: Option<u32>,
    amount: Amount,
    /// Its largest block; of several, the first.
    largest: BlockId,
}

/// What each stack or owner of `held` holds.
fn grouped(on: OnDevice<'_>, held: Vec<BlockId>, by: By) -> Vec<Group> {
    let blocks = &on.table().blocks;
    let (mut found, mut place_of): (Vec<Group>, _) = (Vec::new(), HashMap::new());
    for block in held {
        let source = match by {
            By::Stack(_) => stack_of(on, block),
            By::Owner => owner_of(on, block),
        };
        let place = *place_of.entry(source).or_insert_with(|| {
            found.push(Group { source, amount: Amount::default(), largest: block });
            found.len() - 1
        });
        let group = &mut found[place];
        group.amount.add(blocks, block.row());
        if blocks.size()[block.row()] > blocks.size()[group.largest.row()] {
            group.largest = block;
        }
    }
    found
}

/// The row of the stack that allocated `block`, where one is recorded.
fn stack_of(on: OnDevice<'_>, block: BlockId) -> Option<u32> {
    // Row 0 is the empty stack.
    on.table().blocks.get(block).stack.map(|stack| stack.0).filter(|row| *row != 0)
}

/// The row of the owner of `block`, where one is recorded.
fn owner_of(on: OnDevice<'_>, block: BlockId) -> Option<u32> {
    on.owner(block)?;
    on.table().track.as_deref()?.owner.get(block.row()).copied()
}
