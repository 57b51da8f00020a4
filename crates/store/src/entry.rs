//! The name of an index says all there is to know before it is read.

use crate::{FORMAT, checksum::key};

/// The program that wrote it: an index of another one is not looked at.
///
/// Besides the form on disk, that is all code between a person's file and the columns: the build
/// script takes a hash of it, so that no index outlives a change of what is read from a file.
pub(crate) fn program() -> u64 {
    let mut bytes = FORMAT.to_le_bytes().to_vec();
    bytes.extend_from_slice(env!("TIDEMARK_READERS").as_bytes());
    key(&bytes)
}

/// What the name of an index says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// See [`program`].
    pub(crate) program: u64,
    /// Where the person's files were.
    pub(crate) place: u64,
    /// Their sizes and times.
    pub(crate) stamp: u64,
    /// Their sizes and a part of their content.
    pub(crate) glance: u64,
    /// All of their content.
    pub(crate) content: u128,
    /// Checksum of the index itself.
    pub(crate) checksum: u128,
}

const SUFFIX: &str = ".arrow";

impl Entry {
    pub(crate) fn name(&self) -> String {
        let Self { program, place, stamp, glance, content, checksum } = self;
        format!(
            "{program:016x}-{place:016x}-{stamp:016x}-{glance:016x}-{content:032x}-{checksum:032x}{SUFFIX}"
        )
    }

    /// `None` for whatever else lies in the folder.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let mut words = name.strip_suffix(SUFFIX)?.split('-');
        let mut word = |digits: usize| {
            let word = words.next()?;
            let fits = word.len() == digits && word.bytes().all(|digit| digit.is_ascii_hexdigit());
            u128::from_str_radix(word, 16).ok().filter(|_| fits)
        };
        let [program, place, stamp, glance] = [word(16)?, word(16)?, word(16)?, word(16)?];
        let (content, checksum) = (word(32)?, word(32)?);
        let [program, place, stamp, glance] = [program, place, stamp, glance].map(|it| it as u64);
        let entry = Self { program, place, stamp, glance, content, checksum };
        // One name for one entry: no capitals.
        (words.next().is_none() && entry.name() == name).then_some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_it_was_made_of() {
        let entry = Entry {
            program: 1,
            place: u64::MAX,
            stamp: 0,
            glance: 0xabc,
            content: u128::MAX - 5,
            checksum: 9,
        };
        assert_eq!(Entry::of_name(&entry.name()), Some(entry));
        for wrong in ["", ".arrow", "a.arrow", &entry.name()[1..], &entry.name().to_uppercase()] {
            assert_eq!(Entry::of_name(wrong), None, "{wrong}");
        }
        assert_eq!(Entry::of_name(&format!("{}.old", entry.name())), None);
    }
}
