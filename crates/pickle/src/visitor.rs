//! How a reader takes part while a pickle is read.

use crate::{Cursor, Heap, Memo, NodeId, Value};

/// What a visitor may read from and memoise to.
#[derive(Debug)]
pub struct Input<'a, 'm> {
    /// Right after the opcode that made the machine ask.
    pub cursor: &'m mut Cursor<'a>,
    /// What was memoised.
    pub memo: &'m mut Memo,
    /// All containers so far.
    pub heap: &'m mut Heap<'a>,
}

/// Takes part while a pickle is read. Only [`Visitor::text`] must be written.
pub trait Visitor<'a> {
    /// A number for a text, to find it again by: UTF-8 unless the writer was broken. Below 2²⁹,
    /// or it cannot be memoised.
    fn text(&mut self, text: &'a [u8]) -> u32;

    /// A dict begins. To read it, move the cursor behind all of its opcodes, memoise what they
    /// memoise and return what stands for it; to leave it to the machine, restore both and return
    /// `None`.
    fn dict_begins(&mut self, input: &mut Input<'a, '_>) -> Option<Value> {
        let _ = input;
        None
    }

    /// A list begins; as [`Visitor::dict_begins`].
    fn list_begins(&mut self, input: &mut Input<'a, '_>) -> Option<Value> {
        let _ = input;
        None
    }

    /// A dict got items. To put something in its place, return that: it may not change any more.
    fn dict_grew(&mut self, dict: NodeId, heap: &mut Heap<'a>) -> Option<Value> {
        let _ = (dict, heap);
        None
    }
}
