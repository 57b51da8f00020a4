//! What to simulate, and how to write it.

use std::path::{Path, PathBuf};

use crate::memscope::generation::Generation;
use crate::memscope::oddities::Oddities;
use crate::memscope::truth::Truth;
use crate::memscope::write;

/// A dump to write. The same plan gives the same rows on every platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Another seed gives other waiting times.
    pub seed: u64,
    /// Training steps; each leaks one tensor of 40 MiB.
    pub steps: u32,
    /// Convolutions of the network: more of them, more rows in a step.
    pub layers: u32,
    /// How many processes, each with its own device unless [`Oddities::shared_device`].
    pub processes: u32,
    /// Which version of the collector writes.
    pub generation: Generation,
    /// Database or text.
    pub format: Format,
    /// One file, or one for every process and device.
    pub scope: Scope,
    /// Which call stacks are recorded.
    pub stacks: Stacks,
    /// Which rows are kept.
    pub kept: Kept,
    /// Whether the database's log is merged.
    pub journal: Journal,
    /// More moments at which [`Truth::moments`] tells the sums, in nanoseconds since the first row.
    pub asked_ns: Vec<u64>,
    /// [`Truth::blocks`] tells of so many blocks at most.
    pub told_blocks: usize,
    /// What is out of the ordinary.
    pub oddities: Oddities,
}

impl Dump {
    /// A training run of `steps` steps, written as of May 2026.
    pub fn new(steps: u32) -> Self {
        Self {
            seed: 1,
            steps,
            layers: 8,
            processes: 1,
            generation: Generation::May2026,
            format: Format::Database,
            scope: Scope::OneFile,
            stacks: Stacks::Both,
            kept: Kept::All,
            journal: Journal::Merged,
            asked_ns: Vec::new(),
            told_blocks: 20_000,
            oddities: Oddities::default(),
        }
    }

    /// A run of about `rows` rows, without call stacks.
    pub fn of_rows(rows: u64) -> Self {
        let layers: u32 = if rows < 100_000 { 8 } else { 32 };
        let a_step = u64::from(layers) * 126 + 142;
        let steps = u32::try_from((rows / a_step).max(1)).unwrap_or(u32::MAX);
        Self { layers, stacks: Stacks::None, ..Self::new(steps) }
    }

    /// Writes the dump to `path`: a file, or the folder of the files of [`Scope::FilePerDevice`].
    pub fn write(&self, path: &Path) -> anyhow::Result<Truth> {
        write::write(self, path)
    }

    /// Writes the dump into `folder` under the name the collector would choose. Returns the file, or the folder itself
    /// for [`Scope::FilePerDevice`].
    pub fn write_in(&self, folder: &Path) -> anyhow::Result<(PathBuf, Truth)> {
        let path = match self.scope() {
            Scope::OneFile => folder.join(self.file_name()),
            Scope::FilePerDevice => folder.to_owned(),
        };
        let truth = self.write(&path)?;
        Ok((path, truth))
    }

    /// Writes the dump to `path` and its truth beside it, with the extension `truth.json`.
    pub fn write_files(&self, path: &Path) -> anyhow::Result<Truth> {
        write::write_files(self, path)
    }

    /// How the collector would name the file.
    pub fn file_name(&self) -> String {
        let style = self.generation.style();
        let extension = self.format.extension();
        format!("{}_{}.{extension}", style.table, style.date)
    }

    /// Whether there are traces of Python's calls.
    pub(crate) fn is_traced(&self) -> bool {
        self.kept == Kept::All && self.generation.style().traces
    }

    /// Old collectors know no file for each device.
    pub(crate) fn scope(&self) -> Scope {
        if self.generation.style().splits_files { self.scope } else { Scope::OneFile }
    }
}

/// The small dump that ships with the app: three steps, each of which leaks 40 MiB.
pub fn bundled() -> Dump {
    Dump { seed: 2026, layers: 8, stacks: Stacks::Python, ..Dump::new(3) }
}

/// The kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.db`, traces in it.
    Database,
    /// `.csv`, traces in a file of their own.
    Csv,
}

impl Format {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Database => "db",
            Format::Csv => "csv",
        }
    }
}

/// How a run is shared out over files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All processes and devices.
    OneFile,
    /// A file for each process and device in the folders the collector makes. Since November 2025; before, one file.
    FilePerDevice,
}

/// Which call stacks are recorded. Since November 2025 the columns are there all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stacks {
    /// No call stacks.
    None,
    /// Python's.
    Python,
    /// C's.
    C,
    /// Both.
    Both,
}

impl Stacks {
    pub(crate) fn python(self) -> bool {
        matches!(self, Stacks::Python | Stacks::Both)
    }

    pub(crate) fn c(self) -> bool {
        matches!(self, Stacks::C | Stacks::Both)
    }
}

/// Which rows are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Everything.
    All,
    /// Only allocations: no launches, no accesses, no marks, no traces.
    Allocations,
    /// Only `HAL` blocks and the system's rows.
    Hal,
    /// Only `HOST_PINNED` blocks and the system's rows.
    Pinned,
}

/// Whether the database's log is merged into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Journal {
    /// As after a graceful end.
    Merged,
    /// As after a kill: the newest rows are only in `-wal` beside the file. The sidecar's salts are random.
    Unmerged,
}
