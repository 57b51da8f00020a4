//! Indexes on disk: a recording that was open once opens again without being read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{ImportError, Job, Session, Store};

/// The folder of the indexes, in place of the system's; tests set it.
const FOLDER: &str = "TIDEMARK_CACHE";
/// Bytes of all indexes together, until a setting says otherwise.
const LIMIT: u64 = 4 << 30;

/// The store, and which indexes are being written.
pub(crate) struct Indexes {
    /// `None` where the system names no folder.
    store: Option<Store>,
    /// One at a time: nobody waits for them.
    writing: Mutex<()>,
    /// By session.
    jobs: Mutex<BTreeMap<u32, Job>>,
}

impl Indexes {
    /// In the folder that the environment names, or else in `system`, the app's for what can be
    /// made again.
    pub(crate) fn new(system: Option<PathBuf>) -> Self {
        let chosen = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
        let system = system.map(|folder| folder.join("indexes"));
        Self::in_folder(chosen.map(PathBuf::from).or(system))
    }

    pub(crate) fn in_folder(folder: Option<PathBuf>) -> Self {
        let store = folder.map(|folder| Store::new(folder, LIMIT));
        Self { store, writing: Mutex::default(), jobs: Mutex::default() }
    }

    /// Where they are.
    pub(crate) fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Opens the recording at `path`, from its index where there is one.
    pub(crate) fn open(&self, path: &Path, job: &Job) -> Result<Session, ImportError> {
        match &self.store {
            Some(store) => Session::open_with(path, store, job),
            None => Session::open(path, job),
        }
    }

    /// Writes the index of session `id` on a thread of its own, unless it is closed before.
    pub(crate) fn save(self: &Arc<Self>, id: u32, session: Arc<Session>) {
        if self.store.is_none() || session.is_reopened() {
            return;
        }
        let job = Job::unwatched();
        self.jobs().insert(id, job.clone());
        let indexes = Arc::clone(self);
        let write = move || {
            indexes.write(&session, &job);
            indexes.jobs().remove(&id);
            // The recording may have been closed meanwhile, and is held by nobody else then.
            drop(session);
            crate::memory::give_back();
        };
        // Without a thread there is no index, and the file is read again the next time.
        drop(std::thread::Builder::new().name("index".to_owned()).spawn(write));
    }

    /// Session `id` was closed: its index is not worth its memory.
    pub(crate) fn closed(&self, id: u32) {
        if let Some(job) = self.jobs().remove(&id) {
            job.cancel();
        }
    }

    fn write(&self, session: &Session, job: &Job) {
        let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &self.store {
            // Trouble with the cache is nothing to tell a person: a full disk means no index.
            drop(session.save_index(store, job));
        }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u32, Job>> {
        // A look into the map cannot leave it half changed.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A CSV of allocations, long enough to be worth an index.
    fn recording(path: &Path) {
        use std::fmt::Write as _;
        let mut text = String::from(
            "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr\n",
        );
        for row in 0..12_000_u64 {
            let (event, ptr) = (["MALLOC", "FREE"][(row % 2) as usize], 0x1_0000 + row / 2 * 512);
            let attr = format!(
                "\"{{allocation_id:{},addr:{ptr},size:512,total:4096,used:512}}\"",
                row / 2
            );
            writeln!(text, "{row},{event},PTA,N/A,{},7,7,0,{ptr},{attr}", 1_000 + row).unwrap();
        }
        fs::write(path, text).unwrap();
    }

    #[test]
    fn what_was_open_once_opens_from_its_index_and_one_that_is_closed_writes_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dump.csv");
        recording(&path);
        let cache = folder.path().join("cache");
        let indexes = Arc::new(Indexes::in_folder(Some(cache.clone())));
        let open = || Arc::new(indexes.open(&path, &Job::unwatched()).unwrap());
        let count = || fs::read_dir(&cache).map_or(0, Iterator::count);
        let first = open();
        assert!(!first.is_reopened());
        let job = Job::unwatched();
        job.cancel();
        indexes.write(&first, &job);
        assert_eq!(count(), 0);
        indexes.save(1, Arc::clone(&first));
        while !indexes.jobs().is_empty() {
            std::thread::yield_now();
        }
        assert_eq!(count(), 1);
        let again = open();
        assert!(again.is_reopened());
        assert_eq!(again.recording().devices.len(), first.recording().devices.len());
        indexes.save(2, again);
        assert!(indexes.jobs().is_empty());
    }

    #[test]
    fn without_a_folder_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dump.csv");
        recording(&path);
        let indexes = Arc::new(Indexes::in_folder(None));
        let session = Arc::new(indexes.open(&path, &Job::unwatched()).unwrap());
        indexes.save(1, session);
        assert!(indexes.jobs().is_empty());
        indexes.closed(1);
    }
}
