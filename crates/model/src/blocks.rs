//! Every allocation's life.

use crate::{BlockId, Column, EventId, PoolId, StackId, State, StreamId};

/// How a block is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Origin {
    /// Its allocation is in the trace.
    Traced = 0,
    /// Only its free is in the trace: it was there from the start.
    BeforeRecording = 1,
    /// Only the final segments name it: it was there from the start to the end ("ghost").
    Ghost = 2,
    /// A `torch_npu` workspace: known as it was when the file was written.
    Workspace = 3,
}

/// Where a block's size comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SizeSource {
    /// The final segments state it.
    Stated = 0,
    /// Rounding and split rule replayed: the view says "computed".
    Computed = 1,
    /// Only what was requested is known (its address lies in no known segment).
    Requested = 2,
}

/// One device's blocks as columns of equal length.
///
/// Sorted by [`Blocks::born`], then address for those there from the start; checked by
/// [`Blocks::new`].
#[derive(Debug, Clone)]
pub struct Blocks(BlockColumns);

/// The columns of [`Blocks`], of equal length.
#[derive(Debug, Clone, Default)]
pub struct BlockColumns {
    /// See [`Block::addr`].
    pub addr: Column<u64>,
    /// See [`Block::size`].
    pub size: Column<u64>,
    /// See [`Block::requested`].
    pub requested: Column<u64>,
    /// State from which it is allocated; 0 = from before the first event.
    pub born: Column<u32>,
    /// State from which it is no longer allocated (free requested); [`Blocks::NEVER`] if it
    /// outlives the recording.
    pub released: Column<u32>,
    /// State from which its memory is free (free completed); [`Blocks::NEVER`] likewise.
    pub died: Column<u32>,
    /// Row of the recording's stacks, or `u32::MAX`.
    pub stack: Column<u32>,
    /// Row of the recording's streams.
    pub stream: Column<u16>,
    /// Row of the recording's pools, or `u16::MAX`.
    pub pool: Column<u16>,
    /// [`Origin`] in the lower half, [`SizeSource`] in the upper.
    pub flags: Column<u8>,
}

/// One row of [`Blocks`], as a builder takes it and a reader gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// First byte.
    pub addr: u64,
    /// Bytes it occupies, see [`Block::size_source`].
    pub size: u64,
    /// Bytes asked for.
    pub requested: u64,
    /// State from which it is allocated.
    pub born: State,
    /// State from which it is no longer allocated; `None` if it outlives the recording.
    pub released: Option<State>,
    /// State from which its memory is free; `None` if it outlives the recording.
    pub died: Option<State>,
    /// Stack of its allocation; `None` when not recorded.
    pub stack: Option<StackId>,
    /// Stream it was allocated on.
    pub stream: StreamId,
    /// Pool it came from; `None` when nothing says.
    pub pool: Option<PoolId>,
    /// How it is known.
    pub origin: Origin,
    /// Where its size comes from.
    pub size_source: SizeSource,
}

impl Block {
    /// The event that allocated it, or `None` if it was there before.
    pub fn alloc(&self) -> Option<EventId> {
        self.born.event()
    }
}

impl Blocks {
    /// In the life columns: it outlives the recording.
    pub const NEVER: u32 = u32::MAX;
    const NONE32: u32 = u32::MAX;
    const NONE16: u16 = u16::MAX;

    /// Columns of `rows`; `None` when they are not sorted by birth or a life ends before it begins.
    pub fn new(rows: impl ExactSizeIterator<Item = Block>) -> Option<Self> {
        let n = rows.len();
        let (mut addr, mut size, mut requested) =
            (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut born, mut released, mut died) =
            (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut stack, mut stream, mut pool, mut flags) = (
            Vec::with_capacity(n),
            Vec::with_capacity(n),
            Vec::with_capacity(n),
            Vec::with_capacity(n),
        );
        let mut last = 0;
        for row in rows {
            let release = row.released.map_or(Self::NEVER, |state| state.0);
            let death = row.died.map_or(Self::NEVER, |state| state.0);
            if row.born.0 < last || release < row.born.0 || death < release {
                return None;
            }
            last = row.born.0;
            addr.push(row.addr);
            size.push(row.size);
            requested.push(row.requested);
            born.push(row.born.0);
            released.push(release);
            died.push(death);
            stack.push(row.stack.map_or(Self::NONE32, |id| id.0));
            stream.push(row.stream.0);
            pool.push(row.pool.map_or(Self::NONE16, |id| id.0));
            flags.push(row.origin as u8 | (row.size_source as u8) << 4);
        }
        Some(Self(BlockColumns {
            addr: addr.into(),
            size: size.into(),
            requested: requested.into(),
            born: born.into(),
            released: released.into(),
            died: died.into(),
            stack: stack.into(),
            stream: stream.into(),
            pool: pool.into(),
            flags: flags.into(),
        }))
    }

    /// Blocks of `columns`, which are those of other blocks; `None` when they are not of equal
    /// length, not sorted by birth, or a life ends before it begins.
    #[expect(clippy::needless_bitwise_bool, reason = "several are compared at once this way")]
    pub fn from_columns(columns: BlockColumns) -> Option<Self> {
        let n = columns.addr.len();
        let BlockColumns { size, requested, born, released, died, .. } = &columns;
        let BlockColumns { stack, stream, pool, flags, .. } = &columns;
        let fits = [size.len(), requested.len(), born.len(), released.len(), died.len()] == [n; 5]
            && [stack.len(), stream.len(), pool.len(), flags.len()] == [n; 4]
            && u32::try_from(n).is_ok()
            && born.is_sorted();
        let lives = |all, (born, (released, died))| all & (born <= released) & (released <= died);
        let ends = || released.iter().zip(died.iter());
        let is_life = fits && born.iter().zip(ends()).fold(true, lives);
        is_life.then_some(Self(columns))
    }

    /// Whether all lives begin and end among the states of so many `events`, or never end.
    #[expect(clippy::needless_bitwise_bool, reason = "several are compared at once this way")]
    pub fn are_within(&self, events: u32) -> bool {
        let is_state = |all, state: &u32| all & (*state <= events || *state == Self::NEVER);
        let (released, died) = (self.released().iter(), self.died().iter());
        self.born().last().is_none_or(|born| *born <= events)
            && released.fold(true, is_state)
            && died.fold(true, is_state)
    }

    /// The columns.
    pub fn columns(&self) -> &BlockColumns {
        &self.0
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.0.addr.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.addr.is_empty()
    }

    /// All of `block`.
    pub fn get(&self, block: BlockId) -> Block {
        let row = block.row();
        let state = |raw: u32| (raw != Self::NEVER).then_some(State(raw));
        let (stack, pool) = (self.0.stack.value(row), self.0.pool.value(row));
        let flags = self.0.flags.value(row);
        Block {
            addr: self.0.addr.value(row),
            size: self.0.size.value(row),
            requested: self.0.requested.value(row),
            born: State(self.0.born.value(row)),
            released: state(self.0.released.value(row)),
            died: state(self.0.died.value(row)),
            stack: (stack != Self::NONE32).then_some(StackId(stack)),
            stream: StreamId(self.0.stream.value(row)),
            pool: (pool != Self::NONE16).then_some(PoolId(pool)),
            origin: match flags & 15 {
                0 => Origin::Traced,
                1 => Origin::BeforeRecording,
                2 => Origin::Ghost,
                _ => Origin::Workspace,
            },
            size_source: match flags >> 4 {
                0 => SizeSource::Stated,
                1 => SizeSource::Computed,
                _ => SizeSource::Requested,
            },
        }
    }

    /// First bytes.
    pub fn addr(&self) -> &[u64] {
        &self.0.addr
    }

    /// Bytes occupied.
    pub fn size(&self) -> &[u64] {
        &self.0.size
    }

    /// Bytes asked for.
    pub fn requested(&self) -> &[u64] {
        &self.0.requested
    }

    /// States from which blocks are allocated, never decreasing.
    pub fn born(&self) -> &[u32] {
        &self.0.born
    }

    /// States from which blocks are no longer allocated, or [`Blocks::NEVER`].
    pub fn released(&self) -> &[u32] {
        &self.0.released
    }

    /// States from which the memory is free, or [`Blocks::NEVER`].
    pub fn died(&self) -> &[u32] {
        &self.0.died
    }

    /// Rows of the recording's stacks, or `u32::MAX`.
    pub fn stack(&self) -> &[u32] {
        &self.0.stack
    }

    /// Rows of the recording's streams.
    pub fn stream(&self) -> &[u16] {
        &self.0.stream
    }

    /// Rows of the recording's pools, or `u16::MAX`.
    pub fn pool(&self) -> &[u16] {
        &self.0.pool
    }
}
