//! Progress and cancellation of long work.
//!
//! Knows nothing of threads, channels or windows: whoever starts the work picks the thread and
//! decides what to do with the progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The person stopped the work; an outcome, not a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// How far one stage has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Words for the person who waits.
    pub stage: &'static str,
    /// Units done.
    pub done: u64,
    /// Units in all; 0 when not known.
    pub total: u64,
}

struct Shared {
    cancelled: AtomicBool,
    report: Box<dyn Fn(Progress) + Send + Sync>,
}

/// A handle through which long work reports progress and is told to stop.
///
/// Clones share the same flag and the same listener.
#[derive(Clone)]
pub struct Job(Arc<Shared>);

impl Job {
    /// A job whose progress goes to `report`.
    pub fn new(report: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Shared { cancelled: AtomicBool::new(false), report: Box::new(report) }))
    }

    /// A job that nobody watches, for tests and for quick questions.
    pub fn unwatched() -> Self {
        Self::new(|_| {})
    }

    /// Asks the work to stop at its next [`Job::step`] or [`Job::check`].
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked the work to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Reports `progress`; fails once the job is cancelled. Called about every 10 ms of work.
    pub fn step(&self, progress: Progress) -> Result<(), Cancelled> {
        self.check()?;
        (self.0.report)(progress);
        Ok(())
    }

    /// Fails once the job is cancelled, reporting nothing.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn a_cancelled_job_fails_at_its_next_step_and_reports_nothing_more() {
        let seen = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&seen);
        let job = Job::new(move |now| {
            count.fetch_add(now.done, Ordering::Relaxed);
        });
        assert_eq!(job.step(Progress { stage: "reading", done: 3, total: 9 }), Ok(()));
        job.clone().cancel();
        assert_eq!(job.step(Progress { stage: "reading", done: 4, total: 9 }), Err(Cancelled));
        assert_eq!(seen.load(Ordering::Relaxed), 3);
    }
}
