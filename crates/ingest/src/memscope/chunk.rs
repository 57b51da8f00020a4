//! A stretch of a file's rows as columns, with numbers of texts of its own.

use super::attr::{self, Facts, Numbers};
use super::cells::{Cells, Field};
use super::texts::Texts;
use model::{DumpRows, Slot};
use rustc_hash::FxHashMap;

/// What was wrong with rows, counted.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Trouble {
    /// Left out: they do not say when.
    pub(super) timeless: u64,
    /// Left out: they have too few or too many cells.
    pub(super) misshapen: u64,
    /// Their `Attr` breaks the rules.
    pub(super) broken_attr: u64,
    /// Told apart no more: more distinct words, devices or processes than a column can number.
    pub(super) crowded: u64,
}

/// A stretch of rows, in the order of the file; columns of equal length.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) id: Vec<i64>,
    pub(super) time: Vec<i64>,
    /// Rows of `words`.
    pub(super) event: Vec<u16>,
    pub(super) event_type: Vec<u16>,
    /// Row of `names`.
    pub(super) name: Vec<u32>,
    pub(super) process: Vec<u16>,
    pub(super) thread: Vec<i64>,
    /// Row of `devices`.
    pub(super) device: Vec<u16>,
    pub(super) ptr: Vec<u64>,
    /// Row of `templates`.
    pub(super) attr: Vec<u32>,
    pub(super) slots: [Vec<i64>; Slot::ALL.len()],
    /// Rows of `python_stacks` and `native_stacks`.
    pub(super) python_stack: Vec<u32>,
    pub(super) native_stack: Vec<u32>,

    pub(super) words: Texts,
    pub(super) names: Texts,
    pub(super) processes: Vec<i64>,
    process_rows: FxHashMap<i64, u16>,
    last_process: Option<(i64, u16)>,
    pub(super) devices: Texts,
    pub(super) templates: Texts,
    /// What each template says; `None`: its numbers stand where they cannot, see [`Facts::of`].
    pub(super) facts: Vec<Option<Facts>>,
    pub(super) python_stacks: Texts,
    pub(super) native_stacks: Texts,
    pub(super) trouble: Trouble,
    scratch: Vec<u8>,
}

impl Chunk {
    /// No rows yet, room for `rows`.
    pub(super) fn new(rows: usize) -> Self {
        Self {
            id: Vec::with_capacity(rows),
            time: Vec::with_capacity(rows),
            event: Vec::with_capacity(rows),
            event_type: Vec::with_capacity(rows),
            name: Vec::with_capacity(rows),
            process: Vec::with_capacity(rows),
            thread: Vec::with_capacity(rows),
            device: Vec::with_capacity(rows),
            ptr: Vec::with_capacity(rows),
            attr: Vec::with_capacity(rows),
            slots: std::array::from_fn(|_| Vec::with_capacity(rows)),
            python_stack: Vec::with_capacity(rows),
            native_stack: Vec::with_capacity(rows),
            words: Texts::new(),
            names: Texts::new(),
            processes: Vec::new(),
            process_rows: FxHashMap::default(),
            last_process: None,
            devices: Texts::new(),
            templates: Texts::new(),
            facts: vec![Some(Facts::default())],
            python_stacks: Texts::new(),
            native_stacks: Texts::new(),
            trouble: Trouble::default(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds a row.
    pub(super) fn push(&mut self, cells: &Cells<'_>) {
        let cell = |field: Field| cells[field as usize];
        let Some(time) = cell(Field::Time).number() else {
            self.trouble.timeless += 1;
            return;
        };
        self.time.push(time);
        self.id.push(cell(Field::Id).number().unwrap_or_default());
        self.thread.push(cell(Field::Thread).number().unwrap_or_default());
        let event = self.words.row(&cell(Field::Event).text());
        let event = self.narrow(event);
        self.event.push(event);
        let event_type = self.words.row(&cell(Field::EventType).text());
        let event_type = self.narrow(event_type);
        self.event_type.push(event_type);
        self.name.push(self.names.row(&cell(Field::Name).text()));
        let process = self.process_row(cell(Field::Process).number().unwrap_or_default());
        self.process.push(process);
        let device = cell(Field::Device).text();
        let device = self.devices.row(if device.is_empty() { b"N/A" } else { &device });
        let device = self.narrow(device);
        self.device.push(device);
        let ptr = cell(Field::Ptr).address().unwrap_or(DumpRows::NO_PTR);
        self.ptr.push(ptr);
        self.push_attr(&cell(Field::Attr).text(), ptr);
        self.python_stack.push(self.python_stacks.row(&cell(Field::PythonStack).text()));
        self.native_stack.push(self.native_stacks.row(&cell(Field::NativeStack).text()));
    }

    fn push_attr(&mut self, text: &[u8], ptr: u64) {
        let mut numbers = Numbers::default();
        let mut scratch = std::mem::take(&mut self.scratch);
        attr::template(text, ptr, &mut scratch, &mut numbers);
        let mut row = self.template_row(&scratch);
        if self.facts[row as usize].is_none() {
            numbers = Numbers::default();
            attr::literal(text, &mut scratch);
            row = self.template_row(&scratch);
        }
        self.scratch = scratch;
        let is_broken = self.facts[row as usize].as_ref().is_none_or(|facts| facts.is_broken);
        self.trouble.broken_attr += u64::from(is_broken);
        self.attr.push(row);
        for (slot, number) in self.slots.iter_mut().zip(numbers) {
            slot.push(number);
        }
    }

    fn template_row(&mut self, template: &[u8]) -> u32 {
        let row = self.templates.row(template);
        if row as usize == self.facts.len() {
            self.facts.push(Facts::of(self.templates.text(row)));
        }
        row
    }

    fn narrow(&mut self, row: u32) -> u16 {
        u16::try_from(row).unwrap_or_else(|_| {
            self.trouble.crowded += 1;
            u16::MAX
        })
    }

    fn process_row(&mut self, process: i64) -> u16 {
        if let Some((last, row)) = self.last_process
            && last == process
        {
            return row;
        }
        let next = self.processes.len();
        let row = match self.process_rows.get(&process) {
            Some(row) => *row,
            None if next > usize::from(u16::MAX) => {
                self.trouble.crowded += 1;
                u16::MAX
            }
            None => {
                self.processes.push(process);
                self.process_rows.insert(process, next as u16);
                next as u16
            }
        };
        self.last_process = Some((process, row));
        row
    }
}
