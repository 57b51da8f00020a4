//! The command that looks for what a person types, and stops looking once they type on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use session::Job;
use tauri::State;
use wire::{FindAnswer, FindQuestion, WireError};

use crate::commands::aside;
use crate::sessions::Sessions;

/// The search under way in each recording: the next one there stops it.
#[derive(Default)]
pub(crate) struct Searches(Mutex<BTreeMap<u32, Job>>);

impl Searches {
    /// Stops the search in `session`; returns the job of the one that takes its place.
    fn begin(&self, session: u32) -> Job {
        let job = Job::unwatched();
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = jobs.insert(session, job.clone()) {
            before.cancel();
        }
        job
    }

    /// Stops the search in `session`.
    pub(crate) fn stop(&self, session: u32) {
        let stopped = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&session);
        if let Some(job) = stopped {
            job.cancel();
        }
    }
}

/// What a text leads to. The search before in the same recording is cancelled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn find(
    question: FindQuestion,
    sessions: State<'_, Arc<Sessions>>,
    searches: State<'_, Arc<Searches>>,
) -> Result<FindAnswer, WireError> {
    let session = sessions.get(question.session)?;
    let job = searches.begin(question.session);
    aside("find", move || wire::find(&session, &question, &job)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_stops_the_one_before_in_its_recording_only() {
        let searches = Searches::default();
        let jobs = [1, 2, 1].map(|session| searches.begin(session));
        assert_eq!(jobs.each_ref().map(Job::is_cancelled), [true, false, false]);
        searches.stop(1);
        assert_eq!(jobs.each_ref().map(Job::is_cancelled), [true, false, true]);
    }
}
