//! All rows of a dump in order.

use super::attr::Facts;
use super::chunk::Chunk;
use super::gather::Maps;
use model::{DumpRows, Slot, StringId};

/// The columns of [`DumpRows`] while the rest is derived from them.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) id: Vec<i64>,
    pub(super) time_ns: Vec<i64>,
    pub(super) event: Vec<u16>,
    pub(super) event_type: Vec<u16>,
    pub(super) name: Vec<u32>,
    pub(super) process: Vec<u16>,
    pub(super) thread: Vec<i64>,
    pub(super) device: Vec<u16>,
    pub(super) ptr: Vec<u64>,
    pub(super) attr: Vec<u32>,
    pub(super) slots: [Vec<i64>; Slot::ALL.len()],
    pub(super) python_stack: Vec<u32>,
    pub(super) native_stack: Vec<u32>,
}

/// All rows, and what their numbers mean.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) columns: Columns,
    /// Texts by row of `Event` and `Event Type`.
    pub(super) words: Vec<u32>,
    /// Texts by row of `Device Id`.
    pub(super) devices: Vec<u32>,
    /// Texts by row of `Attr`.
    pub(super) templates: Vec<u32>,
    /// What each template says.
    pub(super) facts: Vec<Facts>,
    pub(super) processes: Vec<i64>,
}

/// One column of all chunks, mapped and put in order.
fn column<T: Copy, U: Copy>(
    parts: Vec<Vec<T>>,
    order: Option<&[u32]>,
    map: impl Fn(usize, T) -> U,
) -> Vec<U> {
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for (chunk, part) in parts.into_iter().enumerate() {
        all.extend(part.into_iter().map(|value| map(chunk, value)));
    }
    match order {
        None => all,
        Some(order) => order.iter().map(|row| all[*row as usize]).collect(),
    }
}

/// A column as it stands in each chunk, taken out of them.
macro_rules! take {
    ($chunks:expr, $field:ident) => {
        $chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.$field)).collect::<Vec<_>>()
    };
}

impl Columns {
    /// The columns of `chunks`; times count from `zero`.
    pub(super) fn new(
        mut chunks: Vec<Chunk>,
        maps: &[Maps],
        order: Option<&[u32]>,
        zero: i64,
    ) -> Self {
        let mut columns = Self::default();
        let slots: [Vec<Vec<i64>>; Slot::ALL.len()] = std::array::from_fn(|slot| {
            chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.slots[slot])).collect()
        });
        let (id, time, thread) = (take!(chunks, id), take!(chunks, time), take!(chunks, thread));
        let (event, event_type) = (take!(chunks, event), take!(chunks, event_type));
        let (name, attr, ptr) = (take!(chunks, name), take!(chunks, attr), take!(chunks, ptr));
        let (process, device) = (take!(chunks, process), take!(chunks, device));
        let python_stack = take!(chunks, python_stack);
        let native_stack = take!(chunks, native_stack);
        drop(chunks);
        let word = |chunk: usize, row: u16| maps[chunk].words[usize::from(row)];
        rayon::scope(|scope| {
            let c = &mut columns;
            for (into, parts) in c.slots.iter_mut().zip(slots) {
                scope.spawn(move |_| *into = column(parts, order, |_, number| number));
            }
            scope.spawn(|_| c.id = column(id, order, |_, id| id));
            scope.spawn(|_| {
                c.time_ns = column(time, order, |_, time: i64| time.saturating_sub(zero));
            });
            scope.spawn(|_| c.thread = column(thread, order, |_, thread| thread));
            scope.spawn(|_| c.ptr = column(ptr, order, |_, ptr| ptr));
            scope.spawn(|_| c.event = column(event, order, word));
            scope.spawn(|_| c.event_type = column(event_type, order, word));
            scope.spawn(|_| {
                c.name = column(name, order, |chunk, row: u32| maps[chunk].names[row as usize]);
            });
            scope.spawn(|_| {
                c.process = column(process, order, |chunk, row: u16| {
                    maps[chunk].processes[usize::from(row)]
                });
            });
            scope.spawn(|_| {
                c.device =
                    column(device, order, |chunk, row: u16| maps[chunk].devices[usize::from(row)]);
            });
            scope.spawn(|_| {
                c.attr = column(attr, order, |chunk, row: u32| maps[chunk].templates[row as usize]);
            });
            scope.spawn(|_| {
                c.python_stack = column(python_stack, order, |chunk, row: u32| {
                    maps[chunk].python_stacks[row as usize]
                });
            });
            scope.spawn(|_| {
                c.native_stack = column(native_stack, order, |chunk, row: u32| {
                    maps[chunk].native_stacks[row as usize]
                });
            });
        });
        columns
    }
}

impl Rows {
    pub(super) fn len(&self) -> u32 {
        self.columns.id.len() as u32
    }

    /// What the template of `row` says.
    pub(super) fn facts(&self, row: u32) -> &Facts {
        &self.facts[self.columns.attr[row as usize] as usize]
    }

    /// A number of the `Attr` of `row`.
    pub(super) fn number(&self, slot: Slot, row: u32) -> Option<i64> {
        self.facts(row).get(slot, self.columns.slots[slot as usize][row as usize])
    }

    /// Bytes the row is about, without the sign that old files give frees.
    pub(super) fn size(&self, row: u32) -> u64 {
        self.number(Slot::Size, row).unwrap_or_default().unsigned_abs()
    }

    /// The address of `row`.
    pub(super) fn ptr(&self, row: u32) -> Option<u64> {
        let ptr = self.columns.ptr[row as usize];
        (ptr != DumpRows::NO_PTR).then_some(ptr)
    }

    /// The recording's table.
    pub(super) fn into_rows(self, has_stacks: [bool; 2]) -> DumpRows {
        let c = self.columns;
        let strings = |texts: Vec<u32>| texts.into_iter().map(StringId).collect();
        DumpRows {
            id: c.id.into(),
            time_ns: c.time_ns.into(),
            event: c.event.into(),
            event_type: c.event_type.into(),
            name: c.name.into(),
            process: c.process.into(),
            thread: c.thread.into(),
            device: c.device.into(),
            ptr: c.ptr.into(),
            attr: c.attr.into(),
            slots: c.slots.map(Into::into),
            python_stack: c.python_stack.into(),
            c_stack: c.native_stack.into(),
            words: strings(self.words),
            attr_templates: strings(self.templates),
            has_stacks,
        }
    }
}
