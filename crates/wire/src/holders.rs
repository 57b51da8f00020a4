//! Who holds memory, every stack or owner of a device beside the others, as an answer.

use crate::period_by::{holders_by, named};
use crate::{Amount, Holder, Number, PeriodBy, SizedBlock, StackTree, WireError, error};
use crate::{PeriodByAnswer, PeriodByQuestion, StackTreeQuestion, period_by, stack_tree};
use serde::{Deserialize, Serialize};
use session::{Counter, HolderRow, HolderTotals, OnDevice, Session, State};
use specta::Type;
use std::cmp::Reverse;

/// What decides which rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum HoldersOrder {
    /// The most bytes at the moment asked for.
    Now,
    /// The most bytes when the device's allocated total peaks.
    AtPeak,
    /// The most bytes never freed.
    Unfreed,
    /// The most bytes in the whole recording.
    All,
    /// The largest block.
    Largest,
}

/// What blocks hold, and held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct HolderAmounts {
    /// In the whole recording.
    pub all: Amount,
    /// Allocated at the moment asked for.
    pub now: Amount,
    /// Allocated when the device's allocated total peaks.
    pub at_peak: Amount,
    /// Never freed.
    pub unfreed: Amount,
}

/// What the blocks of one stack or owner hold, and held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct HoldersRow {
    /// Whose; absent: blocks of which none is recorded.
    pub holder: Option<Holder>,
    /// The frame that tells most about who allocated, or the owner; absent likewise.
    pub name: Option<String>,
    /// Lines of the stack, innermost first; of a long one the first 48.
    pub lines: Vec<String>,
    /// What they hold.
    pub amounts: HolderAmounts,
    /// The largest of them.
    pub largest: Option<SizedBlock>,
    /// Events of the device with the stack; absent of an owner.
    pub events: Option<u32>,
}

/// Rows of holders, and what they add up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Holders {
    /// Name of the device.
    pub device: String,
    /// What a row stands for.
    pub by: PeriodBy,
    /// The event right after which `now` is; −1: before the first.
    #[specta(type = Number)]
    pub event: i64,
    /// The event right after which the allocated bytes peak; −1 likewise.
    #[specta(type = Number)]
    pub peak_event: i64,
    /// In the order asked for.
    pub rows: Vec<HoldersRow>,
    /// How many more there are.
    pub rest_rows: u32,
    /// What those hold together.
    pub rest: HolderAmounts,
    /// What all hold together.
    pub whole: HolderAmounts,
}

/// Who holds memory on the device in row `device`, `now` being at `state`, the `top` rows first in
/// `order`; a row without any of it is not listed.
pub fn holders(
    session: &Session,
    device: u32,
    state: State,
    (by, order, top): (PeriodBy, HoldersOrder, usize),
) -> Result<Holders, WireError> {
    let on = error::device(session, device)?;
    let mut found = on.holders(state, holders_by(by)).ok_or_else(WireError::no_owners)?;
    let size =
        |row: &HolderRow| row.totals.largest.map_or(0, |block| on.table().blocks.get(block).size);
    let weight = |row: &HolderRow| match order {
        HoldersOrder::Now => row.totals.now.size,
        HoldersOrder::AtPeak => row.totals.at_peak.size,
        HoldersOrder::Unfreed => row.totals.unfreed.size,
        HoldersOrder::All => row.totals.all.size,
        HoldersOrder::Largest => size(row),
    };
    // Sorting is stable, and rows come in the order of their first blocks.
    found.sort_by_key(|row| Reverse((weight(row), row.totals.all.size)));
    let listed = found.partition_point(|row| weight(row) > 0);
    let (listed, rest) = found.split_at(listed.min(top));
    let event = |state: State| i64::from(state.0) - 1;
    Ok(Holders {
        device: on.name(),
        by,
        event: event(state),
        peak_event: event(on.peak_state(Counter::Allocated)),
        rows: listed.iter().map(|listed| row(session, on, listed)).collect(),
        rest_rows: rest.len() as u32,
        rest: sum(rest),
        whole: sum(&found),
    })
}

fn row(session: &Session, on: OnDevice<'_>, found: &HolderRow) -> HoldersRow {
    let (name, lines) = named(session, found.holder.as_ref());
    HoldersRow {
        holder: found.holder.clone().map(Into::into),
        name,
        lines,
        amounts: amounts(&found.totals),
        largest: found.totals.largest.map(|block| SizedBlock::new(on, block)),
        events: found.totals.events,
    }
}

fn sum(rows: &[HolderRow]) -> HolderAmounts {
    amounts(&rows.iter().fold(HolderTotals::default(), |mut sum, row| {
        sum.join(&row.totals);
        sum
    }))
}

fn amounts(totals: &HolderTotals) -> HolderAmounts {
    HolderAmounts {
        all: totals.all.into(),
        now: totals.now.into(),
        at_peak: totals.at_peak.into(),
        unfreed: totals.unfreed.into(),
    }
}

/// Who did what in a period, with the device it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeriodByReport {
    /// Name of the device.
    pub device: String,
    /// What a row stands for.
    pub by: PeriodBy,
    /// The first event.
    pub from: u32,
    /// The last one.
    pub to: u32,
    /// What the window is told.
    #[serde(flatten)]
    pub answer: PeriodByAnswer,
}

/// As [`period_by`], with what it is about.
pub fn period_by_report(
    session: &Session,
    question: &PeriodByQuestion,
) -> Result<PeriodByReport, WireError> {
    Ok(PeriodByReport {
        device: error::device(session, question.device)?.name(),
        by: question.by,
        from: question.from as u32,
        to: question.to as u32,
        answer: period_by(session, question)?,
    })
}

/// Where blocks were allocated, with the device it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackTreeReport {
    /// Name of the device.
    pub device: String,
    /// What the window is told.
    #[serde(flatten)]
    pub answer: StackTree,
}

/// As [`stack_tree`], with what it is about.
pub fn stack_tree_report(
    session: &Session,
    question: &StackTreeQuestion,
) -> Result<StackTreeReport, WireError> {
    let device = error::device(session, question.device)?.name();
    Ok(StackTreeReport { device, answer: stack_tree(session, question)? })
}
