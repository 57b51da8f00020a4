//! The memo: what the pickle may refer to again, four bytes an entry.

use crate::{NodeId, Thing, Value};

/// Bytes of input for each entry of the memo, in files with long stacks.
const BYTES_AN_ENTRY: usize = 50;
const TAG_SHIFT: u32 = 29;
const NODE: u32 = 1;
const TEXT: u32 = 2;
const LOST: u32 = 3;
const THING: u32 = 4;
const PAYLOAD: u32 = (1 << TAG_SHIFT) - 1;

/// A memoised value: three bits say of what sort, the rest is its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry(u32);

impl Entry {
    const UNSET: Self = Self(0);

    fn new(tag: u32, payload: u32) -> Self {
        // 2²⁹ numbers are more than a file of 16 GB can make; what lies beyond cannot be referred
        // to again.
        if payload > PAYLOAD { Self(LOST << TAG_SHIFT) } else { Self(tag << TAG_SHIFT | payload) }
    }

    /// A text by its number.
    #[inline]
    pub fn text(id: u32) -> Self {
        Self::new(TEXT, id)
    }

    /// A thing of the visitor.
    #[inline]
    pub fn thing(thing: Thing) -> Self {
        Self::new(THING + u32::from(thing.kind & 3), thing.id)
    }

    /// A container.
    #[inline]
    pub fn node(id: NodeId) -> Self {
        Self::new(NODE, id.0)
    }

    /// The text's number, if it is one.
    #[inline]
    pub fn as_text(self) -> Option<u32> {
        (self.0 >> TAG_SHIFT == TEXT).then_some(self.0 & PAYLOAD)
    }

    /// The number, if it is a thing of this `kind`.
    #[inline]
    pub fn as_thing(self, kind: u8) -> Option<u32> {
        (self.0 >> TAG_SHIFT == THING + u32::from(kind)).then_some(self.0 & PAYLOAD)
    }

    /// The value; `None` when it can no longer be referred to.
    #[inline]
    pub fn value(self) -> Option<Value> {
        let payload = self.0 & PAYLOAD;
        match self.0 >> TAG_SHIFT {
            NODE => Some(Value::Node(NodeId(payload))),
            TEXT => Some(Value::Text(payload)),
            tag @ THING.. => Some(Value::Thing(Thing { kind: (tag - THING) as u8, id: payload })),
            _ => None,
        }
    }
}

/// The state of a [`Memo`] at some moment.
#[derive(Debug, Clone, Copy)]
pub struct MemoMark {
    len: usize,
    set: usize,
}

/// The memo of one pickle.
#[derive(Debug)]
pub struct Memo {
    entries: Vec<Entry>,
    /// Entries in use: what `MEMOIZE` numbers the next one.
    set: usize,
    /// Indices stay below this, so that a huge one does not take memory.
    limit: usize,
    rewritten: u32,
}

impl Memo {
    /// An empty memo for an input of `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        // Untouched room costs nothing, and moving a large memo does.
        let entries = Vec::with_capacity(bytes / BYTES_AN_ENTRY);
        Self { entries, set: 0, limit: bytes, rewritten: 0 }
    }

    /// An empty memo for another pickle of the same input.
    pub(crate) fn renew(&mut self) {
        self.entries.clear();
        self.set = 0;
        self.rewritten = self.rewritten.wrapping_add(1);
    }

    /// The text memoised under `index`, by its number.
    #[inline]
    pub fn text(&self, index: usize) -> Option<u32> {
        self.entries.get(index).and_then(|entry| entry.as_text())
    }

    /// What was memoised under `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Entry> {
        self.entries.get(index).copied().filter(|entry| *entry != Entry::UNSET)
    }

    /// Memoises under the next number, as `MEMOIZE` does.
    #[inline]
    pub fn push(&mut self, entry: Entry) {
        if self.set == self.entries.len() {
            self.entries.push(entry);
            self.set += 1;
        } else {
            // Indices were skipped; `set` is below the length, hence below the limit.
            self.write(self.set, entry);
        }
    }

    /// Memoises under `index`; `false` when that is out of proportion to the input.
    #[must_use]
    pub fn put(&mut self, index: usize, entry: Entry) -> bool {
        if index >= self.limit {
            return false;
        }
        if index >= self.entries.len() {
            self.entries.resize(index + 1, Entry::UNSET);
        }
        self.write(index, entry);
        true
    }

    /// As [`Memo::push`], but `false` and nothing done unless a new place at the end is used, so
    /// that [`Memo::rollback`] can undo it.
    #[inline]
    #[must_use]
    pub fn push_new(&mut self, entry: Entry) -> bool {
        let dense = self.set == self.entries.len();
        if dense {
            self.entries.push(entry);
            self.set += 1;
        }
        dense
    }

    /// As [`Memo::put`], but `false` and nothing done unless a new place at the end is used, so
    /// that [`Memo::rollback`] can undo it.
    #[inline]
    #[must_use]
    pub fn put_new(&mut self, index: usize, entry: Entry) -> bool {
        index >= self.entries.len() && self.put(index, entry)
    }

    fn write(&mut self, index: usize, entry: Entry) {
        let slot = &mut self.entries[index];
        if *slot == Entry::UNSET {
            self.set += 1;
        } else if *slot != entry {
            self.rewritten = self.rewritten.wrapping_add(1);
        }
        *slot = entry;
    }

    /// Grows each time an index gets a new meaning, which no known writer does: bytes that meant
    /// one thing before may mean another now.
    #[inline]
    pub fn rewritten(&self) -> u32 {
        self.rewritten
    }

    /// The present state, for [`Memo::rollback`].
    #[inline]
    pub fn mark(&self) -> MemoMark {
        MemoMark { len: self.entries.len(), set: self.set }
    }

    /// Forgets what [`Memo::push_new`] and [`Memo::put_new`] memoised since `mark`.
    pub fn rollback(&mut self, mark: MemoMark) {
        self.entries.truncate(mark.len);
        self.set = mark.set.min(self.entries.len());
    }
}
