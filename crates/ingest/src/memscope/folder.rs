//! A folder of dumps of one run, as one recording.

use super::{FORMAT, Form, finish, read_form, sqlite};
use crate::{ImportError, Warnings};
use job::{Job, Progress};
use model::{Carrier, Recording, Source, WarningKind};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How deep folders are looked into: a run has two levels below its own.
const DEEPEST: u8 = 6;
/// More entries than this are not those of a run.
const MOST_ENTRIES: usize = 100_000;
/// Bytes of a file that tell what it is.
const HEAD: u64 = 4096;

/// A file that can hold a dump.
struct Found {
    path: PathBuf,
    form: Form,
    bytes: u64,
}

/// Reads all dumps below `folder`.
pub(super) fn open(folder: &Path, job: &Job) -> Result<Recording, ImportError> {
    let files = files(folder, job)?;
    let warnings = Warnings::default();
    let mut parts = Vec::new();
    let (mut bytes, mut last_error) = (0, None);
    for file in &files {
        match read_form(&file.path, file.form, &warnings, job) {
            Ok(part) if part.len() > 0 => {
                bytes += file.bytes;
                parts.push(part);
            }
            Err(ImportError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // There is nothing in it, or it is another program's.
            Ok(_) | Err(ImportError::NotRecognized { .. }) => {}
            Err(error) => {
                let name = file.path.strip_prefix(folder).unwrap_or(&file.path).display();
                warnings.add(WarningKind::Damaged, "file", 1, || {
                    format!("Files that cannot be read were left out, first {name}: {error}")
                });
                last_error = Some(error);
            }
        }
    }
    if parts.is_empty() {
        let reason = format!("it is a folder without an {FORMAT}");
        let empty = ImportError::NotRecognized { reason, path: folder.to_owned() };
        return Err(last_error.unwrap_or(empty));
    }
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    let source = Source { name, bytes, carrier: Carrier::Folder, protocol: None };
    finish(parts, source, warnings, job)
}

/// The files below `folder` that can hold a dump, by path.
fn files(folder: &Path, job: &Job) -> Result<Vec<Found>, ImportError> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        let unreadable = |source| ImportError::Unreadable { path: folder.clone(), source };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(unreadable(error)),
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            seen += 1;
            if seen > MOST_ENTRIES {
                break;
            }
            job.step(Progress { stage: "looking for dumps", done: seen as u64, total: 0 })?;
            // Links are not followed: they could lead in circles.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEEPEST {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_file() {
                found.extend(recognised(entry.path()));
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn recognised(path: PathBuf) -> Option<Found> {
    let file = fs::File::open(&path).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).ok()?;
    let form = Form::of(&head)?;
    Some(Found { path, form, bytes })
}

/// The files below `folder` that [`open`] reads.
pub(super) fn sources(folder: &Path, job: &Job) -> Result<Vec<PathBuf>, ImportError> {
    let files = files(folder, job)?;
    Ok(files.into_iter().flat_map(|file| with_journals(file.path, file.form)).collect())
}

/// `path`, and what lies beside it and is read with it if it is a database.
pub(super) fn with_journals(path: PathBuf, form: Form) -> Vec<PathBuf> {
    let journals = if form == Form::Sqlite { sqlite::journals(&path) } else { Vec::new() };
    std::iter::once(path).chain(journals).collect()
}

/// What the file at `path` can be.
pub(super) fn form(path: &Path) -> Option<Form> {
    recognised(path.to_owned()).map(|found| found.form)
}

/// The Python traces that lie beside the CSV file `path`.
pub(super) fn traces_beside(path: &Path) -> Vec<PathBuf> {
    let Some(Ok(entries)) = path.parent().map(fs::read_dir) else { return Vec::new() };
    let is_trace = |name: &std::ffi::OsStr| {
        let name = name.to_string_lossy();
        name.starts_with("python_trace")
    };
    let entries = entries.flatten().take(MOST_ENTRIES);
    let named = entries.filter(|entry| is_trace(&entry.file_name()));
    let mut paths: Vec<PathBuf> = named
        .filter_map(|entry| recognised(entry.path()))
        .filter(|found| found.form == Form::Trace)
        .map(|found| found.path)
        .collect();
    paths.sort();
    paths
}
