//! Distinct texts while a file is read.

use super::words::{EMPTY, WORDS};
use hashbrown::HashTable;
use model::{StringId, Strings};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// First number that is no word of the format.
const FIRST: u32 = WORDS.len() as u32;
/// More bytes than this are not kept: offsets have 32 bits.
const MOST_BYTES: usize = u32::MAX as usize;

/// Distinct texts by number: the format's own [`WORDS`] first, then those the file brings.
///
/// Words take no room in the recording's strings unless something is called so.
#[derive(Debug)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    offsets: Vec<u32>,
    /// Numbers by the hash of their text.
    table: HashTable<u32>,
    /// Strings of words that were needed as such.
    of_word: [Option<StringId>; WORDS.len()],
    /// Texts that found no room.
    pub(crate) dropped: u64,
}

impl Texts {
    pub(crate) fn new() -> Self {
        let mut texts = Self {
            bytes: Vec::new(),
            offsets: vec![0, 0],
            table: HashTable::new(),
            of_word: [None; WORDS.len()],
            dropped: 0,
        };
        texts.of_word[EMPTY as usize] = Some(StringId(0));
        for (number, word) in (0..).zip(WORDS) {
            let hash = FxBuildHasher.hash_one(word.as_bytes());
            texts.table.insert_unique(hash, number, |number| {
                FxBuildHasher.hash_one(WORDS[*number as usize].as_bytes())
            });
        }
        texts
    }

    /// The number of a text, new or known. Broken characters become U+FFFD.
    pub(crate) fn number(&mut self, text: &[u8]) -> u32 {
        let hash = FxBuildHasher.hash_one(text);
        if let Some(number) = self.table.find(hash, |number| self.bytes_of(*number) == text) {
            return *number;
        }
        if let Ok(text) = std::str::from_utf8(text) {
            return self.add(hash, text);
        }
        // A broken text is repaired each time: it is rare.
        let text = String::from_utf8_lossy(text).into_owned();
        self.number(text.as_bytes())
    }

    fn add(&mut self, hash: u64, text: &str) -> u32 {
        if self.bytes.len() + text.len() > MOST_BYTES {
            self.dropped += 1;
            return EMPTY;
        }
        let row = self.store(text);
        let number = FIRST + row.0;
        let (bytes, offsets) = (&self.bytes, &self.offsets);
        self.table.insert_unique(hash, number, |number| {
            FxBuildHasher.hash_one(bytes_of(bytes, offsets, *number))
        });
        number
    }

    fn store(&mut self, text: &str) -> StringId {
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len() as u32);
        StringId(self.offsets.len() as u32 - 2)
    }

    /// The recording's row for a number.
    pub(crate) fn string(&mut self, number: u32) -> StringId {
        if number >= FIRST {
            return StringId(number - FIRST);
        }
        let word = number as usize;
        if let Some(row) = self.of_word[word] {
            return row;
        }
        let row = self.store(WORDS[word]);
        self.of_word[word] = Some(row);
        row
    }

    /// A number for one of the recording's rows; [`Texts::string`] gives the row back.
    pub(crate) fn number_of(row: StringId) -> u32 {
        if row.0 == 0 { EMPTY } else { FIRST + row.0 }
    }

    /// The text behind a number.
    pub(crate) fn text(&self, number: u32) -> &str {
        // Only whole texts are stored.
        std::str::from_utf8(self.bytes_of(number)).unwrap_or_default()
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        bytes_of(&self.bytes, &self.offsets, number)
    }

    /// The recording's strings.
    pub(crate) fn into_strings(self) -> Strings {
        Strings::new(self.offsets, self.bytes).expect("offsets follow the texts as they are stored")
    }
}

fn bytes_of<'a>(bytes: &'a [u8], offsets: &[u32], number: u32) -> &'a [u8] {
    match number.checked_sub(FIRST) {
        None => WORDS[number as usize].as_bytes(),
        Some(row) => &bytes[offsets[row as usize] as usize..offsets[row as usize + 1] as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torch::words;

    #[test]
    fn a_word_of_the_format_takes_room_only_when_something_is_called_so() {
        let mut texts = Texts::new();
        assert_eq!(texts.number(b"size"), words::SIZE);
        let forward = texts.number(b"forward");
        assert_eq!(texts.number(b"forward"), forward);
        assert_eq!(texts.string(forward), StringId(1));
        assert_eq!(texts.string(words::SIZE), StringId(2));
        assert_eq!(texts.string(words::SIZE), StringId(2));
        assert_eq!(texts.string(words::EMPTY), StringId(0));
        let strings = texts.into_strings();
        assert_eq!(strings.len(), 3);
        assert_eq!(strings.get(StringId(2)), "size");
    }

    #[test]
    fn broken_characters_are_repaired_once() {
        let mut texts = Texts::new();
        let broken = texts.number(b"a\xed\xa0\x80");
        assert_eq!(texts.text(broken), "a\u{fffd}\u{fffd}\u{fffd}");
        assert_eq!(texts.number(b"a\xed\xa0\x80"), broken);
    }
}
