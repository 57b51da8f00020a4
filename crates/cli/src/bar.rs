//! The progress bar on standard error.

use session::{Job, Progress};
use std::io::{Write, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cells of the bar.
const WIDTH: u64 = 30;
/// The eye sees no more.
const BETWEEN: Duration = Duration::from_millis(50);

/// A progress bar on standard error, or none.
#[derive(Debug, Clone)]
pub struct Bar(Option<Arc<Mutex<Drawn>>>);

#[derive(Debug, Default)]
struct Drawn {
    at: Option<Instant>,
}

impl Bar {
    /// A bar for a person at a terminal.
    pub fn shown() -> Self {
        Self(Some(Arc::default()))
    }

    /// No bar.
    pub fn hidden() -> Self {
        Self(None)
    }

    /// A job whose progress this bar shows.
    pub(crate) fn job(&self) -> Job {
        match self.clone() {
            Self(None) => Job::unwatched(),
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
        let drawn = self.0.as_ref()?;
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
