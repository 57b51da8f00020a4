//! The dump as a database.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, params};

use crate::memscope::attr::{json, write_address};
use crate::memscope::files::{place, time};
use crate::memscope::generation::Style;
use crate::memscope::plan::{Dump, Journal};
use crate::memscope::row::{Row, Slice};

/// Rows that are merged before the log is left as it is.
const MERGED: u64 = 1000;

/// A database being written.
pub(crate) struct Database {
    path: PathBuf,
    /// Where it is written first; its log can only be kept by copying it away before it is closed.
    making: PathBuf,
    connection: Connection,
    style: Style,
    plan: Dump,
    columns: usize,
    insert: String,
    rows: u64,
    pointer: String,
    attr: String,
}

impl Database {
    pub(crate) fn create(path: &Path, plan: &Dump) -> Result<Self> {
        let making = match plan.journal {
            Journal::Merged => path.to_owned(),
            Journal::Unmerged => with_suffix(path, ".making"),
        };
        for file in [path, &making, &with_suffix(path, "-wal"), &with_suffix(path, "-shm")] {
            let removed = fs::remove_file(file);
            if removed.as_ref().is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound) {
                removed.with_context(|| format!("cannot replace {}", file.display()))?;
            }
        }
        let connection = Connection::open(&making)
            .with_context(|| format!("cannot write {}", making.display()))?;
        let style = plan.generation.style();
        connection.execute_batch("PRAGMA page_size = 4096; PRAGMA synchronous = OFF;")?;
        match plan.journal {
            Journal::Merged => pragma(&connection, "journal_mode = OFF")?,
            Journal::Unmerged => {
                pragma(&connection, "journal_mode = WAL")?;
                pragma(&connection, "wal_autocheckpoint = 0")?;
            }
        }
        let columns = columns(plan, &style);
        connection.execute_batch(&create_table(plan, &style, &columns))?;
        connection.execute_batch("BEGIN")?;
        let marks = vec!["?"; columns.len()].join(", ");
        Ok(Self {
            path: path.to_owned(),
            making,
            connection,
            style,
            plan: plan.clone(),
            columns: columns.len(),
            insert: format!("INSERT INTO \"{}\" VALUES ({marks})", style.table),
            rows: 0,
            pointer: String::new(),
            attr: String::new(),
        })
    }

    pub(crate) fn row(&mut self, row: &Row<'_>) -> Result<()> {
        self.pointer.clear();
        match row.pointer {
            Some(address) => write_address(&mut self.pointer, address, &self.style),
            None => self.pointer.push_str("N/A"),
        }
        self.attr.clear();
        let inner = row.attr.inner();
        if !inner.is_empty() || !self.plan.oddities.remade {
            json(inner, &self.style, &mut self.attr);
        }
        let null = inner.is_empty() && (self.plan.oddities.null_attr || self.style.camel_case);
        let place = place(row.place, &self.style);
        let mut cells = vec![
            number(row.id),
            text(row.event),
            text(row.kind),
            text(row.name),
            number(time(row.time_ns, &self.style)),
            number(u64::from(row.process)),
            number(u64::from(row.thread)),
            text(&place),
            text(&self.pointer),
            if null { ToSqlOutput::Owned(Value::Null) } else { text(&self.attr) },
        ];
        if has_python(&self.plan, &self.style) {
            cells.push(text(row.python));
        }
        if self.columns > cells.len() {
            cells.push(text(row.c));
        }
        let mut insert = self.connection.prepare_cached(&self.insert)?;
        insert.execute(rusqlite::params_from_iter(cells))?;
        self.rows += 1;
        if self.plan.journal == Journal::Unmerged && self.rows == MERGED {
            self.connection.execute_batch("COMMIT")?;
            pragma(&self.connection, "wal_checkpoint(TRUNCATE)")?;
            self.connection.execute_batch("BEGIN")?;
        }
        Ok(())
    }

    /// The table for the traces of `process`.
    pub(crate) fn trace(&mut self, process: u32) -> Result<()> {
        self.connection.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS \"python_trace_{process}\" (FuncInfo TEXT, \
             \"StartTime(ns)\" TEXT, \"EndTime(ns)\" TEXT, \"Thread Id\" INTEGER, \
             \"Process Id\" INTEGER);"
        ))?;
        Ok(())
    }

    pub(crate) fn slice(&mut self, slice: &Slice<'_>) -> Result<()> {
        let time = |ns: Option<u64>| ns.map_or("N/A".to_owned(), |ns| ns.to_string());
        let mut insert = self.connection.prepare_cached(&format!(
            "INSERT INTO \"python_trace_{}\" VALUES (?, ?, ?, ?, ?)",
            slice.process
        ))?;
        let (start, end) = (time(slice.start_ns), time(slice.end_ns));
        insert.execute(params![slice.name, start, end, slice.thread, slice.process])?;
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.connection.flush_prepared_statement_cache();
        self.connection.execute_batch("COMMIT")?;
        if self.plan.oddities.remade {
            self.connection.execute_batch(&indexes(self.style.table))?;
        }
        match self.plan.journal {
            Journal::Merged => {
                pragma(&self.connection, "journal_mode = WAL")?;
                pragma(&self.connection, "wal_checkpoint(TRUNCATE)")?;
            }
            Journal::Unmerged => {
                fs::copy(&self.making, &self.path)?;
                fs::copy(with_suffix(&self.making, "-wal"), with_suffix(&self.path, "-wal"))?;
            }
        }
        self.connection.close().map_err(|(_, error)| error)?;
        if self.making != self.path {
            fs::remove_file(&self.making)?;
        }
        if self.plan.oddities.read_only {
            let mut permissions = fs::metadata(&self.path)?.permissions();
            permissions.set_readonly(true);
            fs::set_permissions(&self.path, permissions)?;
        }
        Ok(())
    }
}

/// A pragma, whether or not it answers.
fn pragma(connection: &Connection, pragma: &str) -> Result<()> {
    let mut statement = connection.prepare(&format!("PRAGMA {pragma}"))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

fn text(text: &str) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
}

fn number(number: u64) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(Value::Integer(number as i64))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn has_python(plan: &Dump, style: &Style) -> bool {
    plan.stacks.python() || style.keeps_stack_columns
}

fn columns(plan: &Dump, style: &Style) -> Vec<(&'static str, &'static str)> {
    let mut columns = if style.camel_case {
        vec![
            ("id", "INTEGER"),
            ("event", "TEXT(255)"),
            ("eventType", "TEXT(255)"),
            ("name", "TEXT(255)"),
            ("timestamp", "integer"),
            ("processId", "INTEGER"),
            ("threadId", "INTEGER"),
            ("deviceId", "TEXT(255)"),
            ("ptr", "TEXT(255)"),
            ("attr", "TEXT(255)"),
        ]
    } else {
        vec![
            ("ID", "INTEGER"),
            ("Event", "TEXT"),
            ("Event Type", "TEXT"),
            ("Name", "TEXT"),
            ("Timestamp(ns)", "INTEGER"),
            ("Process Id", "INTEGER"),
            ("Thread Id", "INTEGER"),
            ("Device Id", "TEXT"),
            ("Ptr", "TEXT"),
            ("Attr", "TEXT"),
        ]
    };
    if has_python(plan, style) {
        columns.push(if style.camel_case {
            ("callStackPython", "TEXT(255)")
        } else {
            ("Call Stack(Python)", "TEXT")
        });
    }
    if plan.stacks.c() || style.keeps_stack_columns {
        columns.push(if style.camel_case {
            ("callStackC", "TEXT(255)")
        } else {
            ("Call Stack(C)", "TEXT")
        });
    }
    columns
}

fn create_table(plan: &Dump, style: &Style, columns: &[(&str, &str)]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, kind)| format!("\"{name}\" {kind}{}", key(plan, name)))
        .collect();
    format!("CREATE TABLE IF NOT EXISTS \"{}\" ({});", style.table, columns.join(", "))
}

/// A table that was made again has its ids as key, which only those of one process can be.
fn key(plan: &Dump, column: &str) -> &'static str {
    if plan.oddities.remade && plan.processes == 1 && column == "ID" { " PRIMARY KEY" } else { "" }
}

fn indexes(table: &str) -> String {
    [("timestamp", "Timestamp(ns)"), ("event", "Event"), ("device", "Device Id")]
        .map(|(name, column)| {
            format!("CREATE INDEX \"idx_{table}_{name}\" ON \"{table}\" (\"{column}\");")
        })
        .concat()
}
