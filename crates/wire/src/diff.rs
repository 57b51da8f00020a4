//! How two moments differ, as an answer: of two recordings, of two devices, or of one.

use crate::decompose::when;
use crate::{Amount, Micros, MomentQuestion, Number, Peak, Totals, WireError, error, summary};
use serde::{Deserialize, Serialize};
use session::{At, DifferenceRow, OnDevice, Session, State, When};
use specta::Type;

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum DiffBy {
    /// A stack: files, lines and functions.
    Stack,
    /// A stack, by files and functions.
    FileFunction,
    /// A stack, by functions.
    Function,
    /// An owner; for dumps.
    Owner,
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct DiffSideQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// At this moment; absent: when the allocated bytes peak. Times count as on the device's axis:
    /// in a dump from the recording's start, in a snapshot from the device's first event.
    pub at: Option<MomentQuestion>,
}

/// How do two moments differ?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct DiffQuestion {
    /// What is compared.
    pub a: DiffSideQuestion,
    /// What it is compared with: growth is from `a` to `b`.
    pub b: DiffSideQuestion,
    /// What a row stands for.
    pub by: DiffBy,
    /// How many rows are wanted: those with the largest changes.
    pub top: u32,
    /// Whether rows without a change are among them.
    #[serde(default)]
    pub unchanged: bool,
    /// Whether steps are wanted, however many there are.
    pub steps: bool,
}

/// One side of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DiffSide {
    /// The recording's file name.
    pub name: String,
    /// The device.
    pub device: String,
    /// The event right after which it is; −1: before the first.
    #[specta(type = Number)]
    pub event: i64,
    /// That event's time.
    #[specta(type = Option<Number>)]
    pub time_us: Option<Micros>,
    /// All that holds memory then.
    pub live: Amount,
    /// Totals then; `reserved` of a dump is its pool's.
    #[specta(type = Totals<Number>)]
    pub totals: Totals<u64>,
    /// Largest totals of the whole recording.
    pub peak: Totals<Peak>,
}

/// What one stack or owner holds on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct DiffRow {
    /// Frames, innermost first, or the owner; absent: none is recorded.
    pub lines: Option<Vec<String>>,
    /// Place among the lines of the frame that tells most about who allocated.
    pub top_line: Option<u32>,
    /// On the first side.
    pub a: Amount,
    /// On the second side.
    pub b: Amount,
    /// Bytes of `b` less those of `a`.
    #[specta(type = Number)]
    pub change: i64,
    /// Blocks likewise.
    #[specta(type = Number)]
    pub change_count: i64,
    /// Its part, in percent, of all that changed up or down.
    #[specta(type = Number)]
    pub share: f64,
    /// Its largest block on the first side.
    pub block_a: Option<u32>,
    /// Likewise on the second one.
    pub block_b: Option<u32>,
    /// That block's stack in the first recording; a row may stand for several.
    pub stack_a: Option<u32>,
    /// Likewise in the second one.
    pub stack_b: Option<u32>,
    /// Whether the first recording knows it, at whatever moment.
    pub in_a: bool,
    /// Whether the second one does.
    pub in_b: bool,
}

/// Rows that are not listed, as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DiffRest {
    /// How many rows.
    pub rows: u32,
    /// On the first side.
    pub a: Amount,
    /// On the second side.
    pub b: Amount,
}

/// Most bytes within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DiffStepPeaks {
    /// In allocated blocks.
    #[specta(type = Number)]
    pub allocated: u64,
    /// In segments; of a dump, in its pool.
    #[specta(type = Number)]
    pub reserved: u64,
}

/// A step that both sides have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DiffStep {
    /// Its number.
    pub step: String,
    /// On the first side.
    pub a: DiffStepPeaks,
    /// On the second side.
    pub b: DiffStepPeaks,
}

/// How two moments differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Difference {
    /// What a row stands for.
    pub by: DiffBy,
    /// The first side.
    pub a: DiffSide,
    /// The second side.
    pub b: DiffSide,
    /// Bytes held in `b` less those in `a`.
    #[specta(type = Number)]
    pub change: i64,
    /// The largest changes first.
    pub rows: Vec<DiffRow>,
    /// Rows with a change that are not listed.
    pub smaller: DiffRest,
    /// Rows without a change that are not listed.
    pub unchanged: DiffRest,
    /// Steps of both; empty where they are not wanted.
    pub steps: Vec<DiffStep>,
    /// Steps of `a` that cannot be compared: `b` has none of that number, or a beginning is lost.
    pub steps_only_a: Vec<String>,
    /// Steps of `b` likewise.
    pub steps_only_b: Vec<String>,
}

/// How `b` differs from `a`; they may be one session.
pub fn diff(a: &Session, b: &Session, question: &DiffQuestion) -> Result<Difference, WireError> {
    let on_a = error::device(a, question.a.device)?;
    let on_b = error::device(b, question.b.device)?;
    let (at_a, at_b) = (state(on_a, question.a.at), state(on_b, question.b.at));
    let found = session::diff(on_a, at_a, on_b, at_b, by(question.by))
        .ok_or_else(|| no_owners([on_a, on_b]))?;
    let all: u64 = found.rows.iter().map(|row| row.change().unsigned_abs()).sum();
    let (changed, unchanged): (Vec<_>, Vec<_>) =
        found.rows.iter().partition(|row| !row.is_unchanged());
    let top = question.top as usize;
    let (listed, smaller) = changed.split_at(changed.len().min(top));
    let more = if question.unchanged { top - listed.len() } else { 0 };
    let (listed_too, unchanged) = unchanged.split_at(unchanged.len().min(more));
    let rows = listed.iter().chain(listed_too).map(|row| self::row([on_a, on_b], &found, row, all));
    let rows = rows.collect();
    let (steps, [lonely_a, lonely_b]) = if question.steps {
        (found.steps.iter().map(step).collect(), found.lonely_steps.clone())
    } else {
        Default::default()
    };
    Ok(Difference {
        by: question.by,
        a: side(a, on_a, &found.sides[0]),
        b: side(b, on_b, &found.sides[1]),
        change: found.change(),
        rows,
        smaller: rest(smaller),
        unchanged: rest(unchanged),
        steps,
        steps_only_a: lonely_a,
        steps_only_b: lonely_b,
    })
}

/// The state asked for. Times of a snapshot count from the device's first event, as on its axis.
fn state(on: OnDevice<'_>, at: Option<MomentQuestion>) -> State {
    let moment = at.map(|moment| (when(on, moment), on.table().track.is_some()));
    match moment {
        None => on.state(At::Peak).unwrap_or(State(0)),
        Some((When::State(state), _)) => state,
        Some((When::Time(time), true)) => on.state_at_ns(time),
        Some((When::Time(time), false)) => {
            let first = on.table().span_ns().map_or(0, |(first, _)| first);
            on.state_at_ns(first.saturating_add(time))
        }
    }
}

fn by(by: DiffBy) -> session::By {
    match by {
        DiffBy::Stack => session::By::Stack(session::Match::Exact),
        DiffBy::FileFunction => session::By::Stack(session::Match::FileFunction),
        DiffBy::Function => session::By::Stack(session::Match::Function),
        DiffBy::Owner => session::By::Owner,
    }
}

fn no_owners(sides: [OnDevice<'_>; 2]) -> WireError {
    let snapshots: Vec<&str> = ["first", "second"]
        .into_iter()
        .zip(sides)
        .filter(|(_, on)| on.table().track.is_none())
        .map(|(name, _)| name)
        .collect();
    let which = match snapshots.as_slice() {
        [one] => format!("the {one} recording is a snapshot"),
        _ => "both recordings are snapshots".to_owned(),
    };
    WireError::nonsense(format!(
        "no difference by owner: {which}, and a snapshot says nothing of who owns its blocks; \
         compare by stack"
    ))
}

fn side(session: &Session, on: OnDevice<'_>, found: &session::DifferenceSide) -> DiffSide {
    let [allocated, active, reserved] = found.totals;
    let peaks = on.summary().peak.map(summary::peak);
    DiffSide {
        name: session.recording().source.name.clone(),
        device: on.name(),
        event: i64::from(found.state.0) - 1,
        time_us: found.time_ns.map(Micros),
        live: found.live.into(),
        totals: Totals { allocated, active, reserved },
        peak: Totals { allocated: peaks[0], active: peaks[1], reserved: peaks[2] },
    }
}

fn row(
    on: [OnDevice<'_>; 2],
    found: &session::Difference,
    row: &DifferenceRow,
    all: u64,
) -> DiffRow {
    let [a, b] = row.amounts;
    let stack = |side: usize| {
        let block = on[side].table().blocks.get(row.largest[side]?);
        // Row 0 is the empty stack.
        block.stack.map(|stack| stack.0).filter(|row| *row != 0)
    };
    let lines = found.lines(row);
    let change = row.change();
    DiffRow {
        lines: lines.map(|lines| lines.into_iter().map(str::to_owned).collect()),
        top_line: row.top_line.map(|place| place as u32),
        a: a.into(),
        b: b.into(),
        change,
        change_count: i64::from(b.count) - i64::from(a.count),
        share: if all == 0 { 0.0 } else { change.unsigned_abs() as f64 * 100.0 / all as f64 },
        block_a: row.largest[0].map(|block| block.0),
        block_b: row.largest[1].map(|block| block.0),
        stack_a: stack(0),
        stack_b: stack(1),
        in_a: row.is_known[0],
        in_b: row.is_known[1],
    }
}

fn rest(rows: &[&DifferenceRow]) -> DiffRest {
    let sum = |side: usize| {
        let none = Amount { count: 0, requested: 0, size: 0 };
        rows.iter().fold(none, |sum, row| Amount {
            count: sum.count + row.amounts[side].count,
            requested: sum.requested.saturating_add(row.amounts[side].requested),
            size: sum.size.saturating_add(row.amounts[side].size),
        })
    };
    DiffRest { rows: rows.len() as u32, a: sum(0), b: sum(1) }
}

fn step(step: &session::StepDifference) -> DiffStep {
    let [a, b] = step
        .peaks
        .map(|peaks| DiffStepPeaks { allocated: peaks.allocated, reserved: peaks.reserved });
    DiffStep { step: step.step.clone(), a, b }
}
