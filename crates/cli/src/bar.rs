//! The progress bar on standard error, and what is opened under it.

use crate::text::{exact, plain, span};
use session::{ImportError, Job, Progress, Session, Store};
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cells of the bar.
const WIDTH: u64 = 30;
/// The eye sees no more.
const BETWEEN: Duration = Duration::from_millis(50);

/// Bytes of all indexes together in a folder given by hand.
const CACHE_BYTES: u64 = 64 << 30;

/// A progress bar on standard error, or none.
#[derive(Debug, Clone)]
pub struct Bar {
    drawn: Option<Arc<Mutex<Drawn>>>,
    /// Indexes of recordings; none is read or written unless a person names a folder.
    cache: Option<Arc<Store>>,
    /// How recordings were opened, in words.
    told: Arc<Mutex<Vec<String>>>,
}

#[derive(Debug, Default)]
struct Drawn {
    at: Option<Instant>,
}

impl Bar {
    /// A bar for a person at a terminal.
    pub fn shown() -> Self {
        Self { drawn: Some(Arc::default()), cache: None, told: Arc::default() }
    }

    /// No bar.
    pub fn hidden() -> Self {
        Self { drawn: None, cache: None, told: Arc::default() }
    }

    /// The same bar over recordings that are opened from their indexes in `folder`.
    pub(crate) fn with_cache(&self, folder: Option<PathBuf>) -> Self {
        let cache = folder.map(|folder| Arc::new(Store::new(folder, CACHE_BYTES)));
        Self { drawn: self.drawn.clone(), cache, told: Arc::default() }
    }

    /// How the recordings were opened, a line each.
    pub(crate) fn told(&self) -> Vec<String> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens the recording at `path`; with a cache from its index there, which is written if there
    /// is none.
    pub(crate) fn open(&self, path: &Path) -> Result<Session, ImportError> {
        let job = self.job();
        let opened = match &self.cache {
            None => Session::open(path, &job),
            Some(store) => Session::open_with(path, store, &job),
        };
        if let Ok(session) = &opened {
            let line = format!("{}: {}", plain(&path.to_string_lossy()), self.keep(session, &job));
            self.told.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
        self.clear();
        opened
    }

    /// Writes the index where there is a cache and none in it; how `session` was opened, in words.
    fn keep(&self, session: &Session, job: &Job) -> String {
        let time = span(session.opened_in().as_micros() as u64);
        if session.is_reopened() {
            return format!("opened from its index in {time}");
        }
        let Some(store) = &self.cache else { return format!("read in {time}") };
        // Without an index the answer is the same.
        match session.save_index(store, job) {
            Ok(Some(bytes)) => format!("read in {time}; its index is written, {}", exact(bytes)),
            Ok(None) => format!("read in {time}; that is as fast as an index, none is written"),
            Err(error) => format!("read in {time}; {error}"),
        }
    }

    /// A job whose progress this bar shows.
    pub(crate) fn job(&self) -> Job {
        match self.clone() {
            Self { drawn: None, .. } => Job::unwatched(),
            bar => Job::new(move |now| bar.draw(now)),
        }
    }

    /// Takes the bar off the screen, so that what is printed next stands alone.
    pub(crate) fn clear(&self) {
        let Some(mut drawn) = self.lock() else { return };
        if drawn.at.take().is_some() {
            // A bar that cannot be drawn is no reason to stop.
            drop(write!(stderr(), "\r\x1b[K"));
        }
    }

    fn draw(&self, now: Progress) {
        let Some(mut drawn) = self.lock() else { return };
        if drawn.at.is_none_or(|at| at.elapsed() >= BETWEEN) {
            drawn.at = Some(Instant::now());
            drop(write!(stderr(), "\r\x1b[K{}", line(now)));
        }
    }

    fn lock(&self) -> Option<std::sync::MutexGuard<'_, Drawn>> {
        let drawn = self.drawn.as_ref()?;
        Some(drawn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// `reading     [#########.....................]  31 %`
fn line(Progress { stage, done, total }: Progress) -> String {
    if total == 0 {
        return format!("{stage}…");
    }
    let share =
        |whole: u64| (u128::from(done.min(total)) * u128::from(whole) / u128::from(total)) as usize;
    let full = share(WIDTH);
    let (full, empty) = ("#".repeat(full), ".".repeat(WIDTH as usize - full));
    format!("{stage:<12} [{full}{empty}] {:>3} %", share(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_and_never_overflows() {
        let at = |done, total| line(Progress { stage: "reading", done, total });
        assert_eq!(at(1, 3), "reading      [##########....................]  33 %");
        assert_eq!(at(9, 3), "reading      [##############################] 100 %");
        assert_eq!(at(u64::MAX, u64::MAX), at(1, 1));
        assert_eq!(at(5, 0), "reading…");
    }
}
