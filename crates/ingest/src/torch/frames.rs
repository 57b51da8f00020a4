//! Distinct frames and stacks while a file is read.

use hashbrown::HashTable;
use model::{Frame, FrameExtra, FrameId, StackId, Stacks};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Distinct frames and stacks by content; stack 0 is the empty one.
#[derive(Debug)]
pub(crate) struct StackTable {
    frames: Vec<Frame>,
    extra: Vec<(FrameId, FrameExtra)>,
    frame_ids: FxHashMap<(Frame, FrameExtra), u32>,
    offsets: Vec<u32>,
    items: Vec<u32>,
    /// Stacks by the hash of their frames.
    table: HashTable<u32>,
    /// Stacks that found no room.
    pub(crate) dropped: u64,
}

impl StackTable {
    pub(crate) fn new() -> Self {
        let mut table = HashTable::new();
        let hash = FxBuildHasher.hash_one::<&[u32]>(&[]);
        table.insert_unique(hash, 0, |_| hash);
        Self {
            frames: Vec::new(),
            extra: Vec::new(),
            frame_ids: FxHashMap::default(),
            offsets: vec![0, 0],
            items: Vec::new(),
            table,
            dropped: 0,
        }
    }

    /// The row of a frame, new or known.
    pub(crate) fn frame(&mut self, frame: Frame, extra: FrameExtra) -> u32 {
        let next = self.frames.len() as u32;
        let row = *self.frame_ids.entry((frame, extra)).or_insert(next);
        if row == next {
            self.frames.push(frame);
            if extra != FrameExtra::default() {
                self.extra.push((FrameId(row), extra));
            }
        }
        row
    }

    /// What a frame is.
    pub(crate) fn frame_at(&self, row: u32) -> Option<Frame> {
        self.frames.get(row as usize).copied()
    }

    /// The frames of a stack.
    pub(crate) fn items(&self, stack: StackId) -> &[u32] {
        items(&self.items, &self.offsets, stack.0)
    }

    /// The stack of these rows of frames, new or known.
    pub(crate) fn stack(&mut self, frames: &[u32]) -> StackId {
        let hash = FxBuildHasher.hash_one(frames);
        let known = self.table.find(hash, |row| items(&self.items, &self.offsets, *row) == frames);
        if let Some(row) = known {
            return StackId(*row);
        }
        if self.items.len() + frames.len() > u32::MAX as usize {
            self.dropped += 1;
            return StackId(0);
        }
        let row = self.offsets.len() as u32 - 1;
        self.items.extend_from_slice(frames);
        self.offsets.push(self.items.len() as u32);
        let (all, offsets) = (&self.items, &self.offsets);
        self.table
            .insert_unique(hash, row, |row| FxBuildHasher.hash_one(items(all, offsets, *row)));
        StackId(row)
    }

    /// The recording's stacks.
    pub(crate) fn into_stacks(self) -> Stacks {
        Stacks::new(self.offsets, self.items, self.frames, self.extra)
            .expect("rows follow the frames and stacks as they are stored")
    }
}

fn items<'a>(items: &'a [u32], offsets: &[u32], row: u32) -> &'a [u32] {
    &items[offsets[row as usize] as usize..offsets[row as usize + 1] as usize]
}
