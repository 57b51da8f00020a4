//! In which order rows come: by time, then id, then place in the file.

use super::chunk::Chunk;
use super::gather::{Maps, is_present};
use super::texts::Texts;
use rayon::prelude::*;

/// The time and id of `row`, counted over all chunks.
pub(super) fn at(chunks: &[Chunk], row: u32) -> (i64, i64) {
    let mut row = row as usize;
    for chunk in chunks {
        if row < chunk.len() {
            return (chunk.time[row], chunk.id[row]);
        }
        row -= chunk.len();
    }
    (0, 0)
}

/// Rows, counted over all chunks, as they come; `None` when they come as they stand.
///
/// Rows without a time that can be are left out, and those that several files of one process
/// repeat.
pub(super) fn order<'a>(
    chunks: &'a [Chunk],
    maps: &[Maps],
    files: &[usize],
    texts: &Texts,
) -> Option<Vec<u32>> {
    let keys = || {
        let of = |chunk: &'a Chunk| chunk.time.iter().copied().zip(chunk.id.iter().copied());
        chunks.iter().flat_map(of)
    };
    let has_several = files.first() != files.last();
    let latest = chunks.iter().flat_map(|chunk| &chunk.time).max();
    let is_present = latest.is_some_and(|latest| is_present(*latest));
    let has_unset =
        || is_present && chunks.iter().flat_map(|chunk| &chunk.time).any(|time| *time <= 0);
    if !has_several && keys().is_sorted() && !has_unset() {
        return None;
    }
    let mut keyed: Vec<(i64, i64, u32)> = (0..)
        .zip(keys())
        .map(|(row, (time, id))| (time, id, row))
        .filter(|(time, ..)| !is_present || *time > 0)
        .collect();
    keyed.par_sort_unstable();
    if has_several {
        drop_repeated(&mut keyed, &Repeats::new(chunks, maps, files, texts));
    }
    Some(keyed.into_iter().map(|(_, _, row)| row).collect())
}

/// Leaves out rows that say the same as one of another file and are about no device.
fn drop_repeated(keyed: &mut Vec<(i64, i64, u32)>, repeats: &Repeats<'_>) {
    let mut kept: Vec<u32> = Vec::new();
    let mut moment = None;
    keyed.retain(|(time, id, row)| {
        if moment != Some((*time, *id)) {
            moment = Some((*time, *id));
            kept.clear();
        }
        if !repeats.is_about_none(*row) {
            return true;
        }
        if kept.iter().any(|other| repeats.is_same(*other, *row)) {
            return false;
        }
        kept.push(*row);
        true
    });
}

/// Tells rows that several files repeat.
struct Repeats<'a> {
    chunks: &'a [Chunk],
    maps: &'a [Maps],
    files: &'a [usize],
    texts: &'a Texts,
    /// First row of each chunk.
    firsts: Vec<usize>,
}

impl<'a> Repeats<'a> {
    fn new(chunks: &'a [Chunk], maps: &'a [Maps], files: &'a [usize], texts: &'a Texts) -> Self {
        let firsts = chunks.iter().scan(0, |next, chunk| {
            let first = *next;
            *next += chunk.len();
            Some(first)
        });
        Self { chunks, maps, files, texts, firsts: firsts.collect() }
    }

    fn place(&self, row: u32) -> (usize, usize) {
        // Empty chunks begin where the next one does; the last of those that begin there has it.
        let chunk = self.firsts.partition_point(|first| *first <= row as usize) - 1;
        (chunk, row as usize - self.firsts[chunk])
    }

    fn is_about_none(&self, row: u32) -> bool {
        let (chunk, row) = self.place(row);
        let chunk = &self.chunks[chunk];
        chunk.devices.text(u32::from(chunk.device[row])) == "N/A"
    }

    fn is_same(&self, one: u32, other: u32) -> bool {
        let ((a, row_a), (b, row_b)) = (self.place(one), self.place(other));
        let (chunk_a, chunk_b) = (&self.chunks[a], &self.chunks[b]);
        let (maps_a, maps_b) = (&self.maps[a], &self.maps[b]);
        let word = |maps: &Maps, word: u16| maps.words[usize::from(word)];
        let process = |maps: &Maps, process: u16| maps.processes[usize::from(process)];
        let template = |maps: &Maps, attr: u32| maps.templates[attr as usize];
        let slots =
            |chunk: &Chunk, row: usize| [0, 1, 2, 3].map(|slot: usize| chunk.slots[slot][row]);
        self.files[a] != self.files[b]
            && word(maps_a, chunk_a.event[row_a]) == word(maps_b, chunk_b.event[row_b])
            && word(maps_a, chunk_a.event_type[row_a]) == word(maps_b, chunk_b.event_type[row_b])
            && process(maps_a, chunk_a.process[row_a]) == process(maps_b, chunk_b.process[row_b])
            && chunk_a.thread[row_a] == chunk_b.thread[row_b]
            && chunk_a.ptr[row_a] == chunk_b.ptr[row_b]
            && template(maps_a, chunk_a.attr[row_a]) == template(maps_b, chunk_b.attr[row_b])
            && slots(chunk_a, row_a) == slots(chunk_b, row_b)
            && self.name(a, row_a) == self.name(b, row_b)
    }

    /// A name without the quotes around it: each file may add its own.
    fn name(&self, chunk: usize, row: usize) -> &str {
        let name = self.maps[chunk].names[self.chunks[chunk].name[row] as usize];
        unquoted(self.texts.text(name))
    }
}

/// `text` without the pairs of quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    let mut text = text;
    while let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        text = inner;
    }
    text
}
