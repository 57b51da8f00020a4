//! What a snapshot's containers become while the file is read.
//!
//! Trace entries go straight into [`Columns`], frames and stacks into the [`StackTable`];
//! everything else stays in the heap until the end, when [`finish`](super::finish) looks at it.

use super::bodies::{Bodies, Put};
use super::columns::Columns;
use super::frames::StackTable;
use super::ids::{Notes, OtherActions, Pools, Streams};
use super::texts::Texts;
use super::words as word;
use crate::Warnings;
use pickle::{Heap, Input, NodeId, Thing, Value, Visitor, code};

/// Kind of thing: a trace entry, by its row in [`Columns`].
pub(crate) const ROW: u8 = 0;
/// Kind of thing: a frame.
pub(crate) const FRAME: u8 = 1;
/// Kind of thing: a list of frames.
pub(crate) const STACK: u8 = 2;
/// Kind of thing: a pool id.
pub(crate) const POOL: u8 = 3;

/// When containers are turned into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As soon as they are filled, as all known writers leave them.
    Streaming,
    /// When the whole file was read: for files that change a container after using it.
    Whole,
}

/// The tables a snapshot fills.
#[derive(Debug)]
pub(crate) struct Reader<'a, 'w> {
    pub(super) mode: Mode,
    pub(super) texts: Texts,
    pub(super) stacks: StackTable,
    pub(super) bodies: Bodies,
    pub(super) columns: Columns,
    /// Where in the file the first event begins.
    pub(super) events_from: usize,
    pub(super) streams: Streams,
    pub(super) pools: Pools,
    pub(super) notes: Notes,
    pub(super) other_actions: OtherActions,
    pub(super) warnings: &'w Warnings,
    /// The text each key had last, to see at a glance that it is the same again.
    pub(super) last_inline: [(&'a [u8], u32); 4],
}

impl<'w> Reader<'_, 'w> {
    pub(crate) fn new(mode: Mode, warnings: &'w Warnings) -> Self {
        Self {
            mode,
            texts: Texts::new(),
            stacks: StackTable::new(),
            bodies: Bodies::new(),
            columns: Columns::default(),
            events_from: 0,
            streams: Streams::new(),
            pools: Pools::new(),
            notes: Notes::new(),
            other_actions: OtherActions::default(),
            warnings,
            last_inline: [(b"", word::EMPTY); 4],
        }
    }

    /// What a dict that got its items becomes: an entry's row, a frame, or nothing yet.
    pub(crate) fn settle(&mut self, dict: NodeId, heap: &mut Heap<'_>) -> Option<Value> {
        let pairs = heap.pairs(Value::Node(dict))?;
        let has = |key: u32| pairs.iter().any(|(name, _)| *name == Value::Text(key));
        if has(word::ACTION) {
            let pairs = pairs.to_vec();
            return Some(self.entry(&pairs, heap));
        }
        if has(word::FILENAME) && has(word::NAME) {
            let pairs = pairs.to_vec();
            let id = self.frame(&pairs, heap);
            return Some(Value::Thing(Thing { kind: FRAME, id }));
        }
        None
    }
}

impl<'a> Visitor<'a> for Reader<'a, '_> {
    fn text(&mut self, text: &'a [u8]) -> u32 {
        self.texts.number(text)
    }

    fn dict_begins(&mut self, input: &mut Input<'a, '_>) -> Option<Value> {
        if self.mode == Mode::Whole {
            return None;
        }
        let mark = input.memo.mark();
        if let Some(end) = self.quick_entry(input) {
            input.cursor.seek(end);
            return Some(Value::Thing(Thing { kind: ROW, id: self.columns.len() - 1 }));
        }
        input.memo.rollback(mark);
        None
    }

    fn list_begins(&mut self, input: &mut Input<'a, '_>) -> Option<Value> {
        if self.mode == Mode::Whole {
            return None;
        }
        let (bytes, at) = (input.cursor.bytes(), input.cursor.at());
        let (_, items) = Put::read(bytes, at)?;
        if bytes.get(items..items + 2) == Some(&[code::MARK, code::APPENDS]) {
            // An empty list may be a list of anything.
            return None;
        }
        let known = (&mut *input.memo, &*input.heap);
        let (stack, end) = self.bodies.read(bytes, at, known, &mut self.stacks)?;
        input.cursor.seek(end);
        Some(Value::Thing(Thing { kind: STACK, id: stack.0 }))
    }

    fn dict_grew(&mut self, dict: NodeId, heap: &mut Heap<'a>) -> Option<Value> {
        if self.mode == Mode::Whole { None } else { self.settle(dict, heap) }
    }
}
