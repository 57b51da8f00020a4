//! Call stacks, frames and texts, each distinct one once.

use crate::{Column, FrameId, StackId, StringId};

/// Distinct texts in one buffer; row 0 is the empty text.
#[derive(Debug, Clone)]
pub struct Strings {
    offsets: Column<u32>,
    bytes: Column<u8>,
}

impl Strings {
    /// Rows end where `offsets` says (`offsets[0] == 0`); `None` when they do not fit `bytes`,
    /// cut a character, or row 0 is not the empty text.
    pub fn new(offsets: Vec<u32>, bytes: Vec<u8>) -> Option<Self> {
        Self::from_columns(offsets.into(), bytes.into())
    }

    /// The same of columns.
    pub fn from_columns(offsets: Column<u32>, bytes: Column<u8>) -> Option<Self> {
        let text = std::str::from_utf8(&bytes).ok()?;
        let fits = offsets.len() >= 2
            && offsets[0] == 0
            && offsets[1] == 0
            && offsets.is_sorted()
            && offsets.iter().all(|end| text.is_char_boundary(*end as usize))
            && offsets.last().is_some_and(|end| *end as usize == text.len());
        fits.then_some(Self { offsets, bytes })
    }

    /// Where the texts end, and their bytes: what [`Strings::new`] takes.
    pub fn columns(&self) -> (&Column<u32>, &Column<u8>) {
        (&self.offsets, &self.bytes)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Never: the empty text is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The text.
    pub fn get(&self, id: StringId) -> &str {
        let range = self.offsets[id.row()] as usize..self.offsets[id.row() + 1] as usize;
        std::str::from_utf8(&self.bytes[range]).expect("checked when built")
    }
}

/// One frame of a call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Function.
    pub name: StringId,
    /// File as recorded.
    pub filename: StringId,
    /// Line; `None` when the file says 0, −1 or 2⁶⁴−1: not known.
    pub line: Option<u32>,
}

/// What FX tracing adds to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FrameExtra {
    /// `fx_node_op`.
    pub node_op: Option<StringId>,
    /// `fx_node_name`.
    pub node_name: Option<StringId>,
    /// `fx_node_target`.
    pub node_target: Option<StringId>,
    /// `fx_original_trace`, several lines.
    pub original_trace: Option<StringId>,
}

/// Every distinct stack as a list of frames, innermost first; row 0 is the empty stack.
#[derive(Debug, Clone)]
pub struct Stacks {
    offsets: Column<u32>,
    frames: Column<u32>,
    table: Vec<Frame>,
    extra: Vec<(FrameId, FrameExtra)>,
}

impl Stacks {
    /// `offsets` as in [`Strings::new`] over `frames`, rows of `table`; `extra` sorted by frame.
    /// `None` when they do not fit each other.
    pub fn new(
        offsets: Vec<u32>,
        frames: Vec<u32>,
        table: Vec<Frame>,
        extra: Vec<(FrameId, FrameExtra)>,
    ) -> Option<Self> {
        Self::from_columns(offsets.into(), frames.into(), table, extra)
    }

    /// The same of columns.
    pub fn from_columns(
        offsets: Column<u32>,
        frames: Column<u32>,
        table: Vec<Frame>,
        extra: Vec<(FrameId, FrameExtra)>,
    ) -> Option<Self> {
        let fits = offsets.len() >= 2
            && offsets[0] == 0
            && offsets[1] == 0
            && offsets.is_sorted()
            && offsets.last().is_some_and(|end| *end as usize == frames.len())
            && frames.iter().all(|frame| (*frame as usize) < table.len())
            && extra.is_sorted_by_key(|(frame, _)| *frame);
        fits.then_some(Self { offsets, frames, table, extra })
    }

    /// Where the stacks end, and the frames of all: what [`Stacks::new`] takes.
    pub fn columns(&self) -> (&Column<u32>, &Column<u32>) {
        (&self.offsets, &self.frames)
    }

    /// Every distinct frame.
    pub fn table(&self) -> &[Frame] {
        &self.table
    }

    /// What FX tracing says of frames, by frame.
    pub fn extras(&self) -> &[(FrameId, FrameExtra)] {
        &self.extra
    }

    /// How many distinct stacks there are, the empty one included.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Never: the empty stack is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Rows of frames of a stack, innermost first.
    pub fn frame_ids(&self, stack: StackId) -> &[u32] {
        &self.frames[self.offsets[stack.row()] as usize..self.offsets[stack.row() + 1] as usize]
    }

    /// The frames of a stack, innermost first.
    pub fn frames(&self, stack: StackId) -> impl ExactSizeIterator<Item = (FrameId, Frame)> {
        self.frame_ids(stack).iter().map(|row| (FrameId(*row), self.table[*row as usize]))
    }

    /// One frame.
    pub fn frame(&self, frame: FrameId) -> Frame {
        self.table[frame.row()]
    }

    /// How many distinct frames there are.
    pub fn frame_count(&self) -> usize {
        self.table.len()
    }

    /// What FX tracing says of `frame`.
    pub fn extra(&self, frame: FrameId) -> Option<FrameExtra> {
        let at = self.extra.binary_search_by_key(&frame, |(id, _)| *id).ok()?;
        Some(self.extra[at].1)
    }
}
