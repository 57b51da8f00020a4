//! Stack lists told by their bytes.
//!
//! A frame keeps its number in the memo, so equal stacks are spelt with equal bytes: two of three
//! opcodes of a file need not be executed, only found again.

use super::frames::StackTable;
use super::reader::{FRAME, STACK};
use hashbrown::HashTable;
use model::StackId;
use pickle::{Entry, Heap, Memo, Thing, Value, code};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A list's opcodes from the first item to the end, where they stood first.
#[derive(Debug)]
struct Body {
    start: usize,
    len: usize,
    stack: StackId,
    /// The body that followed this one last time.
    next: u32,
}

/// All bodies seen so far.
#[derive(Debug)]
pub(crate) struct Bodies {
    list: Vec<Body>,
    table: HashTable<u32>,
    last: u32,
    /// [`Memo::rewritten`] when the bodies were executed.
    rewritten: u32,
}

/// A place to memoise to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Put {
    Nowhere,
    Next,
    At(usize),
}

impl Put {
    /// The memoising opcode at `at`, if there is one, and where the next opcode is.
    #[inline]
    pub(crate) fn read(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let head = bytes.get(at..)?.first_chunk::<5>()?;
        Some(match head[0] {
            code::MEMOIZE => (Self::Next, at + 1),
            code::BINPUT => (Self::At(usize::from(head[1])), at + 2),
            code::LONG_BINPUT => {
                let index = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
                (Self::At(index as usize), at + 5)
            }
            _ => (Self::Nowhere, at),
        })
    }

    /// Memoises `entry`; `None` when that could not be undone.
    #[inline]
    pub(crate) fn memoise(self, memo: &mut Memo, entry: Entry) -> Option<()> {
        let done = match self {
            Self::Nowhere => true,
            Self::Next => memo.push_new(entry),
            Self::At(index) => memo.put_new(index, entry),
        };
        done.then_some(())
    }
}

impl Bodies {
    pub(crate) fn new() -> Self {
        // The first is nowhere: it only has a successor.
        let none = Body { start: 0, len: usize::MAX, stack: StackId(0), next: 0 };
        Self { list: vec![none], table: HashTable::new(), last: 0, rewritten: 0 }
    }

    /// Reads the list of frames whose `EMPTY_LIST` is right before `at`; the stack and where the
    /// next opcode is, or `None` with nothing changed when it is not plainly a list of known
    /// frames.
    #[inline]
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        at: usize,
        (memo, heap): (&mut Memo, &Heap<'_>),
        stacks: &mut StackTable,
    ) -> Option<(StackId, usize)> {
        let (put, start) = Put::read(bytes, at)?;
        if self.rewritten != memo.rewritten() {
            *self = Self::new();
            self.rewritten = memo.rewritten();
        }
        let rest = bytes.get(start..)?;
        let guess = self.list[self.last as usize].next;
        let body = &self.list[guess as usize];
        let found = if rest
            .get(..body.len)
            .is_some_and(|raw| bytes.get(body.start..body.start + body.len) == Some(raw))
        {
            guess
        } else {
            self.find(bytes, start, (memo, heap), stacks)?
        };
        self.list[self.last as usize].next = found;
        self.last = found;
        let body = &self.list[found as usize];
        put.memoise(memo, Entry::thing(Thing { kind: STACK, id: body.stack.0 }))?;
        Some((body.stack, start + body.len))
    }

    /// The body at `start`, known or executed now.
    fn find(
        &mut self,
        bytes: &[u8],
        start: usize,
        known: (&Memo, &Heap<'_>),
        stacks: &mut StackTable,
    ) -> Option<u32> {
        let rest = &bytes[start..];
        let len = length(rest)?;
        let raw = &rest[..len];
        let hash = FxBuildHasher.hash_one(raw);
        let list = &self.list;
        let same = |row: &u32| {
            let body = &list[*row as usize];
            body.len == len && bytes.get(body.start..body.start + len) == Some(raw)
        };
        if let Some(row) = self.table.find(hash, same) {
            return Some(*row);
        }
        let stack = execute(raw, known, stacks)?;
        let row = u32::try_from(self.list.len()).ok()?;
        self.list.push(Body { start, len, stack, next: 0 });
        let list = &self.list;
        self.table.insert_unique(hash, row, |row| {
            let body = &list[*row as usize];
            FxBuildHasher.hash_one(bytes.get(body.start..body.start + body.len).unwrap_or_default())
        });
        Some(row)
    }
}

/// Bytes of the opcodes that fill a list from the memo, the last one (`APPENDS`, `APPEND`)
/// included.
fn length(rest: &[u8]) -> Option<usize> {
    let width = |op: u8| match op {
        code::BINGET => Some(2),
        code::LONG_BINGET => Some(5),
        _ => None,
    };
    let first = *rest.first()?;
    if first != code::MARK {
        let at = width(first)?;
        return (*rest.get(at)? == code::APPEND).then_some(at + 1);
    }
    let mut at = 1;
    loop {
        match *rest.get(at)? {
            code::BINGET => at += 2,
            code::LONG_BINGET => at += 5,
            code::APPENDS => return Some(at + 1),
            _ => return None,
        }
    }
}

/// The stack that a body measured by [`length`] spells.
fn execute(
    raw: &[u8],
    (memo, heap): (&Memo, &Heap<'_>),
    stacks: &mut StackTable,
) -> Option<StackId> {
    let mut frames = Vec::new();
    let mut at = usize::from(raw[0] == code::MARK);
    while at + 1 < raw.len() {
        let index = if raw[at] == code::BINGET {
            at += 2;
            usize::from(raw[at - 1])
        } else {
            at += 5;
            u32::from_le_bytes([raw[at - 4], raw[at - 3], raw[at - 2], raw[at - 1]]) as usize
        };
        match heap.resolve(memo.get(index)?.value()?) {
            Value::Thing(Thing { kind: FRAME, id }) => frames.push(id),
            _ => return None,
        }
    }
    Some(stacks.stack(&frames))
}
