//! What a table must answer, slowly: a row's cells from the recording, one by one.

use super::world::{World, line, top_frame};
use crate::{
    AddressFilter, BlockColumn, BlockPeriod, Column, Direction, EventColumn, Filter, HexDigits,
    Period, Query, Test, Within, parse_address,
};
use model::{Action, Block, BlockId, Counter, EventId, Origin, PoolId, SizeSource, StackId, State};

/// A cell as the oracle sees it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Value {
    /// What it sorts by among others of its column; `None`: empty.
    pub(crate) key: Option<(i128, Vec<String>)>,
    /// What it is in an export.
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// Other texts it is found by.
    pub(crate) aliases: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Number,
    Name,
    Stack,
    Address,
}

pub(crate) fn number(value: impl Into<i128>) -> Value {
    let value = value.into();
    Value { key: Some((value, Vec::new())), text: value.to_string(), ..Value::default() }
}

pub(crate) fn address(value: u64) -> Value {
    let key = (value != 0).then(|| (i128::from(value), Vec::new()));
    let text = if value == 0 { String::new() } else { format!("{value:#x}") };
    Value { key, text, kind: Kind::Address, aliases: Vec::new() }
}

pub(crate) fn name(place: impl Into<i128>, text: impl Into<String>) -> Value {
    let key = Some((place.into(), Vec::new()));
    Value { key, text: text.into(), kind: Kind::Name, aliases: Vec::new() }
}

pub(crate) fn by_text(text: String) -> Value {
    Value { key: Some((0, vec![text.clone()])), text, kind: Kind::Name, aliases: Vec::new() }
}

pub(crate) fn empty() -> Value {
    Value::default()
}

/// A table the oracle can look into.
pub(crate) trait Slow {
    type Column: Column;
    fn count(&self) -> u32;
    fn value(&self, row: u32, column: Self::Column, cursor: State) -> Value;
    fn holds(&self, row: u32, address: u64) -> bool;
    fn is_within(&self, row: u32, period: <Self::Column as Column>::Period) -> bool;
    fn stack_of(&self, row: u32) -> Option<StackId>;
    /// Bytes asked for and occupied.
    fn bytes(&self, row: u32) -> (u64, u64);

    fn passes(&self, row: u32, filter: &Filter<Self::Column>, cursor: State) -> bool {
        let value = self.value(row, filter.column, cursor);
        match &filter.test {
            Test::Stacks(wanted) => {
                self.stack_of(row).is_some_and(|stack| wanted.get(stack.row()) == Some(&true))
            }
            Test::Empty => value.key.is_none(),
            Test::NotEmpty => value.key.is_some(),
            _ if value.key.is_none() => false,
            Test::Between { from, to } => {
                let number = value.key.as_ref().map_or(0, |key| key.0);
                from.is_none_or(|from| from <= number) && to.is_none_or(|to| number <= to)
            }
            Test::Is(texts) => texts.iter().any(|text| match value.kind {
                Kind::Address => {
                    parse_address(text).is_some_and(|it| format!("{it:#x}") == value.text)
                }
                Kind::Number | Kind::Name | Kind::Stack => *text == value.text,
            }),
            Test::Contains(text) => match value.kind {
                Kind::Number => value.text.contains(text.trim()),
                Kind::Address => AddressFilter::typed(text)
                    .is_some_and(|filter| self.is_at(row, &value, &filter)),
                Kind::Name => {
                    let texts = || value.aliases.iter().chain([&value.text]);
                    texts().any(|it| it.to_lowercase().contains(&text.to_lowercase()))
                }
                Kind::Stack => {
                    let mut lines = value.text.lines();
                    lines.any(|line| line.to_lowercase().contains(&text.to_lowercase()))
                }
            },
            Test::Address(filter) => value.kind == Kind::Address && self.is_at(row, &value, filter),
        }
    }

    fn is_at(&self, row: u32, value: &Value, filter: &AddressFilter) -> bool {
        let address = value.key.as_ref().map_or(0, |key| key.0 as u64);
        match filter {
            AddressFilter::Exact(wanted) => address == *wanted,
            AddressFilter::Holds(wanted) => self.holds(row, *wanted),
            AddressFilter::Digits(digits) => HexDigits::are_in(*digits, address),
            AddressFilter::Any(any) => any.iter().any(|one| self.is_at(row, value, one)),
        }
    }

    /// The rows that match, in order.
    fn answer(&self, query: &Query<Self::Column>) -> Vec<u32> {
        let matches = |row: &u32| {
            query.period.is_none_or(|period| self.is_within(*row, period))
                && query.filters.iter().all(|filter| self.passes(*row, filter, query.cursor))
        };
        let mut rows: Vec<(Vec<Value>, u32)> = (0..self.count())
            .filter(matches)
            .map(|row| {
                let columns = query.order.iter();
                (columns.map(|(column, _)| self.value(row, *column, query.cursor)).collect(), row)
            })
            .collect();
        rows.sort_by(|(a, _), (b, _)| {
            let levels = a.iter().zip(b).zip(&query.order);
            let each = levels.map(|((a, b), (_, direction))| match (&a.key, &b.key) {
                (Some(a), Some(b)) if *direction == Direction::Descending => b.cmp(a),
                (Some(a), Some(b)) => a.cmp(b),
                (a, b) => a.is_none().cmp(&b.is_none()),
            });
            each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

pub(crate) struct SlowBlocks<'a>(pub(crate) &'a World);
pub(crate) struct SlowEvents<'a>(pub(crate) &'a World);

impl World {
    fn step(&self, event: Option<EventId>) -> Value {
        let begun = |event: EventId| self.starts.iter().rposition(|(start, _)| *start <= event);
        let step = event.and_then(begun);
        step.map_or(empty(), |step| name(step as i128, self.starts[step].1.clone()))
    }

    fn pool(&self, pool: Option<PoolId>) -> Value {
        let Some(pool) = pool.map(|pool| self.recording.pool(pool)) else { return empty() };
        let place = self.recording.pools.iter().filter(|other| **other < pool).count();
        let dense = format!("({},{})", pool.0, pool.1);
        Value { aliases: vec![dense], ..name(place as i128, format!("({}, {})", pool.0, pool.1)) }
    }

    fn stream(&self, row: u16) -> Value {
        let stream = self.recording.streams[usize::from(row)];
        let place = self.recording.streams.iter().filter(|other| **other < stream).count();
        name(place as i128, stream.to_string())
    }

    pub(crate) fn stack(&self, stack: Option<StackId>) -> Value {
        let frames = stack.map_or(&[][..], |stack| self.recording.stacks.frame_ids(stack));
        if frames.is_empty() {
            return empty();
        }
        let lines: Vec<String> = frames.iter().map(|row| line(&self.recording, *row)).collect();
        let text = lines.join("\n");
        Value { key: Some((0, lines)), text, kind: Kind::Stack, aliases: Vec::new() }
    }

    pub(crate) fn top(&self, stack: Option<StackId>) -> Value {
        stack.and_then(|stack| top_frame(&self.recording, stack)).map_or(empty(), by_text)
    }

    /// Events a block's life may be traced to, and its number.
    pub(crate) fn number(&self, id: BlockId) -> i128 {
        let blocks = &self.recording.devices[0].blocks;
        let is_traced = |row: u32| blocks.get(BlockId(row)).origin == Origin::Traced;
        if is_traced(id.0) {
            return i128::from(blocks.get(id).born.0) - 1;
        }
        -1 - (0..id.0).filter(|row| !is_traced(*row)).count() as i128
    }
}

impl SlowBlocks<'_> {
    fn get(&self, row: u32) -> Block {
        self.0.recording.devices[0].blocks.get(BlockId(row))
    }

    fn event(&self, state: Option<State>, action: Action) -> Value {
        let events = &self.0.recording.devices[0].events;
        let event = state.and_then(State::event).filter(|event| event.0 < events.len());
        let claimed = event.filter(|event| events.action(*event) == action);
        claimed.map_or(empty(), |event| number(event.0))
    }
}

impl Slow for SlowBlocks<'_> {
    type Column = BlockColumn;

    fn stack_of(&self, row: u32) -> Option<StackId> {
        self.get(row).stack
    }

    fn count(&self) -> u32 {
        self.0.recording.devices[0].blocks.len()
    }

    fn value(&self, row: u32, column: BlockColumn, cursor: State) -> Value {
        let block = self.get(row);
        let events = &self.0.recording.devices[0].events;
        let alloc = block.alloc().filter(|_| block.origin == Origin::Traced);
        let released = block.released.unwrap_or(State(events.len()));
        match column {
            BlockColumn::Id => number(self.0.number(BlockId(row))),
            BlockColumn::Requested => number(block.requested),
            BlockColumn::Size => number(block.size),
            BlockColumn::Address => address(block.addr),
            BlockColumn::State if cursor < block.born => name(0, "not yet allocated"),
            BlockColumn::State if block.released.is_none_or(|end| cursor < end) => Value {
                aliases: ["active_allocated", "active"].map(String::from).into(),
                ..name(1, "allocated")
            },
            BlockColumn::State if block.died.is_none_or(|end| cursor < end) => Value {
                aliases: ["active_pending_free".to_owned(), "active".to_owned()].into(),
                ..name(2, "pending free")
            },
            BlockColumn::State => {
                Value { aliases: vec!["inactive".to_owned()], ..name(3, "freed") }
            }
            BlockColumn::AllocEvent => alloc.map_or(empty(), |event| number(event.0)),
            BlockColumn::FreeRequestedEvent => self.event(block.released, Action::FreeRequested),
            BlockColumn::FreeEvent => self.event(block.died, Action::FreeCompleted),
            BlockColumn::Lifetime => number(released.0.saturating_sub(block.born.0)),
            BlockColumn::LifetimeUs => {
                let begun = block.born.event().unwrap_or(EventId(0));
                let time = |event: EventId| events.time_ns(event).map(|time| time / 1_000);
                if events.is_empty() {
                    return empty();
                }
                time(begun).map_or(empty(), |start| {
                    let end = released.event().and_then(time).unwrap_or(start);
                    number(end - start)
                })
            }
            BlockColumn::Pool => self.0.pool(block.pool),
            BlockColumn::Stream => self.0.stream(block.stream.0),
            BlockColumn::TopFrame => self.0.top(block.stack),
            BlockColumn::Stack => self.0.stack(block.stack),
            BlockColumn::Step => self.0.step(alloc),
            BlockColumn::AllocTime => alloc
                .and_then(|event| events.time_ns(event))
                .map_or(empty(), |time| number(time / 1_000)),
            BlockColumn::Origin => match block.origin {
                Origin::Traced => name(0, "traced"),
                Origin::BeforeRecording => name(1, "before_recording"),
                Origin::Ghost => name(2, "ghost"),
                Origin::Workspace => name(3, "workspace"),
            },
            BlockColumn::SizeSource => match block.size_source {
                SizeSource::Stated => name(0, "stated"),
                SizeSource::Computed => name(1, "computed"),
                SizeSource::Requested => name(2, "requested"),
            },
        }
    }

    fn holds(&self, row: u32, address: u64) -> bool {
        let block = self.get(row);
        let end = u128::from(block.addr) + u128::from(block.size);
        block.addr <= address && u128::from(address) < end
    }

    fn is_within(&self, row: u32, BlockPeriod { period, within }: BlockPeriod) -> bool {
        let block = self.get(row);
        let alloc = block.alloc().filter(|_| block.origin == Origin::Traced);
        let free = block.died.map(State::event);
        let is_in = |event: EventId| period.from <= event && event <= period.to;
        // `Some(None)`: gone before the first event.
        let is_freed_by_end = free.is_some_and(|free| free.is_none_or(|free| free <= period.to));
        match within {
            Within::Overlapping => {
                block.born.event().is_none_or(|born| born <= period.to)
                    && free.is_none_or(|free| free.is_some_and(|free| free >= period.from))
            }
            Within::Inside => alloc.is_some_and(is_in) && is_freed_by_end,
            Within::NotFreedIn => alloc.is_some_and(is_in) && !is_freed_by_end,
        }
    }

    fn bytes(&self, row: u32) -> (u64, u64) {
        (self.get(row).requested, self.get(row).size)
    }
}

impl SlowEvents<'_> {
    fn block(&self, row: u32) -> Option<BlockId> {
        let table = &self.0.recording.devices[0];
        let block = table.block_of_event[row as usize];
        (block < table.blocks.len()).then_some(BlockId(block))
    }
}

impl Slow for SlowEvents<'_> {
    type Column = EventColumn;

    fn stack_of(&self, row: u32) -> Option<StackId> {
        self.0.recording.devices[0].events.stack(EventId(row))
    }

    fn count(&self) -> u32 {
        self.0.recording.devices[0].events.len()
    }

    fn value(&self, row: u32, column: EventColumn, _: State) -> Value {
        let table = &self.0.recording.devices[0];
        let events = &table.events;
        let event = EventId(row);
        let after = |counter| number(table.counters.at(counter, State::after(event)));
        match column {
            EventColumn::Id => number(row),
            EventColumn::Action => by_text(match events.action(event) {
                Action::Other(row) => {
                    let text = self.0.recording.other_actions[usize::from(row)];
                    self.0.recording.text(text).to_owned()
                }
                known => known.name().unwrap().to_owned(),
            }),
            EventColumn::Address => match events.action(event) {
                Action::Oom | Action::Snapshot | Action::UserDefined => address(0),
                _ => address(events.addr[event.row()]),
            },
            EventColumn::Size => number(events.size[event.row()]),
            EventColumn::Stream => self.0.stream(events.stream[event.row()]),
            EventColumn::Allocated => after(Counter::Allocated),
            EventColumn::Active => after(Counter::Active),
            EventColumn::Reserved => after(Counter::Reserved),
            EventColumn::Stack => self.0.stack(events.stack(event)),
            EventColumn::TopFrame => self.0.top(events.stack(event)),
            EventColumn::Pool => {
                let of_block = self.block(row).and_then(|block| table.blocks.get(block).pool);
                self.0.pool(events.pool(event).or(of_block))
            }
            EventColumn::Step => self.0.step(Some(event)),
            EventColumn::Time => events.time_ns(event).map_or(empty(), |time| number(time / 1_000)),
            EventColumn::Block => {
                self.block(row).map_or(empty(), |block| number(self.0.number(block)))
            }
        }
    }

    fn holds(&self, row: u32, address: u64) -> bool {
        if let Some(block) = self.block(row) {
            return SlowBlocks(self.0).holds(block.0, address);
        }
        let own = self.value(row, EventColumn::Address, State(0)).key.map_or(0, |key| key.0);
        let size = self.0.recording.devices[0].events.size[row as usize];
        own != 0 && own <= i128::from(address) && i128::from(address) < own + i128::from(size)
    }

    fn is_within(&self, row: u32, period: Period) -> bool {
        period.from.0 <= row && row <= period.to.0
    }

    fn bytes(&self, row: u32) -> (u64, u64) {
        let size = self.0.recording.devices[0].events.size[row as usize];
        (size, size)
    }
}
