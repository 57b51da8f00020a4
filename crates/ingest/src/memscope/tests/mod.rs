//! Dumps read from the file to what they say.

mod csv;
mod drawn;
mod files;
mod generations;
mod laws;
mod made;
mod real;
mod stories;

use crate::ImportError;
use job::Job;
use model::{DeviceTable, Dump, Recording, WarningKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn open(path: &Path) -> Result<Recording, ImportError> {
    crate::open(path, &Job::unwatched())
}

fn dump(recording: &Recording) -> &Dump {
    recording.dump.as_deref().unwrap()
}

/// `device pool process` of a table.
fn called(recording: &Recording, table: &DeviceTable) -> String {
    let track = table.track.as_deref().unwrap();
    let dump = dump(recording);
    format!(
        "{} {} {}",
        recording.text(dump.devices[usize::from(track.device)]),
        recording.text(track.pool),
        dump.processes[usize::from(track.process)]
    )
}

/// Rows by `Event`.
fn events(recording: &Recording) -> BTreeMap<String, usize> {
    let rows = &dump(recording).rows;
    let mut counts = BTreeMap::new();
    for word in &rows.event {
        let word = recording.text(rows.words[usize::from(*word)]).to_owned();
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

/// Rows by `Device Id`.
fn devices(recording: &Recording) -> BTreeMap<String, usize> {
    let dump = dump(recording);
    let mut counts = BTreeMap::new();
    for device in &dump.rows.device {
        let device = recording.text(dump.devices[usize::from(*device)]).to_owned();
        *counts.entry(device).or_insert(0) += 1;
    }
    counts
}

/// Kinds of warnings with their counts.
fn warned(recording: &Recording) -> Vec<(WarningKind, u64)> {
    recording.warnings.iter().map(|warning| (warning.kind, warning.count)).collect()
}

/// A folder of real files, which are not ours to copy: `TIDEMARK_CORPUS` says where they are.
fn corpus() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("TIDEMARK_CORPUS").map_or_else(default, PathBuf::from);
    let folder = corpus.join("memscope");
    folder.exists().then_some(folder)
}
