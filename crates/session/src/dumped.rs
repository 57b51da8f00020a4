//! What a dump says of a block beyond its allocation.

use crate::OnDevice;
use model::{BlockId, DumpRows, EventId, Recording, StringId, Track};

/// What a dump says of a block beyond its allocation; times are nanoseconds since the recording's
/// start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dumped<'a> {
    /// Whole path of its owner; `None`: not recorded.
    pub owner: Option<&'a str>,
    /// Process id.
    pub process: i64,
    /// Thread that allocated it.
    pub thread: Option<i64>,
    /// Ties its rows together; 0: not recorded.
    pub allocation_id: u64,
    /// `ID` of its MALLOC in the file.
    pub malloc_id: Option<i64>,
    /// `ID` of its FREE in the file.
    pub free_id: Option<i64>,
    /// When it was allocated.
    pub malloc_ns: Option<i64>,
    /// When it was freed.
    pub free_ns: Option<i64>,
    /// Whether the collector made its MALLOC up: it was there when recording began.
    pub was_before: bool,
    /// Whether the collector made its FREE up: it was there when recording ended.
    pub was_after: bool,
    /// `Attr` of its MALLOC as the file has it.
    pub attr: Option<String>,
    /// C stack of its MALLOC as the file has it.
    pub c_stack: Option<&'a str>,
    /// How often it was accessed.
    pub accesses: u32,
    /// First and last access.
    pub access_span_ns: Option<(i64, i64)>,
    /// Longest time between two consecutive accesses.
    pub longest_gap_ns: i64,
    /// Accesses to draw, by time; where there are more than can be told apart, some of them.
    pub drawn: Vec<Access<'a>>,
}

/// One access to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access<'a> {
    /// When.
    pub time_ns: i64,
    /// `READ`, `WRITE`, `UNKNOWN`.
    pub kind: &'a str,
    /// The operator that did it.
    pub name: &'a str,
    /// Bytes from the block's start to where it was accessed.
    pub offset: u64,
}

/// A row of the file as it has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpedEvent<'a> {
    /// `ID`.
    pub id: i64,
    /// When, nanoseconds since the recording's start.
    pub time_ns: i64,
    /// `Event`.
    pub event: &'a str,
    /// `Event Type`.
    pub event_type: &'a str,
    /// `Name`.
    pub name: &'a str,
    /// Process id.
    pub process: i64,
    /// Thread id.
    pub thread: i64,
    /// `Attr`.
    pub attr: String,
    /// C stack; empty: none.
    pub c_stack: &'a str,
}

/// Accesses drawn at most: more than a screen is wide.
const MOST_DRAWN: usize = 4096;

impl<'a> OnDevice<'a> {
    /// What the dump says of `block`; `None` in a snapshot, or when there is no such block.
    pub fn dumped(self, block: BlockId) -> Option<Dumped<'a>> {
        let recording = self.session.recording();
        let table = self.table();
        let (track, dump) = (table.track.as_deref()?, recording.dump.as_deref()?);
        if block.0 >= table.blocks.len() {
            return None;
        }
        let (row, rows) = (block.row(), &dump.rows);
        let known = |row: u32| (row != Track::NO_ROW).then_some(row as usize);
        let (malloc, free) = (known(track.malloc_row[row]), known(track.free_row[row]));
        let text = |id: StringId| Some(recording.text(id)).filter(|text| !text.is_empty());
        let accesses = track.accesses(row);
        Some(Dumped {
            owner: dump.owners.get(track.owner[row] as usize).copied().and_then(text),
            process: dump.processes.get(usize::from(track.process)).copied().unwrap_or_default(),
            thread: malloc.or(free).map(|row| rows.thread[row]),
            allocation_id: track.allocation_id[row],
            malloc_id: malloc.map(|row| rows.id[row]),
            free_id: free.map(|row| rows.id[row]),
            malloc_ns: malloc.map(|row| rows.time_ns[row]),
            free_ns: free.map(|row| rows.time_ns[row]),
            was_before: track.flags[row] & Track::SHADOW_MALLOC != 0,
            was_after: track.flags[row] & Track::SHADOW_FREE != 0,
            attr: malloc.map(|row| rows.attr_text(row, |id| recording.text(id))),
            c_stack: malloc.and_then(|row| text(StringId(rows.c_stack[row]))),
            accesses: accesses.len() as u32,
            access_span_ns: track.access_span_ns(rows, row),
            longest_gap_ns: track.longest_gap_ns[row],
            drawn: drawn(accesses)
                .map(|at| access(recording, rows, *at as usize, table.blocks.addr()[row]))
                .collect(),
        })
    }
}

impl<'a> OnDevice<'a> {
    /// Whole path of who owns `block`; `None` in a snapshot, or when it is not recorded.
    pub fn owner(self, block: BlockId) -> Option<&'a str> {
        let recording = self.session.recording();
        let owner = *self.table().track.as_deref()?.owner.get(block.row())?;
        let text = recording.dump.as_deref()?.owners.get(owner as usize)?;
        Some(recording.text(*text)).filter(|text| !text.is_empty())
    }
}

impl<'a> OnDevice<'a> {
    /// The row of the file that `event` is; `None` in a snapshot, or when there is no such event.
    pub fn dumped_event(self, event: EventId) -> Option<DumpedEvent<'a>> {
        let recording = self.session.recording();
        let (track, dump) = (self.table().track.as_deref()?, recording.dump.as_deref()?);
        let (row, rows) = (*track.row_of_event.get(event.row())? as usize, &dump.rows);
        let word =
            |word: u16| rows.words.get(usize::from(word)).map_or("", |id| recording.text(*id));
        let process = rows.process.get(row)?;
        Some(DumpedEvent {
            id: rows.id[row],
            time_ns: rows.time_ns[row],
            event: word(rows.event[row]),
            event_type: word(rows.event_type[row]),
            name: recording.text(StringId(rows.name[row])),
            process: dump.processes.get(usize::from(*process)).copied().unwrap_or_default(),
            thread: rows.thread[row],
            attr: rows.attr_text(row, |id| recording.text(id)),
            c_stack: recording.text(StringId(rows.c_stack[row])),
        })
    }
}

/// All accesses, or evenly chosen ones with the first and the last among them.
fn drawn(accesses: &[u32]) -> impl Iterator<Item = &u32> {
    let count = accesses.len().min(MOST_DRAWN);
    let step = move |place: usize| match count {
        0 | 1 => 0,
        _ => place * (accesses.len() - 1) / (count - 1),
    };
    (0..count).filter_map(move |place| accesses.get(step(place)))
}

fn access<'a>(recording: &'a Recording, rows: &'a DumpRows, row: usize, start: u64) -> Access<'a> {
    Access {
        time_ns: rows.time_ns[row],
        kind: recording.text(rows.words[usize::from(rows.event_type[row])]),
        name: recording.text(StringId(rows.name[row])),
        offset: rows.ptr(row).map_or(0, |ptr| ptr.saturating_sub(start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_accesses_the_first_and_the_last_are_drawn() {
        let all: Vec<u32> = (0..100_000).collect();
        let drawn: Vec<u32> = drawn(&all).copied().collect();
        assert_eq!((drawn.len(), drawn[0], drawn[4095]), (4096, 0, 99_999));
        assert!(drawn.is_sorted());
        assert_eq!(super::drawn(&all[..3]).count(), 3);
        assert_eq!(super::drawn(&[]).count(), 0);
    }
}
