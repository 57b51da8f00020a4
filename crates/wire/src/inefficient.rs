//! What a track holds in vain, as an answer.

use crate::{Amount, Number, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::table::{Flags, Inefficiency};
use session::{Job, OnDevice, Session};
use specta::Type;

/// When a stretch without use is too long; either part is enough.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, Type)]
pub struct Threshold {
    /// More than this many nanoseconds; absent and 0: never.
    #[specta(type = Option<Number>)]
    #[serde(default)]
    pub ns: Option<f64>,
    /// More than this share of the block's own life, in percent; absent, 0 and 100: never.
    #[specta(type = Option<Number>)]
    #[serde(default)]
    pub percent: Option<f64>,
}

/// What counts as inefficient.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, Type)]
pub struct Thresholds {
    /// From its allocation to its first access.
    pub lazy: Threshold,
    /// From its last access to its free.
    pub delayed: Threshold,
    /// Between two consecutive accesses.
    pub idle: Threshold,
}

impl From<Threshold> for session::table::Threshold {
    fn from(Threshold { ns, percent }: Threshold) -> Self {
        Self { ns: ns.map(|ns| ns as i64), percent }
    }
}

impl From<Thresholds> for session::table::Thresholds {
    fn from(Thresholds { lazy, delayed, idle }: Thresholds) -> Self {
        Self { lazy: lazy.into(), delayed: delayed.into(), idle: idle.into() }
    }
}

/// A way to hold memory without using it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum InefficientKind {
    /// Allocated early.
    LazyUsed,
    /// Freed late.
    DelayedFree,
    /// Idle for long.
    LongIdle,
}

/// What does a track hold in vain?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct InefficientQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// What counts.
    pub thresholds: Thresholds,
    /// How many owners, stacks and blocks to list.
    pub top: u32,
}

/// Blocks that are inefficient, and what they cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Waste {
    /// The blocks.
    pub amount: Amount,
    /// Their bytes times the nanoseconds in which each was not used for too long: all its digits.
    pub byte_ns: String,
    /// Bytes times seconds.
    #[specta(type = Number)]
    pub byte_seconds: f64,
}

/// By kind; a block can be in several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct WasteByKind {
    /// Allocated early.
    pub lazy_used: Waste,
    /// Freed late.
    pub delayed_free: Waste,
    /// Idle for long.
    pub long_idle: Waste,
}

/// What the blocks of one owner cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct OwnerWaste {
    /// Whole path of the owner; absent: not recorded.
    pub owner: Option<String>,
    /// All of it.
    pub all: Waste,
    /// By kind.
    pub each: WasteByKind,
}

/// What the blocks of one stack cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct StackWaste {
    /// Its row; absent: not recorded.
    pub stack: Option<u32>,
    /// Lines of its frames, innermost first; none: not recorded.
    pub frames: Vec<String>,
    /// The frame that tells most about who allocated.
    pub top_frame: Option<String>,
    /// All of it.
    pub all: Waste,
    /// By kind.
    pub each: WasteByKind,
}

/// A block that is inefficient; times are nanoseconds since the recording's start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct WastefulBlock {
    /// Its row.
    pub block: u32,
    /// What people know it by.
    #[specta(type = Number)]
    pub number: i64,
    /// In hex.
    pub address: String,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
    /// Whole path of its owner; absent: not recorded.
    pub owner: Option<String>,
    /// When it was allocated.
    #[specta(type = Number)]
    pub start_ns: i64,
    /// When it was freed, or the recording ended.
    #[specta(type = Number)]
    pub end_ns: i64,
    /// When it was first accessed.
    #[specta(type = Option<Number>)]
    pub first_access_ns: Option<i64>,
    /// When it was last accessed.
    #[specta(type = Option<Number>)]
    pub last_access_ns: Option<i64>,
    /// The longest time between two consecutive accesses.
    #[specta(type = Number)]
    pub longest_gap_ns: i64,
    /// How it is inefficient.
    pub kinds: Vec<InefficientKind>,
    /// The frame that tells most about who allocated it.
    pub top_frame: Option<String>,
    /// What it costs.
    pub waste: Waste,
}

/// What a track holds in vain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct Inefficient {
    /// Blocks of the track.
    pub blocks_in_all: u32,
    /// Of them, those whose accesses are recorded: only these can be judged.
    pub accessed: u32,
    /// All inefficient blocks, each counted once with all its stretches.
    pub all: Waste,
    /// By kind.
    pub each: WasteByKind,
    /// By owner, the most costly first.
    pub owners: Vec<OwnerWaste>,
    /// Owners there are.
    pub owner_count: u32,
    /// By allocation stack, the most costly first.
    pub stacks: Vec<StackWaste>,
    /// Stacks there are.
    pub stack_count: u32,
    /// The most costly blocks.
    pub blocks: Vec<WastefulBlock>,
}

/// Listed at most.
const MOST_LISTED: u32 = 1000;

/// What the track `question` is about holds in vain.
pub fn inefficient(
    session: &Session,
    question: &InefficientQuestion,
    job: &Job,
) -> Result<Inefficient, WireError> {
    let on = error::device(session, question.device)?;
    let top = question.top.min(MOST_LISTED) as usize;
    let found = on.wasted(question.thresholds.into(), top, job)?.ok_or_else(|| {
        WireError::nonsense("a snapshot says nothing of when its blocks are used".to_owned())
    })?;
    let owner = |owner: session::WasteOf<&str>| OwnerWaste {
        owner: owner.of.map(str::to_owned),
        all: waste(&owner.all),
        each: by_kind(&owner.each),
    };
    let stack = |stack: session::WasteOf<session::StackId>| {
        let frames = stack.of.map(|stack| session.recording().stacks.frames(stack));
        let lines = frames.into_iter().flatten().map(|(frame, _)| session.frame_line(frame));
        StackWaste {
            stack: stack.of.map(|stack| stack.0),
            frames: lines.collect(),
            top_frame: top_frame(session, stack.of.and_then(|stack| session.top_frame(stack))),
            all: waste(&stack.all),
            each: by_kind(&stack.each),
        }
    };
    Ok(Inefficient {
        blocks_in_all: on.table().blocks.len(),
        accessed: found.accessed,
        all: waste(&found.all),
        each: by_kind(&found.each),
        owners: found.owners.into_iter().map(owner).collect(),
        owner_count: found.owner_count as u32,
        stacks: found.stacks.into_iter().map(stack).collect(),
        stack_count: found.stack_count as u32,
        blocks: found.blocks.iter().map(|found| block(session, on, found)).collect(),
    })
}

fn top_frame(session: &Session, top: Option<session::TopFrame>) -> Option<String> {
    let (user, other) = names::top_frame(session, top);
    user.or(other)
}

fn waste(waste: &session::Waste) -> Waste {
    Waste {
        amount: waste.amount.into(),
        byte_ns: waste.byte_ns.to_string(),
        byte_seconds: waste.byte_seconds(),
    }
}

fn by_kind([lazy, delayed, idle]: &[session::Waste; 3]) -> WasteByKind {
    WasteByKind { lazy_used: waste(lazy), delayed_free: waste(delayed), long_idle: waste(idle) }
}

fn kinds(flags: Flags) -> Vec<InefficientKind> {
    let kind = |one| match one {
        Inefficiency::LazyUsed => InefficientKind::LazyUsed,
        Inefficiency::DelayedFree => InefficientKind::DelayedFree,
        Inefficiency::LongIdle => InefficientKind::LongIdle,
    };
    flags.iter().map(kind).collect()
}

fn block(session: &Session, on: OnDevice<'_>, found: &session::WastefulBlock) -> WastefulBlock {
    let columns = on.table().blocks.get(found.id);
    let life = found.life;
    WastefulBlock {
        block: found.id.0,
        number: found.number,
        address: names::hex(columns.addr),
        size: columns.size,
        owner: on.owner(found.id).map(str::to_owned),
        start_ns: life.start_ns,
        end_ns: life.end_ns,
        first_access_ns: life.accessed_ns.map(|(first, _)| first),
        last_access_ns: life.accessed_ns.map(|(_, last)| last),
        longest_gap_ns: life.gap_ns,
        kinds: kinds(found.flags),
        top_frame: top_frame(session, found.top_frame),
        waste: waste(&found.waste),
    }
}
