//! Places in a project that somebody wants to find again.

use rusqlite::{Row, params};

use crate::list::json;
use crate::open::now_ms;
use crate::{Error, ProjectId, Projects};

/// A bookmark; never used again for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookmarkId(pub i64);

/// A place with a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// Its id.
    pub id: BookmarkId,
    /// Where, as JSON.
    pub place: String,
    /// What the person wrote; may be empty.
    pub note: String,
    /// When it was made, milliseconds since 1970.
    pub created: i64,
    /// When its note was last changed.
    pub changed: i64,
    /// Whether it is of the content the project's file has now; of other content, the place means
    /// nothing.
    pub is_current: bool,
}

impl Projects {
    /// The bookmarks of a project, in the order they were made.
    pub fn bookmarks(&self, project: ProjectId) -> Result<Vec<Bookmark>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT bookmark.id, place, note, created, changed, bookmark.edition = project.edition
             FROM bookmark JOIN project ON project.id = bookmark.project
             WHERE project = ?1 ORDER BY bookmark.id",
        )?;
        let rows = statement.query_map([project.0], bookmark)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps `place`, which is JSON, with a note.
    pub fn add_bookmark(
        &self,
        project: ProjectId,
        place: &str,
        note: &str,
    ) -> Result<BookmarkId, Error> {
        let connection = self.connection();
        json(&connection, place)?;
        let added = connection.execute(
            "INSERT INTO bookmark (project, edition, place, note, created, changed)
             SELECT id, edition, ?2, ?3, ?4, ?4 FROM project WHERE id = ?1",
            params![project.0, place, note, now_ms()],
        )?;
        if added == 0 {
            return Err(Error::Gone("project"));
        }
        Ok(BookmarkId(connection.last_insert_rowid()))
    }

    /// Writes another note.
    pub fn change_note(&self, id: BookmarkId, note: &str) -> Result<(), Error> {
        let changed = self.connection().execute(
            "UPDATE bookmark SET note = ?2, changed = ?3 WHERE id = ?1",
            params![id.0, note, now_ms()],
        )?;
        if changed == 0 { Err(Error::Gone("bookmark")) } else { Ok(()) }
    }

    /// Takes a bookmark away; nothing happens when it is gone already.
    pub fn remove_bookmark(&self, id: BookmarkId) -> Result<(), Error> {
        self.connection().execute("DELETE FROM bookmark WHERE id = ?1", [id.0])?;
        Ok(())
    }
}

fn bookmark(row: &Row<'_>) -> rusqlite::Result<Bookmark> {
    Ok(Bookmark {
        id: BookmarkId(row.get(0)?),
        place: row.get(1)?,
        note: row.get(2)?,
        created: row.get(3)?,
        changed: row.get(4)?,
        is_current: row.get(5)?,
    })
}
