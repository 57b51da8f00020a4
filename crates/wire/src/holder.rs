//! What a stack, a frame or an owner holds: in all, at a moment and over time, as answers.

use crate::block::{frame, stack_of};
use crate::event::state;
use crate::summary::peak;
use crate::viewport::{axis, stretch};
use crate::{Amount, Axis, FrameView, Number, Peak, StackView, WireError, error};
use serde::{Deserialize, Serialize};
use session::{BlockId, FrameId, HeldBy, OnDevice, Session, StackId};
use specta::Type;

/// Columns in one answer at most.
const MOST_COLUMNS: u32 = 2048;

/// Something that blocks have in common about their allocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Holder {
    /// Their whole stack.
    Stack {
        /// Its row among the recording's stacks.
        stack: u32,
    },
    /// A frame anywhere in their stack.
    Frame {
        /// Its row among the recording's frames.
        frame: u32,
    },
    /// Their owner in a dump, or one below it.
    Owner {
        /// The whole path, `PTA@ops@aten`.
        tag: String,
    },
}

/// What does a holder hold?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct HolderQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Whose blocks.
    pub holder: Holder,
    /// The event right after which `now` is; −1: before the first.
    #[specta(type = Number)]
    pub after: f64,
}

/// A block by its row, with what people know it by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SizedBlock {
    /// Its row.
    pub block: u32,
    /// The number of the event that allocated it, or a negative one.
    #[specta(type = Number)]
    pub number: i64,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
}

/// What a holder holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct HolderDetails {
    /// The stack, when it is one.
    pub stack: Option<StackView>,
    /// The frame, when it is one.
    pub frame: Option<FrameView>,
    /// How many stacks it is; absent of an owner.
    pub stacks: Option<u32>,
    /// Events of the device with these stacks; absent of an owner.
    pub events: Option<u32>,
    /// In the whole recording.
    pub all: Amount,
    /// Allocated at the moment asked for.
    pub now: Amount,
    /// Allocated when the device's allocated total peaks.
    pub at_peak: Amount,
    /// Never freed.
    pub unfreed: Amount,
    /// The largest block.
    pub largest: Option<SizedBlock>,
}

/// What does a holder hold over a stretch of the axis?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct HolderCurveQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Whose blocks.
    pub holder: Holder,
    /// Unit of `x0` and `x1`.
    pub axis: Axis,
    /// Left edge, axis units.
    #[specta(type = Number)]
    pub x0: f64,
    /// Right edge, axis units.
    #[specta(type = Number)]
    pub x1: f64,
    /// Columns wanted at most.
    pub width_px: u32,
}

/// Allocated bytes of a holder, a value a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct HolderCurve {
    /// Left edges, and the last column's right edge: 0 to 1 across the stretch.
    #[specta(type = Vec<Number>)]
    pub edge: Vec<f64>,
    /// Fewest bytes in each column.
    #[specta(type = Vec<Number>)]
    pub least: Vec<u64>,
    /// Most bytes in each column.
    #[specta(type = Vec<Number>)]
    pub most: Vec<u64>,
    /// The event right after which a column first has its most; −1: before the first.
    #[specta(type = Vec<Number>)]
    pub event: Vec<i64>,
    /// The most in all of the recording.
    pub peak: Peak,
}

impl SizedBlock {
    pub(crate) fn new(on: OnDevice<'_>, block: BlockId) -> Self {
        let size = on.table().blocks.get(block).size;
        Self { block: block.0, number: on.block_number(block), size }
    }
}

impl From<&Holder> for session::Holder {
    fn from(holder: &Holder) -> Self {
        match holder {
            Holder::Stack { stack } => Self::Stack(StackId(*stack)),
            Holder::Frame { frame } => Self::Frame(FrameId(*frame)),
            Holder::Owner { tag } => Self::Owner(tag.clone()),
        }
    }
}

impl From<session::Holder> for Holder {
    fn from(holder: session::Holder) -> Self {
        match holder {
            session::Holder::Stack(stack) => Self::Stack { stack: stack.0 },
            session::Holder::Frame(frame) => Self::Frame { frame: frame.0 },
            session::Holder::Owner(tag) => Self::Owner { tag },
        }
    }
}

/// What a stack, a frame or an owner holds.
pub fn holder(session: &Session, question: &HolderQuestion) -> Result<HolderDetails, WireError> {
    let on = error::device(session, question.device)?;
    let held = held(on, &question.holder)?;
    let totals = held.totals(state(on, question.after));
    let largest = totals.largest.map(|block| SizedBlock::new(on, block));
    Ok(HolderDetails {
        stack: match question.holder {
            Holder::Stack { stack } => Some(stack_of(session, Ok(StackId(stack)))),
            _ => None,
        },
        frame: match question.holder {
            Holder::Frame { frame: id } => Some(frame(session, FrameId(id))),
            _ => None,
        },
        stacks: held.stacks(),
        events: totals.events,
        all: totals.all.into(),
        now: totals.now.into(),
        at_peak: totals.at_peak.into(),
        unfreed: totals.unfreed.into(),
        largest,
    })
}

/// What a stack, a frame or an owner holds over a stretch of the axis.
pub fn holder_curve(
    session: &Session,
    question: &HolderCurveQuestion,
) -> Result<HolderCurve, WireError> {
    let on = error::device(session, question.device)?;
    let x = stretch("x", question.x0, question.x1)?;
    let width = question.width_px.clamp(1, MOST_COLUMNS);
    let held = held(on, &question.holder)?;
    let found = held.columns(axis(on, question.axis)?, x, width);
    Ok(HolderCurve {
        edge: found.edge.iter().map(|edge| f64::from(*edge) / f64::from(width)).collect(),
        least: found.least,
        most: found.most,
        event: found.at.iter().map(|state| i64::from(state.0) - 1).collect(),
        peak: peak(found.peak),
    })
}

fn held<'a>(on: OnDevice<'a>, holder: &Holder) -> Result<HeldBy<'a>, WireError> {
    on.holder(&holder.into()).ok_or_else(|| match holder {
        Holder::Stack { stack } => {
            WireError::nonsense(format!("the recording has no stack {stack}"))
        }
        Holder::Frame { frame } => {
            WireError::nonsense(format!("the recording has no frame {frame}"))
        }
        Holder::Owner { .. } => WireError::no_owners(),
    })
}
