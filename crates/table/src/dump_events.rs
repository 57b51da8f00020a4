//! The event table of one device of a dump.

use crate::dump_rows::DeviceRows;
use crate::dump_texts::DumpTexts;
use crate::texts::stack_text;
use crate::{BlockRows, Bytes, Cell, Column, Needle, Rows, Run, Shape, StackTexts, Steps, attr};
use model::{BlockId, Dump, DumpRows, EventId, Recording, StackId, State, StringId, Track};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of an event of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DumpEventColumn {
    /// The collector's number, which only with the process names an event.
    Id,
    /// What it is.
    Event,
    /// Which kind of that.
    EventType,
    /// What it is called.
    Name,
    /// When it happened.
    Time,
    /// Its process.
    Process,
    /// Its thread.
    Thread,
    /// The address it is about; empty when it is about none.
    Address,
    /// Its attributes as the file has them.
    Attr,
    /// Frames of Python, innermost first.
    PythonStack,
    /// Frames of C as the file has them.
    CStack,
    /// Its device as the file has it.
    Device,
    /// Bytes it is about; empty when it is about none.
    Size,
    /// The block of the shown track it is about, see [`BlockRows::number`].
    Block,
}

/// A stretch of time, both ends included, nanoseconds since the recording's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimePeriod {
    /// First moment.
    pub from_ns: i64,
    /// Last moment.
    pub to_ns: i64,
}

impl Column for DumpEventColumn {
    type Period = TimePeriod;
}

/// The rows of a dump about one device, and about none, as the dump has them.
#[derive(Debug, Clone)]
pub struct DumpEventRows<'a> {
    recording: &'a Recording,
    dump: &'a Dump,
    track: &'a Track,
    texts: &'a DumpTexts,
    stacks: &'a StackTexts,
    rows: &'a DeviceRows,
    blocks: BlockRows<'a>,
}

impl<'a> DumpEventRows<'a> {
    /// The rows about the device of the track `recording.devices[device]`, which are `rows`;
    /// `None` when that is no track of a dump.
    pub fn new(
        recording: &'a Recording,
        device: usize,
        stacks: (&'a StackTexts, &'a Steps),
        texts: &'a DumpTexts,
        rows: &'a DeviceRows,
    ) -> Option<Self> {
        Some(Self {
            recording,
            dump: recording.dump.as_deref()?,
            track: recording.devices[device].track.as_deref()?,
            texts,
            stacks: stacks.0,
            rows,
            blocks: BlockRows::new(recording, device, stacks.0, stacks.1),
        })
    }

    /// Whether the file has `column`: those for stacks came late.
    pub fn has(&self, column: DumpEventColumn) -> bool {
        match column {
            DumpEventColumn::PythonStack => self.dump.rows.has_stacks[0],
            DumpEventColumn::CStack => self.dump.rows.has_stacks[1],
            _ => true,
        }
    }

    /// The block of the track that `row` is about.
    pub fn block(&self, row: u32) -> Option<BlockId> {
        self.rows.block(row as usize)
    }

    /// The event of the track that `row` is.
    pub fn event(&self, row: u32) -> Option<EventId> {
        let found = self.track.row_of_event.binary_search(&self.rows.rows()[row as usize]);
        found.ok().map(|event| EventId(event as u32))
    }

    /// The row that `event` of the track is.
    pub fn of_event(&self, event: EventId) -> Option<u32> {
        let row = self.track.row_of_event.get(event.row())?;
        self.rows.rows().binary_search(row).ok().map(|place| place as u32)
    }

    fn dump_rows(&self) -> &'a DumpRows {
        &self.dump.rows
    }

    /// The row of the dump.
    fn at(&self, row: usize) -> usize {
        self.rows.rows()[row] as usize
    }

    fn address(&self, row: usize) -> u64 {
        self.dump_rows().ptr(self.at(row)).unwrap_or(0)
    }

    fn size(&self, row: usize) -> Option<u64> {
        let is_sized = self.rows.is_sized(self.dump_rows(), row);
        is_sized.then(|| self.rows.sizes()[row])
    }

    fn template(&self, template: usize) -> &'a str {
        self.recording.text(self.dump_rows().attr_templates[template])
    }

    fn python_stack(&self, row: usize) -> u32 {
        self.dump_rows().python_stack[self.at(row)]
    }

    /// The key of `row`, a place in the list, in a column that is no address.
    fn key(&self, column: DumpEventColumn, row: usize) -> u64 {
        use DumpEventColumn as C;
        let (rows, at) = (self.dump_rows(), self.at(row));
        match column {
            C::Id => Shape::signed(rows.id[at]),
            C::Event => self.texts.words.key(rows.event[at]),
            C::EventType => self.texts.words.key(rows.event_type[at]),
            C::Name => self.texts.names.key(rows.name[at]),
            C::Time => Shape::signed(rows.time_ns[at]),
            C::Process => Shape::signed(self.dump.processes[usize::from(rows.process[at])]),
            C::Thread => Shape::signed(rows.thread[at]),
            C::Address => self.address(row),
            C::Attr => match rows.attr[at] as usize {
                template if self.template(template).is_empty() => Shape::EMPTY,
                template => template as u64,
            },
            C::PythonStack => {
                self.stacks.place(rows.python_stack[at]).map_or(Shape::EMPTY, u64::from)
            }
            C::CStack => self.texts.c_stacks.key(rows.c_stack[at]),
            C::Device => self.texts.devices.key(rows.device[at]),
            C::Size => self.size(row).map_or(Shape::EMPTY, |size| size.min(Shape::EMPTY - 1)),
            C::Block => {
                let number = self.rows.block(row).map(|block| self.blocks.number(block));
                number.map_or(Shape::EMPTY, Shape::signed)
            }
        }
    }
}

impl Rows for DumpEventRows<'_> {
    type Column = DumpEventColumn;

    fn len(&self) -> u32 {
        self.rows.rows().len() as u32
    }

    fn shape(&self, column: DumpEventColumn) -> Shape {
        use DumpEventColumn as C;
        match column {
            C::Id | C::Time | C::Process | C::Thread | C::Block => Shape::Signed,
            C::Event | C::EventType | C::Name | C::PythonStack | C::CStack | C::Device => {
                Shape::Named
            }
            C::Address => Shape::Address,
            C::Attr => Shape::Text,
            C::Size => Shape::Unsigned,
        }
    }

    fn keys(&self, column: DumpEventColumn, _: State, rows: Range<usize>, keys: &mut Vec<u64>) {
        keys.clear();
        keys.extend(rows.map(|row| self.key(column, row)));
    }

    fn names(&self, column: DumpEventColumn) -> usize {
        use DumpEventColumn as C;
        match column {
            C::Event | C::EventType => self.texts.words.len(),
            C::Name => self.texts.names.len(),
            C::PythonStack => self.stacks.len(),
            C::CStack => self.texts.c_stacks.len(),
            C::Device => self.texts.devices.len(),
            _ => 0,
        }
    }

    fn name(&self, column: DumpEventColumn, place: usize) -> Cow<'_, str> {
        use DumpEventColumn as C;
        let string = |row: usize| self.recording.text(StringId(row as u32)).into();
        match column {
            C::Event | C::EventType => {
                let word = self.dump_rows().words[self.texts.words.row(place)];
                self.recording.text(word).into()
            }
            C::Name => string(self.texts.names.row(place)),
            C::PythonStack => stack_text(self.recording, self.stacks.stack(place)).into(),
            C::CStack => string(self.texts.c_stacks.row(place)),
            C::Device => {
                self.recording.text(self.dump.devices[self.texts.devices.row(place)]).into()
            }
            _ => "".into(),
        }
    }

    fn containing(&self, column: DumpEventColumn, needle: &Needle) -> Vec<bool> {
        if column == DumpEventColumn::PythonStack {
            return self.stacks.containing(self.recording, needle);
        }
        (0..self.names(column)).map(|place| needle.is_in(&self.name(column, place))).collect()
    }

    fn text(&self, column: DumpEventColumn, row: usize) -> String {
        if column != DumpEventColumn::Attr {
            return String::new();
        }
        self.dump_rows().attr_text(self.at(row), |id| self.recording.text(id))
    }

    fn saying(&self, column: DumpEventColumn, needle: &Needle) -> Vec<Option<bool>> {
        if column != DumpEventColumn::Attr {
            return Vec::new();
        }
        let templates = 0..self.dump_rows().attr_templates.len();
        templates.map(|template| attr::says(self.template(template), needle)).collect()
    }

    fn is_within(&self, period: TimePeriod, row: usize) -> bool {
        (period.from_ns..=period.to_ns).contains(&self.dump_rows().time_ns[self.at(row)])
    }

    fn holds(&self, row: usize, address: u64) -> bool {
        if let Some(block) = self.rows.block(row) {
            return self.blocks.holds(block.row(), address);
        }
        let start = self.address(row);
        let offset = address.checked_sub(start).filter(|_| start != 0);
        offset.is_some_and(|offset| offset < self.rows.sizes()[row])
    }

    fn stack(&self, row: usize) -> Option<StackId> {
        self.dump_rows().python_stack(self.at(row))
    }

    fn bytes(&self) -> Bytes<'_> {
        Bytes { requested: self.rows.sizes(), size: self.rows.sizes() }
    }

    fn runs(&self, _: DumpEventColumn) -> Option<Vec<Run>> {
        None
    }

    fn cell(&self, row: u32, column: DumpEventColumn, _: State) -> Cell<'_> {
        use DumpEventColumn as C;
        let row = row as usize;
        let (rows, at) = (self.dump_rows(), self.at(row));
        match column {
            C::Id => Cell::Int(rows.id[at]),
            C::Time => Cell::Moment(rows.time_ns[at]),
            C::Process => Cell::Int(self.dump.processes[usize::from(rows.process[at])]),
            C::Thread => Cell::Int(rows.thread[at]),
            C::Address if self.address(row) == 0 => Cell::Empty,
            C::Address => Cell::Address(self.address(row)),
            C::Attr => match self.text(column, row) {
                none if none.is_empty() => Cell::Empty,
                text => Cell::Text(text.into()),
            },
            C::PythonStack if self.stacks.place(self.python_stack(row)).is_none() => Cell::Empty,
            C::PythonStack => {
                let stack = StackId(self.python_stack(row));
                Cell::Text(stack_text(self.recording, stack).into())
            }
            C::Size => self.size(row).map_or(Cell::Empty, Cell::Bytes),
            C::Block => self
                .rows
                .block(row)
                .map_or(Cell::Empty, |id| Cell::Block { id, number: self.blocks.number(id) }),
            C::Event | C::EventType | C::Name | C::CStack | C::Device => {
                match self.key(column, row) {
                    Shape::EMPTY => Cell::Empty,
                    place => Cell::Text(self.name(column, place as usize)),
                }
            }
        }
    }
}
