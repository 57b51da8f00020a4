//! The open recording.

use crate::OnDevice;
use crate::frames::FrameKinds;
use crate::summary::DeviceSummary;
use crate::threads::Threads;
use ::table::{BlockNumbers, DeviceRows, DumpTexts, StackTexts, Steps, Thresholds};
use index::{DeviceIndex, PoolCurves};
use ingest::ImportError;
use job::{Cancelled, Job, Progress};
use layout::{Lanes, Lit};
use model::Recording;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use store::Source;

/// One open recording with its indexes; immutable, so any number of threads may ask at once.
#[derive(Debug)]
pub struct Session {
    recording: Arc<Recording>,
    /// One a device of the recording.
    devices: Vec<Indexed>,
    /// Who wrote each frame; not needed until a stack is shown.
    frames: OnceLock<FrameKinds>,
    /// What the stacks say; not needed until a table is shown.
    texts: OnceLock<StackTexts>,
    /// The same of a dump's other texts.
    dump_texts: OnceLock<DumpTexts>,
    threads: Threads,
    pub(crate) opened_in: Duration,
    pub(crate) opening: Opening,
}

/// Where a session comes from.
#[derive(Debug)]
pub(crate) enum Opening {
    /// The person's files, and nothing was noted of them.
    Read,
    /// The same, as they were when they were read.
    Noted(PathBuf, Source),
    /// An index on disk.
    Again,
}

/// What is kept of one device beside its columns.
#[derive(Debug)]
pub(crate) struct Indexed {
    pub(crate) index: DeviceIndex,
    /// Computed when first asked for.
    pub(crate) summary: OnceLock<DeviceSummary>,
    /// Lanes of the address map, each when first asked for.
    pub(crate) by_address: OnceLock<Lanes>,
    pub(crate) by_size: OnceLock<Lanes>,
    /// Each pool over time, when first asked for.
    pub(crate) curves: OnceLock<PoolCurves>,
    /// The profiler's steps, when first asked for.
    pub(crate) steps: OnceLock<Steps>,
    /// What people know its blocks by, when first asked for.
    pub(crate) numbers: OnceLock<BlockNumbers>,
    /// The rows of the dump about its device, when first asked for.
    pub(crate) device_rows: OnceLock<DeviceRows>,
    /// The blocks that were inefficient by the thresholds asked for last.
    pub(crate) inefficient: Mutex<Option<(Thresholds, Lit)>>,
}

impl Indexed {
    pub(crate) fn new(index: DeviceIndex) -> Self {
        Self {
            index,
            summary: OnceLock::new(),
            by_address: OnceLock::new(),
            by_size: OnceLock::new(),
            curves: OnceLock::new(),
            steps: OnceLock::new(),
            numbers: OnceLock::new(),
            device_rows: OnceLock::new(),
            inefficient: Mutex::new(None),
        }
    }
}

impl Session {
    /// Reads and indexes the file at `path`.
    pub fn open(path: &Path, job: &Job) -> Result<Self, ImportError> {
        let begun = Instant::now();
        let recording = ingest::open(path, job)?;
        let mut session = Self::new(recording, job)?;
        session.opened_in = begun.elapsed();
        Ok(session)
    }

    /// Indexes `recording`; with several devices, side by side.
    pub fn new(recording: impl Into<Arc<Recording>>, job: &Job) -> Result<Self, Cancelled> {
        let begun = Instant::now();
        let recording = recording.into();
        let total = recording.devices.len() as u64;
        job.step(Progress { stage: "indexing", done: 0, total })?;
        let indexed = |table| DeviceIndex::new(table, job).map(Indexed::new);
        let devices = match recording.devices.as_slice() {
            [only] => vec![indexed(only)?],
            several => several.par_iter().map(indexed).collect::<Result<_, _>>()?,
        };
        job.step(Progress { stage: "indexing", done: total, total })?;
        Ok(Self::of_parts(recording, devices, begun))
    }

    /// A session that is open since `begun`.
    pub(crate) fn of_parts(
        recording: Arc<Recording>,
        devices: Vec<Indexed>,
        begun: Instant,
    ) -> Self {
        let (frames, texts, dump_texts) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let threads = Threads::new(&recording);
        let opened_in = begun.elapsed();
        let opening = Opening::Read;
        Self { recording, devices, frames, texts, dump_texts, threads, opened_in, opening }
    }

    /// The recording itself.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// How long it took to open.
    pub fn opened_in(&self) -> Duration {
        self.opened_in
    }

    /// Whether it was opened from an index instead of being read.
    pub fn is_reopened(&self) -> bool {
        matches!(self.opening, Opening::Again)
    }

    /// The device in `row` of the recording, to be asked; `None` when there is no such row.
    pub fn device(&self, row: usize) -> Option<OnDevice<'_>> {
        let indexed = self.devices.get(row)?;
        Some(OnDevice::new(self, row, indexed))
    }

    /// All devices, as the file orders them.
    pub fn devices(&self) -> impl ExactSizeIterator<Item = OnDevice<'_>> {
        self.devices.iter().enumerate().map(|(row, indexed)| OnDevice::new(self, row, indexed))
    }

    /// Where [`Session::stack_texts`] keeps them.
    pub(crate) fn kept_texts(&self) -> &OnceLock<StackTexts> {
        &self.texts
    }

    /// Where [`Session::dump_texts`] keeps them.
    pub(crate) fn kept_dump_texts(&self) -> &OnceLock<DumpTexts> {
        &self.dump_texts
    }

    /// What is kept of the Python threads.
    pub(crate) fn kept_threads(&self) -> &Threads {
        &self.threads
    }

    /// Who wrote each frame.
    pub(crate) fn frame_kinds(&self) -> &FrameKinds {
        self.frames.get_or_init(|| FrameKinds::new(&self.recording))
    }
}
