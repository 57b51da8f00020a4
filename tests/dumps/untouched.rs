//! A person's file stays as it is, and nothing is left beside it.

use acceptance::tidemark;
use cli::Exit;
use sample::memscope::{Dump, Format, Journal, Oddities, Scope};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Path, bytes and time of the last change of everything below `folder`, and of it.
fn listing(folder: &Path) -> Vec<(PathBuf, Vec<u8>, SystemTime)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let facts = fs::metadata(&path).unwrap();
        let bytes = if facts.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
        if facts.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        found.push((path, bytes, facts.modified().unwrap()));
    }
    found.sort();
    found
}

/// Asks everything of the dump at `path`.
fn ask(path: &Path) {
    let questions: [&[&str]; 6] = [
        &["info", "--json"],
        &["decompose", "--json"],
        &["blocks", "--json"],
        &["inefficient", "--lazy=1ms", "--json"],
        &["trace", "--json"],
        &["export", "events"],
    ];
    for words in questions {
        let mut args: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        args.insert(1, path.as_os_str());
        let ran = tidemark(&args);
        assert_eq!(ran.exit, Exit::Done, "{words:?}: {}", ran.err);
    }
}

fn stays(plan: &Dump) {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = plan.write_in(folder.path()).unwrap();
    let before = listing(folder.path());
    ask(&path);
    let after = listing(folder.path());
    let names = |listing: &[(PathBuf, Vec<u8>, SystemTime)]| -> Vec<PathBuf> {
        listing.iter().map(|(path, ..)| path.clone()).collect()
    };
    assert_eq!(names(&after), names(&before), "{plan:?}");
    assert!(after == before, "bytes or times changed: {plan:?}");
}

#[test]
fn a_database_stays_as_it_is() {
    stays(&Dump::new(1));
}

#[test]
fn rows_that_lie_in_a_log_stay_there() {
    stays(&Dump { journal: Journal::Unmerged, ..Dump::new(1) });
}

#[test]
fn a_text_and_its_trace_stay_as_they_are() {
    stays(&Dump { format: Format::Csv, ..Dump::new(1) });
}

#[test]
fn a_folder_of_files_stays_as_it_is() {
    for journal in [Journal::Merged, Journal::Unmerged] {
        stays(&Dump { scope: Scope::FilePerDevice, processes: 2, journal, ..Dump::new(1) });
    }
}

/// Who may do everything is not stopped by permissions: also then nothing may change.
#[test]
fn what_cannot_be_written_to_is_read() {
    for journal in [Journal::Merged, Journal::Unmerged] {
        let folder = tempfile::tempdir().unwrap();
        let oddities = Oddities { read_only: true, ..Oddities::default() };
        let (path, _) = Dump { oddities, journal, ..Dump::new(1) }.write_in(folder.path()).unwrap();
        assert!(fs::metadata(&path).unwrap().permissions().readonly());
        let _closed = Closed::new(folder.path());
        let before = listing(folder.path());
        ask(&path);
        assert!(listing(folder.path()) == before);
    }
}

/// A folder that cannot be written to until this goes.
struct Closed<'a> {
    folder: &'a Path,
    before: fs::Permissions,
}

impl<'a> Closed<'a> {
    fn new(folder: &'a Path) -> Self {
        let before = fs::metadata(folder).unwrap().permissions();
        let mut closed = before.clone();
        closed.set_readonly(true);
        fs::set_permissions(folder, closed).unwrap();
        Self { folder, before }
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        fs::set_permissions(self.folder, self.before.clone()).unwrap();
    }
}
