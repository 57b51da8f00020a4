//! Which files the page may name: those that a person chose, and no others.
//!
//! The page shows what is in files of strangers. Should one of them ever take the page over, it can
//! still open only what was chosen in a dialog, dropped on a window, named on the command line or
//! handed over by the system, or what is in the list of recent recordings; and write only what was
//! chosen as a target.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use wire::{ErrorCode, WireError};

/// Folders whose files the page may name all the same; tests, which choose nothing, set it.
const FOLDERS: &str = "TIDEMARK_MAY_OPEN";

/// What the page may name. Holds paths as they were chosen; the page gives them back as they are.
#[derive(Default)]
pub(crate) struct Allowed {
    folders: Vec<PathBuf>,
    sets: Mutex<Sets>,
}

#[derive(Default)]
struct Sets {
    sources: BTreeSet<PathBuf>,
    targets: BTreeSet<PathBuf>,
}

impl Allowed {
    /// Nothing but what the environment names.
    pub(crate) fn new() -> Self {
        Self::in_folders(&std::env::var_os(FOLDERS).unwrap_or_default())
    }

    /// Nothing but what is in `folders`, a list as in `PATH`.
    fn in_folders(folders: &OsStr) -> Self {
        // No list at all is a list of one empty path, and every path starts with that.
        let folders = std::env::split_paths(folders).filter(|folder| folder.is_absolute());
        Self { folders: folders.collect(), sets: Mutex::default() }
    }

    /// Lets the page open `path`.
    pub(crate) fn add(&self, path: impl Into<PathBuf>) {
        self.sets().sources.insert(path.into());
    }

    /// Lets the page have something written to `path`.
    pub(crate) fn add_target(&self, path: impl Into<PathBuf>) {
        self.sets().targets.insert(path.into());
    }

    /// Refuses a path that nobody chose to open.
    pub(crate) fn may_open(&self, path: &Path) -> Result<(), WireError> {
        if self.sets().sources.contains(path) || self.is_free(path) {
            return Ok(());
        }
        Err(refusal(ErrorCode::Unreadable))
    }

    /// Refuses a path that nobody chose as a target. A choice is good for one time: the dialog has
    /// asked whether what is there may go.
    pub(crate) fn may_write(&self, path: &Path) -> Result<(), WireError> {
        if self.sets().targets.remove(path) || self.is_free(path) {
            return Ok(());
        }
        Err(refusal(ErrorCode::Unwritable))
    }

    fn is_free(&self, path: &Path) -> bool {
        let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
        !climbs && self.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn sets(&self) -> MutexGuard<'_, Sets> {
        // A look into the sets cannot leave them half changed.
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refusal(code: ErrorCode) -> WireError {
    let message = "this file was not chosen in a dialog, dropped, or named at the start".to_owned();
    WireError { code, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(answer: Result<(), WireError>) -> Option<ErrorCode> {
        answer.err().map(|error| error.code)
    }

    #[test]
    fn only_what_was_chosen_is_opened_and_written() {
        let allowed = Allowed::default();
        let chosen = Path::new("/r/chosen.pickle");
        assert_eq!(code(allowed.may_open(chosen)), Some(ErrorCode::Unreadable));
        allowed.add(chosen);
        assert_eq!(code(allowed.may_open(chosen)), None);
        assert_eq!(code(allowed.may_open(Path::new("/r/other"))), Some(ErrorCode::Unreadable));
        // What may be read may not be written.
        assert_eq!(code(allowed.may_write(chosen)), Some(ErrorCode::Unwritable));
        let target = Path::new("/r/blocks.csv");
        allowed.add_target(target);
        assert_eq!(code(allowed.may_write(target)), None);
        assert_eq!(code(allowed.may_write(target)), Some(ErrorCode::Unwritable));
    }

    #[test]
    fn without_a_list_of_folders_nothing_is_free() {
        for list in ["", "relative"] {
            let allowed = Allowed::in_folders(OsStr::new(list));
            assert!(allowed.may_open(Path::new("/r/one")).is_err(), "{list:?}");
            assert!(allowed.may_open(Path::new("relative/one")).is_err(), "{list:?}");
            assert!(allowed.may_write(Path::new("/r/one")).is_err(), "{list:?}");
        }
    }

    #[test]
    fn a_folder_that_is_free_is_not_left_by_climbing() {
        let allowed = Allowed::in_folders(OsStr::new("/r"));
        assert_eq!(code(allowed.may_open(Path::new("/r/one"))), None);
        assert!(allowed.may_open(Path::new("/r/../etc/passwd")).is_err());
        assert!(allowed.may_open(Path::new("/rr/one")).is_err());
    }
}
