//! Reads tables, stretches of rows side by side.

use super::super::cells::{Cell, Cells, FIELDS, Field};
use super::super::chunk::Chunk;
use super::super::slices::SliceChunk;
use super::database::Database;
use super::schema::{DumpTable, Schema, quoted, row_number};
use super::{FORMAT, damaged};
use crate::{ImportError, Warnings};
use job::{Cancelled, Job, Progress};
use model::WarningKind;
use rayon::prelude::*;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows between two looks at whether somebody cancelled: about 10 ms.
const STEP: u64 = 8_192;
/// Rows that are not worth a stretch of their own.
const LEAST: i64 = 8_192;
/// Stretches for each thread: more are better shared, and repeat more texts.
const STRETCHES: usize = 3;

/// Some rows of a table.
#[derive(Debug, Clone, Copy)]
enum Stretch {
    /// From one number to another, both included.
    Numbers(&'static str, i64, i64),
    /// The table has no numbers.
    Whole,
}

impl Stretch {
    /// How many rows there can be.
    fn most(self) -> usize {
        match self {
            Self::Numbers(_, from, to) => to.saturating_sub(from).saturating_add(1) as usize,
            Self::Whole => 0,
        }
    }

    fn condition(self) -> String {
        match self {
            Self::Numbers(name, from, to) => {
                format!(" WHERE {name} BETWEEN {from} AND {to} ORDER BY {name}")
            }
            Self::Whole => String::new(),
        }
    }
}

/// What stopped a scan.
enum Stopped {
    Cancelled,
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for Stopped {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Cancelled> for Stopped {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Progress of all stretches of a table together.
struct Watch<'a> {
    stage: &'static str,
    done: AtomicU64,
    total: u64,
    job: &'a Job,
}

impl Watch<'_> {
    fn step(&self) -> Result<(), Cancelled> {
        let done = self.done.fetch_add(STEP, Ordering::Relaxed) + STEP;
        let done = if self.total == 0 { done } else { done.min(self.total) };
        self.job.step(Progress { stage: self.stage, done, total: self.total })
    }
}

/// A reader of a table's rows.
struct Scan<'a> {
    database: &'a Database,
    table: &'a str,
    /// Columns to read, as SQL.
    columns: String,
    watch: Watch<'a>,
}

impl Scan<'_> {
    /// Gives each row of `stretch` to `take`.
    fn rows(&self, stretch: Stretch, mut take: impl FnMut(&Row<'_>)) -> Result<(), Stopped> {
        let sql =
            format!("SELECT {} FROM {}{}", self.columns, quoted(self.table), stretch.condition());
        self.database.with(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                if count % STEP == 0 {
                    self.watch.step()?;
                }
                count += 1;
                take(row);
            }
            Ok(())
        })
    }
}

/// The stretches of `table`, and about how many rows it has.
fn stretches(database: &Database, table: &str, columns: &[String]) -> (Vec<Stretch>, u64) {
    let Some(number) = row_number(columns) else { return (vec![Stretch::Whole], 0) };
    let range = |connection: &Connection| {
        let table = quoted(table);
        let sql = format!(
            "SELECT (SELECT min({number}) FROM {table}), (SELECT max({number}) FROM {table})"
        );
        connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let range: rusqlite::Result<(Option<i64>, Option<i64>)> = database.with(range);
    let (first, last) = match range {
        Ok((Some(first), Some(last))) => (first, last),
        Ok(_) => return (Vec::new(), 0),
        // A table WITHOUT ROWID has no numbers.
        Err(_) => return (vec![Stretch::Whole], 0),
    };
    let span = i128::from(last) - i128::from(first) + 1;
    let wanted = (rayon::current_num_threads() * STRETCHES) as i128;
    let count = (span / i128::from(LEAST)).clamp(1, wanted);
    let bound = |part: i128| (i128::from(first) + span * part / count) as i64;
    let stretches = (0..count).map(|part| {
        let to = if part + 1 == count { last } else { bound(part + 1) - 1 };
        Stretch::Numbers(number, bound(part), to)
    });
    (stretches.collect(), u64::try_from(span).unwrap_or(0))
}

/// Reads the rows of a dump.
pub(super) fn dump(
    database: &Database,
    table: &DumpTable<'_>,
    warnings: &Warnings,
    job: &Job,
) -> Result<Vec<Chunk>, ImportError> {
    let (stretches, total) = stretches(database, table.name, table.columns);
    let present: Vec<(Field, usize)> = table.fields.present().collect();
    let columns: Vec<_> = present.iter().map(|(_, place)| quoted(&table.columns[*place])).collect();
    let watch = Watch { stage: "reading rows", done: AtomicU64::new(0), total, job };
    let scan = Scan { database, table: table.name, columns: columns.join(", "), watch };
    let read = |stretch: &Stretch| {
        // Numbers can be far apart: room is not taken before there are rows.
        let mut chunk = Chunk::new(stretch.most().min(1 << 20));
        let stopped = scan.rows(*stretch, |row| {
            let mut cells: Cells<'_> = [Cell::Missing; FIELDS];
            for (place, (field, _)) in present.iter().enumerate() {
                cells[*field as usize] = cell(row, place);
            }
            chunk.push(&cells);
        });
        (chunk, stopped)
    };
    let read: Vec<_> = stretches.par_iter().map(read).collect();
    let mut chunks = Vec::with_capacity(read.len());
    let mut errors = Vec::new();
    for (chunk, stopped) in read {
        match stopped {
            Ok(()) => {}
            Err(Stopped::Cancelled) => return Err(Cancelled.into()),
            Err(Stopped::Sql(error)) => errors.push(error),
        }
        chunks.push(chunk);
    }
    if let Some(error) = errors.first()
        && chunks.iter().all(|chunk| chunk.len() == 0)
    {
        return Err(damaged(error));
    }
    tell(&errors, warnings);
    Ok(chunks)
}

/// Reads the traces of Python threads.
pub(super) fn traces(
    database: &Database,
    schema: &Schema,
    warnings: &Warnings,
    job: &Job,
) -> Result<Vec<SliceChunk>, ImportError> {
    let mut chunks = Vec::new();
    let mut errors = Vec::new();
    for (table, columns, places) in schema.traces() {
        let Some(places) = places else {
            warnings.add(WarningKind::UnknownKey, "trace", 1, || {
                format!("The table {table} is not a Python trace as collectors write it: left out.")
            });
            continue;
        };
        let (stretches, total) = stretches(database, table, columns);
        let selected = places.map(|place| quoted(&columns[place])).join(", ");
        let watch = Watch { stage: "reading Python traces", done: AtomicU64::new(0), total, job };
        let scan = Scan { database, table, columns: selected, watch };
        let read = |stretch: &Stretch| {
            let mut chunk = SliceChunk::new();
            let stopped = scan.rows(*stretch, |row| {
                chunk.push([0, 1, 2, 3, 4].map(|place| cell(row, place)));
            });
            (chunk, stopped)
        };
        let read: Vec<_> = stretches.par_iter().map(read).collect();
        for (chunk, stopped) in read {
            match stopped {
                Ok(()) => {}
                Err(Stopped::Cancelled) => return Err(Cancelled.into()),
                Err(Stopped::Sql(error)) => errors.push(error),
            }
            chunks.push(chunk);
        }
    }
    tell(&errors, warnings);
    Ok(chunks)
}

fn tell(errors: &[rusqlite::Error], warnings: &Warnings) {
    let Some(error) = errors.first() else { return };
    warnings.add(WarningKind::Damaged, "", errors.len() as u64, || {
        format!("The {FORMAT} is damaged ({error}); rows behind the damage are missing.")
    });
}

/// A value as a cell.
fn cell<'a>(row: &'a Row<'_>, place: usize) -> Cell<'a> {
    match row.get_ref(place) {
        Ok(ValueRef::Integer(number)) => Cell::Number(number),
        Ok(ValueRef::Text(text) | ValueRef::Blob(text)) => Cell::Text(text),
        // Times that went through a spreadsheet.
        Ok(ValueRef::Real(number)) if number.fract() == 0.0 => Cell::Number(number as i64),
        Ok(ValueRef::Real(_) | ValueRef::Null) | Err(_) => Cell::Missing,
    }
}
