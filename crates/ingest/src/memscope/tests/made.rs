//! Small dumps made by hand.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The columns as collectors name them now.
pub(super) const COLUMNS: [&str; 12] = [
    "ID",
    "Event",
    "Event Type",
    "Name",
    "Timestamp(ns)",
    "Process Id",
    "Thread Id",
    "Device Id",
    "Ptr",
    "Attr",
    "Call Stack(Python)",
    "Call Stack(C)",
];

/// A moment in 2023 that all made dumps begin at, in nanoseconds.
pub(super) const BEGIN: i64 = 1_700_000_000_000_000_000;

/// One row; what is not said is as most rows have it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) event: &'static str,
    pub(super) event_type: String,
    pub(super) name: String,
    /// After [`BEGIN`].
    pub(super) time: i64,
    pub(super) process: i64,
    pub(super) thread: i64,
    pub(super) device: String,
    pub(super) ptr: Option<u64>,
    pub(super) attr: String,
    pub(super) stack: String,
}

pub(super) fn row(event: &'static str, event_type: &str, time: i64) -> Row {
    Row {
        id: time,
        event,
        event_type: event_type.to_owned(),
        name: "N/A".to_owned(),
        time,
        process: 7,
        thread: 70,
        device: "0".to_owned(),
        ptr: None,
        attr: "{}".to_owned(),
        stack: String::new(),
    }
}

/// A MALLOC of `size` bytes at `ptr` that the collector numbers `id`.
pub(super) fn malloc(time: i64, ptr: u64, size: i64, id: i64) -> Row {
    memory("MALLOC", time, ptr, size, id)
}

/// The FREE that belongs to [`malloc`].
pub(super) fn free(time: i64, ptr: u64, size: i64, id: i64) -> Row {
    memory("FREE", time, ptr, size, id)
}

fn memory(event: &'static str, time: i64, ptr: u64, size: i64, id: i64) -> Row {
    let attr = format!(r#"{{"allocation_id":"{id}","addr":"{ptr:#018x}","size":"{size}"}}"#);
    Row { ptr: Some(ptr), attr, ..row(event, "PTA", time) }
}

/// A READ of the block numbered `id` at `ptr`.
pub(super) fn access(time: i64, ptr: u64, id: i64) -> Row {
    let attr = format!(
        r#"{{"allocation_id":"{id}","addr":"{ptr:#018x}","size":"4","type":"PTA","shape":"torch.Size([1, 3])"}}"#
    );
    Row { ptr: Some(ptr), attr, ..row("ACCESS", "READ", time) }
}

impl Row {
    pub(super) fn of(self, event_type: &str) -> Self {
        Self { event_type: event_type.to_owned(), ..self }
    }

    pub(super) fn on(self, device: &str) -> Self {
        Self { device: device.to_owned(), ..self }
    }

    pub(super) fn by(self, process: i64) -> Self {
        Self { process, ..self }
    }

    pub(super) fn attr(self, attr: &str) -> Self {
        Self { attr: attr.to_owned(), ..self }
    }

    pub(super) fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Its cells as collectors write them now.
    pub(super) fn values(&self) -> Vec<Value> {
        let text = |text: &str| Value::Text(text.to_owned());
        vec![
            Value::Integer(self.id),
            text(self.event),
            text(&self.event_type),
            text(&self.name),
            Value::Integer(BEGIN + self.time),
            Value::Integer(self.process),
            Value::Integer(self.thread),
            text(&self.device),
            text(&self.ptr.map_or("N/A".to_owned(), |ptr| format!("{ptr:#018x}"))),
            text(&self.attr),
            text(&self.stack),
            text(""),
        ]
    }
}

/// A folder with a made file in it.
pub(super) struct Made {
    pub(super) folder: TempDir,
    pub(super) path: PathBuf,
}

/// A database with a table called `table` of `columns`, which holds `rows`.
pub(super) fn table(path: &Path, table: &str, columns: &[&str], rows: &[Vec<Value>]) {
    let mut connection = Connection::open(path).unwrap();
    let transaction = connection.transaction().unwrap();
    let names: Vec<_> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    let table = table.replace('"', "\"\"");
    let marks = vec!["?"; columns.len()].join(",");
    let create = format!("CREATE TABLE IF NOT EXISTS \"{table}\" ({})", names.join(","));
    transaction.execute_batch(&create).unwrap();
    let insert = format!("INSERT INTO \"{table}\" VALUES ({marks})");
    for row in rows {
        transaction.execute(&insert, params_from_iter(row)).unwrap();
    }
    transaction.commit().unwrap();
}

/// A database of `rows` as collectors write it now.
pub(super) fn database(rows: &[Row]) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memscope_dump_20260527062213.db");
    let rows: Vec<_> = rows.iter().map(Row::values).collect();
    table(&path, "memscope_dump", &COLUMNS, &rows);
    Made { folder, path }
}

/// A Python trace: name, start and end.
pub(super) fn trace(path: &Path, name: &str, calls: &[(&str, &str, &str)]) {
    let columns = ["FuncInfo", "StartTime(ns)", "EndTime(ns)", "Thread Id", "Process Id"];
    let text = |text: &str| Value::Text(text.to_owned());
    let rows: Vec<_> = calls
        .iter()
        .map(|(name, start, end)| {
            vec![text(name), text(start), text(end), Value::Integer(70), Value::Integer(7)]
        })
        .collect();
    table(path, name, &columns, &rows);
}
