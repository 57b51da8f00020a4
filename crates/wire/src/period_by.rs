//! What happened in a period, by stack or owner, as an answer.

use crate::event::state;
use crate::{Amount, Holder, Number, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::{HolderChange, Session, StackId};
use specta::Type;
use std::cmp::Reverse;

/// Lines of a stack that travel at most.
const MOST_LINES: usize = 48;
/// Rows one answer holds at most.
const MOST_ROWS: u32 = 1000;

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PeriodBy {
    /// A stack.
    Stack,
    /// An owner; for dumps.
    Owner,
}

/// What decides which rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PeriodOrder {
    /// The largest change of allocated bytes, up or down.
    Change,
    /// The most bytes allocated in it.
    Allocated,
    /// The most bytes allocated in it and not freed in it.
    Unfreed,
}

/// Who did what from event `from` to event `to`, both included?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct PeriodByQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// First event.
    #[specta(type = Number)]
    pub from: f64,
    /// Last event.
    #[specta(type = Number)]
    pub to: f64,
    /// What a row stands for.
    pub by: PeriodBy,
    /// Which rows come first; those without any of it are not listed.
    pub order: PeriodOrder,
    /// How many rows are wanted.
    pub top: u32,
}

/// What blocks did in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PeriodAmounts {
    /// Allocated right before it.
    pub before: Amount,
    /// Allocated right after it.
    pub after: Amount,
    /// Allocated by its events.
    pub allocated: Amount,
    /// Of them, not freed by its events.
    pub unfreed: Amount,
    /// Bytes of `after` less those of `before`.
    #[specta(type = Number)]
    pub change: i64,
    /// Blocks likewise.
    #[specta(type = Number)]
    pub change_count: i64,
}

/// What the blocks of one stack or owner did in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PeriodByRow {
    /// Whose; absent: blocks of which none is recorded.
    pub holder: Option<Holder>,
    /// The frame that tells most about who allocated, or the owner; absent likewise.
    pub name: Option<String>,
    /// Lines of the stack, innermost first; of a long one the first 48.
    pub lines: Vec<String>,
    /// What they did.
    pub amounts: PeriodAmounts,
}

/// Rows of a period, and what they add up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PeriodByAnswer {
    /// In the order asked for.
    pub rows: Vec<PeriodByRow>,
    /// How many more there are.
    pub rest_rows: u32,
    /// What those did together.
    pub rest: PeriodAmounts,
    /// What all did together.
    pub whole: PeriodAmounts,
}

/// Who did what in a period.
pub fn period_by(
    session: &Session,
    question: &PeriodByQuestion,
) -> Result<PeriodByAnswer, WireError> {
    let on = error::device(session, question.device)?;
    let (from, to) = (question.from.min(question.to), question.from.max(question.to));
    let found = on.period_by(state(on, from - 1.0), state(on, to), holders_by(question.by));
    let mut found = found.ok_or_else(WireError::no_owners)?;
    let weight = |row: &HolderChange| match question.order {
        PeriodOrder::Change => row.change().unsigned_abs(),
        PeriodOrder::Allocated => row.allocated.size,
        PeriodOrder::Unfreed => row.unfreed.size,
    };
    // Sorting is stable, and rows come in the order of their first blocks.
    found.sort_by_key(|row| Reverse((weight(row), row.allocated.size.max(row.before.size))));
    let listed = found.partition_point(|row| weight(row) > 0);
    let (listed, rest) = found.split_at(listed.min(question.top.min(MOST_ROWS) as usize));
    Ok(PeriodByAnswer {
        rows: listed.iter().map(|listed| row(session, listed)).collect(),
        rest_rows: rest.len() as u32,
        rest: amounts(&sum(rest)),
        whole: amounts(&sum(&found)),
    })
}

fn sum(rows: &[HolderChange]) -> HolderChange {
    rows.iter().fold(HolderChange::default(), |mut sum, row| {
        sum.join(row);
        sum
    })
}

fn row(session: &Session, found: &HolderChange) -> PeriodByRow {
    let (name, lines) = named(session, found.holder.as_ref());
    PeriodByRow {
        holder: found.holder.clone().map(Into::into),
        name,
        lines,
        amounts: amounts(found),
    }
}

/// What a row is called, and the lines of its stack.
pub(crate) fn named(
    session: &Session,
    holder: Option<&session::Holder>,
) -> (Option<String>, Vec<String>) {
    match holder {
        Some(session::Holder::Stack(stack)) => {
            let (user, other) = names::top_frame(session, session.top_frame(*stack));
            (user.or(other), lines(session, *stack))
        }
        Some(session::Holder::Owner(tag)) => (Some(tag.clone()), Vec::new()),
        Some(session::Holder::Frame(_)) | None => (None, Vec::new()),
    }
}

pub(crate) fn holders_by(by: PeriodBy) -> session::HoldersBy {
    match by {
        PeriodBy::Stack => session::HoldersBy::Stack,
        PeriodBy::Owner => session::HoldersBy::Owner,
    }
}

fn lines(session: &Session, stack: StackId) -> Vec<String> {
    let frames = session.recording().stacks.frames(stack).take(MOST_LINES);
    frames.map(|(id, _)| session.frame_line(id)).collect()
}

fn amounts(found: &HolderChange) -> PeriodAmounts {
    PeriodAmounts {
        before: found.before.into(),
        after: found.after.into(),
        allocated: found.allocated.into(),
        unfreed: found.unfreed.into(),
        change: found.change(),
        change_count: i64::from(found.after.count) - i64::from(found.before.count),
    }
}
