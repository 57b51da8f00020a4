//! The block table of one track of a dump.

use crate::dump_texts::DumpTexts;
use crate::inefficient::{Flags, Inefficiency, Thresholds, Use};
use crate::{
    BlockColumn, BlockPeriod, BlockRows, Bytes, Cell, Column, Needle, Rows, Run, Shape, StackTexts,
    Steps, attr,
};
use model::{BlockId, DeviceTable, Dump, EventId, Recording, Slot, StackId, State, Track};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of a block of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DumpBlockColumn {
    /// See [`BlockRows::number`].
    Id,
    /// First byte.
    Address,
    /// Bytes.
    Size,
    /// When it was allocated; empty when that is not in the file.
    MallocTime,
    /// When it was freed; empty when that is not in the file.
    FreeTime,
    /// Who holds it.
    Owner,
    /// The process that allocated it.
    Process,
    /// The thread that allocated it.
    Thread,
    /// When it was first accessed, −1 when that is not recorded.
    FirstAccess,
    /// When it was last accessed, −1 likewise.
    LastAccess,
    /// The longest time between two consecutive accesses; 0 with fewer than two.
    LongestGap,
    /// Its attributes, with its allocation and what is inefficient about it first.
    Attr,
    /// How often it was accessed.
    Accesses,
    /// The collector's number of its allocation; 0 when not recorded.
    AllocationId,
    /// Nanoseconds from its allocation, or the start, to its free, or the end.
    Lifetime,
    /// See [`BlockState`](crate::BlockState); as of the cursor.
    State,
    /// The event that allocated it.
    AllocEvent,
    /// The event that freed it.
    FreeEvent,
    /// The frame that tells most about who allocated it.
    TopFrame,
    /// All frames of its allocation.
    Stack,
    /// What is inefficient about it, by the thresholds of the table.
    Inefficient,
    /// Which ends of its life the collector made up.
    Shadow,
}

impl Column for DumpBlockColumn {
    type Period = BlockPeriod;
}

impl DumpBlockColumn {
    /// The same column of the blocks of a snapshot.
    fn plain(self) -> Option<BlockColumn> {
        Some(match self {
            Self::Id => BlockColumn::Id,
            Self::Address => BlockColumn::Address,
            Self::Size => BlockColumn::Size,
            Self::State => BlockColumn::State,
            Self::TopFrame => BlockColumn::TopFrame,
            Self::Stack => BlockColumn::Stack,
            _ => return None,
        })
    }
}

/// By [`Track::flags`]: nothing, its allocation, its free, both.
const SHADOWS: [&str; 4] = ["", "malloc", "free", "malloc, free"];

/// The blocks of one track as rows; row `n` is `BlockId(n)`.
#[derive(Debug, Clone)]
pub struct DumpBlockRows<'a> {
    recording: &'a Recording,
    table: &'a DeviceTable,
    dump: &'a Dump,
    track: &'a Track,
    texts: &'a DumpTexts,
    blocks: BlockRows<'a>,
    thresholds: Thresholds,
}

impl<'a> DumpBlockRows<'a> {
    /// The blocks of `recording.devices[device]`; `None` when that is no track of a dump.
    pub fn new(
        recording: &'a Recording,
        device: usize,
        stacks: (&'a StackTexts, &'a Steps),
        texts: &'a DumpTexts,
        thresholds: Thresholds,
    ) -> Option<Self> {
        let table = &recording.devices[device];
        Some(Self {
            recording,
            table,
            dump: recording.dump.as_deref()?,
            track: table.track.as_deref()?,
            texts,
            blocks: BlockRows::new(recording, device, stacks.0, stacks.1),
            thresholds,
        })
    }

    /// See [`BlockRows::number`].
    pub fn number(&self, block: BlockId) -> i64 {
        self.blocks.number(block)
    }

    /// When `row` was there and used.
    pub fn life(&self, row: usize) -> Use {
        Use::of(self.table, self.track, &self.dump.rows, row)
    }

    /// What is inefficient about `row`.
    pub fn flags(&self, row: usize) -> Flags {
        self.life(row).flags(&self.thresholds)
    }

    /// What `row` of the dump says, if it is one.
    fn at<T>(row: u32, of: impl FnOnce(usize) -> T) -> Option<T> {
        (row != Track::NO_ROW).then(|| of(row as usize))
    }

    fn malloc_ns(&self, row: usize) -> Option<i64> {
        Self::at(self.track.malloc_row[row], |row| self.dump.rows.time_ns[row])
    }

    fn free_ns(&self, row: usize) -> Option<i64> {
        Self::at(self.track.free_row[row], |row| self.dump.rows.time_ns[row])
    }

    fn thread(&self, row: usize) -> Option<i64> {
        Self::at(self.track.malloc_row[row], |row| self.dump.rows.thread[row])
    }

    fn process(&self) -> i64 {
        self.dump.processes[usize::from(self.track.process)]
    }

    /// The event that made `state`, when `row` of the dump is what did it.
    fn event(&self, row: u32, state: u32) -> Option<EventId> {
        let event = EventId(state.checked_sub(1)?);
        let is_known = row != Track::NO_ROW && event.0 < self.table.events.len();
        is_known.then_some(event)
    }

    fn alloc_event(&self, row: usize) -> Option<EventId> {
        self.event(self.track.malloc_row[row], self.table.blocks.born()[row])
    }

    fn free_event(&self, row: usize) -> Option<EventId> {
        self.event(self.track.free_row[row], self.table.blocks.released()[row])
    }

    fn accesses(&self, row: usize) -> u32 {
        self.track.access_offsets[row + 1] - self.track.access_offsets[row]
    }

    /// A number of `row` that counts something or is a moment.
    fn number_in(&self, column: DumpBlockColumn, row: usize) -> Option<i64> {
        use DumpBlockColumn as C;
        let access = || self.track.access_span_ns(&self.dump.rows, row);
        match column {
            C::MallocTime => self.malloc_ns(row),
            C::FreeTime => self.free_ns(row),
            C::Process => Some(self.process()),
            C::Thread => self.thread(row),
            C::FirstAccess => Some(access().map_or(-1, |(first, _)| first)),
            C::LastAccess => Some(access().map_or(-1, |(_, last)| last)),
            C::LongestGap => Some(self.track.longest_gap_ns[row]),
            C::Accesses => Some(self.accesses(row).into()),
            C::Lifetime => Some(self.life(row).life_ns()),
            C::AllocEvent => self.alloc_event(row).map(|event| event.0.into()),
            C::FreeEvent => self.free_event(row).map(|event| event.0.into()),
            _ => None,
        }
    }

    /// What attributes have in common: the template of its allocation's, and its flags.
    fn attr_key(&self, row: usize) -> u64 {
        let templates = self.dump.rows.attr_templates.len();
        let template =
            Self::at(self.track.malloc_row[row], |row| self.dump.rows.attr[row] as usize);
        (template.unwrap_or(templates) * Flags::COUNT + usize::from(self.flags(row).bits())) as u64
    }

    fn attr_template(&self, key: usize) -> String {
        let templates = &self.dump.rows.attr_templates;
        let malloc = templates.get(key / Flags::COUNT);
        let malloc = malloc.map_or("", |template| self.recording.text(*template));
        attr::of_block(malloc, Flags::of(key % Flags::COUNT))
    }

    fn shadow(&self, row: usize) -> usize {
        usize::from(self.track.flags[row] & (Track::SHADOW_MALLOC | Track::SHADOW_FREE))
    }
}

impl Rows for DumpBlockRows<'_> {
    type Column = DumpBlockColumn;

    fn len(&self) -> u32 {
        self.table.blocks.len()
    }

    fn shape(&self, column: DumpBlockColumn) -> Shape {
        use DumpBlockColumn as C;
        match column {
            C::Id | C::Address | C::Size | C::State | C::TopFrame | C::Stack => {
                column.plain().map_or(Shape::Text, |plain| self.blocks.shape(plain))
            }
            C::MallocTime
            | C::FreeTime
            | C::Process
            | C::Thread
            | C::FirstAccess
            | C::LastAccess
            | C::LongestGap
            | C::Accesses
            | C::Lifetime
            | C::AllocEvent
            | C::FreeEvent => Shape::Signed,
            C::AllocationId => Shape::Exact,
            C::Owner | C::Inefficient | C::Shadow => Shape::Named,
            C::Attr => Shape::Text,
        }
    }

    fn keys(
        &self,
        column: DumpBlockColumn,
        cursor: State,
        rows: Range<usize>,
        keys: &mut Vec<u64>,
    ) {
        use DumpBlockColumn as C;
        if let Some(plain) = column.plain() {
            return self.blocks.keys(plain, cursor, rows, keys);
        }
        keys.clear();
        match column {
            C::Owner => keys
                .extend(self.track.owner[rows].iter().map(|owner| self.texts.owners.key(*owner))),
            C::AllocationId => keys.extend_from_slice(&self.track.allocation_id[rows]),
            C::Attr => keys.extend(rows.map(|row| self.attr_key(row))),
            C::Inefficient => keys.extend(rows.map(|row| match self.flags(row) {
                none if none.is_none() => Shape::EMPTY,
                flags => u64::from(flags.bits()),
            })),
            C::Shadow => keys.extend(rows.map(|row| match self.shadow(row) {
                0 => Shape::EMPTY,
                shadow => shadow as u64,
            })),
            number => keys.extend(
                rows.map(|row| self.number_in(number, row).map_or(Shape::EMPTY, Shape::signed)),
            ),
        }
    }

    fn names(&self, column: DumpBlockColumn) -> usize {
        use DumpBlockColumn as C;
        match (column, column.plain()) {
            (_, Some(plain)) => self.blocks.names(plain),
            (C::Owner, _) => self.texts.owners.len(),
            (C::Inefficient, _) => Flags::COUNT,
            (C::Shadow, _) => SHADOWS.len(),
            _ => 0,
        }
    }

    fn name(&self, column: DumpBlockColumn, place: usize) -> Cow<'_, str> {
        use DumpBlockColumn as C;
        match (column, column.plain()) {
            (_, Some(plain)) => self.blocks.name(plain, place),
            (C::Owner, _) => {
                self.recording.text(self.dump.owners[self.texts.owners.row(place)]).into()
            }
            (C::Inefficient, _) => Flags::of(place).names().into(),
            (C::Shadow, _) => SHADOWS[place].into(),
            _ => "".into(),
        }
    }

    fn containing(&self, column: DumpBlockColumn, needle: &Needle) -> Vec<bool> {
        let has_tag = |place: usize| {
            let tags = || Flags::of(place).iter().map(Inefficiency::tag);
            column == DumpBlockColumn::Inefficient && tags().any(|tag| needle.is_in(tag))
        };
        match column.plain() {
            Some(plain) => self.blocks.containing(plain, needle),
            None => (0..self.names(column))
                .map(|place| needle.is_in(&self.name(column, place)) || has_tag(place))
                .collect(),
        }
    }

    fn text(&self, column: DumpBlockColumn, row: usize) -> String {
        if column != DumpBlockColumn::Attr {
            return String::new();
        }
        let template = self.attr_template(self.attr_key(row) as usize);
        let filled =
            Self::at(self.track.malloc_row[row], |row| self.dump.rows.fill(&template, row));
        filled.unwrap_or_else(|| {
            let id = self.track.allocation_id[row].to_string();
            template.replace(Slot::Allocation.mark(), &id)
        })
    }

    fn saying(&self, column: DumpBlockColumn, needle: &Needle) -> Vec<Option<bool>> {
        if column != DumpBlockColumn::Attr {
            return Vec::new();
        }
        let keys = (self.dump.rows.attr_templates.len() + 1) * Flags::COUNT;
        let can_be = |key: &usize| key.is_multiple_of(Flags::COUNT) || self.thresholds.are_on();
        let says = |key| can_be(&key).then(|| attr::says(&self.attr_template(key), needle))?;
        (0..keys).map(says).collect()
    }

    fn is_within(&self, period: BlockPeriod, row: usize) -> bool {
        self.blocks.is_within(period, row)
    }

    fn holds(&self, row: usize, address: u64) -> bool {
        self.blocks.holds(row, address)
    }

    fn stack(&self, row: usize) -> Option<StackId> {
        self.blocks.stack(row)
    }

    fn bytes(&self) -> Bytes<'_> {
        self.blocks.bytes()
    }

    fn runs(&self, column: DumpBlockColumn) -> Option<Vec<Run>> {
        self.blocks.runs(column.plain()?)
    }

    fn cell(&self, row: u32, column: DumpBlockColumn, cursor: State) -> Cell<'_> {
        use DumpBlockColumn as C;
        if let Some(plain) = column.plain() {
            return self.blocks.cell(row, plain, cursor);
        }
        let row = row as usize;
        let named = |key: u64| match key {
            Shape::EMPTY => Cell::Empty,
            place => Cell::Text(self.name(column, place as usize)),
        };
        let number =
            |cell: fn(i64) -> Cell<'static>| self.number_in(column, row).map_or(Cell::Empty, cell);
        match column {
            C::MallocTime | C::FreeTime | C::FirstAccess | C::LastAccess => number(Cell::Moment),
            C::LongestGap | C::Lifetime => number(Cell::Nanos),
            C::AllocEvent => self.alloc_event(row).map_or(Cell::Empty, Cell::Event),
            C::FreeEvent => self.free_event(row).map_or(Cell::Empty, Cell::Event),
            C::AllocationId => {
                Cell::Int(i64::try_from(self.track.allocation_id[row]).unwrap_or(i64::MAX))
            }
            C::Attr => Cell::Text(self.text(column, row).into()),
            C::Owner => named(self.texts.owners.key(self.track.owner[row])),
            C::Inefficient => match self.flags(row) {
                none if none.is_none() => Cell::Empty,
                flags => Cell::Text(flags.names().into()),
            },
            C::Shadow => match self.shadow(row) {
                0 => Cell::Empty,
                shadow => Cell::Text(SHADOWS[shadow].into()),
            },
            _ => number(Cell::Int),
        }
    }
}
