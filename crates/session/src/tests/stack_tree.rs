//! Trees of stacks, against sums over all blocks by the beginnings of their stacks.

use super::oracle::{acts, run};
use super::session;
use crate::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Frames from the outermost; nothing: no stack.
type Path = Vec<FrameId>;

/// What each beginning of a stack has of `set`, by a walk over all blocks.
fn walked(device: OnDevice<'_>, set: BlockSet) -> BTreeMap<Path, Amount> {
    let blocks = &device.table().blocks;
    let mut found: BTreeMap<Path, Amount> = BTreeMap::new();
    for row in 0..blocks.len() {
        let block = blocks.get(BlockId(row));
        let is_new = |from: State, to: State| from < block.born && block.born <= to;
        let is_in = match set {
            BlockSet::AllocatedAt(state) => {
                block.born <= state && block.released.is_none_or(|end| state < end)
            }
            BlockSet::AllocatedIn(from, to) => is_new(from, to),
            BlockSet::UnfreedIn(from, to) => {
                is_new(from, to) && block.died.is_none_or(|end| to < end)
            }
        };
        let stacks = &device.session.recording().stacks;
        let frames = block.stack.map_or(&[][..], |stack| stacks.frame_ids(stack));
        let path: Path = frames.iter().rev().map(|frame| FrameId(*frame)).collect();
        let from = usize::from(!path.is_empty());
        for length in (from..=path.len()).filter(|_| is_in) {
            found.entry(path[..length].to_vec()).or_default().add(blocks, row as usize);
        }
    }
    found
}

fn sum(amounts: impl Iterator<Item = Amount>) -> Amount {
    amounts.fold(Amount::default(), |mut sum, amount| {
        sum.join(amount);
        sum
    })
}

/// The path of a node below `below`; nothing of a rest.
fn path_of(tree: &StackTree, below: &[FrameId], at: usize) -> Option<Path> {
    let node = &tree.nodes[at];
    let mut path = match node.parent {
        Some(parent) => path_of(tree, below, parent as usize)?,
        None => below.to_vec(),
    };
    match node.kind {
        NodeKind::Frame(frame) => path.push(frame),
        NodeKind::NoStack => {}
        NodeKind::Rest(_) => return None,
    }
    Some(path)
}

fn check(device: OnDevice<'_>, set: BlockSet, below: &[FrameId], width: u32, most: usize) {
    let walk = walked(device, set);
    let tree = device.stack_tree(set, below, width, most);
    let parts = device.stack_parts(set);
    assert_eq!(tree.whole, sum(parts.iter().map(|part| part.amount)));
    let stacks: BTreeSet<_> = parts.iter().map(|part| part.stack.map(|stack| stack.0)).collect();
    assert_eq!(stacks.len(), parts.len());
    let outermost = || walk.iter().filter(|(path, _)| path.len() <= 1);
    assert_eq!(tree.whole, sum(outermost().map(|(_, amount)| *amount)));
    if !below.is_empty() {
        assert_eq!(tree.shown, walk.get(below).copied().unwrap_or_default());
    }
    assert!(tree.nodes.len() <= most.max(1));
    let mut seen = BTreeSet::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        let children = tree.nodes.iter().filter(|child| child.parent == Some(at as u32));
        let called: u64 = children.map(|child| child.amount.size).sum();
        assert_eq!(node.own + called, node.amount.size);
        if let Some(path) = path_of(&tree, below, at) {
            assert_eq!(Some(&node.amount), walk.get(&path), "{path:?}");
            assert!(node.amount.size >= tree.least);
            assert!(seen.insert(path), "twice");
        }
        // Siblings lie side by side, within their parent.
        let before = tree.nodes[..at].iter().rfind(|other| other.parent == node.parent);
        let left = match (before, node.parent) {
            (Some(before), _) => before.offset + before.amount.size,
            (None, Some(parent)) => tree.nodes[parent as usize].offset,
            (None, None) => 0,
        };
        assert_eq!(node.offset, left);
    }
    let top = tree.nodes.iter().filter(|node| node.parent.is_none());
    assert_eq!(sum(top.map(|node| node.amount)).size + tree.own, tree.shown.size);
    // Whatever is large enough is there.
    for (path, amount) in &walk {
        let is_below = path.starts_with(below) && path.len() > below.len();
        let is_wanted = is_below || (path.is_empty() && below.is_empty());
        assert!(!is_wanted || amount.size < tree.least || seen.contains(path), "{path:?}");
    }
}

proptest! {
    #[test]
    fn a_tree_has_what_a_walk_finds(
        acts in acts(),
        cut in any::<[prop::sample::Index; 2]>(),
        width in 1..60_u32,
        most in prop_oneof![0..4_usize, Just(1000)],
    ) {
        let (text, _) = run(&acts);
        prop_assume!(!text.is_empty());
        let session = session(&text);
        let device = session.device(0).unwrap();
        let states = text.lines().count() + 1;
        let [one, other] = cut.map(|cut| State(cut.index(states) as u32));
        let (from, to) = (one.min(other), one.max(other));
        for set in [
            BlockSet::AllocatedAt(from),
            BlockSet::AllocatedIn(from, to),
            BlockSet::UnfreedIn(from, to),
        ] {
            // `linear` is the innermost of `main` and the outermost of `lib`; both have it.
            for below in [&[][..], &[FrameId(0)], &[FrameId(1)], &[FrameId(0), FrameId(1)], &[FrameId(3)]] {
                check(device, set, below, width, most);
            }
        }
    }
}
