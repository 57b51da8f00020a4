//! The file's bytes without a copy.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// A file mapped into memory, read-only.
#[derive(Debug)]
pub(crate) struct Mapped(Option<Mmap>);

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
        Ok(Self(Some(map)))
    }

    /// All bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
