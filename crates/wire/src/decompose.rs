//! Who holds memory at one moment, or at two, as an answer.

use crate::{Micros, Number, WireError, error};
use serde::{Deserialize, Serialize};
use session::{EventId, OnDevice, Session, State, When};
use specta::Type;

/// A moment of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MomentQuestion {
    /// Right after an event of the device; −1: before the first.
    Event {
        /// Its number.
        #[specta(type = Number)]
        event: f64,
    },
    /// A place on the time axis.
    Time {
        /// Microseconds since the recording's start.
        #[specta(type = Number)]
        us: f64,
    },
}

/// Who holds memory?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct DecomposeQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// At this moment.
    pub at: MomentQuestion,
    /// And at this one, to compare.
    pub then: Option<MomentQuestion>,
}

/// What the whole is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Whole {
    /// Everything the process took from the driver, as the pool `HAL` records it.
    Process,
    /// The sum of the pools shown.
    Pools,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// All of it.
    Whole,
    /// What an owner and those below it hold.
    Owner,
    /// What belongs to the part above and to none below it.
    Unclassified,
    /// Taken by a pool and not handed out.
    PoolFree,
    /// Taken from the driver by none of the pools shown.
    Outside,
}

/// A part of the whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Part {
    /// Place of the part it belongs to.
    pub parent: Option<u32>,
    /// What it is.
    pub kind: PartKind,
    /// The whole path, `PTA@ops@aten`.
    pub tag: String,
    /// Bytes at the first moment.
    #[specta(type = Number)]
    pub bytes: u64,
    /// Blocks at the first moment; 0 of what is no blocks.
    pub blocks: u32,
    /// Bytes at the second moment; without one, as at the first.
    #[specta(type = Number)]
    pub then_bytes: u64,
    /// Blocks likewise.
    pub then_blocks: u32,
}

/// Who holds memory at one moment, and at another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Decomposition {
    /// The first moment, microseconds since the recording's start.
    #[specta(type = Number)]
    pub at_us: Micros,
    /// The second one.
    #[specta(type = Option<Number>)]
    pub then_us: Option<Micros>,
    /// The first moment in whole nanoseconds.
    #[specta(type = Number)]
    pub at_ns: i64,
    /// The second one likewise.
    #[specta(type = Option<Number>)]
    pub then_ns: Option<i64>,
    /// What the whole is.
    pub whole: Whole,
    /// Parents before children; the largest child first.
    pub parts: Vec<Part>,
}

/// Who holds memory.
pub fn decompose(
    session: &Session,
    question: &DecomposeQuestion,
) -> Result<Decomposition, WireError> {
    let on = error::device(session, question.device)?;
    let at = when(on, question.at);
    let then = question.then.map(|then| when(on, then));
    let found = on.decompose(at, then.unwrap_or(at)).ok_or_else(|| {
        WireError::nonsense("a snapshot says nothing of who owns its blocks".to_owned())
    })?;
    Ok(Decomposition {
        at_us: Micros(found.at_ns[0]),
        then_us: then.map(|_| Micros(found.at_ns[1])),
        at_ns: found.at_ns[0],
        then_ns: then.map(|_| found.at_ns[1]),
        whole: match found.whole {
            session::Whole::Process => Whole::Process,
            session::Whole::Pools => Whole::Pools,
        },
        parts: found.parts.into_iter().map(part).collect(),
    })
}

fn part(part: session::Part) -> Part {
    Part {
        parent: part.parent,
        kind: match part.kind {
            session::PartKind::Whole => PartKind::Whole,
            session::PartKind::Owner => PartKind::Owner,
            session::PartKind::Unclassified => PartKind::Unclassified,
            session::PartKind::PoolFree => PartKind::PoolFree,
            session::PartKind::Outside => PartKind::Outside,
        },
        tag: part.tag,
        bytes: part.bytes[0],
        blocks: part.blocks[0],
        then_bytes: part.bytes[1],
        then_blocks: part.blocks[1],
    }
}

/// A moment before the recording is its beginning, one after it its end.
pub(crate) fn when(on: OnDevice<'_>, moment: MomentQuestion) -> When {
    match moment {
        MomentQuestion::Event { event } if event < 0.0 => When::State(State(0)),
        MomentQuestion::Event { event } => {
            let last = f64::from(on.table().events.len().saturating_sub(1));
            match on.table().events.len() {
                0 => When::State(State(0)),
                _ => When::State(State::after(EventId(event.min(last) as u32))),
            }
        }
        MomentQuestion::Time { us } => When::Time((us * 1e3).round() as i64),
    }
}
