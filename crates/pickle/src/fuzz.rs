//! What must hold for any bytes.

use crate::Tree;

/// Reads `bytes` as a pickle and walks whatever comes out; panics only when the machine is wrong.
pub fn check(bytes: &[u8]) {
    if let Ok(tree) = Tree::read(bytes) {
        assert!(tree.end <= bytes.len(), "read beyond the end");
        // Shared and recursive containers make the tree infinite: each is entered once.
        let mut waiting = vec![tree.root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(value) = waiting.pop() {
            if let crate::Value::Node(id) = value
                && seen.insert(id)
            {
                waiting.extend(tree.heap.items(value).unwrap_or_default());
                for (key, value) in tree.heap.pairs(value).unwrap_or_default() {
                    waiting.extend([*key, *value]);
                }
            }
        }
    }
}
