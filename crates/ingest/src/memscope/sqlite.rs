//! Reading a dump that is an SQLite database, which is never written to.

mod address;
mod database;
mod scan;
mod schema;

pub(super) use database::journals;

use super::gather::Part;
use super::sqlite::database::Database;
use super::sqlite::schema::Schema;
use crate::{ImportError, Warnings};
use job::Job;
use std::path::Path;

/// The format in words, for messages.
pub(super) const FORMAT: &str = "SQLite database";

/// Reads the database at `path`.
pub(super) fn read(path: &Path, warnings: &Warnings, job: &Job) -> Result<Part, ImportError> {
    let database = Database::open(path)?;
    let schema = database.with(Schema::read).map_err(|error| damaged(&error))?;
    let Some(dump) = schema.dump() else {
        return Err(ImportError::NotRecognized { reason: schema.refusal(), path: path.to_owned() });
    };
    let chunks = scan::dump(&database, &dump, warnings, job)?;
    let slices = scan::traces(&database, &schema, warnings, job)?;
    Ok(Part { chunks, slices, has_stacks: dump.fields.has_stacks() })
}

/// The words for a database of which nothing can be shown.
fn damaged(error: &rusqlite::Error) -> ImportError {
    ImportError::Damaged { format: FORMAT, offset: 0, problem: error.to_string() }
}
