//! What tells one state of a person's files from another.

use crate::checksum::{PIECE, Pieces, key};
use job::{Cancelled, Job, Progress};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Bytes looked at where a file begins and where it ends.
const END: u64 = 64 << 10;
/// Bytes looked at in between, each time.
const STRETCH: u64 = 4 << 10;
/// How often.
const STRETCHES: u64 = 62;

/// The files that a recording is read from, as they are at one moment.
///
/// They are the same at another moment when sizes, times and places say so and what is looked at of
/// their content is the same. Files that were changed in place, to the same size, with the old
/// times put back, and only where nothing is looked at, would not be told apart; where the system
/// keeps the time of the last change of a file by itself (Unix), that takes a wrong clock as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    files: Vec<PathBuf>,
    /// Paths within the folder, or nothing: how a single file is called does not matter.
    names: Vec<String>,
    pub(crate) place: u64,
    pub(crate) stamp: u64,
    pub(crate) glance: u64,
    bytes: u64,
}

impl Source {
    /// The `files` that the recording at `path` is read from.
    pub fn of(path: &Path, files: Vec<PathBuf>) -> io::Result<Self> {
        let canonical = fs::canonicalize(path)?;
        let place = key(canonical.as_os_str().as_encoded_bytes());
        let (mut stamp, mut glance, mut bytes) = (Vec::new(), Vec::new(), 0);
        let is_folder = canonical.is_dir();
        let mut names = Vec::new();
        for name in &files {
            let within =
                if is_folder { name.strip_prefix(path).unwrap_or(name) } else { Path::new("") };
            let within = within.to_string_lossy().into_owned();
            let mut file = File::open(name)?;
            let metadata = file.metadata()?;
            bytes += metadata.len();
            stamp.extend_from_slice(fs::canonicalize(name)?.as_os_str().as_encoded_bytes());
            stamp.push(0);
            push_times(&mut stamp, &metadata);
            for bytes in [&mut stamp, &mut glance] {
                bytes.extend_from_slice(within.as_bytes());
                bytes.extend_from_slice(&metadata.len().to_le_bytes());
            }
            look(&mut file, metadata.len(), &mut glance)?;
            names.push(within);
        }
        Ok(Self { files, names, place, stamp: key(&stamp), glance: key(&glance), bytes })
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The same files as they are now.
    pub(crate) fn again(&self, path: &Path) -> io::Result<Self> {
        Self::of(path, self.files.clone())
    }

    /// A checksum of all that is in the files.
    pub(crate) fn content(&self, job: &Job) -> Result<io::Result<u128>, Cancelled> {
        let mut all = Pieces::new();
        let mut piece = vec![0; PIECE];
        let mut done = 0;
        for (path, name) in self.files.iter().zip(&self.names) {
            let mut file = match File::open(path) {
                Ok(file) => file,
                Err(error) => return Ok(Err(error)),
            };
            all.add(Pieces::sum(name.as_bytes()));
            loop {
                let progress = Progress { stage: "comparing", done, total: self.bytes };
                job.step(progress)?;
                let filled = match fill(&mut file, &mut piece) {
                    Ok(filled) => filled,
                    Err(error) => return Ok(Err(error)),
                };
                all.add(Pieces::sum(&piece[..filled]));
                done += filled as u64;
                if filled < piece.len() {
                    break;
                }
            }
        }
        Ok(Ok(all.finish(done)))
    }
}

/// Reads until `piece` is full or the file ends.
fn fill(file: &mut File, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Adds what is looked at of `file`, which has `length` bytes.
fn look(file: &mut File, length: u64, glance: &mut Vec<u8>) -> io::Result<()> {
    if length <= 2 * END + STRETCHES * STRETCH {
        file.read_to_end(glance)?;
        return Ok(());
    }
    let mut at = |from: u64, bytes: u64, glance: &mut Vec<u8>| {
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(bytes).read_to_end(glance)
    };
    at(0, END, glance)?;
    let between = length - 2 * END;
    for stretch in 0..STRETCHES {
        at(END + between / STRETCHES * stretch, STRETCH, glance)?;
    }
    at(length - END, END, glance)?;
    Ok(())
}

/// Adds the times, and which file it is, as far as the system says.
fn push_times(stamp: &mut Vec<u8>, metadata: &Metadata) {
    let nanos = |time: io::Result<std::time::SystemTime>| {
        let since = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.map_or(0, |since| since.as_nanos())
    };
    stamp.extend_from_slice(&nanos(metadata.modified()).to_le_bytes());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let numbers = [metadata.ctime(), metadata.ctime_nsec()];
        for number in numbers {
            stamp.extend_from_slice(&number.to_le_bytes());
        }
        for number in [metadata.ino(), metadata.dev()] {
            stamp.extend_from_slice(&number.to_le_bytes());
        }
    }
    #[cfg(not(unix))]
    stamp.extend_from_slice(&nanos(metadata.created()).to_le_bytes());
}
