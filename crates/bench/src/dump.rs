//! Measures `msMemScope` dumps, against Python's own `sqlite3` reading all rows in the same run.

use crate::child::{self, Opened, Scenes};
use crate::table::{mark, median, percentile, ratio};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use session::{FlameViewport, Job, Narrow, Session, When};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Questions of each kind.
const QUESTIONS: u32 = 200;
/// Opening a dump may take this share of what Python needs to read its rows.
const OF_READING: f64 = 0.5;

/// What looking into a dump took, milliseconds, ascending.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Looked {
    rows: u32,
    slices: u32,
    /// Flame graphs of the longest thread.
    flame: Vec<f64>,
    /// Who holds memory at a moment.
    decomposed: Vec<f64>,
}

/// What was measured on one dump.
pub(crate) struct Row {
    name: String,
    bytes: u64,
    opened: Vec<Opened>,
    scenes: Scenes,
    looked: Looked,
    python: Option<f64>,
}

/// One dump for every size, in `folder`.
pub(crate) fn generated(folder: &Path, sizes: &[u64]) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    sizes.iter().map(|rows| one(folder, *rows)).collect()
}

fn one(folder: &Path, rows: u64) -> Result<PathBuf> {
    let path = folder.join(format!("dump-{rows}.db"));
    if !path.exists() {
        eprintln!("generating {}", path.display());
        let unfinished = path.with_extension("unfinished");
        sample::memscope::Dump::of_rows(rows).write(&unfinished)?;
        std::fs::rename(&unfinished, &path)?;
    }
    Ok(path)
}

/// Measures `file`.
pub(crate) fn measured(file: &Path, runs: usize) -> Result<Row> {
    drop(std::fs::read(file).with_context(|| format!("reading {}", file.display()))?);
    let opened = (0..runs).map(|_| crate::answer("open", file)).collect::<Result<Vec<_>>>()?;
    Ok(Row {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: std::fs::metadata(file)?.len(),
        opened,
        scenes: crate::answer("scenes", file)?,
        looked: crate::answer("look", file)?,
        python: read_ms(file, runs.min(3))?,
    })
}

/// Looks into `file` and prints how long that took.
pub(crate) fn look(file: &Path) -> Result<()> {
    let session = Session::open(file, &Job::unwatched())?;
    let dump = session.recording().dump.as_deref().context("no dump")?;
    let device = child::busiest(&session)?;
    let mut decomposed = Vec::new();
    for at in 0..QUESTIONS {
        let when = When::Time(dump.end_ns / i64::from(QUESTIONS) * i64::from(at));
        let begun = Instant::now();
        let found = device.decompose(when, when).context("no owners")?;
        decomposed.push(begun.elapsed().as_secs_f64() * 1e3);
        ensure!(!found.parts.is_empty(), "there is a whole");
    }
    decomposed.sort_by(f64::total_cmp);
    let thread = session.threads().max_by_key(|thread| thread.slices().len());
    let mut flame = Vec::new();
    if let Some(thread) = thread {
        // The index of a thread is made when it is first looked at.
        let whole = (0.0, dump.end_ns as f64 / 1e3);
        thread.flame(&viewport(whole), None, &Job::unwatched())?;
        for at in 0..QUESTIONS {
            let span = (whole.1 / f64::from(at % 20).exp2()).max(10.0);
            let middle = whole.1 * (f64::from(at) * 0.618_034).fract();
            let view = viewport((middle - span / 2.0, middle + span / 2.0));
            let begun = Instant::now();
            thread.flame(&view, None, &Job::unwatched())?;
            flame.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        flame.sort_by(f64::total_cmp);
    }
    let looked = Looked {
        rows: dump.rows.len(),
        slices: thread.map_or(0, |thread| thread.slices().len()),
        flame,
        decomposed,
    };
    println!("{}", serde_json::to_string(&looked)?);
    Ok(())
}

fn viewport(x: (f64, f64)) -> FlameViewport {
    FlameViewport { x, depths: 0..64, width_px: 1600, narrow: Narrow::Joined, selected: None }
}

/// Prints all dumps.
pub(crate) fn print(rows: &[Row]) {
    println!(
        "\n| dump | rows | MB | open ms | sqlite3 reads all rows, ms | ratio (≤ 1/2) | held B/row | scene ms p50 / p99 (≤ 16) | flame ms p50 / p99 (≤ 16), calls | decompose ms p50 / p99 |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{}", line(row));
    }
}

fn line(row: &Row) -> String {
    let of =
        |pick: fn(&Opened) -> f64| median(&mut row.opened.iter().map(pick).collect::<Vec<_>>());
    let ms = of(|run| run.ms);
    let (scenes, flame) = (&row.scenes.ms, &row.looked.flame);
    let (scene, flames) = (percentile(scenes, 0.99), percentile(flame, 0.99));
    format!(
        "| {} | {} | {:.1} | {ms:.1} | {} | {} | {:.1} | {:.2} / {scene:.2}{} | {:.2} / {flames:.2}{}, {} | {:.2} / {:.2} |",
        row.name,
        row.looked.rows,
        row.bytes as f64 / 1e6,
        row.python.map_or_else(|| "no python3".to_owned(), |python| format!("{python:.0}")),
        ratio(ms, row.python, OF_READING),
        of(|run| run.held_bytes as f64) / f64::from(row.looked.rows),
        percentile(scenes, 0.5),
        mark(scene, 16.0),
        percentile(flame, 0.5),
        mark(flames, 16.0),
        row.looked.slices,
        percentile(&row.looked.decomposed, 0.5),
        percentile(&row.looked.decomposed, 0.99),
    )
}

const SCRIPT: &str = "\
import sqlite3, sys, time, os
base = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro&immutable=1', uri=True)
begun = time.perf_counter()
rows = 0
for (table,) in base.execute(\"select name from sqlite_master where type = 'table'\").fetchall():
    for row in base.execute('select * from \"' + table + '\"'):
        rows += 1
print((time.perf_counter() - begun) * 1000)
sys.stdout.flush()
os._exit(0)
";

/// Median milliseconds in which Python's `sqlite3` reads every row of every table; `None` without
/// Python.
fn read_ms(file: &Path, runs: usize) -> Result<Option<f64>> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let mut python = Command::new("python3");
        let Ok(output) = python.args(["-c", SCRIPT]).arg(file).output() else { return Ok(None) };
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        times.push(text.trim().parse().with_context(|| format!("python said {text}"))?);
    }
    Ok(Some(median(&mut times)))
}
