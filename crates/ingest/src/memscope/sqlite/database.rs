//! Connections to a database that stays as it is.

use super::address::{Form, address};
use crate::ImportError;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// How much of a file SQLite may map instead of copying pages: its own limit.
const MAPPED: i64 = 0x7fff_0000;

/// What the names of journals end with.
const JOURNALS: [&str; 2] = ["-wal", "-journal"];

/// The journals beside the database at `path` that have rows.
pub(crate) fn journals(path: &Path) -> Vec<PathBuf> {
    let with_rows = JOURNALS.into_iter().filter(|suffix| has_content(path, suffix));
    with_rows.map(|suffix| beside(path, suffix)).collect()
}

/// A database that nobody writes to while it is read.
pub(super) struct Database {
    uri: String,
    /// Connections nobody uses.
    idle: Mutex<Vec<Connection>>,
    /// Where the copy is that is read in place of the file.
    _copy: Option<TempDir>,
}

impl Database {
    /// The database at `path`.
    ///
    /// Rows that lie in a journal beside it are read from a copy, into which the journal is worked
    /// in: SQLite would otherwise write to the file, or beside it.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        if journals(path).is_empty() {
            return Ok(Self { uri: uri(path), idle: Mutex::default(), _copy: None });
        }
        let unreadable = |source| ImportError::Unreadable { path: path.to_owned(), source };
        let folder = tempfile::tempdir().map_err(unreadable)?;
        let copy = folder.path().join("copy.db");
        copy_bytes(path, &copy).map_err(unreadable)?;
        for suffix in JOURNALS {
            if has_content(path, suffix) {
                copy_bytes(&beside(path, suffix), &beside(&copy, suffix)).map_err(unreadable)?;
            }
        }
        work_in(&copy).map_err(|error| unreadable(io::Error::other(error)))?;
        Ok(Self { uri: uri(&copy), idle: Mutex::default(), _copy: Some(folder) })
    }

    /// Does `work` with a connection of its own.
    pub(super) fn with<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let connection = match waiting {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let done = work(&connection);
        idle().push(connection);
        done
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.uri, flags)?;
        // The file is somebody else's: nothing in its schema may run, and broken pages are found
        // before they are used.
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
        // Only faster: reading works without.
        drop(connection.pragma_update(None, "mmap_size", MAPPED));
        Ok(connection)
    }
}

/// Works the journals beside `copy` into it.
fn work_in(copy: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(copy)?;
    let rows = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
    connection.query_row("SELECT count(*) FROM sqlite_master", [], rows)?;
    // In a database without a log this does nothing.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], rows)?;
    Ok(())
}

/// The bytes alone: the copy must be writable even if the file is not.
fn copy_bytes(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = fs::File::open(from)?;
    let mut to = fs::File::create(to)?;
    io::copy(&mut from, &mut to)?;
    Ok(())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

fn has_content(path: &Path, suffix: &str) -> bool {
    fs::metadata(beside(path, suffix)).is_ok_and(|file| file.is_file() && file.len() > 0)
}

/// The address of the file at `path`.
fn uri(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    address(path.as_os_str().as_encoded_bytes(), Form::OURS)
}
