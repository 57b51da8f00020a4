//! Containers by number.

use crate::value::extend;
use crate::{NodeId, Value};

/// A container, or a scalar too rare or too wide for a [`Value`].
#[derive(Debug, Clone, PartialEq)]
pub enum Node<'a> {
    /// A list.
    List(Vec<Value>),
    /// A dict, in its order; a key written twice is there twice.
    Dict(Vec<(Value, Value)>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A set or frozen set.
    Set(Vec<Value>),
    /// Bytes, a byte array or a text of Python 2.
    Bytes(&'a [u8]),
    /// An integer wider than 64 bits, little-endian two's complement.
    Long(&'a [u8]),
    /// A scalar that was memoised.
    Scalar(Value),
    /// What the visitor put in the container's place.
    Taken(Value),
}

/// Bytes a node takes beside its values.
const NODE_BYTES: usize = size_of::<Node<'_>>();
const VALUE_BYTES: usize = size_of::<Value>();

/// All containers of a pickle.
#[derive(Debug, Default)]
pub struct Heap<'a> {
    nodes: Vec<Node<'a>>,
    bytes: usize,
}

impl<'a> Heap<'a> {
    /// Bytes in use, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The node behind `id`.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0 as usize]
    }

    /// Adds a node; its number always fits, for a node takes more than 16 bytes of memory and
    /// memory is limited by the machine long before that.
    pub fn add(&mut self, node: Node<'a>) -> NodeId {
        self.bytes += NODE_BYTES + values(&node) * VALUE_BYTES;
        self.nodes.push(node);
        NodeId((self.nodes.len() - 1) as u32)
    }

    /// Puts `value` in the place of a container, whose memory is given back: from now on it can
    /// not be changed.
    pub fn take(&mut self, id: NodeId, value: Value) {
        let node = &mut self.nodes[id.0 as usize];
        self.bytes -= values(node) * VALUE_BYTES;
        *node = Node::Taken(value);
    }

    /// Takes off the node `id` and all that were added after it: only when nothing that stays
    /// refers to any of them.
    pub fn cut(&mut self, id: NodeId) {
        for node in self.nodes.drain(id.0 as usize..) {
            self.bytes -= NODE_BYTES + values(&node) * VALUE_BYTES;
        }
    }

    /// What a value stands for: itself, or what was put in its container's place.
    pub fn resolve(&self, value: Value) -> Value {
        let Value::Node(id) = value else { return value };
        match self.node(id) {
            Node::Taken(value) | Node::Scalar(value) => *value,
            _ => value,
        }
    }

    /// The items of a list or tuple, consecutive rows still together.
    pub fn items(&self, value: Value) -> Option<&[Value]> {
        let Value::Node(id) = self.resolve(value) else { return None };
        match self.node(id) {
            Node::List(items) | Node::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs of a dict.
    pub fn pairs(&self, value: Value) -> Option<&[(Value, Value)]> {
        let Value::Node(id) = self.resolve(value) else { return None };
        match self.node(id) {
            Node::Dict(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Adds items to a list or set; `false` when it is neither.
    #[must_use]
    pub fn append(&mut self, id: NodeId, more: impl ExactSizeIterator<Item = Value>) -> bool {
        match &mut self.nodes[id.0 as usize] {
            Node::List(items) | Node::Set(items) => {
                self.bytes += more.len() * VALUE_BYTES;
                extend(items, more);
                true
            }
            _ => false,
        }
    }

    /// Adds pairs to a dict; `false` when it is none.
    #[must_use]
    pub fn insert(&mut self, id: NodeId, more: impl Iterator<Item = (Value, Value)>) -> bool {
        let Node::Dict(pairs) = &mut self.nodes[id.0 as usize] else { return false };
        let before = pairs.len();
        pairs.extend(more);
        self.bytes += (pairs.len() - before) * 2 * VALUE_BYTES;
        true
    }
}

fn values(node: &Node<'_>) -> usize {
    match node {
        Node::List(items) | Node::Tuple(items) | Node::Set(items) => items.len(),
        Node::Dict(pairs) => pairs.len() * 2,
        Node::Bytes(_) | Node::Long(_) | Node::Scalar(_) | Node::Taken(_) => 0,
    }
}
