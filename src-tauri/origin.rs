//! Where a recording came from, and whether that has changed since.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file or a folder, as it was when it was read.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    path: PathBuf,
    seen: Seen,
}

/// How a file looks from outside: length in bytes and time of the last change.
type Look = (u64, Option<SystemTime>);

/// What tells a file from the one that was there before.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    File(Look),
    /// The files in it, by name.
    Folder(Vec<(OsString, Look)>),
    /// It cannot be looked at.
    Nothing,
}

impl Origin {
    /// What is at `path` now.
    pub(crate) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), seen: seen(path) }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether something else is there now; what is gone has not changed: there is nothing to read.
    pub(crate) fn has_changed(&self) -> bool {
        let now = seen(&self.path);
        now != Seen::Nothing && now != self.seen
    }
}

fn seen(path: &Path) -> Seen {
    let look = |data: &Metadata| (data.len(), data.modified().ok());
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            let files = entries.filter_map(|entry| {
                let data = fs::metadata(entry.path()).ok()?;
                Some((entry.file_name(), look(&data)))
            });
            let mut files: Vec<_> = files.collect();
            files.sort();
            Seen::Folder(files)
        }
        Ok(data) => Seen::File(look(&data)),
        Err(_) => Seen::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_again_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.pickle");
        fs::write(&path, "one").unwrap();
        let (file, parent) = (Origin::of(&path), Origin::of(folder.path()));
        assert!(!file.has_changed() && !parent.has_changed());
        fs::write(&path, "longer").unwrap();
        assert!(file.has_changed() && parent.has_changed());
    }

    #[test]
    fn a_file_that_is_gone_offers_nothing_to_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.pickle");
        fs::write(&path, "one").unwrap();
        let file = Origin::of(&path);
        fs::remove_file(&path).unwrap();
        assert!(!file.has_changed());
    }
}
