//! The folder of indexes.

use crate::checksum::checksum;
use crate::entry::{Entry, program};
use crate::facts::Facts;
use crate::reading::File as Columns;
use crate::recording::{self, Kept};
use crate::source::Source;
use arrow_buffer::Buffer;
use index::DeviceIndex;
use job::{Cancelled, Job};
use memmap2::Mmap;
use model::Recording;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How names of files begin that are being written.
const UNFINISHED: &str = "unfinished-";
/// Younger ones may be about to be locked by who makes them.
const LEFT: Duration = Duration::from_mins(1);
/// Numbers them within a process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Indexes of recordings in one folder, up to a number of bytes: those used longest ago go first.
///
/// Any number of stores, in any number of processes, may share a folder: an index appears in it
/// whole, under a name that tells its checksum, and nothing in it is ever changed.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    limit: AtomicU64,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder, or the person's files, would not take or give bytes.
    #[error("cannot write an index: {0}")]
    Io(#[from] io::Error),
    /// The files changed after they were read.
    #[error("the files changed meanwhile: no index of them is written")]
    Changed,
    /// It alone is more than the store may have.
    #[error("an index of {bytes} bytes is more than all together may have ({limit})")]
    TooLarge {
        /// What it would have.
        bytes: u64,
        /// What the store may have.
        limit: u64,
    },
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What a store has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// How many indexes.
    pub indexes: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Store {
    /// The store in `folder`, which is made when it is first written to, of up to `limit` bytes.
    pub fn new(folder: impl Into<PathBuf>, limit: u64) -> Self {
        Self { folder: folder.into(), limit: AtomicU64::new(limit) }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Most bytes it may have.
    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Changes [`Store::limit`]; what is too much goes at once.
    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
        self.shrink(0);
    }

    /// How much it has.
    pub fn usage(&self) -> Usage {
        let entries = self.entries();
        Usage {
            indexes: entries.len() as u64,
            bytes: entries.iter().map(|found| found.bytes).sum(),
        }
    }

    /// Deletes all indexes; open recordings stay open.
    pub fn clear(&self) {
        for found in self.entries() {
            remove(&found.path);
        }
        self.sweep();
    }

    /// The recording that `source`, at `path`, was read into once, if nothing changed since.
    pub fn read(&self, path: &Path, source: &Source, job: &Job) -> Result<Option<Kept>, Cancelled> {
        let ours = program();
        let mut entries = self.entries();
        entries.retain(|found| found.entry.program == ours);
        let known = |found: &&Found| {
            let Entry { place, stamp, glance, .. } = found.entry;
            (place, stamp, glance) == (source.place, source.stamp, source.glance)
        };
        if let Some(found) = entries.iter().find(known) {
            let kept = open(found, job)?;
            if kept.is_some() {
                touch(&found.path);
            }
            return Ok(kept);
        }
        entries.retain(|found| found.entry.glance == source.glance);
        if entries.is_empty() {
            return Ok(None);
        }
        self.moved(path, source, &entries, job)
    }

    /// The same for files that were moved, copied or touched: told by all of their content.
    fn moved(
        &self,
        path: &Path,
        source: &Source,
        entries: &[Found],
        job: &Job,
    ) -> Result<Option<Kept>, Cancelled> {
        let Ok(content) = source.content(job)? else { return Ok(None) };
        let Some(found) = entries.iter().find(|found| found.entry.content == content) else {
            return Ok(None);
        };
        if source.again(path).ok().as_ref() != Some(source) {
            return Ok(None);
        }
        let Some(kept) = open(found, job)? else { return Ok(None) };
        let Source { place, stamp, .. } = *source;
        let entry = Entry { place, stamp, ..found.entry };
        let now = self.folder.join(entry.name());
        // Where that fails, all content is looked at the next time again.
        if fs::rename(&found.path, &now).is_ok() {
            touch(&now);
        }
        Ok(Some(kept))
    }

    /// Writes an index of `recording`, which was read from `source` at `path`; `facts` come back
    /// with it.
    pub fn write(
        &self,
        (path, source): (&Path, &Source),
        (recording, indexes): (&Recording, &[&DeviceIndex]),
        facts: &Facts,
        job: &Job,
    ) -> Result<u64, WriteError> {
        let columns = recording::put(recording, indexes, facts, job)?;
        let limit = self.limit();
        let bytes = columns.bytes();
        if bytes > limit {
            return Err(WriteError::TooLarge { bytes, limit });
        }
        let content = source.content(job)??;
        if source.again(path)? != *source {
            return Err(WriteError::Changed);
        }
        fs::create_dir_all(&self.folder)?;
        self.sweep();
        self.shrink(bytes);
        let unfinished = Unfinished::new(&self.folder)?;
        let to = Stopping { to: BufWriter::with_capacity(1 << 20, &unfinished.file), job };
        columns.write(to).map_err(|error| {
            if job.is_cancelled() {
                Cancelled.into()
            } else {
                WriteError::Io(io::Error::other(error))
            }
        })?;
        unfinished.file.sync_all()?;
        let map = map(&unfinished.file)?;
        let checksum = checksum(&map, |_, _| ());
        let bytes = map.len() as u64;
        drop(map);
        if bytes > limit {
            return Err(WriteError::TooLarge { bytes, limit });
        }
        let Source { place, stamp, glance, .. } = *source;
        let entry = Entry { program: program(), place, stamp, glance, content, checksum };
        job.check()?;
        let name = entry.name();
        unfinished.rename(&self.folder.join(&name))?;
        for found in self.entries() {
            // Older ones of the same files can never be used again.
            let Entry { program, place, .. } = found.entry;
            if (program, place) == (entry.program, entry.place) && found.entry != entry {
                remove(&found.path);
            }
        }
        self.shrink(0);
        Ok(bytes)
    }

    /// Deletes those used longest ago until there is room for `more` bytes.
    fn shrink(&self, more: u64) {
        let mut entries = self.entries();
        entries.sort_by_key(|found| found.used);
        let mut bytes = entries.iter().map(|found| found.bytes).sum::<u64>().saturating_add(more);
        for found in entries {
            if bytes <= self.limit() {
                return;
            }
            if remove(&found.path) {
                bytes = bytes.saturating_sub(found.bytes);
            }
        }
    }

    /// Deletes what was left unfinished by processes that are gone.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            if !entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                continue;
            }
            // Who writes it holds the lock, until the process ends whichever way; but not in the
            // moment after it is made.
            let age = entry.metadata().and_then(|file| file.modified()).map(|time| time.elapsed());
            let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > LEFT));
            let is_free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if is_old && is_free() {
                remove(&entry.path());
            }
        }
    }

    fn entries(&self) -> Vec<Found> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let found = |entry: fs::DirEntry| {
            let known = Entry::of_name(entry.file_name().to_str()?)?;
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some(Found { path: entry.path(), entry: known, bytes: metadata.len(), used })
        };
        entries.flatten().filter_map(found).collect()
    }
}

/// An index in the folder.
struct Found {
    path: PathBuf,
    entry: Entry,
    bytes: u64,
    used: SystemTime,
}

/// What is in the index, if it is whole; one that is not is deleted.
fn open(found: &Found, job: &Job) -> Result<Option<Kept>, Cancelled> {
    job.check()?;
    let Some(map) = File::open(&found.path).ok().and_then(|file| map(&file).ok()) else {
        return Ok(None);
    };
    let touch = |from: usize, length: usize| {
        #[cfg(target_os = "linux")]
        // Only faster: what is not mapped yet is mapped when it is read.
        drop(map.advise_range(memmap2::Advice::PopulateRead, from, length));
        #[cfg(not(target_os = "linux"))]
        let _ = (from, length);
    };
    if checksum(&map, touch) != found.entry.checksum {
        remove(&found.path);
        return Ok(None);
    }
    job.check()?;
    let buffer = Buffer::from(bytes::Bytes::from_owner(map));
    let kept = read(&buffer, job);
    job.check()?;
    Ok(kept)
}

/// What is in the index that lies in `file`, whose checksum was compared.
pub(crate) fn read(file: &Buffer, job: &Job) -> Option<Kept> {
    recording::read(&Columns::new(file)?, job)
}

fn map(file: &File) -> io::Result<Mmap> {
    #[allow(unsafe_code, reason = "memory maps cannot be made without")]
    // SAFETY: the map is only read, as plain numbers that may be anything. Files in the folder are
    // never changed once they have their name; should somebody else shorten one, the system stops
    // this program with a bus error, as with a person's own file.
    let map = unsafe { Mmap::map(file) }?;
    Ok(map)
}

/// Whether the file is gone.
fn remove(path: &Path) -> bool {
    match fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Notes that the index was used.
fn touch(path: &Path) {
    // Only the order in which indexes go is at stake.
    let file = File::options().append(true).open(path);
    drop(file.and_then(|file| file.set_modified(SystemTime::now())));
}

/// A file under a name that nobody reads, gone unless it is given its own.
struct Unfinished {
    path: PathBuf,
    file: File,
    is_done: bool,
}

impl Unfinished {
    fn new(folder: &Path) -> io::Result<Self> {
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{UNFINISHED}{}-{number}", std::process::id()));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => {
                    file.lock()?;
                    return Ok(Self { path, file, is_done: false });
                }
                // Left by, or of, a process of the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.is_done = true;
        #[cfg(unix)]
        if let Some(folder) = to.parent() {
            // The name itself is on disk only then; without, the index may be gone after a crash.
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_done {
            remove(&self.path);
        }
    }
}

/// Writes until the job is cancelled.
struct Stopping<'a, W> {
    to: W,
    job: &'a Job,
}

impl<W: io::Write> io::Write for Stopping<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.job.check().map_err(io::Error::other)?;
        // Little enough that it does not take long.
        self.to.write(&bytes[..bytes.len().min(8 << 20)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
