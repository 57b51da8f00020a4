//! The app's own database: which files were opened, where each was left, bookmarks, settings.
//!
//! Start reading at [`Projects`]. Knows one SQLite file in the app's data folder and what tells
//! that a person's file is still the one that was opened ([`Stamp`]). Does not know what a
//! recording holds: what a page wants to find again is JSON that is kept and given back.
//!
//! Several programs may use the file at the same time. What a call has returned from is on the
//! disk: a crash after it loses nothing.

mod bookmarks;
mod error;
mod list;
mod migrate;
mod open;
mod settings;
mod stamp;
#[cfg(test)]
mod tests;

pub use bookmarks::{Bookmark, BookmarkId};
pub use error::Error;
pub use list::{Left, NewProject, Project, ProjectId, Remembered};
pub use open::{Projects, Start};
pub use stamp::{FileState, Stamp};
