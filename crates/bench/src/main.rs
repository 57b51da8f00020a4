//! Measures the paths a person waits for, against CPython's own unpickler in the same run.
//!
//! `cargo xtask bench` builds and starts this. Every measurement is a process of its own, so that
//! one file's memory does not disturb the next: [`child`] does one, [`python`] the reference, and
//! [`table`] prints what came of it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]

mod child;
mod dump;
mod files;
mod inspect;
mod python;
mod reopen;
mod table;
mod walk;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Measures Tidemark.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    child: Option<Child>,
    /// Sizes of the generated files, in events.
    #[arg(long, value_delimiter = ',', default_value = "100000,1000000,10000000")]
    events: Vec<u64>,
    /// Sizes of the generated dumps, in rows.
    #[arg(long, value_delimiter = ',', default_value = "5000000")]
    dumps: Vec<u64>,
    /// Files to measure beside the generated ones.
    files: Vec<PathBuf>,
    /// Where generated files are kept between runs.
    #[arg(long, default_value = "target/bench")]
    folder: PathBuf,
    /// Runs of each measurement; the median counts.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

#[derive(Subcommand)]
enum Child {
    /// Opens FILE once and prints what that took; with FOLDER, from its index there.
    Open { file: PathBuf, folder: Option<PathBuf> },
    /// Opens FILE and writes its index into FOLDER.
    Save { file: PathBuf, folder: PathBuf },
    /// Opens FILE and walks through scenes of it.
    Scenes { file: PathBuf },
    /// Opens FILE, a dump, and asks for flame graphs and owners.
    Look { file: PathBuf },
    /// Opens FILE and asks for pool states and table pages.
    Inspect { file: PathBuf },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match &arguments.child {
        Some(Child::Open { file, folder }) => child::open(file, folder.as_deref()),
        Some(Child::Save { file, folder }) => child::save(file, folder),
        Some(Child::Scenes { file }) => child::scenes(file),
        Some(Child::Look { file }) => dump::look(file),
        Some(Child::Inspect { file }) => inspect::inspect(file),
        None => all(&arguments),
    }
}

fn all(arguments: &Arguments) -> Result<()> {
    let mut files = files::generated(&arguments.folder, &arguments.events)?;
    files.extend(arguments.files.iter().cloned());
    let (mut rows, mut reopened) = (Vec::new(), Vec::new());
    for file in &files {
        eprintln!("measuring {}", file.display());
        rows.push(measured(file, arguments.runs)?);
        reopened.push(reopen::measured(file, &arguments.folder, arguments.runs)?);
    }
    if !rows.is_empty() {
        table::print(&rows);
    }
    let mut dumps = Vec::new();
    for file in dump::generated(&arguments.folder, &arguments.dumps)? {
        eprintln!("measuring {}", file.display());
        dumps.push(dump::measured(&file, arguments.runs)?);
        reopened.push(reopen::measured(&file, &arguments.folder, arguments.runs)?);
    }
    if !dumps.is_empty() {
        dump::print(&dumps);
    }
    reopen::print(&reopened);
    Ok(())
}

fn measured(file: &Path, runs: usize) -> Result<table::Row> {
    // Enough that the page cache holds the file for everybody alike.
    drop(std::fs::read(file).with_context(|| format!("reading {}", file.display()))?);
    let opened =
        (0..runs).map(|_| answer::<child::Opened>("open", file)).collect::<Result<Vec<_>>>()?;
    let scenes = answer("scenes", file)?;
    let inspected = answer("inspect", file)?;
    // The reference is slow and steady; on large files once is enough.
    let python_runs = if opened.iter().any(|run| run.events > 2_000_000) { 1 } else { runs.min(3) };
    Ok(table::Row {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: std::fs::metadata(file)?.len(),
        opened,
        scenes,
        inspected,
        collected: python::load_ms(file, python::Collector::On, python_runs)?,
        uncollected: python::load_ms(file, python::Collector::Off, python_runs)?,
    })
}

/// What a child process measured.
fn answer<T: serde::de::DeserializeOwned>(question: &str, file: &Path) -> Result<T> {
    answer_about(question, &[file])
}

/// The same of several paths.
fn answer_about<T: serde::de::DeserializeOwned>(question: &str, paths: &[&Path]) -> Result<T> {
    let output = Command::new(std::env::current_exe()?)
        .arg(question)
        .args(paths)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    anyhow::ensure!(output.status.success(), "measuring {} failed", paths[0].display());
    Ok(serde_json::from_slice(&output.stdout)?)
}
