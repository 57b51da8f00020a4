//! What the fuzzer calls.

use crate::checksum::checksum;
use crate::entry::Entry;
use crate::reading::File;
use crate::writing::Columns;
use arrow_buffer::{Buffer, MutableBuffer};
use job::Job;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Reads `bytes` as an index whose checksum fits.
///
/// Nothing may panic, whatever they hold.
pub fn check(bytes: &[u8]) {
    let file = aligned(bytes);
    drop(crate::store::read(&file, &Job::unwatched()));
    let Some(file) = File::new(&file) else { return };
    // Whatever is there as numbers of each kind, looked at row by row.
    for name in file.names() {
        touch(file.column::<u8>(name).as_ref());
        touch(file.column::<u32>(name).as_ref());
        touch(file.column::<u64>(name).as_ref());
    }
}

/// As a mapped file is.
fn aligned(bytes: &[u8]) -> Buffer {
    let mut aligned = MutableBuffer::with_capacity(bytes.len());
    aligned.extend_from_slice(bytes);
    aligned.into()
}

/// Where the values of one list of an index lie in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// Name of the column it is, or is of.
    pub name: String,
    /// Bytes of one value.
    pub width: usize,
    /// All of them.
    pub bytes: Range<usize>,
}

/// The lists of an index, by name; none of what is no index.
pub fn lists(index: &[u8]) -> Vec<List> {
    let file = aligned(index);
    let mut lists = File::new(&file).map_or_else(Vec::new, |columns| columns.lists(&file));
    lists.sort_by(|one, other| one.name.cmp(&other.name));
    lists
}

/// Puts `forged` in the place of the index at `path`, under the name that vouches for it.
pub fn forge(path: &Path, forged: &[u8]) -> io::Result<PathBuf> {
    let name = path.file_name().and_then(|name| Entry::of_name(name.to_str()?));
    let entry = name.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let entry = Entry { checksum: checksum(forged, |_, _| ()), ..entry };
    let forgery = path.with_file_name(entry.name());
    fs::remove_file(path)?;
    fs::write(&forgery, forged)?;
    Ok(forgery)
}

fn touch<T: arrow_buffer::ArrowNativeType>(column: Option<&model::Column<T>>) {
    let Some(column) = column else { return };
    // A few: a column may say that it is longer than memory.
    let rows = (0..column.len().min(200)).chain(column.len().checked_sub(1));
    for row in rows {
        std::hint::black_box(column.value(row));
    }
}

/// A small file to begin with: a column of each kind.
pub fn seed() -> Vec<u8> {
    let mut columns = Columns::default();
    columns.rows("plain", [1_u64, 2, 3].into_iter());
    columns.rows("line", (0..400_u64).map(|row| row % 3));
    columns.rows("table", (0..400_u64).map(|row| 1_u64 << (row % 50)));
    columns.rows("running", (0..4_000_u64).map(|row| row * 1_000 + row % 7));
    columns.rows("constant", std::iter::repeat_n(7_u32, 400));
    let mut bytes = Vec::new();
    // Memory takes everything.
    drop(columns.write(&mut bytes));
    bytes
}
