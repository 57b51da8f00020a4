//! Puts what was read of one or several files together: one numbering of texts, one time line.

use super::attr::Facts;
use super::chunk::Chunk;
use super::order;
use super::rows::{Columns, Rows};
use super::slices::{RawSlice, SliceChunk};
use super::stacks;
use super::texts::Texts;
use crate::Warnings;
use crate::torch::StackTable;
use job::{Cancelled, Job};
use model::{DumpRows, WarningKind};
use rustc_hash::FxHashMap;

/// What one file holds.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) chunks: Vec<Chunk>,
    pub(super) slices: Vec<SliceChunk>,
    /// Whether it has columns for Python's stacks and C's.
    pub(super) has_stacks: [bool; 2],
}

impl Part {
    /// How many rows and calls it holds.
    pub(super) fn len(&self) -> usize {
        let rows: usize = self.chunks.iter().map(Chunk::len).sum();
        rows + self.slices.iter().map(|chunk| chunk.slices.len()).sum::<usize>()
    }

    /// Adds the calls of `trace` that are of this part's processes.
    pub(super) fn add_own_calls(&mut self, trace: Self) {
        for mut chunk in trace.slices {
            let own = |slice: &RawSlice| {
                self.chunks.iter().any(|chunk| chunk.processes.contains(&slice.process))
            };
            chunk.slices.retain(own);
            self.slices.push(chunk);
        }
    }
}

/// What all files hold.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) rows: Rows,
    /// Names are rows of `texts`; times count from `zero`.
    pub(super) slices: Vec<RawSlice>,
    pub(super) texts: Texts,
    pub(super) stacks: StackTable,
    pub(super) has_stacks: [bool; 2],
    pub(super) zero: i64,
    /// When the last row or call is, from `zero`.
    pub(super) end: i64,
}

/// Times below this are microseconds: in nanoseconds they would lie before March 1973.
const LEAST_NANOSECONDS: i64 = 100_000_000_000_000_000;
/// Where times are of the present, those of 0 and before are not.
const LEAST_PRESENT: i64 = 100_000_000_000_000;

/// Rows of one numbering by those of another.
#[derive(Debug, Default)]
struct Distinct {
    rows: FxHashMap<u32, u32>,
    list: Vec<u32>,
}

impl Distinct {
    fn row(&mut self, text: u32) -> u32 {
        let next = self.list.len() as u32;
        let row = *self.rows.entry(text).or_insert(next);
        if row == next {
            self.list.push(text);
        }
        row
    }

    /// As [`Distinct::row`] for a column of 16 bits; what no longer fits is one with the last.
    fn narrow(&mut self, text: u32, crowded: &mut u64) -> u16 {
        let limit = usize::from(u16::MAX);
        if self.list.len() > limit && !self.rows.contains_key(&text) {
            *crowded += 1;
            return u16::MAX;
        }
        self.row(text) as u16
    }
}

/// One chunk's numbers as the recording's.
#[derive(Debug)]
pub(super) struct Maps {
    pub(super) words: Vec<u16>,
    pub(super) names: Vec<u32>,
    pub(super) processes: Vec<u16>,
    pub(super) devices: Vec<u16>,
    pub(super) templates: Vec<u32>,
    pub(super) python_stacks: Vec<u32>,
    pub(super) native_stacks: Vec<u32>,
}

#[derive(Debug)]
struct Numbering {
    texts: Texts,
    stacks: StackTable,
    words: Distinct,
    devices: Distinct,
    templates: Distinct,
    facts: Vec<Facts>,
    processes: Vec<i64>,
    process_rows: FxHashMap<i64, u16>,
    crowded: u64,
}

impl Numbering {
    fn new() -> Self {
        let mut templates = Distinct::default();
        templates.row(0);
        Self {
            texts: Texts::new(),
            stacks: StackTable::new(),
            words: Distinct::default(),
            devices: Distinct::default(),
            templates,
            facts: vec![Facts::default()],
            processes: Vec::new(),
            process_rows: FxHashMap::default(),
            crowded: 0,
        }
    }

    fn maps(&mut self, chunk: &mut Chunk) -> Maps {
        let Self { texts, words, devices, crowded, .. } = self;
        let mut narrow = |from: &Texts, into: &mut Distinct| -> Vec<u16> {
            from.iter().map(|text| into.narrow(texts.row(text.as_bytes()), crowded)).collect()
        };
        let words = narrow(&chunk.words, words);
        let devices = narrow(&chunk.devices, devices);
        let names = chunk.names.iter().map(|text| texts.row(text.as_bytes())).collect();
        let native_stacks = chunk.native_stacks.iter().map(|text| texts.row(text.as_bytes()));
        let native_stacks = native_stacks.collect();
        let mut python = |text| stacks::python(text, texts, &mut self.stacks);
        let python_stacks = chunk.python_stacks.iter();
        let python_stacks =
            python_stacks.map(|text| python(text).map_or(DumpRows::NO_STACK, |stack| stack.0));
        let python_stacks = python_stacks.collect();
        let mut templates = Vec::with_capacity(chunk.templates.len());
        for (text, facts) in chunk.templates.iter().zip(std::mem::take(&mut chunk.facts)) {
            let row = self.templates.row(self.texts.row(text.as_bytes()));
            if row as usize == self.facts.len() {
                self.facts.push(facts.unwrap_or_default());
            }
            templates.push(row);
        }
        let processes = chunk.processes.iter().map(|process| {
            let next = self.processes.len();
            if next > usize::from(u16::MAX) && !self.process_rows.contains_key(process) {
                self.crowded += 1;
                return u16::MAX;
            }
            let row = *self.process_rows.entry(*process).or_insert(next as u16);
            if usize::from(row) == next {
                self.processes.push(*process);
            }
            row
        });
        let processes = processes.collect();
        Maps { words, names, processes, devices, templates, python_stacks, native_stacks }
    }
}

/// Puts `parts`, one a file, together.
pub(super) fn gather(
    parts: Vec<Part>,
    warnings: &Warnings,
    job: &Job,
) -> Result<Gathered, Cancelled> {
    let mut numbering = Numbering::new();
    let mut chunks = Vec::new();
    let mut maps = Vec::new();
    let mut files = Vec::new();
    let mut slices = Vec::new();
    let mut has_stacks = [false; 2];
    let (mut count, mut too_many) = (0, 0);
    for (file, part) in parts.into_iter().enumerate() {
        for (all, own) in has_stacks.iter_mut().zip(part.has_stacks) {
            *all |= own;
        }
        slices.extend(calls(part.slices, &mut numbering.texts, warnings));
        let mut part = part.chunks;
        to_nanoseconds(&mut part);
        for mut chunk in part {
            job.check()?;
            count += chunk.len();
            if count >= u32::MAX as usize {
                too_many += chunk.len() as u64;
                count -= chunk.len();
                continue;
            }
            maps.push(numbering.maps(&mut chunk));
            files.push(file);
            chunks.push(chunk);
        }
    }
    warnings.add(WarningKind::TooLarge, "rows", too_many, || {
        "More than four billion rows: the last of them are not shown.".into()
    });
    tell(&chunks, numbering.crowded, warnings);
    job.check()?;

    let order = order::order(&chunks, &maps, &files, &numbering.texts);
    job.check()?;
    let times = || chunks.iter().flat_map(|chunk| &chunk.time).copied();
    let earliest_row = match &order {
        // Those left out do not count.
        Some(order) => order.first().map(|row| order::at(&chunks, *row).0),
        None => times().next(),
    };
    let stated = |slice: &RawSlice| slice.start.into_iter().chain(slice.end);
    let earliest_slice = slices.iter().flat_map(stated).min();
    let zero = earliest_row.into_iter().chain(earliest_slice).min().unwrap_or_default();
    for slice in &mut slices {
        slice.start = slice.start.map(|time| time.saturating_sub(zero));
        slice.end = slice.end.map(|time| time.saturating_sub(zero));
    }
    let columns = Columns::new(chunks, &maps, order.as_deref(), zero);
    drop(order);
    let final_row = columns.time_ns.last().copied();
    let final_slice = slices.iter().flat_map(stated).max();
    let end = final_row.into_iter().chain(final_slice).max().unwrap_or_default();
    let Numbering { texts, stacks, words, devices, templates, facts, processes, .. } = numbering;
    let words = words.list;
    let (devices, templates) = (devices.list, templates.list);
    let rows = Rows { columns, words, devices, templates, facts, processes };
    Ok(Gathered { rows, slices, texts, stacks, has_stacks, zero, end })
}

/// Turns the times of a file that has microseconds into nanoseconds.
fn to_nanoseconds(chunks: &mut [Chunk]) {
    let latest = chunks.iter().flat_map(|chunk| &chunk.time).max();
    if latest.is_none_or(|latest| *latest >= LEAST_NANOSECONDS) {
        return;
    }
    for time in chunks.iter_mut().flat_map(|chunk| &mut chunk.time) {
        *time = time.saturating_mul(1_000);
    }
}

/// The calls of one file, names numbered anew.
fn calls(chunks: Vec<SliceChunk>, texts: &mut Texts, warnings: &Warnings) -> Vec<RawSlice> {
    let mut slices = Vec::with_capacity(chunks.iter().map(|chunk| chunk.slices.len()).sum());
    let mut misshapen = 0;
    for chunk in chunks {
        misshapen += chunk.misshapen;
        let names: Vec<u32> = chunk.names.iter().map(|text| texts.row(text.as_bytes())).collect();
        let renamed = |slice: RawSlice| RawSlice { name: names[slice.name as usize], ..slice };
        slices.extend(chunk.slices.into_iter().map(renamed));
    }
    warnings.add(WarningKind::BadValue, "call", misshapen, || {
        "Calls of the Python trace whose times or thread are no numbers were left out.".into()
    });
    let times = |slice: &RawSlice| slice.start.into_iter().chain(slice.end);
    let latest = slices.iter().flat_map(times).max();
    if latest.is_some_and(|latest| latest < LEAST_NANOSECONDS) {
        for slice in &mut slices {
            slice.start = slice.start.map(|time| time.saturating_mul(1_000));
            slice.end = slice.end.map(|time| time.saturating_mul(1_000));
        }
    }
    slices
}

/// Whether rows of time 0 and before are not to be believed.
pub(super) fn is_present(latest: i64) -> bool {
    latest >= LEAST_PRESENT
}

/// What was wrong with rows.
fn tell(chunks: &[Chunk], crowded: u64, warnings: &Warnings) {
    let count = |of: fn(&Chunk) -> u64| chunks.iter().map(of).sum::<u64>();
    let latest = chunks.iter().flat_map(|chunk| &chunk.time).max();
    let unset = if latest.is_some_and(|latest| is_present(*latest)) {
        chunks.iter().flat_map(|chunk| &chunk.time).filter(|time| **time <= 0).count() as u64
    } else {
        0
    };
    let timeless = count(|chunk| chunk.trouble.timeless) + unset;
    warnings.add(WarningKind::MissingField, "row without time", timeless, || {
        "Rows without a time were left out.".into()
    });
    let misshapen = count(|chunk| chunk.trouble.misshapen);
    warnings.add(WarningKind::MissingField, "row of other length", misshapen, || {
        "Lines that do not have a cell for each column were left out.".into()
    });
    let broken = count(|chunk| chunk.trouble.broken_attr);
    warnings.add(WarningKind::BadValue, "attr", broken, || {
        "The column Attr of some rows breaks the rules of its format (the collector escapes \
         nothing); what is known of them was found by the names of the keys."
            .into()
    });
    let crowded = crowded + count(|chunk| chunk.trouble.crowded);
    warnings.add(WarningKind::TooLarge, "words", crowded, || {
        "More than 65,536 processes, devices or kinds of rows: the last of them are shown as one."
            .into()
    });
    let dropped = count(|chunk| {
        let texts = [&chunk.names, &chunk.templates, &chunk.python_stacks, &chunk.native_stacks];
        texts.iter().map(|texts| texts.dropped).sum()
    });
    warnings.add(WarningKind::TooLarge, "texts", dropped, || {
        "More than 4 GiB of distinct texts: the last of them are shown as empty.".into()
    });
}
