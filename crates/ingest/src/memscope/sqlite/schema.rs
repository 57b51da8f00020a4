//! Which tables of a database mean something here.

use super::super::cells::Fields;
use super::super::slices::trace_fields;
use rusqlite::Connection;

/// What the collector called its table, newest first.
const NAMES: [&str; 2] = ["memscope_dump", "leaks_dump"];
/// How names of tables of traces begin.
const TRACE: &str = "python_trace";

/// The tables of a database.
#[derive(Debug)]
pub(super) struct Schema {
    tables: Vec<Table>,
}

/// A table and its columns.
#[derive(Debug)]
struct Table {
    name: String,
    columns: Vec<String>,
    fields: Result<Fields, Vec<&'static str>>,
}

/// The table of a dump.
#[derive(Debug)]
pub(super) struct DumpTable<'a> {
    pub(super) name: &'a str,
    pub(super) columns: &'a [String],
    pub(super) fields: &'a Fields,
}

impl Schema {
    /// The ordinary tables: what else a schema can hold would have to be computed.
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut all = connection.prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' \
             AND upper(substr(ltrim(sql), 1, 12)) = 'CREATE TABLE' ORDER BY rowid",
        )?;
        let names: Vec<String> =
            all.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut columns_of = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let tables = names.into_iter().map(|name| {
            let columns: Vec<String> = columns_of
                .query_map([&name], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            let fields = Fields::among(columns.iter().map(String::as_str));
            Ok(Table { name, columns, fields })
        });
        Ok(Self { tables: tables.collect::<rusqlite::Result<_>>()? })
    }

    /// The dump's table: by name, else by its columns.
    pub(super) fn dump(&self) -> Option<DumpTable<'_>> {
        let rank = |table: &Table| NAMES.iter().position(|name| *name == table.name);
        let usable = self.tables.iter().filter_map(|table| {
            let fields = table.fields.as_ref().ok()?;
            let rank = rank(table).unwrap_or(NAMES.len());
            Some((rank, DumpTable { name: &table.name, columns: &table.columns, fields }))
        });
        usable.min_by_key(|(rank, _)| *rank).map(|(_, table)| table)
    }

    /// Tables of traces with the places of their fields; `None`: they have other columns.
    pub(super) fn traces(&self) -> impl Iterator<Item = (&str, &[String], Option<[usize; 5]>)> {
        let traces = self.tables.iter().filter(|table| table.name.starts_with(TRACE));
        traces.map(|table| {
            let columns = table.columns.iter().map(String::as_str);
            (table.name.as_str(), table.columns.as_slice(), trace_fields(columns))
        })
    }

    /// Why this is no dump.
    pub(super) fn refusal(&self) -> String {
        let named = self.tables.iter().find(|table| NAMES.contains(&table.name.as_str()));
        if let Some(Table { name, fields: Err(missing), .. }) = named {
            let missing = missing.join(", ");
            return format!("its table {name} lacks the columns {missing}");
        }
        if self.tables.is_empty() {
            return "it is an SQLite database without tables".to_owned();
        }
        let mut listed: Vec<_> =
            self.tables.iter().take(8).map(|table| table.name.as_str()).collect();
        if self.tables.len() > listed.len() {
            listed.push("…");
        }
        let [newest, oldest] = NAMES;
        format!(
            "it is an SQLite database without a table {newest} or {oldest}; its tables: {}",
            listed.join(", ")
        )
    }
}

/// `name` as SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A name for the row's number that no column takes away.
pub(super) fn row_number(columns: &[String]) -> Option<&'static str> {
    let is_free = |name: &&str| !columns.iter().any(|column| column.eq_ignore_ascii_case(name));
    ["rowid", "_rowid_", "oid"].into_iter().find(is_free)
}
