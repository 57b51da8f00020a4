//! Opening the database, also one that is damaged.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode};

use crate::Error;
use crate::migrate::{STEPS, migrate, refuse_newer};

const NAME: &str = "projects.db";
/// Held while the database is opened, so that two programs do not both move a damaged one aside.
const LOCK: &str = "projects.lock";
/// How long a write waits for another program's.
const PATIENCE: Duration = Duration::from_secs(10);
/// What the files of ours say they are.
const OURS: i32 = 1_416_193_125;

/// The open database. Calls wait for each other and for those of other programs.
pub struct Projects(Mutex<Connection>);

/// The database, and what has to be told about it.
pub struct Start {
    /// The database, of the newest form.
    pub projects: Projects,
    /// Where a damaged one was moved, if this one had to be begun anew.
    pub moved_aside: Option<PathBuf>,
}

impl Projects {
    /// Opens the database in `folder`, and makes both if they are not there.
    ///
    /// A damaged database is renamed and a new one begun; one from a newer program is left alone
    /// and refused.
    pub fn open(folder: &Path) -> Result<Start, Error> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let lock = folder.join(LOCK);
        let _held = held(&lock).map_err(at(&lock))?;
        let path = folder.join(NAME);
        match connect(&path) {
            Ok(connection) => {
                Ok(Start { projects: Self(Mutex::new(connection)), moved_aside: None })
            }
            Err(error) if is_damage(&error) => {
                let aside = move_aside(&path)?;
                let projects = Self(Mutex::new(connect(&path)?));
                Ok(Start { projects, moved_aside: Some(aside) })
            }
            Err(error) => Err(error),
        }
    }

    /// A database that is gone with the program, for where none can be kept.
    pub fn in_memory() -> Result<Self, Error> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&mut connection)?;
        Ok(Self(Mutex::new(connection)))
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic left is rolled back when it is dropped.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let mut connection = Connection::open(path)?;
    prepare(&mut connection)?;
    Ok(connection)
}

fn prepare(connection: &mut Connection) -> Result<(), Error> {
    connection.busy_timeout(PATIENCE)?;
    let kind: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if kind != OURS && (kind != 0 || tables > 0) {
        return Err(damage("another program's file").into());
    }
    refuse_newer(connection, STEPS)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // With anything less, the last writes are gone when the power fails.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(connection, STEPS)?;
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(damage(&verdict).into()) }
}

fn damage(why: &str) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(why.to_owned()))
}

fn is_damage(error: &Error) -> bool {
    let Error::Database(error) = error else { return false };
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Renames the database and what belongs to it, under a name that is free.
fn move_aside(path: &Path) -> Result<PathBuf, Error> {
    let seconds = now_ms() / 1000;
    let free = |turn: u32| path.with_file_name(format!("projects.damaged-{seconds}-{turn}.db"));
    let aside = (0..u32::MAX).map(free).find(|aside| !aside.exists()).unwrap_or_else(|| free(0));
    for ending in ["-wal", "-shm", ""] {
        let part = with_ending(path, ending);
        match fs::rename(&part, with_ending(&aside, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&part)(error)),
            _ => {}
        }
    }
    Ok(aside)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The lock, which ends with the file's handle, also in a crash.
fn held(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    file.lock()?;
    Ok(file)
}

fn at(path: &Path) -> impl Fn(io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |error| Error::File { path: path.clone(), error }
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
