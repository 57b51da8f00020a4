//! Files as a person has them: where they must not be written to, where they are damaged.

use super::made::{self, COLUMNS, Row, database, free, malloc, row, trace};
use super::*;
use crate::ImportError;
use job::Cancelled;
use model::Carrier;
use rusqlite::Connection;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Name and bytes of everything in `folder`.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

/// What may be written to, for as long as this is not dropped, is not.
struct ReadOnly<'a>(&'a Path);

impl<'a> ReadOnly<'a> {
    fn new(path: &'a Path) -> Self {
        let mut permissions = fs::metadata(path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(path, permissions).unwrap();
        Self(path)
    }
}

impl Drop for ReadOnly<'_> {
    // Else the folder could not be removed.
    #[allow(clippy::permissions_set_readonly_false, reason = "in a folder of the test's own")]
    fn drop(&mut self) {
        let mut permissions = fs::metadata(self.0).unwrap().permissions();
        permissions.set_readonly(false);
        fs::set_permissions(self.0, permissions).unwrap();
    }
}

#[test]
fn a_file_and_its_folder_stay_as_they_are() {
    let made = database(&[malloc(1, 0x10, 8, 1), free(2, 0x10, 8, 1)]);
    let _file = ReadOnly::new(&made.path);
    let _folder = ReadOnly::new(made.folder.path());
    let before = contents(made.folder.path());
    let recording = open(&made.path).unwrap();
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@0..1#1"]);
    assert_eq!(contents(made.folder.path()), before);
}

#[test]
fn rows_that_still_lie_in_a_log_are_read_and_stay_there() {
    let made = database(&[malloc(1, 0x10, 8, 1)]);
    // What a killed process leaves: the database, and a log with the last rows.
    let writer = Connection::open(&made.path).unwrap();
    let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    writer.query_row("PRAGMA journal_mode = WAL", [], text).unwrap();
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0").unwrap();
    let row = free(2, 0x10, 8, 1).values();
    let insert = format!("INSERT INTO memscope_dump VALUES ({})", ["?"; 12].join(","));
    writer.execute(&insert, rusqlite::params_from_iter(row)).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("left.db");
    fs::copy(&made.path, &path).unwrap();
    let wal = made.path.with_extension("db-wal");
    assert!(fs::metadata(&wal).unwrap().len() > 0);
    fs::copy(&wal, folder.path().join("left.db-wal")).unwrap();
    let _file = ReadOnly::new(&path);
    let before = contents(folder.path());
    let recording = open(&path).unwrap();
    assert_eq!(drawn::tables(&recording), ["0 PTA 7: 10+8@0..1#1"]);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn an_empty_log_is_no_reason_to_copy() {
    let made = database(&[malloc(1, 0x10, 8, 1)]);
    let writer = Connection::open(&made.path).unwrap();
    let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    writer.query_row("PRAGMA journal_mode = WAL", [], text).unwrap();
    drop(writer);
    fs::write(made.path.with_extension("db-wal"), b"").unwrap();
    let before = contents(made.folder.path());
    assert_eq!(open(&made.path).unwrap().devices.len(), 1);
    assert_eq!(contents(made.folder.path()), before);
}

fn refused(path: &Path) -> String {
    let error = open(path).unwrap_err().to_string();
    error.lines().next().unwrap().to_owned()
}

#[test]
fn a_refusal_says_what_the_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    made::table(&path("a"), "notes", &["x"], &[]);
    made::table(&path("a"), "people", &["y"], &[]);
    let prefix = "not a memory recording in a known format: ";
    assert_eq!(
        refused(&path("a")),
        format!(
            "{prefix}it is an SQLite database without a table memscope_dump or leaks_dump; its \
             tables: notes, people"
        )
    );
    made::table(&path("b"), "memscope_dump", &["ID", "Event", "Attr"], &[]);
    assert_eq!(
        refused(&path("b")),
        format!(
            "{prefix}its table memscope_dump lacks the columns Event Type, Timestamp(ns), Process Id"
        )
    );
    Connection::open(path("c")).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();
    assert_eq!(refused(&path("c")), format!("{prefix}it is an SQLite database without tables"));
    made::table(&path("d"), "memscope_dump", &COLUMNS, &[]);
    assert_eq!(
        refused(&path("d")),
        "msMemScope dump is damaged at byte 0: there are no rows in it: nothing was recorded"
    );
    fs::create_dir(path("e")).unwrap();
    assert_eq!(refused(&path("e")), format!("{prefix}it is a folder without an msMemScope dump"));
    let views = Connection::open(path("f")).unwrap();
    views.execute_batch("CREATE VIEW memscope_dump AS SELECT 1 AS ID").unwrap();
    drop(views);
    assert_eq!(refused(&path("f")), format!("{prefix}it is an SQLite database without tables"));
}

/// A database of `rows` rows over several pages.
fn long(rows: i64) -> made::Made {
    let row = |row: i64| Row {
        stack: format!("a.py({row}): f\n").repeat(20),
        ..malloc(row + 1, 0x1000 + row as u64 * 16, 8, row + 1)
    };
    database(&(0..rows).map(row).collect::<Vec<_>>())
}

#[test]
fn a_damaged_page_costs_what_is_on_it() {
    let made = long(40_000);
    let mut bytes = fs::read(&made.path).unwrap();
    let middle = bytes.len() / 4096 / 2 * 4096;
    bytes[middle..middle + 4096].fill(0xee);
    fs::write(&made.path, &bytes).unwrap();
    let recording = open(&made.path).unwrap();
    assert_eq!(warned(&recording), [(WarningKind::Damaged, 1)]);
    let rows = dump(&recording).rows.len();
    assert!((15_000..40_000).contains(&rows), "{rows}");

    // Nothing is left when the schema is.
    bytes[100..].fill(0xee);
    fs::write(&made.path, &bytes).unwrap();
    assert!(matches!(open(&made.path), Err(ImportError::Damaged { .. })));
}

#[test]
fn somebody_can_cancel_at_any_step() {
    let made = long(30_000);
    let steps = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&steps);
    let job = Job::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    crate::open(&made.path, &job).unwrap();
    let all = steps.load(Ordering::Relaxed);
    assert!(all >= 6, "{all}");
    for stop in 1..=all {
        let job: Arc<std::sync::OnceLock<Job>> = Arc::default();
        let (own, count) = (Arc::clone(&job), AtomicU64::new(0));
        let watched = Job::new(move |_| {
            if count.fetch_add(1, Ordering::Relaxed) + 1 == stop {
                own.get().unwrap().cancel();
            }
        });
        job.set(watched.clone()).ok().unwrap();
        let opened = crate::open(&made.path, &watched);
        assert!(matches!(opened, Err(ImportError::Cancelled(Cancelled))), "at step {stop}");
    }
}

#[test]
fn the_files_of_a_folder_are_one_recording() {
    let folder = tempfile::tempdir().unwrap();
    let dump_of = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let write = |name: &str, rows: &[Row]| {
        let rows: Vec<_> = rows.iter().map(Row::values).collect();
        made::table(&dump_of(name), "memscope_dump", &COLUMNS, &rows);
    };
    let start = row("SYSTEM", "START_TRACE", 0).on("N/A");
    let mark = row("MSTX", "Mark", 5).on("N/A");
    let again = mark.clone().named("\"\"x\"\"");
    let mark = mark.named("\"x\"");
    let run = "msmemscope_7_20260527062213_ascend";
    write(&format!("{run}/device_0/dump/a.db"), &[malloc(1, 0x10, 8, 1), start.clone(), mark]);
    write(&format!("{run}/device_1/dump/a.db"), &[malloc(2, 0x10, 4, 2).on("1"), start, again]);
    let other = [malloc(3, 0x10, 2, 1).by(8), row("SYSTEM", "START_TRACE", 0).on("N/A").by(8)];
    write("msmemscope_8_20260527062213_ascend/device_0/dump/a.db", &other);
    trace(
        &dump_of(&format!("{run}/device_0/dump/a.db")),
        "python_trace_7",
        &[("f", "1700000000000000000", "1700000000000000004")],
    );
    fs::write(dump_of(&format!("{run}/config.json")), "{}").unwrap();
    made::table(&dump_of("other.db"), "notes", &["x"], &[]);
    fs::write(dump_of("broken.db"), b"SQLite format 3\0 and nothing more").unwrap();

    let recording = open(folder.path()).unwrap();
    assert_eq!(recording.source.carrier, Carrier::Folder);
    assert_eq!(
        drawn::tables(&recording),
        ["0 PTA 7: 10+8@1..#1", "0 PTA 8: 10+2@3..#1", "1 PTA 7: 10+4@2..#2"]
    );
    assert_eq!(drawn::threads(&recording), ["7 70: f 0..4@0 0"]);
    // Seven rows of three files; two are said twice.
    let counts = [("MALLOC", 3), ("MSTX", 1), ("SYSTEM", 2)];
    assert_eq!(events(&recording), counts.map(|(word, count)| (word.to_owned(), count)).into());
    assert_eq!(warned(&recording), [(WarningKind::Damaged, 1)]);
}

#[test]
fn rows_that_one_file_repeats_are_kept() {
    let start = row("SYSTEM", "START_TRACE", 0).on("N/A");
    let made = database(&[malloc(1, 0x10, 8, 1), start.clone(), start]);
    assert_eq!(dump(&open(&made.path).unwrap()).rows.len(), 3);
}
