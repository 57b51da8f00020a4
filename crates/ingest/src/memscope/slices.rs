//! Calls of traced Python threads while a file is read.

use super::cells::Cell;
use super::texts::Texts;

/// The columns of a trace, as they are called with letters and digits only.
pub(super) const TRACE_FIELDS: [&str; 5] =
    ["funcinfo", "starttimens", "endtimens", "threadid", "processid"];

/// A call as the file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RawSlice {
    pub(super) process: i64,
    pub(super) thread: i64,
    /// `None`: `N/A`.
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    /// Row of [`SliceChunk::names`].
    pub(super) name: u32,
}

/// A stretch of calls.
#[derive(Debug)]
pub(super) struct SliceChunk {
    pub(super) slices: Vec<RawSlice>,
    pub(super) names: Texts,
    /// Left out: a cell that must be a number is none.
    pub(super) misshapen: u64,
}

impl SliceChunk {
    pub(super) fn new() -> Self {
        Self { slices: Vec::new(), names: Texts::new(), misshapen: 0 }
    }

    /// Adds a call: cells by [`TRACE_FIELDS`].
    pub(super) fn push(&mut self, [name, start, end, thread, process]: [Cell<'_>; 5]) {
        let (Ok(start), Ok(end), Some(thread), Some(process)) =
            (time(start), time(end), thread.number(), process.number())
        else {
            self.misshapen += 1;
            return;
        };
        let name = self.names.row(&name.text());
        self.slices.push(RawSlice { process, thread, start, end, name });
    }
}

/// A cell is neither a time nor `N/A`.
struct NoTime;

/// A time; `None`: `N/A`.
fn time(cell: Cell<'_>) -> Result<Option<i64>, NoTime> {
    match (cell.number(), cell.text().trim_ascii()) {
        (Some(time), _) => Ok(Some(time)),
        (None, b"" | b"N/A" | b"NA") => Ok(None),
        (None, _) => Err(NoTime),
    }
}

/// The places of [`TRACE_FIELDS`] among `names`, or `None` when they are not all there.
pub(super) fn trace_fields<'a>(names: impl Iterator<Item = &'a str>) -> Option<[usize; 5]> {
    let names: Vec<String> = names
        .map(|name| {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_lowercase()).collect()
        })
        .collect();
    let mut places = [0; 5];
    for (place, field) in places.iter_mut().zip(TRACE_FIELDS) {
        *place = names.iter().position(|name| name == field)?;
    }
    Some(places)
}
