//! The file's bytes without a copy.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A file mapped into memory, read-only.
#[derive(Debug)]
pub(crate) struct Mapped(Option<Arc<Mmap>>);

impl Mapped {
    /// Maps the file at `path`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if metadata.len() == 0 {
            // An empty range cannot be mapped on all systems.
            return Ok(Self(None));
        }
        #[allow(unsafe_code, reason = "memory maps cannot be made without")]
        // SAFETY: the map is only read, as plain bytes that may hold anything. Should another
        // program shorten the file meanwhile, the system stops this one with a bus error; a copy
        // of each file would avoid that and cost its whole size in memory.
        let map = unsafe { Mmap::map(&file) }?;
        #[cfg(unix)]
        // Only advice: reading works without.
        let _ = map.advise(memmap2::Advice::Sequential);
        let map = Arc::new(map);
        #[cfg(target_os = "linux")]
        fault_ahead(&map);
        Ok(Self(Some(map)))
    }

    /// All bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_deref().map_or(&[], |map| map)
    }
}

/// Largest file to fault in: a larger one might push out what it comes before.
#[cfg(target_os = "linux")]
const MOST_AHEAD: usize = 2 << 30;
/// Bytes faulted in at once, about a millisecond.
#[cfg(target_os = "linux")]
const STEP: usize = 4 << 20;

/// Faults the pages of `map` in before the reader comes to them, on a thread of its own: a tenth
/// of the time of reading a file that the page cache already holds.
///
/// It ends with the map. Only advice: where it fails, the reader faults the pages in itself.
#[cfg(target_os = "linux")]
fn fault_ahead(map: &Arc<Mmap>) {
    if map.len() > MOST_AHEAD {
        return;
    }
    let weak = Arc::downgrade(map);
    let ahead = move || {
        let mut at = 0;
        while let Some(map) = weak.upgrade() {
            let len = STEP.min(map.len() - at);
            let advice = memmap2::Advice::PopulateRead;
            if len == 0 || map.advise_range(advice, at, len).is_err() {
                return;
            }
            at += len;
        }
    };
    drop(std::thread::Builder::new().name("read ahead".to_owned()).spawn(ahead));
}
