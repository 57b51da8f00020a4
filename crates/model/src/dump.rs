//! What a `msMemScope` dump holds beyond allocations.
//!
//! Start reading at [`Dump`]. A dump's devices × pools are [`DeviceTable`](crate::DeviceTable)s like
//! any other, each with a [`Track`] that says what the dump adds; [`Dump`] is what they share.
//! All times are nanoseconds since [`Recording::zero_ns`](crate::Recording).

use crate::{Column, StackId, StringId};

/// What the tracks of a dump share.
#[derive(Debug, Clone)]
pub struct Dump {
    /// The recording ends here; it begins at 0.
    pub end_ns: i64,
    /// Distinct process ids.
    pub processes: Vec<i64>,
    /// Distinct texts of the column `Device Id`, `N/A` among them.
    pub devices: Vec<StringId>,
    /// Every row of the dump, whatever it is about.
    pub rows: DumpRows,
    /// Distinct owners as written, `PTA@ops@aten`; row 0 is "none".
    pub owners: Vec<StringId>,
    /// Python threads that were traced, by process, then thread.
    pub threads: Vec<TraceThread>,
}

/// Every row of a dump, sorted by time, then id; columns of equal length.
#[derive(Debug, Clone)]
pub struct DumpRows {
    /// `ID`: with the process it names an event, though not always only one.
    pub id: Column<i64>,
    /// `Timestamp`.
    pub time_ns: Column<i64>,
    /// `Event`: row of [`DumpRows::words`].
    pub event: Column<u16>,
    /// `Event Type`: row of [`DumpRows::words`].
    pub event_type: Column<u16>,
    /// `Name`.
    pub name: Column<u32>,
    /// Row of [`Dump::processes`].
    pub process: Column<u16>,
    /// `Thread Id`.
    pub thread: Column<i64>,
    /// Row of [`Dump::devices`].
    pub device: Column<u16>,
    /// `Ptr`, or [`DumpRows::NO_PTR`].
    pub ptr: Column<u64>,
    /// Row of [`DumpRows::attr_templates`].
    pub attr: Column<u32>,
    /// Numbers that [`DumpRows::attr_text`] puts in, by [`Slot`]; 0 where the row has none.
    pub slots: [Column<i64>; 4],
    /// Python stack, or `u32::MAX`.
    pub python_stack: Column<u32>,
    /// Row of the recording's strings: the C stack as written, or 0.
    pub c_stack: Column<u32>,
    /// Distinct texts of `Event` and `Event Type`.
    pub words: Vec<StringId>,
    /// Distinct texts of `Attr` with [`Slot::mark`]s where numbers stand.
    pub attr_templates: Vec<StringId>,
    /// Whether the file has the columns for stacks, Python's and C's.
    pub has_stacks: [bool; 2],
}

/// A number of `Attr` that has a column of its own, so that texts of `Attr` are few.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Slot {
    /// `allocation_id`; `streamId` of kernels.
    Allocation = 0,
    /// `size`; `taskId` of kernels.
    Size = 1,
    /// `total`: bytes the pool holds after the event.
    Total = 2,
    /// `used`: bytes the pool has handed out after the event.
    Used = 3,
}

impl Slot {
    /// All, by column.
    pub const ALL: [Self; 4] = [Self::Allocation, Self::Size, Self::Total, Self::Used];
    /// In a template: the row's own [`DumpRows::ptr`], `0x` and sixteen hex digits.
    pub const PTR_HEX: char = '\u{10}';
    /// In a template: the row's own [`DumpRows::ptr`] in decimal.
    pub const PTR_DECIMAL: char = '\u{11}';

    /// In a template: the next character stands for itself.
    pub const VERBATIM: char = '\u{12}';

    /// The character that stands for the number in a template.
    pub const fn mark(self) -> char {
        match self {
            Self::Allocation => '\u{1}',
            Self::Size => '\u{2}',
            Self::Total => '\u{3}',
            Self::Used => '\u{4}',
        }
    }
}

impl DumpRows {
    /// In [`DumpRows::ptr`]: the row is not about an address.
    pub const NO_PTR: u64 = u64::MAX;
    /// In [`DumpRows::python_stack`]: none.
    pub const NO_STACK: u32 = u32::MAX;

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.id.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The number in `slot` of `row`.
    pub fn slot(&self, slot: Slot, row: usize) -> i64 {
        self.slots[slot as usize][row]
    }

    /// The address of `row`.
    pub fn ptr(&self, row: usize) -> Option<u64> {
        let ptr = self.ptr[row];
        (ptr != Self::NO_PTR).then_some(ptr)
    }

    /// The Python stack of `row`.
    pub fn python_stack(&self, row: usize) -> Option<StackId> {
        let stack = self.python_stack[row];
        (stack != Self::NO_STACK).then_some(StackId(stack))
    }

    /// `Attr` of `row` as the file has it; `text` looks texts up.
    pub fn attr_text<'a>(&self, row: usize, text: impl Fn(StringId) -> &'a str) -> String {
        self.fill(text(self.attr_templates[self.attr[row] as usize]), row)
    }

    /// `template`, one of an `Attr`, with the numbers of `row` in it.
    pub fn fill(&self, template: &str, row: usize) -> String {
        use std::fmt::Write as _;
        let mut out = String::with_capacity(template.len() + 32);
        let mut letters = template.chars();
        while let Some(letter) = letters.next() {
            let slot = Slot::ALL.into_iter().find(|slot| slot.mark() == letter);
            // Writing to a string cannot fail.
            let written = match (slot, letter) {
                (Some(slot), _) => write!(out, "{}", self.slot(slot, row)),
                (None, Slot::PTR_HEX) => write!(out, "{:#018x}", self.ptr[row]),
                (None, Slot::PTR_DECIMAL) => write!(out, "{}", self.ptr[row]),
                (None, Slot::VERBATIM) => {
                    out.extend(letters.next());
                    Ok(())
                }
                (None, other) => {
                    out.push(other);
                    Ok(())
                }
            };
            debug_assert!(written.is_ok(), "a string takes everything");
        }
        out
    }
}

/// One device × pool of one process in a dump; columns have one value a block of the device's
/// table, unless they say otherwise.
#[derive(Debug, Clone)]
pub struct Track {
    /// Row of [`Dump::devices`].
    pub device: u16,
    /// `PTA`, `HAL`, …, as the file has it.
    pub pool: StringId,
    /// Row of [`Dump::processes`].
    pub process: u16,
    /// The recording's [`Dump::end_ns`].
    pub end_ns: i64,
    /// Row of [`Dump::rows`] of each event of the track.
    pub row_of_event: Column<u32>,
    /// Whether the pool's own figures are in the file: then the device's
    /// [`Counters::active`](crate::Counters) is its `used`, and
    /// [`Counters::reserved`](crate::Counters) its `total`. Where they are not, those columns repeat
    /// `allocated`.
    pub has_used: bool,
    /// See [`Track::has_used`].
    pub has_total: bool,
    /// Row of [`Dump::owners`]; 0: none.
    pub owner: Column<u32>,
    /// `allocation_id`; 0: not recorded.
    pub allocation_id: Column<u64>,
    /// Row of [`Dump::rows`] of its MALLOC, or [`Track::NO_ROW`].
    pub malloc_row: Column<u32>,
    /// Row of [`Dump::rows`] of its FREE, or [`Track::NO_ROW`].
    pub free_row: Column<u32>,
    /// `access_rows[access_offsets[b]..access_offsets[b + 1]]` are the rows of [`Dump::rows`] that
    /// access block `b`, by time: one value more than blocks.
    pub access_offsets: Column<u32>,
    /// See [`Track::access_offsets`].
    pub access_rows: Column<u32>,
    /// Longest time between two consecutive accesses; 0 with fewer than two.
    pub longest_gap_ns: Column<i64>,
    /// [`Track::SHADOW_MALLOC`], [`Track::SHADOW_FREE`].
    pub flags: Column<u8>,
}

impl Track {
    /// In [`Track::malloc_row`] and [`Track::free_row`]: not in the file.
    pub const NO_ROW: u32 = u32::MAX;
    /// In [`Track::flags`]: the collector made its MALLOC up, it was there when tracing began.
    pub const SHADOW_MALLOC: u8 = 1;
    /// In [`Track::flags`]: the collector made its FREE up, it was there when tracing ended.
    pub const SHADOW_FREE: u8 = 2;

    /// The rows that access `block`, by time.
    pub fn accesses(&self, block: usize) -> &[u32] {
        let (from, to) = (self.access_offsets[block], self.access_offsets[block + 1]);
        &self.access_rows[from as usize..to as usize]
    }

    /// When `block` was accessed first and last.
    pub fn access_span_ns(&self, rows: &DumpRows, block: usize) -> Option<(i64, i64)> {
        let accesses = self.accesses(block);
        let at = |row: &u32| rows.time_ns[*row as usize];
        Some((at(accesses.first()?), at(accesses.last()?)))
    }
}

/// One Python thread's calls.
#[derive(Debug, Clone)]
pub struct TraceThread {
    /// Process id.
    pub process: i64,
    /// Thread id.
    pub thread: i64,
    /// Its calls.
    pub slices: Slices,
}

/// Calls of one thread, sorted by start, outer before inner; columns of equal length.
#[derive(Debug, Clone)]
pub struct Slices {
    /// When it began; 0 when it was running before tracing began and no start is known.
    pub start_ns: Column<i64>,
    /// When it ended; the recording's end for those still open.
    pub end_ns: Column<i64>,
    /// `file(line): function` as written.
    pub name: Column<u32>,
    /// How many calls enclose it.
    pub depth: Column<u16>,
    /// [`Slices::NO_START`], [`Slices::OPEN`].
    pub flags: Column<u8>,
}

impl Slices {
    /// In [`Slices::flags`]: its start is not in the file.
    pub const NO_START: u8 = 1;
    /// In [`Slices::flags`]: it had not ended when tracing stopped.
    pub const OPEN: u8 = 2;

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.name.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// The text behind a row of [`Slices::name`].
    pub fn name(&self, row: usize) -> StringId {
        StringId(self.name[row])
    }
}
