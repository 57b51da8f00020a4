//! Reads the rows of a dump as they are stored.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};
use sample::memscope::{Dump, Truth};

/// A row as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) event: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) time: i64,
    pub(crate) process: u32,
    pub(crate) thread: u32,
    pub(crate) device: String,
    pub(crate) pointer: String,
    pub(crate) attr: Option<String>,
    /// What comes after the first ten columns.
    pub(crate) stacks: Vec<String>,
}

impl Row {
    /// The keys of `Attr`; nothing if it is no JSON.
    pub(crate) fn keys(&self) -> Option<BTreeMap<String, String>> {
        serde_json::from_str(self.attr.as_deref()?).ok()
    }

    pub(crate) fn key(&self, key: &str) -> Option<String> {
        self.keys()?.remove(key)
    }

    pub(crate) fn size(&self) -> u64 {
        let size: i64 = self.key("size").expect("a size").parse().expect("a number");
        size.unsigned_abs()
    }
}

/// A row of a trace as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slice {
    pub(crate) name: String,
    pub(crate) start: String,
    pub(crate) end: String,
    pub(crate) thread: u32,
    pub(crate) process: u32,
}

/// A dump written for a test.
pub(crate) struct Written {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) path: std::path::PathBuf,
    pub(crate) truth: Truth,
}

pub(crate) fn write(dump: &Dump) -> Written {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, truth) = dump.write_in(folder.path()).expect("written");
    Written { folder, path, truth }
}

impl Written {
    pub(crate) fn connection(&self) -> Connection {
        open(&self.path)
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        rows(&self.connection())
    }
}

/// Opens a database that nobody writes to.
pub(crate) fn open(path: &Path) -> Connection {
    let address = format!("file:{}?mode=ro&immutable=1", path.display());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags).expect("a database")
}

/// The names of all tables.
pub(crate) fn tables(connection: &Connection) -> Vec<String> {
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        .expect("tables");
    tables.query_map([], |row| row.get(0)).expect("names").map(|name| name.expect("text")).collect()
}

/// All columns of a table: name and type.
pub(crate) fn columns(connection: &Connection, table: &str) -> Vec<(String, String)> {
    let mut columns =
        connection.prepare(&format!("PRAGMA table_info(\"{table}\")")).expect("columns");
    let rows = columns.query_map([], |row| Ok((row.get(1)?, row.get(2)?))).expect("columns");
    rows.map(|column| column.expect("a column")).collect()
}

/// All rows in the order they are stored.
pub(crate) fn rows(connection: &Connection) -> Vec<Row> {
    let table = tables(connection)
        .into_iter()
        .find(|table| table.ends_with("_dump"))
        .expect("a table for the dump");
    let count = columns(connection, &table).len();
    let mut select =
        connection.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY rowid")).expect("rows");
    let rows = select.query_map([], |row| {
        Ok(Row {
            id: row.get(0)?,
            event: row.get(1)?,
            kind: row.get(2)?,
            name: row.get(3)?,
            time: row.get(4)?,
            process: row.get(5)?,
            thread: row.get(6)?,
            device: row.get(7)?,
            pointer: row.get(8)?,
            attr: match row.get(9)? {
                Value::Null => None,
                Value::Text(text) => Some(text),
                other => panic!("an Attr is text, not {other:?}"),
            },
            stacks: (10..count).map(|column| row.get(column)).collect::<Result<_, _>>()?,
        })
    });
    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

/// All rows of all traces.
pub(crate) fn slices(connection: &Connection) -> Vec<Slice> {
    let names = tables(connection).into_iter().filter(|table| table.starts_with("python_trace_"));
    let mut slices = Vec::new();
    for name in names {
        let mut select =
            connection.prepare(&format!("SELECT * FROM \"{name}\" ORDER BY rowid")).expect("rows");
        let rows = select.query_map([], |row| {
            Ok(Slice {
                name: row.get(0)?,
                start: row.get(1)?,
                end: row.get(2)?,
                thread: row.get(3)?,
                process: row.get(4)?,
            })
        });
        slices.extend(rows.expect("rows").map(|row| row.expect("a row")));
    }
    slices
}
