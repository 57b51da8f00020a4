//! What the fuzzer calls.

use crate::reading::File;
use crate::writing::Columns;
use arrow_buffer::{Buffer, MutableBuffer};
use job::Job;

/// Reads `bytes` as an index whose checksum fits.
///
/// Nothing may panic, whatever they hold.
pub fn check(bytes: &[u8]) {
    // Aligned as a mapped file is.
    let mut aligned = MutableBuffer::with_capacity(bytes.len());
    aligned.extend_from_slice(bytes);
    let file: Buffer = aligned.into();
    drop(crate::store::read(&file, &Job::unwatched()));
    let Some(file) = File::new(&file) else { return };
    // Whatever is there as numbers of each kind, looked at row by row.
    for name in file.names() {
        touch(file.column::<u8>(name).as_ref());
        touch(file.column::<u32>(name).as_ref());
        touch(file.column::<u64>(name).as_ref());
    }
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
