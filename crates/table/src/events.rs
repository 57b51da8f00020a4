//! The event table.

use crate::cell::micros;
use crate::lists::{Sorted, action_name, pool_name};
use crate::texts::stack_text;
use crate::{
    BlockRows, Bytes, Cell, Column, Direction, Needle, Period, Rows, Run, Shape, StackTexts, Steps,
};
use model::{Action, BlockId, DeviceTable, EventId, Events, Recording, StackId, State};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventColumn {
    /// Its place in the device's trace, from 0.
    Id,
    /// What it is; sorted by name.
    Action,
    /// Address; empty where the event is about none.
    Address,
    /// Bytes.
    Size,
    /// Stream.
    Stream,
    /// Bytes allocated right after it.
    Allocated,
    /// Bytes allocated or pending right after it.
    Active,
    /// Bytes in segments right after it.
    Reserved,
    /// All frames; sorted by their lines, innermost first.
    Stack,
    /// The frame that tells most about who did it.
    TopFrame,
    /// The pool it says, else the one of its block.
    Pool,
    /// The step it is in.
    Step,
    /// When it happened.
    Time,
    /// The block it is about, see [`BlockRows::number`].
    Block,
}

impl Column for EventColumn {
    type Period = Period;
}

/// The events of one device as rows; row `n` is `EventId(n)`.
#[derive(Debug, Clone)]
pub struct EventRows<'a> {
    recording: &'a Recording,
    table: &'a DeviceTable,
    texts: &'a StackTexts,
    steps: &'a Steps,
    blocks: BlockRows<'a>,
    actions: Sorted,
    pools: Sorted,
    streams: Sorted,
}

impl<'a> EventRows<'a> {
    /// The events of `recording.devices[device]`.
    pub fn new(
        recording: &'a Recording,
        device: usize,
        texts: &'a StackTexts,
        steps: &'a Steps,
    ) -> Self {
        Self {
            recording,
            table: &recording.devices[device],
            texts,
            steps,
            blocks: BlockRows::new(recording, device, texts, steps),
            actions: Sorted::actions(recording),
            pools: Sorted::pools(recording),
            streams: Sorted::streams(recording),
        }
    }

    /// 0 where the column holds something else or nothing.
    fn address(&self, row: usize) -> u64 {
        match Action::from_code(self.table.events.action[row]) {
            Action::Oom | Action::Snapshot | Action::UserDefined => 0,
            _ => self.table.events.addr[row],
        }
    }

    fn block(&self, row: usize) -> Option<BlockId> {
        let block = self.table.block_of_event[row];
        (block < self.table.blocks.len()).then_some(BlockId(block))
    }

    fn pool(&self, row: usize) -> Option<usize> {
        let said = self.table.events.pool.as_ref().map_or(Events::NO_POOL, |pools| pools[row]);
        let pool = match said {
            Events::NO_POOL => self.table.blocks.pool()[self.block(row)?.row()],
            said => said,
        };
        (usize::from(pool) < self.recording.pools.len()).then_some(usize::from(pool))
    }
}

impl Rows for EventRows<'_> {
    type Column = EventColumn;

    fn len(&self) -> u32 {
        self.table.events.len()
    }

    fn shape(&self, column: EventColumn) -> Shape {
        use EventColumn as C;
        match column {
            C::Id | C::Size | C::Allocated | C::Active | C::Reserved => Shape::Exact,
            C::Address => Shape::Address,
            C::Time | C::Block => Shape::Signed,
            C::Action | C::Stream | C::Stack | C::TopFrame | C::Pool | C::Step => Shape::Named,
        }
    }

    fn keys(&self, column: EventColumn, _: State, rows: Range<usize>, keys: &mut Vec<u64>) {
        use EventColumn as C;
        let events = &self.table.events;
        let counters = &self.table.counters;
        let after = rows.start + 1..rows.end + 1;
        let place = |place: Option<u32>| place.map_or(Shape::EMPTY, u64::from);
        keys.clear();
        match column {
            C::Id => keys.extend(rows.map(|row| row as u64)),
            C::Action => keys.extend(
                events.action[rows]
                    .iter()
                    .map(|code| self.actions.place(usize::from(*code)).unwrap_or(Shape::EMPTY)),
            ),
            C::Address => keys.extend(rows.map(|row| self.address(row))),
            C::Size => keys.extend_from_slice(&events.size[rows]),
            C::Stream => keys.extend(
                events.stream[rows]
                    .iter()
                    .map(|stream| self.streams.place(usize::from(*stream)).unwrap_or(Shape::EMPTY)),
            ),
            C::Allocated => keys.extend_from_slice(&counters.allocated[after]),
            C::Active => keys.extend_from_slice(&counters.active[after]),
            C::Reserved => keys.extend_from_slice(&counters.reserved[after]),
            C::Stack => {
                keys.extend(events.stack[rows].iter().map(|stack| place(self.texts.place(*stack))));
            }
            C::TopFrame => {
                keys.extend(events.stack[rows].iter().map(|stack| place(self.texts.top(*stack))));
            }
            C::Pool => keys.extend(rows.map(|row| {
                self.pool(row).and_then(|pool| self.pools.place(pool)).unwrap_or(Shape::EMPTY)
            })),
            C::Step => keys.extend(
                self.steps
                    .along(rows.map(|row| Some(EventId(row as u32))))
                    .map(|step| step.map_or(Shape::EMPTY, |step| step as u64)),
            ),
            C::Time => match &events.time_ns {
                Some(times) => {
                    keys.extend(times[rows].iter().map(|time| Shape::signed(micros(*time))));
                }
                None => keys.extend(rows.map(|_| Shape::EMPTY)),
            },
            C::Block => keys.extend(rows.map(|row| {
                let number = self.block(row).map(|block| self.blocks.number(block));
                number.map_or(Shape::EMPTY, Shape::signed)
            })),
        }
    }

    fn names(&self, column: EventColumn) -> usize {
        use EventColumn as C;
        match column {
            C::Action => self.actions.len(),
            C::Stream => self.streams.len(),
            C::Stack => self.texts.len(),
            C::TopFrame => self.texts.tops().len(),
            C::Pool => self.pools.len(),
            C::Step => self.steps.len(),
            _ => 0,
        }
    }

    fn name(&self, column: EventColumn, place: usize) -> Cow<'_, str> {
        use EventColumn as C;
        match column {
            C::Action => action_name(self.recording, self.actions.row(place) as u8).into(),
            C::Stream => self.recording.streams[self.streams.row(place)].to_string().into(),
            C::Stack => stack_text(self.recording, self.texts.stack(place)).into(),
            C::TopFrame => self.texts.tops()[place].as_str().into(),
            C::Pool => pool_name(self.recording, self.pools.row(place)).into(),
            C::Step => self.steps.name(place).into(),
            _ => "".into(),
        }
    }

    fn containing(&self, column: EventColumn, needle: &Needle) -> Vec<bool> {
        let name = |place| self.name(column, place);
        let is_in = |place| match column {
            EventColumn::Pool => needle.dense().is_in(&name(place).replace(' ', "")),
            _ => needle.is_in(&name(place)),
        };
        match column {
            EventColumn::Stack => self.texts.containing(self.recording, needle),
            _ => (0..self.names(column)).map(is_in).collect(),
        }
    }

    fn is_within(&self, period: Period, row: usize) -> bool {
        (period.from.row()..=period.to.row()).contains(&row)
    }

    fn holds(&self, row: usize, address: u64) -> bool {
        if let Some(block) = self.block(row) {
            return self.blocks.holds(block.row(), address);
        }
        let start = self.address(row);
        let offset = address.checked_sub(start).filter(|_| start != 0);
        offset.is_some_and(|offset| offset < self.table.events.size[row])
    }

    fn stack(&self, row: usize) -> Option<StackId> {
        self.table.events.stack(EventId(row as u32))
    }

    fn bytes(&self) -> Bytes<'_> {
        Bytes { requested: &self.table.events.size, size: &self.table.events.size }
    }

    fn runs(&self, column: EventColumn) -> Option<Vec<Run>> {
        let all = Run { rows: 0..self.len(), direction: Direction::Ascending };
        (column == EventColumn::Id).then(|| vec![all])
    }

    fn cell(&self, row: u32, column: EventColumn, _: State) -> Cell<'_> {
        use EventColumn as C;
        let events = &self.table.events;
        let event = EventId(row);
        let row = event.row();
        let text = |text: Option<String>| text.map_or(Cell::Empty, |text| Cell::Text(text.into()));
        match column {
            C::Id => Cell::Event(event),
            C::Action => Cell::Text(action_name(self.recording, events.action[row]).into()),
            C::Address if self.address(row) == 0 => Cell::Empty,
            C::Address => Cell::Address(self.address(row)),
            C::Size => Cell::Bytes(events.size[row]),
            C::Stream => {
                let handle = self.recording.streams.get(usize::from(events.stream[row]));
                handle.map_or(Cell::Empty, |handle| Cell::Stream(*handle))
            }
            C::Allocated => Cell::Bytes(self.table.counters.allocated[row + 1]),
            C::Active => Cell::Bytes(self.table.counters.active[row + 1]),
            C::Reserved => Cell::Bytes(self.table.counters.reserved[row + 1]),
            C::Stack => text(
                self.texts
                    .place(events.stack[row])
                    .map(|_| stack_text(self.recording, StackId(events.stack[row]))),
            ),
            C::TopFrame => self.texts.top(events.stack[row]).map_or(Cell::Empty, |place| {
                Cell::Text(self.texts.tops()[place as usize].as_str().into())
            }),
            C::Pool => text(self.pool(row).map(|pool| pool_name(self.recording, pool))),
            C::Step => self
                .steps
                .at(event)
                .map_or(Cell::Empty, |step| Cell::Text(self.steps.name(step).into())),
            C::Time => events.time_ns(event).map_or(Cell::Empty, |time| Cell::Time(micros(time))),
            C::Block => self
                .block(row)
                .map_or(Cell::Empty, |id| Cell::Block { id, number: self.blocks.number(id) }),
        }
    }
}
