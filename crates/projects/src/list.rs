//! What was opened, and where it was left.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::open::now_ms;
use crate::{Error, Projects, Stamp};

/// A project in the list; stays the same as long as it is in there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectId(pub i64);

/// What is kept of a recording that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProject {
    /// The file or folder, real and absolute.
    pub path: PathBuf,
    /// The same as the person named it, absolute.
    pub shown: PathBuf,
    /// The file as it was before it was read.
    pub stamp: Stamp,
    /// What it is, such as `cuda`.
    pub kind: String,
    /// How many devices have anything to show.
    pub devices: u32,
    /// The most bytes allocated at once on the busiest device.
    pub peak: u64,
    /// Allocated bytes of the busiest device, one number a column; 255 is the peak.
    pub curve: Vec<u8>,
}

/// A project of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// What is kept of it.
    pub about: NewProject,
    /// When it was last opened, milliseconds since 1970.
    pub opened: i64,
    /// Whether it stays on top.
    pub pinned: bool,
    /// How many bookmarks it has.
    pub bookmarks: u32,
}

/// How a project was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It was never opened before.
    New,
    /// With the content it has now.
    Same,
    /// With other content: what was said of places in it is not true of it now.
    Changed,
}

/// The answer to remembering that something was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Its id.
    pub id: ProjectId,
    /// How it was left.
    pub left: Left,
    /// Where it was left, as JSON; only of the content it has now.
    pub state: Option<String>,
}

const COLUMNS: &str = "id, path, shown, kind, devices, peak, curve, bytes, modified, print, \
    opened, pinned, (SELECT count(*) FROM bookmark WHERE bookmark.project = project.id)";

impl Projects {
    /// All projects: those that are pinned first, then by when they were opened, the latest first.
    pub fn list(&self) -> Result<Vec<Project>, Error> {
        let connection = self.connection();
        let sql =
            format!("SELECT {COLUMNS} FROM project ORDER BY pinned DESC, opened DESC, id DESC");
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], project)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One project.
    pub fn project(&self, id: ProjectId) -> Result<Project, Error> {
        let sql = format!("SELECT {COLUMNS} FROM project WHERE id = ?1");
        let found = self.connection().query_row(&sql, [id.0], project).optional()?;
        found.ok_or(Error::Gone("project"))
    }

    /// Keeps that a recording was opened, now.
    pub fn remember(&self, new: &NewProject) -> Result<Remembered, Error> {
        let mut connection = self.connection();
        let write = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let known = known(&write, &new.path)?;
        let left = known.as_ref().map_or(Left::New, |known| {
            if known.stamp.is_same(&new.stamp) { Left::Same } else { Left::Changed }
        });
        write.execute(
            "INSERT INTO project
               (path, shown, kind, devices, peak, curve, bytes, modified, print, opened)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (path) DO UPDATE SET
               shown = excluded.shown, kind = excluded.kind, devices = excluded.devices,
               peak = excluded.peak, curve = excluded.curve, bytes = excluded.bytes,
               modified = excluded.modified, print = excluded.print, opened = excluded.opened,
               edition = edition + ?11, state = iif(?11, NULL, state)",
            params![
                text(&new.path),
                text(&new.shown),
                new.kind,
                new.devices,
                new.peak as i64,
                new.curve,
                new.stamp.bytes as i64,
                new.stamp.modified,
                new.stamp.print as i64,
                now_ms(),
                left == Left::Changed,
            ],
        )?;
        let (id, state) = write.query_row(
            "SELECT id, state FROM project WHERE path = ?1",
            [text(&new.path)],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        write.commit()?;
        Ok(Remembered { id: ProjectId(id), left, state })
    }

    /// Keeps where the project was left, as JSON.
    ///
    /// `stamp` is that of the file it is said of: when the project has been read anew with other
    /// content meanwhile, in another window, nothing is kept.
    pub fn save_state(&self, id: ProjectId, stamp: &Stamp, state: &str) -> Result<(), Error> {
        let connection = self.connection();
        json(&connection, state)?;
        let stored = connection.execute(
            "UPDATE project SET state = ?2 WHERE id = ?1 AND bytes = ?3 AND print = ?4",
            params![id.0, state, stamp.bytes as i64, stamp.print as i64],
        )?;
        if stored == 0 { exists(&connection, id) } else { Ok(()) }
    }

    /// Where the project was left, as JSON.
    pub fn state(&self, id: ProjectId) -> Result<Option<String>, Error> {
        let connection = self.connection();
        let found = connection
            .query_row("SELECT state FROM project WHERE id = ?1", [id.0], |row| row.get(0))
            .optional()?;
        found.ok_or(Error::Gone("project"))
    }

    /// Puts the project on top of the list.
    pub fn pin(&self, id: ProjectId) -> Result<(), Error> {
        self.change(id, "UPDATE project SET pinned = 1 WHERE id = ?1")
    }

    /// Takes it from there.
    pub fn unpin(&self, id: ProjectId) -> Result<(), Error> {
        self.change(id, "UPDATE project SET pinned = 0 WHERE id = ?1")
    }

    /// Takes the project off the list, and its bookmarks with it. The file stays as it is.
    pub fn remove(&self, id: ProjectId) -> Result<(), Error> {
        self.change(id, "DELETE FROM project WHERE id = ?1")
    }

    /// The project's file is somewhere else now. Where that is a project of its own, the two become
    /// one, with the bookmarks of both.
    pub fn relocate(&self, id: ProjectId, path: &Path, shown: &Path) -> Result<(), Error> {
        let mut connection = self.connection();
        let write = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        exists(&write, id)?;
        if let Some(other) = known(&write, path)?.filter(|other| other.id != id) {
            // What was said of the other one is of this edition if the content is the same.
            write.execute(
                "UPDATE bookmark SET project = ?1, edition = iif(
                   edition = (SELECT edition FROM project WHERE id = ?2)
                     AND (SELECT bytes, print FROM project WHERE id = ?1)
                       = (SELECT bytes, print FROM project WHERE id = ?2),
                   (SELECT edition FROM project WHERE id = ?1), 0)
                 WHERE project = ?2",
                [id.0, other.id.0],
            )?;
            write.execute(
                "UPDATE project SET pinned = max(pinned,
                   (SELECT pinned FROM project WHERE id = ?2)) WHERE id = ?1",
                [id.0, other.id.0],
            )?;
            write.execute("DELETE FROM project WHERE id = ?1", [other.id.0])?;
        }
        write.execute(
            "UPDATE project SET path = ?2, shown = ?3 WHERE id = ?1",
            params![id.0, text(path), text(shown)],
        )?;
        Ok(write.commit()?)
    }

    fn change(&self, id: ProjectId, sql: &str) -> Result<(), Error> {
        let changed = self.connection().execute(sql, [id.0])?;
        if changed == 0 { Err(Error::Gone("project")) } else { Ok(()) }
    }
}

/// Refuses what is not JSON, before SQLite's own check does it less clearly.
pub(crate) fn json(connection: &Connection, text: &str) -> Result<(), Error> {
    let is_json = connection.query_row("SELECT json_valid(?1)", [text], |row| row.get(0))?;
    if is_json { Ok(()) } else { Err(Error::NotJson) }
}

fn exists(connection: &Connection, id: ProjectId) -> Result<(), Error> {
    let found: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM project WHERE id = ?1)",
        [id.0],
        |row| row.get(0),
    )?;
    if found { Ok(()) } else { Err(Error::Gone("project")) }
}

struct Known {
    id: ProjectId,
    stamp: Stamp,
}

fn known(connection: &Connection, path: &Path) -> Result<Option<Known>, Error> {
    let sql = "SELECT id, bytes, modified, print FROM project WHERE path = ?1";
    let row = |row: &Row<'_>| Ok(Known { id: ProjectId(row.get(0)?), stamp: stamp(row, 1)? });
    Ok(connection.query_row(sql, [text(path)], row).optional()?)
}

fn project(row: &Row<'_>) -> rusqlite::Result<Project> {
    let about = NewProject {
        path: PathBuf::from(row.get::<_, String>(1)?),
        shown: PathBuf::from(row.get::<_, String>(2)?),
        kind: row.get(3)?,
        devices: row.get(4)?,
        peak: row.get::<_, i64>(5)? as u64,
        curve: row.get(6)?,
        stamp: stamp(row, 7)?,
    };
    let (id, opened) = (ProjectId(row.get(0)?), row.get(10)?);
    Ok(Project { id, about, opened, pinned: row.get(11)?, bookmarks: row.get(12)? })
}

/// SQLite's whole numbers have a sign; the bits are the same.
fn stamp(row: &Row<'_>, first: usize) -> rusqlite::Result<Stamp> {
    Ok(Stamp {
        bytes: row.get::<_, i64>(first)? as u64,
        modified: row.get(first + 1)?,
        print: row.get::<_, i64>(first + 2)? as u64,
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
