//! Opening a recording again from an index on disk, and writing that.

use crate::open::{Indexed, Opening};
use crate::summary::{DeviceSummary, PoolUse};
use crate::{Amount, OnDevice, Peak, Session};
use ingest::ImportError;
use job::{Cancelled, Job, Progress};
use model::{Action, Pool, State};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use store::{FactReader, Facts, Kept, Source, Store, WriteError};

/// Smaller files are read about as fast as an index is.
const WORTH_BYTES: u64 = 1 << 20;

impl Session {
    /// Opens the recording at `path` from its index in `store`, or reads and indexes it.
    ///
    /// Trouble with the store is nobody's business: then the file is read.
    pub fn open_with(path: &Path, store: &Store, job: &Job) -> Result<Self, ImportError> {
        let begun = Instant::now();
        let Some(source) = source(path, job)? else { return Self::open(path, job) };
        job.step(Progress { stage: "opening again", done: 0, total: 0 })?;
        if let Some(kept) = store.read(path, &source, job)?
            && let Some(mut session) = Self::of_kept(path, kept, begun)
        {
            session.opened_in = begun.elapsed();
            return Ok(session);
        }
        let mut session = Self::open(path, job)?;
        session.opening = Opening::Noted(path.to_owned(), source);
        session.opened_in = begun.elapsed();
        Ok(session)
    }

    /// Writes an index of this recording to `store`, so that it opens again without being read.
    ///
    /// `Ok(None)` when there is nothing to write: it was opened from one, or is as fast to read.
    /// Otherwise the index's bytes.
    pub fn save_index(&self, store: &Store, job: &Job) -> Result<Option<u64>, WriteError> {
        let Opening::Noted(path, source) = &self.opening else { return Ok(None) };
        if source.bytes() < WORTH_BYTES {
            return Ok(None);
        }
        self.write_index(store, (path, source), job).map(Some)
    }

    /// Writes an index of this recording, which was read from `source` at `path`.
    pub(crate) fn write_index(
        &self,
        store: &Store,
        source: (&Path, &Source),
        job: &Job,
    ) -> Result<u64, WriteError> {
        let mut facts = Facts::default();
        for device in self.devices() {
            job.check()?;
            put_summary(&mut facts, device.summary());
        }
        let indexes: Vec<_> = self.devices().map(OnDevice::index).collect();
        store.write(source, (self.recording(), &indexes), &facts, job)
    }

    fn of_kept(path: &Path, kept: Kept, begun: Instant) -> Option<Self> {
        let Kept { mut recording, indexes, facts } = kept;
        let mut facts = FactReader::new(&facts);
        let mut devices = Vec::with_capacity(indexes.len());
        for (index, table) in indexes.into_iter().zip(&recording.devices) {
            let indexed = Indexed::new(index);
            let summary = summary(&mut facts)?;
            if !states(&summary).all(|state| state.0 <= table.events.len()) {
                return None;
            }
            indexed.summary.set(summary).ok()?;
            devices.push(indexed);
        }
        // What is the same may be called otherwise now.
        let name = path.file_name().unwrap_or(path.as_os_str());
        recording.source.name = name.to_string_lossy().into_owned();
        let mut session = Self::of_parts(Arc::new(recording), devices, begun);
        session.opening = Opening::Again;
        Some(session)
    }
}

/// What is read at `path`, as it is now; `None` when that cannot be told.
pub(crate) fn source(path: &Path, job: &Job) -> Result<Option<Source>, Cancelled> {
    match ingest::sources(path, job) {
        Ok(files) => Ok(Source::of(path, files).ok()),
        Err(ImportError::Cancelled(cancelled)) => Err(cancelled),
        Err(_) => Ok(None),
    }
}

fn put_summary(to: &mut Facts, summary: &DeviceSummary) {
    to.put(summary.actions.len() as u64);
    for (action, count) in &summary.actions {
        to.put(action.code().into());
        to.put(u64::from(*count));
    }
    to.put(summary.blocks_before.into());
    to.put(summary.blocks_ghost.into());
    for peak in &summary.peak {
        put_peak(to, peak);
    }
    put_peak(to, &summary.peak_requested);
    for total in summary.start.iter().chain(&summary.end) {
        to.put(*total);
    }
    for Amount { count, requested, size } in [summary.start_live, summary.end_active] {
        to.put(count.into());
        to.put(requested);
        to.put(size);
    }
    to.put(summary.pools.len() as u64);
    for pool in &summary.pools {
        to.put_some(pool.pool.map(|pool| pool.0 as u64));
        to.put_some(pool.pool.map(|pool| pool.1 as u64));
        to.put(pool.stream);
        to.put(pool.segments.into());
        to.put(pool.reserved);
        to.put(pool.active);
        put_peak(to, &pool.peak_reserved);
        put_peak(to, &pool.peak_active);
    }
    to.put(summary.annotations.into());
    to.put(summary.steps.into());
    to.put(summary.events_without_stack.into());
}

/// Every moment that it names.
fn states(summary: &DeviceSummary) -> impl Iterator<Item = State> {
    let pools = summary.pools.iter().flat_map(|pool| [&pool.peak_reserved, &pool.peak_active]);
    let peaks = summary.peak.iter().chain([&summary.peak_requested]);
    peaks.chain(pools).map(|peak| peak.at)
}

fn put_peak(to: &mut Facts, peak: &Peak) {
    to.put(peak.bytes);
    to.put(peak.at.0.into());
    to.put_some(peak.time_ns.map(|time| time as u64));
}

/// What [`put_summary`] put.
fn summary(from: &mut FactReader<'_>) -> Option<DeviceSummary> {
    let action =
        |from: &mut FactReader<'_>| Some((Action::from_code(from.take_as()?), from.take_as()?));
    Some(DeviceSummary {
        actions: from.take_list(action)?,
        blocks_before: from.take_as()?,
        blocks_ghost: from.take_as()?,
        peak: [peak(from)?, peak(from)?, peak(from)?],
        peak_requested: peak(from)?,
        start: [from.take()?, from.take()?, from.take()?],
        end: [from.take()?, from.take()?, from.take()?],
        start_live: amount(from)?,
        end_active: amount(from)?,
        pools: from.take_list(pool)?,
        annotations: from.take_as()?,
        steps: from.take_as()?,
        events_without_stack: from.take_as()?,
    })
}

fn peak(from: &mut FactReader<'_>) -> Option<Peak> {
    Some(Peak {
        bytes: from.take()?,
        at: State(from.take_as()?),
        time_ns: from.take_some()?.map(|time| time as i64),
    })
}

fn amount(from: &mut FactReader<'_>) -> Option<Amount> {
    Some(Amount { count: from.take_as()?, requested: from.take()?, size: from.take()? })
}

fn pool(from: &mut FactReader<'_>) -> Option<PoolUse> {
    let (first, second) = (from.take_some()?, from.take_some()?);
    Some(PoolUse {
        pool: first.zip(second).map(|(first, second)| Pool(first as i64, second as i64)),
        stream: from.take()?,
        segments: from.take_as()?,
        reserved: from.take()?,
        active: from.take()?,
        peak_reserved: peak(from)?,
        peak_active: peak(from)?,
    })
}
