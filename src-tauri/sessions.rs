//! What the shell holds: open sessions by id, and running jobs by the request that started them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{Job, Session};
use wire::{ErrorCode, WireError};

/// Open sessions and running jobs.
///
/// The lock is held for a look into the maps and never during work.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Maps>);

#[derive(Default)]
struct Maps {
    last: u32,
    sessions: BTreeMap<u32, Arc<Session>>,
    /// The files they are of.
    paths: BTreeMap<u32, PathBuf>,
    jobs: BTreeMap<u32, Job>,
}

impl Sessions {
    /// Keeps `session`, which was read from `path`, open; returns its id in every further question.
    pub(crate) fn add(&self, session: Arc<Session>, path: PathBuf) -> u32 {
        let mut maps = self.maps();
        maps.last += 1;
        let id = maps.last;
        maps.sessions.insert(id, session);
        maps.paths.insert(id, path);
        id
    }

    /// The open session `id`.
    pub(crate) fn get(&self, id: u32) -> Result<Arc<Session>, WireError> {
        self.maps().sessions.get(&id).cloned().ok_or_else(|| WireError {
            code: ErrorCode::Closed,
            message: "this recording is no longer open".to_owned(),
        })
    }

    /// Closes session `id`; questions under way keep it until they are answered.
    pub(crate) fn close(&self, id: u32) {
        let mut maps = self.maps();
        let closed = maps.sessions.remove(&id);
        maps.paths.remove(&id);
        drop(maps);
        // Unmapping a large recording takes a while: not under the lock.
        drop(closed);
    }

    /// Whether an open session was read from `path`, by whatever name: nothing may be written there.
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        let sources: Vec<PathBuf> = self.maps().paths.values().cloned().collect();
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = real(path);
        sources.iter().any(|source| real(source) == path)
    }

    /// Does `work` as `request`, which [`Self::cancel`] can stop as long as it runs.
    pub(crate) fn run<T>(&self, request: u32, job: &Job, work: impl FnOnce(&Job) -> T) -> T {
        self.maps().jobs.insert(request, job.clone());
        let _running = Running { sessions: self, request };
        work(job)
    }

    /// Asks the work started as `request` to stop; nothing happens when it is over already.
    pub(crate) fn cancel(&self, request: u32) {
        if let Some(job) = self.maps().jobs.get(&request) {
            job.cancel();
        }
    }

    fn maps(&self) -> MutexGuard<'_, Maps> {
        // A look into the maps cannot leave them half changed, so a panic elsewhere changes nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the job off the list, also when the work panics.
struct Running<'a> {
    sessions: &'a Sessions,
    request: u32,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.sessions.maps().jobs.remove(&self.request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_request_can_be_cancelled_as_long_as_it_runs() {
        let sessions = Sessions::default();
        let job = Job::unwatched();
        sessions.cancel(7);
        assert!(!job.is_cancelled());
        let seen = sessions.run(7, &job, |job| {
            sessions.cancel(8);
            let before = job.is_cancelled();
            sessions.cancel(7);
            (before, job.is_cancelled())
        });
        assert_eq!(seen, (false, true));
    }

    #[test]
    fn work_that_panics_leaves_no_job_behind() {
        let sessions = Sessions::default();
        let job = Job::unwatched();
        let result = catch_unwind(AssertUnwindSafe(|| sessions.run(1, &job, |_| panic!("wrong"))));
        assert!(result.is_err());
        assert!(sessions.maps().jobs.is_empty());
    }

    #[test]
    fn what_was_opened_is_known_by_other_names_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.pickle");
        fs::write(&path, "").unwrap();
        let sessions = Sessions::default();
        sessions.maps().paths.insert(1, path.clone());
        assert!(sessions.is_source(&folder.path().join(".").join("one.pickle")));
        assert!(!sessions.is_source(&folder.path().join("other.csv")));
        sessions.close(1);
        assert!(!sessions.is_source(&path));
    }

    #[test]
    fn a_question_to_a_closed_recording_says_so() {
        let refused = Sessions::default().get(3).err().map(|error| error.code);
        assert_eq!(refused, Some(ErrorCode::Closed));
    }
}
