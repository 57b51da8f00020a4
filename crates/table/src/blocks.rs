//! The block table.

use crate::cell::micros;
use crate::lists::{Sorted, pool_name};
use crate::texts::stack_text;
use crate::{
    BlockNumbers, Bytes, Cell, Column, Direction, Needle, Period, Rows, Run, Shape, StackTexts,
    Steps,
};
use model::{
    Action, BlockId, Blocks, DeviceTable, EventId, Origin, PoolId, Recording, SizeSource, StackId,
    State, StreamId,
};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockColumn {
    /// See [`BlockRows::number`].
    Id,
    /// Bytes asked for.
    Requested,
    /// Bytes occupied.
    Size,
    /// First byte.
    Address,
    /// See [`BlockState`]; as of the cursor.
    State,
    /// The event that allocated it; empty when that is not in the trace.
    AllocEvent,
    /// The event that asked to free it.
    FreeRequestedEvent,
    /// The event that completed its free.
    FreeEvent,
    /// Events for which it was allocated, up to the end of the recording.
    Lifetime,
    /// Microseconds likewise.
    LifetimeUs,
    /// Pool it came from.
    Pool,
    /// Stream it was allocated on.
    Stream,
    /// The frame that tells most about who allocated it.
    TopFrame,
    /// All frames of its allocation; sorted by their lines, innermost first.
    Stack,
    /// The step it was allocated in.
    Step,
    /// When it was allocated.
    AllocTime,
    /// How it is known.
    Origin,
    /// Where its size comes from.
    SizeSource,
}

impl Column for BlockColumn {
    type Period = BlockPeriod;
}

/// Blocks chosen by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPeriod {
    /// The stretch of events.
    pub period: Period,
    /// What a block has to do with it.
    pub within: Within,
}

/// What a block has to do with a period. Its life is from its allocation to its completed free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Within {
    /// Some of its life is in the period. One without an allocation in the trace was there from
    /// the start, one that was not freed stays to the end.
    Overlapping,
    /// It was allocated and freed by events of the period.
    Inside,
    /// It was allocated by an event of the period and not freed by one.
    NotFreedIn,
}

/// What a block is at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockState {
    /// Its life has not begun.
    NotYet,
    /// In use.
    Allocated,
    /// Its free was requested and not completed.
    PendingFree,
    /// Its memory can be used again.
    Freed,
}

impl BlockState {
    const ALL: [Self; 4] = [Self::NotYet, Self::Allocated, Self::PendingFree, Self::Freed];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotYet => "not yet allocated",
            Self::Allocated => "allocated",
            Self::PendingFree => "pending free",
            Self::Freed => "freed",
        }
    }

    /// What the files call it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotYet => "",
            Self::Allocated => "active_allocated",
            Self::PendingFree => "active_pending_free",
            Self::Freed => "inactive",
        }
    }
}

const ORIGINS: [&str; 4] = ["traced", "before_recording", "ghost", "workspace"];
const SIZE_SOURCES: [&str; 3] = ["stated", "computed", "requested"];

/// The blocks of one device as rows; row `n` is `BlockId(n)`.
#[derive(Debug, Clone)]
pub struct BlockRows<'a> {
    recording: &'a Recording,
    table: &'a DeviceTable,
    texts: &'a StackTexts,
    steps: &'a Steps,
    pools: Sorted,
    streams: Sorted,
    born: &'a [u32],
    released: &'a [u32],
    died: &'a [u32],
    actions: &'a [u8],
    times: Option<&'a [i64]>,
    numbers: BlockNumbers,
}

impl<'a> BlockRows<'a> {
    /// The blocks of `recording.devices[device]`.
    pub fn new(
        recording: &'a Recording,
        device: usize,
        texts: &'a StackTexts,
        steps: &'a Steps,
    ) -> Self {
        let table = &recording.devices[device];
        Self {
            recording,
            table,
            texts,
            steps,
            pools: Sorted::pools(recording),
            streams: Sorted::streams(recording),
            born: table.blocks.born(),
            released: table.blocks.released(),
            died: table.blocks.died(),
            actions: &table.events.action,
            times: table.events.time_ns.as_deref(),
            numbers: BlockNumbers::new(recording, device),
        }
    }

    /// What people know `block` by, see [`BlockNumbers`].
    pub fn number(&self, block: BlockId) -> i64 {
        self.numbers.number(&self.table.blocks, block)
    }

    /// The block that [`BlockRows::number`] calls `number`.
    pub fn by_number(&self, number: i64) -> Option<BlockId> {
        self.numbers.find(&self.table.blocks, number)
    }

    /// What `block` is at `cursor`.
    pub fn state(&self, block: BlockId, cursor: State) -> BlockState {
        BlockState::ALL[self.state_key(block.row(), cursor) as usize]
    }

    fn state_key(&self, row: usize, cursor: State) -> u64 {
        u64::from(self.born[row] <= cursor.0)
            + u64::from(self.released[row] <= cursor.0)
            + u64::from(self.died[row] <= cursor.0)
    }

    fn alloc(&self, row: usize) -> Option<EventId> {
        self.numbers.traced.contains(&row).then(|| EventId(self.born[row] - 1))
    }

    /// The event that made `state`, if it is an `action`: a life can also end because the trace
    /// contradicts itself, and then no free is claimed.
    fn end(&self, state: u32, action: Action) -> Option<EventId> {
        let event = EventId(state.checked_sub(1)?);
        let code = self.actions.get(event.row())?;
        (*code == action.code()).then_some(event)
    }

    fn free_requested(&self, row: usize) -> Option<EventId> {
        self.end(self.released[row], Action::FreeRequested)
    }

    fn free(&self, row: usize) -> Option<EventId> {
        self.end(self.died[row], Action::FreeCompleted)
    }

    fn life(&self, row: usize) -> u32 {
        let (born, released) = (self.born[row], self.released[row]);
        released.min(self.table.events.len()).saturating_sub(born)
    }

    /// From birth, or the first event, to the release, or the last event.
    fn life_us(&self, row: usize) -> Option<i64> {
        let times = self.times?;
        let (born, released) = (self.born[row], self.released[row]);
        let released = released.min(times.len() as u32);
        let begun = *times.get((born as usize).saturating_sub(1))?;
        let ended = match released.checked_sub(1) {
            Some(event) => times[event as usize],
            None => begun,
        };
        Some(micros(ended.saturating_sub(begun)))
    }

    fn alloc_time(&self, row: usize) -> Option<i64> {
        Some(micros(self.times?[self.alloc(row)?.row()]))
    }

    fn origin(&self, row: usize) -> Origin {
        self.table.blocks.get(BlockId(row as u32)).origin
    }

    fn size_source(&self, row: usize) -> SizeSource {
        self.table.blocks.get(BlockId(row as u32)).size_source
    }

    fn step(&self, row: usize) -> Option<usize> {
        self.steps.at(self.alloc(row)?)
    }
}

impl Rows for BlockRows<'_> {
    type Column = BlockColumn;

    fn len(&self) -> u32 {
        self.table.blocks.len()
    }

    fn shape(&self, column: BlockColumn) -> Shape {
        use BlockColumn as C;
        match column {
            C::Id | C::LifetimeUs | C::AllocTime => Shape::Signed,
            C::Requested | C::Size | C::Lifetime => Shape::Exact,
            C::Address => Shape::Address,
            C::AllocEvent | C::FreeRequestedEvent | C::FreeEvent => Shape::Unsigned,
            C::State
            | C::Pool
            | C::Stream
            | C::TopFrame
            | C::Stack
            | C::Step
            | C::Origin
            | C::SizeSource => Shape::Named,
        }
    }

    fn keys(&self, column: BlockColumn, cursor: State, rows: Range<usize>, keys: &mut Vec<u64>) {
        use BlockColumn as C;
        let blocks = &self.table.blocks;
        keys.clear();
        let event = |event: Option<EventId>| event.map_or(Shape::EMPTY, |event| event.0.into());
        let signed = |value: Option<i64>| value.map_or(Shape::EMPTY, Shape::signed);
        let place = |place: Option<u32>| place.map_or(Shape::EMPTY, u64::from);
        match column {
            C::Id => keys.extend(rows.map(|row| Shape::signed(self.number(BlockId(row as u32))))),
            C::Requested => keys.extend_from_slice(&blocks.requested()[rows]),
            C::Size => keys.extend_from_slice(&blocks.size()[rows]),
            C::Address => keys.extend_from_slice(&blocks.addr()[rows]),
            C::State => keys.extend(rows.map(|row| self.state_key(row, cursor))),
            C::AllocEvent => keys.extend(rows.map(|row| event(self.alloc(row)))),
            C::FreeRequestedEvent => keys.extend(rows.map(|row| event(self.free_requested(row)))),
            C::FreeEvent => keys.extend(rows.map(|row| event(self.free(row)))),
            C::Lifetime => keys.extend(rows.map(|row| u64::from(self.life(row)))),
            C::LifetimeUs => keys.extend(rows.map(|row| signed(self.life_us(row)))),
            C::AllocTime => keys.extend(rows.map(|row| signed(self.alloc_time(row)))),
            C::Pool => keys.extend(
                blocks.pool()[rows]
                    .iter()
                    .map(|pool| self.pools.place(usize::from(*pool)).unwrap_or(Shape::EMPTY)),
            ),
            C::Stream => keys.extend(
                blocks.stream()[rows]
                    .iter()
                    .map(|stream| self.streams.place(usize::from(*stream)).unwrap_or(Shape::EMPTY)),
            ),
            C::TopFrame => {
                keys.extend(blocks.stack()[rows].iter().map(|stack| place(self.texts.top(*stack))));
            }
            C::Stack => keys
                .extend(blocks.stack()[rows].iter().map(|stack| place(self.texts.place(*stack)))),
            C::Step => keys.extend(
                self.steps
                    .along(rows.map(|row| self.alloc(row)))
                    .map(|step| step.map_or(Shape::EMPTY, |step| step as u64)),
            ),
            C::Origin => keys.extend(rows.map(|row| self.origin(row) as u64)),
            C::SizeSource => keys.extend(rows.map(|row| self.size_source(row) as u64)),
        }
    }

    fn names(&self, column: BlockColumn) -> usize {
        use BlockColumn as C;
        match column {
            C::State => BlockState::ALL.len(),
            C::Pool => self.pools.len(),
            C::Stream => self.streams.len(),
            C::TopFrame => self.texts.tops().len(),
            C::Stack => self.texts.len(),
            C::Step => self.steps.len(),
            C::Origin => ORIGINS.len(),
            C::SizeSource => SIZE_SOURCES.len(),
            _ => 0,
        }
    }

    fn name(&self, column: BlockColumn, place: usize) -> Cow<'_, str> {
        use BlockColumn as C;
        match column {
            C::State => BlockState::ALL[place].name().into(),
            C::Pool => pool_name(self.recording, self.pools.row(place)).into(),
            C::Stream => self.recording.streams[self.streams.row(place)].to_string().into(),
            C::TopFrame => self.texts.tops()[place].as_str().into(),
            C::Stack => stack_text(self.recording, self.texts.stack(place)).into(),
            C::Step => self.steps.name(place).into(),
            C::Origin => ORIGINS[place].into(),
            C::SizeSource => SIZE_SOURCES[place].into(),
            _ => "".into(),
        }
    }

    fn containing(&self, column: BlockColumn, needle: &Needle) -> Vec<bool> {
        let name = |place| self.name(column, place);
        let is_also_in = |place: usize| match column {
            // `active` is where two states of the files begin, and in the middle of a third.
            BlockColumn::State => needle.begins(BlockState::ALL[place].word()),
            BlockColumn::Pool => needle.dense().is_in(&name(place).replace(' ', "")),
            _ => false,
        };
        match column {
            BlockColumn::Stack => self.texts.containing(self.recording, needle),
            _ => (0..self.names(column))
                .map(|place| needle.is_in(&name(place)) || is_also_in(place))
                .collect(),
        }
    }

    fn is_within(&self, period: BlockPeriod, row: usize) -> bool {
        let Period { from: EventId(from), to: EventId(to) } = period.period;
        let (born, died) = (self.born[row], self.died[row]);
        // Born by event `e` means born at state `e + 1`, and so for deaths.
        let is_freed_by_end = died != Blocks::NEVER && died <= to.saturating_add(1);
        let is_begun_inside =
            || self.alloc(row).is_some_and(|alloc| from <= alloc.0 && alloc.0 <= to);
        match period.within {
            Within::Overlapping => {
                born <= to.saturating_add(1) && (died > from || died == Blocks::NEVER)
            }
            Within::Inside => is_freed_by_end && is_begun_inside(),
            Within::NotFreedIn => !is_freed_by_end && is_begun_inside(),
        }
    }

    fn holds(&self, row: usize, address: u64) -> bool {
        let (start, size) = (self.table.blocks.addr()[row], self.table.blocks.size()[row]);
        address.checked_sub(start).is_some_and(|offset| offset < size)
    }

    fn stack(&self, row: usize) -> Option<StackId> {
        self.table.blocks.get(BlockId(row as u32)).stack
    }

    fn bytes(&self) -> Bytes<'_> {
        Bytes { requested: self.table.blocks.requested(), size: self.table.blocks.size() }
    }

    fn runs(&self, column: BlockColumn) -> Option<Vec<Run>> {
        let run = |rows: Range<usize>, direction| Run {
            rows: rows.start as u32..rows.end as u32,
            direction,
        };
        (column == BlockColumn::Id).then(|| {
            vec![
                run(self.numbers.traced.end..self.len() as usize, Direction::Descending),
                run(0..self.numbers.traced.start, Direction::Descending),
                run(self.numbers.traced.clone(), Direction::Ascending),
            ]
        })
    }

    fn cell(&self, row: u32, column: BlockColumn, cursor: State) -> Cell<'_> {
        use BlockColumn as C;
        let id = BlockId(row);
        let block = self.table.blocks.get(id);
        let row = id.row();
        let event = |event: Option<EventId>| event.map_or(Cell::Empty, Cell::Event);
        let stack = block.stack.map_or(Blocks::NEVER, |StackId(stack)| stack);
        match column {
            C::Id => Cell::Block { id, number: self.number(id) },
            C::Requested => Cell::Bytes(block.requested),
            C::Size => Cell::Bytes(block.size),
            C::Address if block.addr == 0 => Cell::Empty,
            C::Address => Cell::Address(block.addr),
            C::State => Cell::Text(self.state(id, cursor).name().into()),
            C::AllocEvent => event(self.alloc(row)),
            C::FreeRequestedEvent => event(self.free_requested(row)),
            C::FreeEvent => event(self.free(row)),
            C::Lifetime => Cell::Int(self.life(row).into()),
            C::LifetimeUs => self.life_us(row).map_or(Cell::Empty, Cell::Span),
            C::Pool => block.pool.map_or(Cell::Empty, |PoolId(pool)| {
                Cell::Text(pool_name(self.recording, pool.into()).into())
            }),
            C::Stream => self.stream(block.stream),
            C::TopFrame => self.texts.top(stack).map_or(Cell::Empty, |place| {
                Cell::Text(self.texts.tops()[place as usize].as_str().into())
            }),
            C::Stack if self.texts.place(stack).is_none() => Cell::Empty,
            C::Stack => Cell::Text(stack_text(self.recording, StackId(stack)).into()),
            C::Step => {
                self.step(row).map_or(Cell::Empty, |step| Cell::Text(self.steps.name(step).into()))
            }
            C::AllocTime => self.alloc_time(row).map_or(Cell::Empty, Cell::Time),
            C::Origin => Cell::Text(ORIGINS[block.origin as usize].into()),
            C::SizeSource => Cell::Text(SIZE_SOURCES[block.size_source as usize].into()),
        }
    }
}

impl BlockRows<'_> {
    fn stream(&self, StreamId(row): StreamId) -> Cell<'_> {
        let handle = self.recording.streams.get(usize::from(row));
        handle.map_or(Cell::Empty, |handle| Cell::Stream(*handle))
    }
}
