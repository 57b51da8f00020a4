//! Blocks by where they were allocated, as an answer: a flame graph by bytes.

use crate::event::state;
use crate::{Amount, Number, WireError, error};
use serde::{Deserialize, Serialize};
use session::{BlockSet, FrameId, NodeKind, OnDevice, Session};
use specta::Type;

/// Parts of the width that are told apart at most: a screen's pixels.
const MOST_WIDTH: u32 = 4096;
/// Nodes in one answer at most.
const MOST_NODES: usize = 4000;

/// Which blocks a tree is of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StackSet {
    /// Those allocated right after event `after`.
    At {
        /// −1: before the first.
        #[specta(type = Number)]
        after: f64,
    },
    /// Those allocated when the allocated bytes peak.
    Peak,
    /// Those allocated by the events `from` to `to`, both included.
    Allocated {
        /// First event.
        #[specta(type = Number)]
        from: f64,
        /// Last event.
        #[specta(type = Number)]
        to: f64,
    },
    /// Of those, the ones that no such event frees.
    Unfreed {
        /// First event.
        #[specta(type = Number)]
        from: f64,
        /// Last event.
        #[specta(type = Number)]
        to: f64,
    },
}

/// Where were blocks allocated?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct StackTreeQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// Which blocks.
    pub set: StackSet,
    /// Only what these frames call, the outermost first; empty: everything.
    pub below: Vec<u32>,
    /// Pixels across: narrower frames are drawn together.
    pub width_px: u32,
}

/// What a node of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum StackNodeKind {
    /// A frame of the user's code.
    User,
    /// A frame of a library.
    Library,
    /// A frame of no Python.
    Native,
    /// Blocks without a stack.
    NoStack,
    /// Frames that are too small to see.
    Rest,
}

/// A part of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StackNode {
    /// Place of the node that called it.
    pub parent: Option<u32>,
    /// How many nodes enclose it.
    pub depth: u32,
    /// What it is.
    pub kind: StackNodeKind,
    /// The frame's row.
    pub frame: Option<u32>,
    /// The only stack of its blocks, where there is only one.
    pub stack: Option<u32>,
    /// `mlp.py:62 forward`; absent of what is no frame.
    pub name: Option<String>,
    /// The frame's file as recorded.
    pub file: Option<String>,
    /// How many frames a rest stands for.
    pub frames: u32,
    /// Bytes to its left.
    #[specta(type = Number)]
    pub offset: u64,
    /// Its blocks.
    pub amount: Amount,
    /// Bytes of blocks whose stack ends with it.
    #[specta(type = Number)]
    pub own: u64,
}

/// Where blocks were allocated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StackTree {
    /// All blocks of the set.
    pub whole: Amount,
    /// Those below the frames asked for.
    pub shown: Amount,
    /// The names of those frames.
    pub below: Vec<String>,
    /// Parents before children, the largest child first.
    pub nodes: Vec<StackNode>,
}

/// Where the blocks of a set were allocated.
pub fn stack_tree(session: &Session, question: &StackTreeQuestion) -> Result<StackTree, WireError> {
    let on = error::device(session, question.device)?;
    let frames = session.recording().stacks.frame_count();
    if let Some(unknown) = question.below.iter().find(|frame| **frame as usize >= frames) {
        return Err(WireError::nonsense(format!("the recording has no frame {unknown}")));
    }
    let below: Vec<FrameId> = question.below.iter().map(|frame| FrameId(*frame)).collect();
    let width = question.width_px.clamp(1, MOST_WIDTH);
    let found = on.stack_tree(set(on, question.set), &below, width, MOST_NODES);
    Ok(StackTree {
        whole: found.whole.into(),
        shown: found.shown.into(),
        below: below.iter().map(|frame| session.frame_line(*frame)).collect(),
        nodes: found.nodes.iter().map(|found| node(session, found)).collect(),
    })
}

fn set(on: OnDevice<'_>, set: StackSet) -> BlockSet {
    let ends = |from: f64, to: f64| (state(on, from.min(to) - 1.0), state(on, from.max(to)));
    match set {
        StackSet::At { after } => BlockSet::AllocatedAt(state(on, after)),
        StackSet::Peak => {
            BlockSet::AllocatedAt(on.state(session::At::Peak).unwrap_or(session::State(0)))
        }
        StackSet::Allocated { from, to } => {
            let (from, to) = ends(from, to);
            BlockSet::AllocatedIn(from, to)
        }
        StackSet::Unfreed { from, to } => {
            let (from, to) = ends(from, to);
            BlockSet::UnfreedIn(from, to)
        }
    }
}

fn node(session: &Session, found: &session::StackNode) -> StackNode {
    let frame = match found.kind {
        NodeKind::Frame(frame) => Some(frame),
        NodeKind::NoStack | NodeKind::Rest(_) => None,
    };
    let recording = session.recording();
    StackNode {
        parent: found.parent,
        depth: found.depth,
        kind: match found.kind {
            NodeKind::NoStack => StackNodeKind::NoStack,
            NodeKind::Rest(_) => StackNodeKind::Rest,
            NodeKind::Frame(frame) => match session.frame_kind(frame) {
                session::FrameKind::User => StackNodeKind::User,
                session::FrameKind::Library => StackNodeKind::Library,
                session::FrameKind::Native => StackNodeKind::Native,
            },
        },
        frame: frame.map(|frame| frame.0),
        stack: found.stack.map(|stack| stack.0),
        name: frame.map(|frame| session.frame_line(frame)),
        file: frame.map(|frame| recording.text(recording.stacks.frame(frame).filename).to_owned()),
        frames: match found.kind {
            NodeKind::Rest(frames) => frames,
            NodeKind::Frame(_) | NodeKind::NoStack => 0,
        },
        offset: found.offset,
        amount: found.amount.into(),
        own: found.own,
    }
}
