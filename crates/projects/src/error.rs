//! What can go wrong.

use std::path::PathBuf;

/// Why the database was not opened, or a call was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A newer program wrote the database; it was left as it is.
    #[error(
        "the list of recent projects was written by a newer version of this program \
         (form {found}; this version knows {known})"
    )]
    Newer {
        /// Its form.
        found: u32,
        /// The newest form this program knows.
        known: u32,
    },
    /// The folder or a file in it cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// There is no such project or bookmark: it was removed, perhaps in another window.
    #[error("this {0} is no longer in the list")]
    Gone(&'static str),
    /// What is to be kept is not JSON.
    #[error("only JSON can be kept")]
    NotJson,
    /// SQLite says so.
    #[error("the database of recent projects: {0}")]
    Database(#[from] rusqlite::Error),
}
