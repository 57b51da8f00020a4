//! A column: an immutable, cheaply cloned slice.

/// An immutable column of plain values; derefs to `&[T]`.
///
/// An Arrow buffer, so that it can be a `Vec` after an import and a slice of a mapped file when a
/// recording is opened again.
pub type Column<T> = arrow_buffer::ScalarBuffer<T>;
