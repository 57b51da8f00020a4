//! Calls by their names.

use crate::{CallName, OnThread};
use index::SliceHits;
use job::{Cancelled, Job};
use std::sync::{Arc, Mutex, PoisonError};

/// How many searches are remembered.
const KEPT: usize = 8;

/// How a term has to fit a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It is anywhere in it, whatever the case.
    Within,
    /// It is the name as written, or its function.
    Exact,
}

/// Names looked for: those that fit any of the terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// What is looked for; an empty term finds nothing.
    pub terms: Vec<String>,
    /// How it has to fit.
    pub fit: Fit,
}

/// What a search found in a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The calls.
    pub hits: SliceHits,
    /// How many calls each term found.
    pub by_term: Vec<u32>,
}

/// Which of the hits is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The first that begins at this moment or later, nanoseconds.
    From(i64),
    /// The one after this call.
    After(u32),
    /// The one before this call.
    Before(u32),
}

/// The latest searches, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<Vec<Kept>>);

#[derive(Debug)]
struct Kept {
    thread: usize,
    search: Search,
    found: Arc<Found>,
}

impl Searches {
    fn get(&self, thread: usize, search: &Search) -> Option<Arc<Found>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = |kept: &&Kept| kept.thread == thread && kept.search == *search;
        kept.iter().find(own).map(|kept| Arc::clone(&kept.found))
    }

    fn put(&self, thread: usize, search: &Search, found: &Arc<Found>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Kept { thread, search: search.clone(), found: Arc::clone(found) });
    }
}

impl OnThread<'_> {
    /// What `search` finds. The latest answers are kept.
    pub fn found(self, search: &Search, job: &Job) -> Result<Arc<Found>, Cancelled> {
        let kept = &self.session.kept_threads().searches;
        if let Some(found) = kept.get(self.row(), search) {
            return Ok(found);
        }
        let found = Arc::new(self.find(search, job)?);
        kept.put(self.row(), search, &found);
        Ok(found)
    }

    /// Names are few: they are looked through first, and calls follow from them.
    fn find(self, search: &Search, job: &Job) -> Result<Found, Cancelled> {
        let index = self.index(job)?;
        let terms: Vec<Term<'_>> =
            search.terms.iter().map(|term| Term::new(term, search.fit)).collect();
        let mut by_term = vec![0; terms.len()];
        let mut names = Vec::new();
        for (at, name) in index.names().iter().enumerate() {
            if at.is_multiple_of(4096) {
                job.check()?;
            }
            let text = self.text(*name);
            let lower = match search.fit {
                Fit::Within => text.to_lowercase(),
                Fit::Exact => String::new(),
            };
            let calls = index.calls_of(at).len() as u32;
            let mut fits = false;
            for (count, term) in by_term.iter_mut().zip(&terms) {
                if term.fits(text, &lower) {
                    *count += calls;
                    fits = true;
                }
            }
            names.extend(fits.then_some(at));
        }
        Ok(Found { hits: SliceHits::of_names(self.slices(), index, &names), by_term })
    }

    /// The place among the hits of the one that `step` leads to; around the ends. `None` when
    /// nothing was found.
    pub fn hit(self, found: &Found, step: Step) -> Option<usize> {
        match step {
            Step::From(time_ns) => found.hits.from_moment(self.slices(), time_ns),
            Step::After(slice) => found.hits.after(slice),
            Step::Before(slice) => found.hits.before(slice),
        }
    }
}

enum Term<'a> {
    /// In lower case.
    Within(String),
    Exact(&'a str),
}

impl<'a> Term<'a> {
    fn new(term: &'a str, fit: Fit) -> Self {
        match fit {
            Fit::Within => Self::Within(term.to_lowercase()),
            Fit::Exact => Self::Exact(term),
        }
    }

    fn fits(&self, text: &str, lower: &str) -> bool {
        match self {
            Self::Within(term) => !term.is_empty() && lower.contains(term.as_str()),
            Self::Exact(term) => {
                !term.is_empty() && (text == *term || CallName::new(text).function == *term)
            }
        }
    }
}
