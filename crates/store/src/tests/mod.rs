//! What is written comes back, and nothing else does.

mod columns;
mod damage;
mod folder;
mod schema;
mod stale;

use crate::{Facts, Kept, Source, Store, WriteError};
use index::DeviceIndex;
use job::Job;
use model::Recording;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A recording, and the file it is in.
struct Sample {
    folder: TempDir,
    path: PathBuf,
    recording: Recording,
    indexes: Vec<DeviceIndex>,
}

impl Sample {
    fn of(plan: &sample::Plan) -> Self {
        let mut bytes = Vec::new();
        sample::write(plan, &mut bytes).unwrap();
        Self::of_bytes("made.pickle", &bytes)
    }

    fn of_bytes(name: &str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Self::read(folder, path)
    }

    fn of_dump(plan: &sample::memscope::Dump) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = plan.write_in(folder.path()).unwrap();
        Self::read(folder, path)
    }

    fn small() -> Self {
        Self::of(&sample::Plan::new(600))
    }

    fn read(folder: TempDir, path: PathBuf) -> Self {
        let job = Job::unwatched();
        let recording = ingest::open(&path, &job).unwrap();
        let index = |table| DeviceIndex::new(table, &job).unwrap();
        let indexes = recording.devices.iter().map(index).collect();
        Self { folder, path, recording, indexes }
    }

    fn source(&self) -> Source {
        source(&self.path)
    }

    /// A store in a folder of its own beside the file.
    fn store(&self) -> Store {
        Store::new(self.folder.path().join("cache"), u64::MAX)
    }

    fn write(&self, store: &Store) -> Result<u64, WriteError> {
        let mut facts = Facts::default();
        facts.put_text("and more");
        self.write_as_of(store, &self.source(), &facts)
    }

    fn write_as_of(
        &self,
        store: &Store,
        source: &Source,
        facts: &Facts,
    ) -> Result<u64, WriteError> {
        let indexes: Vec<&DeviceIndex> = self.indexes.iter().collect();
        let job = Job::unwatched();
        store.write((&self.path, source), (&self.recording, &indexes), facts, &job)
    }

    fn kept(&self, store: &Store) -> Option<Kept> {
        store.read(&self.path, &self.source(), &Job::unwatched()).unwrap()
    }

    /// Every column and every other fact, as text.
    fn text(&self) -> String {
        format!("{:#?}{:#?}", self.recording, self.indexes)
    }
}

fn source(path: &Path) -> Source {
    let files = ingest::sources(path, &Job::unwatched()).unwrap();
    Source::of(path, files).unwrap()
}

fn text(kept: &Kept) -> String {
    format!("{:#?}{:#?}", kept.recording, kept.indexes)
}

/// The indexes in the folder.
fn indexes(store: &Store) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(store.folder()) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}
