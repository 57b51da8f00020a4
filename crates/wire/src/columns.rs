//! Writes little-endian columns one after the other.

use session::Bands;

/// Bytes under construction.
#[derive(Default)]
pub(crate) struct ColumnWriter(Vec<u8>);

impl ColumnWriter {
    pub(crate) fn words(&mut self, values: impl IntoIterator<Item = u32>) -> &mut Self {
        self.0.extend(values.into_iter().flat_map(u32::to_le_bytes));
        self
    }

    pub(crate) fn longs(&mut self, values: impl IntoIterator<Item = u64>) -> &mut Self {
        self.0.extend(values.into_iter().flat_map(u64::to_le_bytes));
        self
    }

    pub(crate) fn floats(&mut self, values: impl IntoIterator<Item = f32>) -> &mut Self {
        self.0.extend(values.into_iter().flat_map(f32::to_le_bytes));
        self
    }

    pub(crate) fn doubles(&mut self, values: impl IntoIterator<Item = f64>) -> &mut Self {
        self.0.extend(values.into_iter().flat_map(f64::to_le_bytes));
        self
    }

    /// The edges of columns, one more than there are columns: of none, a zero.
    pub(crate) fn edges(&mut self, edges: &[f32]) -> &mut Self {
        let none = if edges.is_empty() { &[0.0][..] } else { &[] };
        self.floats(edges.iter().chain(none).copied())
    }

    /// `x0, x1, top, bottom` as f32, then `block, key` as u32.
    pub(crate) fn bands(&mut self, bands: &Bands) -> &mut Self {
        for edge in [&bands.x0, &bands.x1, &bands.top, &bands.bottom] {
            self.floats(edge.iter().copied());
        }
        self.words(bands.block.iter().copied()).words(bands.key.iter().copied())
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}
