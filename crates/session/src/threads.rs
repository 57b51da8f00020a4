//! The Python threads of an open recording, and what is drawn of them.

use crate::Session;
use crate::call_name::{CallName, stable_key};
use crate::slice_search::{Found, Search, Searches};
use index::SliceIndex;
use job::{Cancelled, Job};
use layout::{Flame, FlameViewport};
use model::{Recording, Slices, StringId, TraceThread};
use std::sync::{Arc, OnceLock};

/// What is kept of the threads beside their columns.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// One a thread, each when first asked for.
    indexes: Vec<OnceLock<SliceIndex>>,
    pub(crate) searches: Searches,
}

impl Threads {
    pub(crate) fn new(recording: &Recording) -> Self {
        let indexes = traced(recording).iter().map(|_| OnceLock::new()).collect();
        Self { indexes, searches: Searches::default() }
    }
}

/// What a thread has in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadSummary {
    /// Process id.
    pub process: i64,
    /// Thread id.
    pub thread: i64,
    /// How many calls.
    pub calls: u32,
    /// How many depths of calls.
    pub depths: u32,
    /// The first call's start.
    pub from_ns: i64,
    /// The last call's end.
    pub to_ns: i64,
    /// Calls that had not ended when tracing stopped.
    pub open: u32,
    /// Calls whose start is not in the file.
    pub without_start: u32,
}

impl Session {
    /// The Python threads that were traced, as [`model::Dump::threads`] orders them.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = OnThread<'_>> {
        let all = traced(self.recording()).iter().enumerate();
        all.map(|(row, thread)| OnThread { session: self, row, thread })
    }

    /// The thread in `row` of [`Session::threads`].
    pub fn thread(&self, row: usize) -> Option<OnThread<'_>> {
        self.threads().nth(row)
    }
}

fn traced(recording: &Recording) -> &[TraceThread] {
    recording.dump.as_ref().map_or(&[], |dump| &dump.threads)
}

/// One Python thread of an open recording, to be asked.
#[derive(Debug, Clone, Copy)]
pub struct OnThread<'a> {
    pub(crate) session: &'a Session,
    row: usize,
    thread: &'a TraceThread,
}

impl<'a> OnThread<'a> {
    /// Its row in [`Session::threads`].
    pub fn row(self) -> usize {
        self.row
    }

    /// Process id.
    pub fn process(self) -> i64 {
        self.thread.process
    }

    /// Thread id.
    pub fn thread(self) -> i64 {
        self.thread.thread
    }

    /// Its calls.
    pub fn slices(self) -> &'a Slices {
        &self.thread.slices
    }

    /// Its numbers.
    pub fn summary(self) -> ThreadSummary {
        let slices = self.slices();
        let flagged = |flag: u8| slices.flags.iter().filter(|flags| **flags & flag != 0).count();
        ThreadSummary {
            process: self.process(),
            thread: self.thread(),
            calls: slices.len(),
            depths: slices.depth.iter().max().map_or(0, |deepest| u32::from(*deepest) + 1),
            from_ns: slices.start_ns.iter().copied().min().unwrap_or(0),
            to_ns: slices.end_ns.iter().copied().max().unwrap_or(0),
            open: flagged(Slices::OPEN) as u32,
            without_start: flagged(Slices::NO_START) as u32,
        }
    }

    /// Its calls by depth and by name; made when first asked for.
    pub(crate) fn index(self, job: &Job) -> Result<&'a SliceIndex, Cancelled> {
        let kept = &self.session.kept_threads().indexes[self.row];
        if let Some(index) = kept.get() {
            return Ok(index);
        }
        let made = SliceIndex::new(self.slices(), job)?;
        Ok(kept.get_or_init(|| made))
    }

    /// What to draw of it. With a search, calls that it finds are counted as hits.
    pub fn flame(
        self,
        viewport: &FlameViewport,
        search: Option<&Search>,
        job: &Job,
    ) -> Result<Flame, Cancelled> {
        let found: Option<Arc<Found>> = search.map(|search| self.found(search, job)).transpose()?;
        let hits = found.as_ref().map(|found| &found.hits);
        layout::flame(self.slices(), self.index(job)?, hits, viewport, job)
    }

    /// The name of call `slice`, as written.
    pub fn name(self, slice: u32) -> &'a str {
        self.text(self.slices().name[slice as usize])
    }

    /// The parts of that.
    pub fn call_name(self, slice: u32) -> CallName<'a> {
        CallName::new(self.name(slice))
    }

    /// A number that is the same for the same name in every recording: the colour's key.
    pub fn key(self, slice: u32) -> u32 {
        stable_key(self.name(slice))
    }

    pub(crate) fn text(self, name: u32) -> &'a str {
        self.session.recording().text(StringId(name))
    }

    /// The call running at `time_ns` at `depth`.
    pub fn slice_at(self, depth: u32, time_ns: i64, job: &Job) -> Result<Option<u32>, Cancelled> {
        Ok(self.index(job)?.at(self.slices(), depth, time_ns))
    }
}
