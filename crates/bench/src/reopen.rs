//! Opening a file again from its index, against reading it, in the same run.

use crate::child::{Opened, Saved};
use crate::table::{mark, median, ratio};
use anyhow::{Context, Result};
use std::path::Path;

/// Opening again may take this share of reading.
const OF_FIRST: f64 = 1.0 / 20.0;
/// An index may have this share of the file's bytes.
const OF_BYTES: f64 = 0.25;
/// Bytes an event that are not mapped from the index.
const HELD_BYTES: f64 = 48.0;

/// What was measured on one file.
pub(crate) struct Row {
    name: String,
    bytes: u64,
    saved: Saved,
    first: Vec<Opened>,
    again: Vec<Opened>,
}

/// Measures `file`; the index goes to a folder of its own in `folder`, and is deleted.
pub(crate) fn measured(file: &Path, folder: &Path, runs: usize) -> Result<Row> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder.join(format!("index-of-{name}"));
    let saved = crate::answer_about("save", &[file, &folder])?;
    let (mut first, mut again) = (Vec::new(), Vec::new());
    // In turn, so that a busy machine slows both down.
    for _ in 0..runs {
        first.push(crate::answer("open", file)?);
        again.push(crate::answer_about("open", &[file, &folder])?);
    }
    std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(Row { name, bytes: std::fs::metadata(file)?.len(), saved, first, again })
}

/// Prints all.
pub(crate) fn print(rows: &[Row]) {
    if rows.is_empty() {
        return;
    }
    println!(
        "\n| file | events | first open ms | open again ms | ratio (≤ 1/20) | index MB | of the file (≤ 0.25) | held B/event (≤ 48) | writing it ms |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{}", line(row));
    }
}

fn line(Row { name, bytes, saved, first, again }: &Row) -> String {
    let of = |runs: &[Opened], pick: fn(&Opened) -> f64| {
        median(&mut runs.iter().map(pick).collect::<Vec<_>>())
    };
    let (read, opened) = (of(first, |run| run.ms), of(again, |run| run.ms));
    let events = of(again, |run| run.events as f64);
    let share = saved.bytes as f64 / *bytes as f64;
    let held = of(again, |run| run.held_bytes as f64) / events;
    format!(
        "| {name} | {events:.0} | {read:.1} | {opened:.1} | {} | {:.1} | {share:.3}{} | {held:.1}{} | {:.0} |",
        ratio(opened, Some(read), OF_FIRST),
        saved.bytes as f64 / 1e6,
        mark(share, OF_BYTES),
        mark(held, HELD_BYTES),
        saved.ms,
    )
}
