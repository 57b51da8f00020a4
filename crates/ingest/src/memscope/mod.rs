//! `msMemScope` dumps: SQLite databases, CSV files, folders of both.
//!
//! Each carrier gives rows of cells ([`cells`]), which become columns ([`chunk`]); those of all
//! files are put on one time line ([`gather`]), and blocks, accesses and ranges follow from them
//! ([`assemble`]).

mod accesses;
mod assemble;
mod attr;
mod cells;
mod chunk;
mod csv;
mod folder;
mod gather;
mod lanes;
mod lives;
mod marks;
mod order;
mod pairs;
mod rows;
mod slices;
mod sqlite;
mod stacks;
mod tables;
#[cfg(test)]
mod tests;
mod texts;
mod threads;
mod words;

use crate::mapped::Mapped;
use crate::{ImportError, Warnings};
use csv::Header;
use gather::Part;
use job::Job;
use model::{Carrier, Recording, Source};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The format in words, for messages.
const FORMAT: &str = "msMemScope dump";

/// What a dump may be written down as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An SQLite database; whether it is a dump, its tables say.
    Sqlite,
    /// A CSV file of rows.
    Csv,
    /// A CSV file of a Python trace.
    Trace,
}

impl Form {
    /// The form of a file that begins with `head`, if it can be a dump.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"SQLite format 3\0") {
            return Some(Self::Sqlite);
        }
        // No header is longer, and a line of another file may be gigabytes.
        Some(match Header::of(&head[..head.len().min(2048)])? {
            Header::Dump(..) => Self::Csv,
            Header::Trace => Self::Trace,
        })
    }
}

/// Reads the dump at `path`; a CSV file with the traces that lie beside it.
pub(crate) fn open(path: &Path, form: Form, job: &Job) -> Result<Recording, ImportError> {
    let warnings = Warnings::default();
    let bytes = std::fs::metadata(path).map_err(|source| unreadable(path, source))?.len();
    let mut parts = vec![read_form(path, form, &warnings, job)?];
    if form == Form::Csv {
        for trace in folder::traces_beside(path) {
            let trace = read_form(&trace, Form::Trace, &warnings, job)?;
            parts[0].add_own_calls(trace);
        }
    }
    let carrier = if form == Form::Sqlite { Carrier::Sqlite } else { Carrier::Csv };
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    finish(parts, Source { name, bytes, carrier, protocol: None }, warnings, job)
}

/// Reads all dumps in a folder as one recording.
pub(crate) fn open_folder(path: &Path, job: &Job) -> Result<Recording, ImportError> {
    folder::open(path, job)
}

/// The files that [`open`] and [`open_folder`] read.
pub(crate) fn sources(path: &Path, job: &Job) -> Result<Vec<PathBuf>, ImportError> {
    if path.is_dir() {
        return folder::sources(path, job);
    }
    let form = folder::form(path);
    let mut files = vec![path.to_owned()];
    match form {
        Some(Form::Csv) => files.extend(folder::traces_beside(path)),
        Some(Form::Sqlite) => files.extend(sqlite::journals(path)),
        Some(Form::Trace) | None => {}
    }
    Ok(files)
}

/// Reads the dump in `bytes`, those of a file called `name`.
pub(crate) fn read_bytes(
    bytes: &[u8],
    name: &Path,
    form: Form,
    job: &Job,
) -> Result<Recording, ImportError> {
    let warnings = Warnings::default();
    let length = bytes.len() as u64;
    let (part, carrier) = match form {
        Form::Sqlite => {
            // SQLite reads files.
            let read = || {
                let mut file = tempfile::NamedTempFile::new()?;
                file.write_all(bytes)?;
                file.flush()?;
                Ok(file)
            };
            let file = read().map_err(|source| unreadable(name, source))?;
            (sqlite::read(file.path(), &warnings, job)?, Carrier::Sqlite)
        }
        Form::Csv | Form::Trace => (read_csv(bytes, name, job)?, Carrier::Csv),
    };
    let name = name.to_string_lossy().into_owned();
    finish(vec![part], Source { name, bytes: length, carrier, protocol: None }, warnings, job)
}

/// What the file at `path` holds.
fn read_form(path: &Path, form: Form, warnings: &Warnings, job: &Job) -> Result<Part, ImportError> {
    match form {
        Form::Sqlite => sqlite::read(path, warnings, job),
        Form::Csv | Form::Trace => {
            let mapped = Mapped::open(path).map_err(|source| unreadable(path, source))?;
            read_csv(mapped.bytes(), path, job)
        }
    }
}

fn read_csv(bytes: &[u8], path: &Path, job: &Job) -> Result<Part, ImportError> {
    let header = Header::of(bytes).ok_or_else(|| ImportError::NotRecognized {
        reason: "it is a text".to_owned(),
        path: path.to_owned(),
    })?;
    Ok(csv::read(bytes, &header, job)?)
}

fn unreadable(path: &Path, source: std::io::Error) -> ImportError {
    ImportError::Unreadable { path: path.to_owned(), source }
}

/// Makes a recording of what was read, if there is memory to show.
fn finish(
    parts: Vec<Part>,
    source: Source,
    warnings: Warnings,
    job: &Job,
) -> Result<Recording, ImportError> {
    let damaged = |problem: String| ImportError::Damaged { format: FORMAT, offset: 0, problem };
    if parts.iter().all(|part| part.len() == 0) {
        return Err(damaged("there are no rows in it: nothing was recorded".to_owned()));
    }
    let recording = assemble::assemble(parts, source, warnings, job)?;
    if recording.devices.is_empty() {
        let problem = "no row allocates or frees memory, so that there is nothing to draw";
        return Err(damaged(problem.to_owned()));
    }
    Ok(recording)
}
