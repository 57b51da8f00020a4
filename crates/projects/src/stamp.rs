//! What tells that a file is still the one that was read.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// How many places of a file are looked at for its print, and how many bytes at each.
const PLACES: u64 = 16;
const AT_EACH: u64 = 4096;
/// How many files of a folder are looked at.
const MOST_FILES: usize = 4096;

/// A file, or a folder with the files directly in it, at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes; of a folder, of its files together.
    pub bytes: u64,
    /// When it was last written, nanoseconds since 1970; of a folder, the latest of its files.
    pub modified: i64,
    /// A hash of parts of the content, spread over it; of a folder, of names and sizes.
    pub print: u64,
}

/// A file beside what is remembered of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// As it was.
    Same,
    /// There, with other content.
    Changed,
    /// Not there, or not to be read.
    Missing,
}

impl Stamp {
    /// Of what is at `path` now; reads at most 64 KiB of it.
    pub fn of(path: &Path) -> io::Result<Self> {
        let about = fs::metadata(path)?;
        if about.is_dir() { of_folder(path) } else { of_file(path, &about) }
    }

    /// Whether a file with `self` is, as far as can be told, the one that had `other`: one that was
    /// only copied or touched is.
    pub fn is_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.print == other.print
    }

    /// How the file at `path` is beside this. Reads in it only where size and time leave a doubt.
    pub fn state_of(&self, path: &Path) -> FileState {
        let Ok(about) = fs::metadata(path) else { return FileState::Missing };
        let is_untouched = about.is_file() && modified(&about) == self.modified;
        if is_untouched && about.len() == self.bytes {
            return FileState::Same;
        }
        match Self::of(path) {
            Ok(now) if now.is_same(self) => FileState::Same,
            Ok(_) => FileState::Changed,
            Err(_) => FileState::Missing,
        }
    }
}

fn of_file(path: &Path, about: &Metadata) -> io::Result<Stamp> {
    let bytes = about.len();
    let mut file = File::open(path)?;
    let mut print = Print::new();
    let mut part = Vec::new();
    let last = bytes.saturating_sub(AT_EACH);
    for place in 0..PLACES {
        let from = (u128::from(last) * u128::from(place) / u128::from(PLACES - 1)) as u64;
        file.seek(SeekFrom::Start(from))?;
        part.clear();
        file.by_ref().take(AT_EACH).read_to_end(&mut part)?;
        print.add(&part);
    }
    Ok(Stamp { bytes, modified: modified(about), print: print.0 })
}

fn of_folder(path: &Path) -> io::Result<Stamp> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path)?.take(MOST_FILES) {
        let entry = entry?;
        let about = entry.metadata()?;
        if about.is_file() {
            files.push((entry.file_name(), about.len(), modified(&about)));
        }
    }
    files.sort();
    let mut print = Print::new();
    for (name, bytes, _) in &files {
        print.add(name.as_encoded_bytes());
        print.add(&bytes.to_le_bytes());
    }
    let bytes = files.iter().map(|(_, bytes, _)| bytes).sum();
    let modified = files.iter().map(|(_, _, modified)| *modified).max().unwrap_or(0);
    Ok(Stamp { bytes, modified, print: print.0 })
}

fn modified(about: &Metadata) -> i64 {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as i64)
}

/// FNV-1a: the same in every version of the program, which is all that is asked of it.
struct Print(u64);

impl Print {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        let length = bytes.len() as u64;
        for byte in length.to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.pickle");
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_is_the_same_when_it_was_only_touched_and_another_when_a_byte_differs() {
        let (_folder, path) = file(&vec![7; 20_000]);
        let was = Stamp::of(&path).unwrap();
        assert_eq!(was.state_of(&path), FileState::Same);
        let later = UNIX_EPOCH + std::time::Duration::from_secs(5);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(was.state_of(&path), FileState::Same);
        let mut content = vec![7; 20_000];
        content[19_999] = 8;
        fs::write(&path, &content).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(was.state_of(&path), FileState::Changed);
        fs::remove_file(&path).unwrap();
        assert_eq!(was.state_of(&path), FileState::Missing);
    }

    #[test]
    fn files_of_any_size_have_a_print() {
        let mut prints = Vec::new();
        for size in [0, 1, 4095, 4096, 4097, 70_000, 300_000] {
            let (_folder, path) = file(&vec![1; size]);
            let stamp = Stamp::of(&path).unwrap();
            assert_eq!(stamp.bytes, size as u64);
            assert!(stamp.is_same(&Stamp::of(&path).unwrap()));
            prints.push(stamp.print);
        }
        // The content is the same everywhere: beyond some size only the size tells files apart.
        prints.dedup();
        assert!(prints.len() >= 4, "{prints:?}");
    }

    #[test]
    fn a_folder_is_another_when_a_file_comes_or_grows() {
        let (folder, path) = file(b"one");
        let was = Stamp::of(folder.path()).unwrap();
        assert_eq!(was.bytes, 3);
        assert_eq!(was.state_of(folder.path()), FileState::Same);
        fs::write(&path, b"longer").unwrap();
        assert_eq!(was.state_of(folder.path()), FileState::Changed);
        fs::write(&path, b"two").unwrap();
        fs::write(folder.path().join("two.pickle"), b"").unwrap();
        assert_eq!(was.state_of(folder.path()), FileState::Changed);
    }
}
