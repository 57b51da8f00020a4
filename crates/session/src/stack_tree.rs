//! Blocks by where they were allocated: the tree of their stacks, outermost frames first.
//!
//! Start at [`OnDevice::stack_tree`]. What is too small to see is one node beside its siblings, so
//! the tree is bounded and nothing is left out.

use crate::{Amount, OnDevice};
use index::Lives;
use model::{FrameId, StackId, State};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Which blocks are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockSet {
    /// Those allocated at a state.
    AllocatedAt(State),
    /// Those allocated after the first state, by the second.
    AllocatedIn(State, State),
    /// Of those, the ones whose free is not completed by the second state.
    UnfreedIn(State, State),
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A frame, called by its parent's.
    Frame(FrameId),
    /// Blocks of which no stack is recorded.
    NoStack,
    /// Frames beside it that are too small to see, as many as that.
    Rest(u32),
}

/// A part of a [`StackTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackNode {
    /// Place of the frame that called it; `None` of the outermost.
    pub parent: Option<u32>,
    /// What it is.
    pub kind: NodeKind,
    /// How many frames enclose it in the tree shown.
    pub depth: u32,
    /// Bytes to its left.
    pub offset: u64,
    /// Its blocks.
    pub amount: Amount,
    /// Bytes of it that its own children do not have: blocks whose stack ends with it.
    pub own: u64,
    /// The only stack of its blocks, where there is only one.
    pub stack: Option<StackId>,
}

/// The tree of stacks.
///
/// Laws: a node's bytes are those of its children and its own; those of the outermost nodes and
/// the tree's own are `shown`. Exactly the frames with at least `least` bytes are nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StackTree {
    /// All blocks of the set.
    pub whole: Amount,
    /// Those below the frames asked for.
    pub shown: Amount,
    /// Bytes of `shown` whose stacks end with the last of the frames asked for.
    pub own: u64,
    /// Bytes that a frame has at least to be a node of its own.
    pub least: u64,
    /// Parents before children, the largest child first.
    pub nodes: Vec<StackNode>,
}

/// What one stack has of a set of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackPart {
    /// `None`: the blocks of which no stack is recorded.
    pub stack: Option<StackId>,
    /// Its blocks.
    pub amount: Amount,
}

impl OnDevice<'_> {
    /// The stacks of the blocks in `set`, below the frames `below` (outermost first), with at most
    /// `most` nodes of at least one `width`-th of what is shown.
    pub fn stack_tree(
        self,
        set: BlockSet,
        below: &[FrameId],
        width: u32,
        most: usize,
    ) -> StackTree {
        let mut parts = self.stack_parts(set);
        let whole = sum(&parts);
        let stacks = &self.session.recording().stacks;
        if !below.is_empty() {
            parts.retain(|part| {
                let frames = part.stack.map_or(&[][..], |stack| stacks.frame_ids(stack));
                let outermost = frames.iter().rev().map(|frame| FrameId(*frame));
                outermost.take(below.len()).eq(below.iter().copied())
            });
        }
        let shown = sum(&parts);
        let mut least = shown.size.div_ceil(u64::from(width.max(1))).max(1);
        loop {
            let mut grown = Growing { on: self, least, most: most.max(1), nodes: Vec::new() };
            if let Some(called) = grown.level(&mut parts, below.len(), None, 0, 0) {
                let own = shown.size - called;
                return StackTree { whole, shown, own, least, nodes: grown.nodes };
            }
            least = least.saturating_mul(2);
        }
    }

    /// What each stack has of the blocks in `set`: every one of them is in exactly one part.
    pub fn stack_parts(self, set: BlockSet) -> Vec<StackPart> {
        let blocks = &self.table().blocks;
        let last = self.last_state();
        let rows: Vec<usize> = match set {
            BlockSet::AllocatedAt(state) => {
                let at = self.index().allocated_at(self.table(), state.min(last));
                at.into_iter().map(model::BlockId::row).collect()
            }
            BlockSet::AllocatedIn(from, to) | BlockSet::UnfreedIn(from, to) => {
                let [from, to] = [from.min(to), to].map(|state| state.min(last));
                let [first, end] = [from, to].map(|state| Lives::born_by(blocks.born(), state));
                let is_all = matches!(set, BlockSet::AllocatedIn(..));
                (first..end).filter(|row| is_all || blocks.died()[*row] > to.0).collect()
            }
        };
        let mut parts: Vec<StackPart> = Vec::new();
        let mut place_of: HashMap<Option<StackId>, usize> = HashMap::new();
        for row in rows {
            // Row 0 is the empty stack, and no stack is beyond all rows.
            let stack = blocks.stack()[row];
            let stack = (stack != 0 && stack != u32::MAX).then_some(StackId(stack));
            let place = *place_of.entry(stack).or_insert_with(|| {
                parts.push(StackPart { stack, amount: Amount::default() });
                parts.len() - 1
            });
            parts[place].amount.add(blocks, row);
        }
        parts
    }
}

fn sum(parts: &[StackPart]) -> Amount {
    parts.iter().fold(Amount::default(), |mut sum, part| {
        sum.join(part.amount);
        sum
    })
}

/// The tree while it grows.
struct Growing<'a> {
    on: OnDevice<'a>,
    least: u64,
    most: usize,
    nodes: Vec<StackNode>,
}

/// Neighbouring parts with the same frame.
struct Group {
    /// Where they are.
    from: usize,
    to: usize,
    kind: NodeKind,
    amount: Amount,
}

impl Growing<'_> {
    /// Adds what `parts` call at `depth`, and below; answers the bytes that go on, or nothing
    /// when there are too many nodes.
    fn level(
        &mut self,
        parts: &mut [StackPart],
        depth: usize,
        parent: Option<u32>,
        shown_depth: u32,
        offset: u64,
    ) -> Option<u64> {
        let mut groups = self.groups(parts, depth, parent);
        groups.sort_by_key(|group| Reverse(group.amount.size));
        let seen = groups.partition_point(|group| group.amount.size >= self.least);
        let mut at = offset;
        for group in &groups[..seen] {
            let parts = &mut parts[group.from..group.to];
            let place = self.push(parent, group.kind, shown_depth, at, group.amount)?;
            self.nodes[place as usize].stack = match parts {
                [only] => only.stack,
                _ => None,
            };
            if matches!(group.kind, NodeKind::Frame(_)) {
                let below = self.level(parts, depth + 1, Some(place), shown_depth + 1, at)?;
                self.nodes[place as usize].own = group.amount.size - below;
            }
            at += group.amount.size;
        }
        let rest = groups[seen..].iter().fold(Amount::default(), |mut sum, group| {
            sum.join(group.amount);
            sum
        });
        if rest.count > 0 {
            let kind = NodeKind::Rest((groups.len() - seen) as u32);
            self.push(parent, kind, shown_depth, at, rest)?;
            at += rest.size;
        }
        Some(at - offset)
    }

    fn push(
        &mut self,
        parent: Option<u32>,
        kind: NodeKind,
        depth: u32,
        offset: u64,
        amount: Amount,
    ) -> Option<u32> {
        let place = self.nodes.len();
        if place >= self.most {
            return None;
        }
        let own = amount.size;
        self.nodes.push(StackNode { parent, kind, depth, offset, amount, own, stack: None });
        Some(place as u32)
    }

    /// `parts` by their frame at `depth`; those whose stack ends before it are in none, unless they
    /// have no stack at all.
    fn groups(&self, parts: &mut [StackPart], depth: usize, parent: Option<u32>) -> Vec<Group> {
        let stacks = &self.on.session.recording().stacks;
        let frame = |part: &StackPart| {
            let frames = stacks.frame_ids(part.stack?);
            frames.len().checked_sub(depth + 1).map(|at| frames[at])
        };
        parts.sort_unstable_by_key(|part| (frame(part), part.stack.map(|stack| stack.0)));
        let mut groups = Vec::new();
        let mut from = 0;
        while from < parts.len() {
            let of = frame(&parts[from]);
            let to = from + parts[from..].partition_point(|part| frame(part) == of);
            let is_stackless = parent.is_none() && parts[from].stack.is_none();
            let kind = match of {
                Some(frame) => Some(NodeKind::Frame(FrameId(frame))),
                None => is_stackless.then_some(NodeKind::NoStack),
            };
            if let Some(kind) = kind {
                groups.push(Group { from, to, kind, amount: sum(&parts[from..to]) });
            }
            from = to;
        }
        groups
    }
}
