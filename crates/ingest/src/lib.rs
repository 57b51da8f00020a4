//! Turns a file somebody else wrote into a [`model::Recording`].
//!
//! With [`pickle`] the only crate that reads untrusted bytes. Nothing a file holds makes it panic,
//! run code, or use memory out of proportion to the file.
//!
//! Start at [`open`]: carrier, then reader, then what the events imply.

mod carrier;
mod error;
pub mod fuzz;
mod mapped;
mod memscope;
mod open;
#[cfg(test)]
mod tests;
mod torch;
mod warnings;

pub use error::ImportError;
pub use warnings::Warnings;

use job::Job;
use model::Recording;
use std::path::{Path, PathBuf};

/// Reads the whole file, whatever it is called: formats are told by content. Of a folder, the dumps
/// in it are read as one recording.
pub fn open(path: &Path, job: &Job) -> Result<Recording, ImportError> {
    if path.is_dir() {
        return memscope::open_folder(path, job);
    }
    let mapped = mapped::Mapped::open(path)
        .map_err(|source| ImportError::Unreadable { path: path.to_owned(), source })?;
    if let Some(form) = memscope::Form::of(mapped.bytes()) {
        drop(mapped);
        return memscope::open(path, form, job);
    }
    open::read(mapped.bytes(), path, job)
}

/// The files that [`open`] reads at `path`; of a file that is not there, that file.
pub fn sources(path: &Path, job: &Job) -> Result<Vec<PathBuf>, ImportError> {
    memscope::sources(path, job)
}

/// Reads the recording in `bytes`, those of a file called `name`.
pub fn read_bytes(bytes: &[u8], name: &str, job: &Job) -> Result<Recording, ImportError> {
    if let Some(form) = memscope::Form::of(bytes) {
        return memscope::read_bytes(bytes, Path::new(name), form, job);
    }
    open::read(bytes, Path::new(name), job)
}

/// The version of the SQLite that databases are read with; it is part of the program.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// What measurements need and the app does not.
#[doc(hidden)]
pub mod measure {
    use crate::{ImportError, mapped, open};
    use job::Job;
    use std::path::Path;

    /// Events and stacks of the file at `path`, read and not looked into further.
    pub fn read_only(path: &Path, job: &Job) -> Result<(u64, usize), ImportError> {
        let mapped = mapped::Mapped::open(path)
            .map_err(|source| ImportError::Unreadable { path: path.to_owned(), source })?;
        let read = open::read_raw(mapped.bytes(), path, job)?;
        let events = read.snapshot.devices.iter().map(|device| u64::from(device.events.len()));
        Ok((events.sum(), read.snapshot.stacks.len()))
    }
}
