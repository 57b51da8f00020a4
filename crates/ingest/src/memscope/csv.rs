//! Reading dumps and Python traces that are CSV files.

mod cells;

use super::cells::{Cell, Cells, FIELDS, Field, Fields};
use super::chunk::Chunk;
use super::gather::Part;
use super::slices::{SliceChunk, trace_fields};
use cells::{Line, Reader, is_row_start};
use job::{Cancelled, Job, Progress};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are not worth a stretch of their own.
const LEAST: usize = 1 << 20;
/// Stretches for each thread.
const STRETCHES: usize = 3;
/// Rows between two looks at whether somebody cancelled.
const STEP: u64 = 8_192;

/// What the first line of a file says that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Header {
    /// A dump with so many columns.
    Dump(Fields, usize),
    /// A Python trace with the columns that collectors write, in their order.
    Trace,
}

impl Header {
    /// The header that `bytes` begin with.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let (line, _) = first_line(bytes);
        let line = std::str::from_utf8(line).ok()?;
        let names = || line.split(',').map(|name| name.trim().trim_matches('"'));
        if trace_fields(names()) == Some([0, 1, 2, 3, 4]) && names().count() == 5 {
            return Some(Self::Trace);
        }
        Some(Self::Dump(Fields::among(names()).ok()?, names().count()))
    }
}

/// The first line of `bytes`, without a byte order mark, and what follows it.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    let (line, rest) = bytes.split_at(end);
    (line.trim_ascii(), rest.get(1..).unwrap_or_default())
}

/// Reads the file `bytes`, which has `header`.
pub(super) fn read(bytes: &[u8], header: &Header, job: &Job) -> Result<Part, Cancelled> {
    let (_, body) = first_line(bytes);
    match header {
        Header::Trace => {
            let slices = vec![trace(body, job)?];
            Ok(Part { slices, ..Part::default() })
        }
        Header::Dump(fields, columns) => {
            let chunks = dump(body, fields, *columns, job)?;
            Ok(Part { chunks, has_stacks: fields.has_stacks(), ..Part::default() })
        }
    }
}

/// Stretches of `body` that begin with a row: a line within quotes could begin like one only if it
/// were made to.
fn stretches(body: &[u8]) -> Vec<&[u8]> {
    let count = (body.len() / LEAST).clamp(1, rayon::current_num_threads() * STRETCHES);
    let mut stretches = Vec::with_capacity(count);
    let (mut rest, mut left) = (body, count);
    while left > 1 {
        let mut at = rest.len() / left;
        let cut = loop {
            match memchr::memchr(b'\n', &rest[at..]) {
                Some(end) if is_row_start(&rest[at + end + 1..]) => break Some(at + end + 1),
                Some(end) => at += end + 1,
                None => break None,
            }
        };
        let Some(cut) = cut else { break };
        let (stretch, after) = rest.split_at(cut);
        stretches.push(stretch);
        rest = after;
        left -= 1;
    }
    stretches.push(rest);
    stretches
}

fn dump(body: &[u8], fields: &Fields, columns: usize, job: &Job) -> Result<Vec<Chunk>, Cancelled> {
    let begins_with_id =
        fields.place(Field::Id) == Some(0) && fields.place(Field::Event) == Some(1);
    let stretches = if begins_with_id { stretches(body) } else { vec![body] };
    let done = AtomicU64::new(0);
    let total = body.len() as u64;
    let read = |stretch: &&[u8]| {
        let mut chunk = Chunk::new(stretch.len() / 128);
        let mut reader = Reader::new(stretch);
        reader.has_starts = begins_with_id;
        let mut line = Line::default();
        let (mut count, mut told) = (0_u64, 0);
        while reader.next(&mut line) {
            if count.is_multiple_of(STEP) {
                let more = (reader.place() - told) as u64;
                told = reader.place();
                let done = done.fetch_add(more, Ordering::Relaxed) + more;
                job.step(Progress { stage: "reading rows", done, total })?;
            }
            count += 1;
            push(&mut chunk, &mut line, fields, columns);
        }
        Ok(chunk)
    };
    stretches.par_iter().map(read).collect()
}

/// Adds a line to `chunk`.
fn push(chunk: &mut Chunk, line: &mut Line<'_>, fields: &Fields, columns: usize) {
    if line.cells.len() > columns
        && let Some(name) = fields.place(Field::Name)
    {
        // Only names are written without quotes and can hold a comma.
        line.join(name, line.cells.len() - columns);
    }
    let needed = [Field::EventType, Field::Time, Field::Process];
    let needed = needed.into_iter().filter_map(|field| fields.place(field)).max().unwrap_or(0);
    if line.cells.len() > columns || line.cells.len() <= needed {
        chunk.trouble.misshapen += 1;
        return;
    }
    let mut cells: Cells<'_> = [Cell::Missing; FIELDS];
    for (field, place) in fields.present() {
        if let Some(text) = line.cells.get(place) {
            cells[field as usize] = Cell::Text(text);
        }
    }
    chunk.push(&cells);
}

/// Reads a trace: names come first and may hold commas.
fn trace(body: &[u8], job: &Job) -> Result<SliceChunk, Cancelled> {
    let mut chunk = SliceChunk::new();
    let total = body.len() as u64;
    let mut done = 0;
    for (count, line) in (0_u64..).zip(body.split(|byte| *byte == b'\n')) {
        if count.is_multiple_of(STEP) {
            job.step(Progress { stage: "reading Python traces", done, total })?;
        }
        done += line.len() as u64 + 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            continue;
        }
        let mut parts = line.rsplitn(5, |byte| *byte == b',');
        let mut next = || parts.next().map_or(Cell::Missing, Cell::Text);
        let (process, thread, end, start) = (next(), next(), next(), next());
        let name = match next() {
            Cell::Text([b'"', name @ .., b'"']) => Cell::Text(name),
            name => name,
        };
        chunk.push([name, start, end, thread, process]);
    }
    Ok(chunk)
}
