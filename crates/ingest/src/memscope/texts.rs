//! Distinct texts while a dump is read.

use hashbrown::HashTable;
use model::Strings;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// More bytes than this are not kept: offsets have 32 bits.
const MOST_BYTES: usize = u32::MAX as usize;

/// Distinct texts in one buffer; row 0 is the empty text.
#[derive(Debug)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    offsets: Vec<u32>,
    table: HashTable<u32>,
    /// The last one asked for: neighbouring rows say much the same.
    last: u32,
    /// Texts that found no room.
    pub(super) dropped: u64,
}

impl Texts {
    pub(super) fn new() -> Self {
        let mut table = HashTable::new();
        let hash = FxBuildHasher.hash_one::<&[u8]>(b"");
        table.insert_unique(hash, 0, |_| hash);
        Self { bytes: Vec::new(), offsets: vec![0, 0], table, last: 0, dropped: 0 }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The row of a text, new or known. Broken characters become U+FFFD.
    pub(super) fn row(&mut self, text: &[u8]) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if self.bytes_of(self.last) == text {
            return self.last;
        }
        let hash = FxBuildHasher.hash_one(text);
        let (bytes, offsets) = (&self.bytes, &self.offsets);
        if let Some(row) = self.table.find(hash, |row| bytes_of(bytes, offsets, *row) == text) {
            self.last = *row;
            return self.last;
        }
        if std::str::from_utf8(text).is_err() {
            // A broken text is repaired each time: it is rare.
            return self.row(String::from_utf8_lossy(text).as_bytes());
        }
        if self.bytes.len() + text.len() > MOST_BYTES {
            self.dropped += 1;
            return 0;
        }
        let row = self.len() as u32;
        self.bytes.extend_from_slice(text);
        self.offsets.push(self.bytes.len() as u32);
        let (bytes, offsets) = (&self.bytes, &self.offsets);
        self.table
            .insert_unique(hash, row, |row| FxBuildHasher.hash_one(bytes_of(bytes, offsets, *row)));
        self.last = row;
        row
    }

    /// The text of a row.
    pub(super) fn text(&self, row: u32) -> &str {
        // Only whole texts are stored.
        std::str::from_utf8(self.bytes_of(row)).unwrap_or_default()
    }

    fn bytes_of(&self, row: u32) -> &[u8] {
        bytes_of(&self.bytes, &self.offsets, row)
    }

    /// All of them, by row.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|row| self.text(row))
    }

    /// The recording's strings.
    pub(super) fn into_strings(self) -> Strings {
        Strings::new(self.offsets, self.bytes).expect("offsets follow the texts as they are stored")
    }
}

fn bytes_of<'a>(bytes: &'a [u8], offsets: &[u32], row: u32) -> &'a [u8] {
    &bytes[offsets[row as usize] as usize..offsets[row as usize + 1] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_row() {
        let mut texts = Texts::new();
        assert_eq!(texts.row(b""), 0);
        assert_eq!(
            ["a", "b", "a", "a", ""].map(|text| texts.row(text.as_bytes())),
            [1, 2, 1, 1, 0]
        );
        let broken = texts.row(b"x\xff");
        assert_eq!(texts.row(b"x\xff"), broken);
        assert_eq!(texts.text(broken), "x\u{fffd}");
        assert_eq!(texts.into_strings().len(), 4);
    }
}
