//! What the shell holds: open sessions by id, and running jobs by the request that started them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{Job, Session};
use wire::{ErrorCode, WireError};

use crate::origin::Origin;

/// What a window asked for: its label, and the number the page in it gave.
pub(crate) type Request = (String, u32);

/// Open sessions and running jobs.
///
/// The lock is held for a look into the maps and never during work.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Maps>);

#[derive(Default)]
struct Maps {
    last: u32,
    sessions: BTreeMap<u32, Held>,
    jobs: BTreeMap<Request, Job>,
}

/// An open recording.
struct Held {
    session: Arc<Session>,
    origin: Origin,
    /// The label of the window it is shown in.
    window: String,
}

impl Sessions {
    /// Keeps `session`, which was read from `origin`, open for `window`; returns its id in every
    /// further question.
    pub(crate) fn add(&self, session: Arc<Session>, origin: Origin, window: &str) -> u32 {
        let mut maps = self.maps();
        maps.last += 1;
        let id = maps.last;
        maps.sessions.insert(id, Held { session, origin, window: window.to_owned() });
        id
    }

    /// The open session `id`.
    pub(crate) fn get(&self, id: u32) -> Result<Arc<Session>, WireError> {
        let maps = self.maps();
        let held = maps.sessions.get(&id).map(|held| Arc::clone(&held.session));
        held.ok_or_else(closed)
    }

    /// Every open session with its id.
    pub(crate) fn all(&self) -> Vec<(u32, Arc<Session>)> {
        let maps = self.maps();
        maps.sessions.iter().map(|(id, held)| (*id, Arc::clone(&held.session))).collect()
    }

    /// The file of session `id`, as it was when it was read.
    pub(crate) fn origin(&self, id: u32) -> Result<Origin, WireError> {
        self.maps().sessions.get(&id).map(|held| held.origin.clone()).ok_or_else(closed)
    }

    /// Closes session `id`; questions under way keep it until they are answered.
    pub(crate) fn close(&self, id: u32) {
        let closed = self.maps().sessions.remove(&id);
        // Unmapping a large recording takes a while: not under the lock.
        drop(closed);
    }

    /// Gives session `id` from window to window.
    pub(crate) fn give(&self, id: u32, from: &str, to: &str) -> Result<(), WireError> {
        let mut maps = self.maps();
        let held = maps.sessions.get_mut(&id).filter(|held| held.window == from);
        to.clone_into(&mut held.ok_or_else(closed)?.window);
        Ok(())
    }

    /// Closes the sessions of a window that is gone and stops its work; returns them to be dropped,
    /// which takes a while.
    pub(crate) fn close_window(&self, window: &str) -> Vec<(u32, Arc<Session>)> {
        let mut maps = self.maps();
        for (_, job) in maps.jobs.iter().filter(|((label, _), _)| label == window) {
            job.cancel();
        }
        let closed = maps.sessions.extract_if(.., |_, held| held.window == window);
        closed.map(|(id, held)| (id, held.session)).collect()
    }

    /// Whether an open session was read from `path`, by whatever name: nothing may be written there.
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        let maps = self.maps();
        let sources: Vec<PathBuf> =
            maps.sessions.values().map(|held| held.origin.path().to_owned()).collect();
        drop(maps);
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = real(path);
        sources.iter().any(|source| real(source) == path)
    }

    /// Does `work` as `request`, which [`Self::cancel`] can stop as long as it runs.
    pub(crate) fn run<T>(&self, request: Request, job: &Job, work: impl FnOnce(&Job) -> T) -> T {
        self.maps().jobs.insert(request.clone(), job.clone());
        let _running = Running { sessions: self, request };
        work(job)
    }

    /// Asks the work started as `request` to stop; nothing happens when it is over already.
    pub(crate) fn cancel(&self, request: &Request) {
        if let Some(job) = self.maps().jobs.get(request) {
            job.cancel();
        }
    }

    fn maps(&self) -> MutexGuard<'_, Maps> {
        // A look into the maps cannot leave them half changed, so a panic elsewhere changes nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn closed() -> WireError {
    WireError { code: ErrorCode::Closed, message: "this recording is no longer open".to_owned() }
}

/// Takes the job off the list, also when the work panics.
struct Running<'a> {
    sessions: &'a Sessions,
    request: Request,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.sessions.maps().jobs.remove(&self.request);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// The sample that ships with the app, opened.
    pub(crate) fn opened() -> Arc<Session> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.pickle.gz");
        Arc::new(Session::open(&file, &Job::unwatched()).unwrap())
    }

    #[test]
    fn closing_gives_back_the_recording() {
        let sessions = Sessions::default();
        let session = opened();
        let left = Arc::downgrade(&session);
        let id = sessions.add(session, Origin::of(Path::new("sample")), "main");
        assert!(left.upgrade().is_some());
        sessions.close(id);
        assert!(left.upgrade().is_none());
    }

    #[test]
    fn a_request_can_be_cancelled_as_long_as_it_runs() {
        let sessions = Sessions::default();
        let job = Job::unwatched();
        let request = |number| ("main".to_owned(), number);
        sessions.cancel(&request(7));
        assert!(!job.is_cancelled());
        let seen = sessions.run(request(7), &job, |job| {
            sessions.cancel(&request(8));
            sessions.cancel(&("w-1".to_owned(), 7));
            let before = job.is_cancelled();
            sessions.cancel(&request(7));
            (before, job.is_cancelled())
        });
        assert_eq!(seen, (false, true));
    }

    #[test]
    fn work_that_panics_leaves_no_job_behind() {
        let sessions = Sessions::default();
        let job = Job::unwatched();
        let request = ("main".to_owned(), 1);
        let work = || sessions.run(request, &job, |_| panic!("wrong"));
        let result = catch_unwind(AssertUnwindSafe(work));
        assert!(result.is_err());
        assert!(sessions.maps().jobs.is_empty());
    }

    #[test]
    fn what_was_opened_is_known_by_other_names_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.pickle");
        let sessions = Sessions::default();
        let id = sessions.add(opened(), Origin::of(&path), "main");
        assert!(sessions.is_source(&folder.path().join(".").join("one.pickle")));
        assert!(!sessions.is_source(&folder.path().join("other.csv")));
        sessions.close(id);
        assert!(!sessions.is_source(&path));
    }

    #[test]
    fn a_question_to_a_closed_recording_says_so() {
        let refused = Sessions::default().get(3).err().map(|error| error.code);
        assert_eq!(refused, Some(ErrorCode::Closed));
    }
}
