//! Where a thread's time went, as an answer.

use crate::flame::{hit_of, search_of, thread, thread_of};
use crate::{Micros, Number, SliceHit, SliceSearch, Thread, WireError};
use serde::{Deserialize, Serialize};
use session::{Job, Session};
use specta::Type;

/// One thread in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ThreadReport {
    /// The thread.
    pub thread: Thread,
    /// Distinct names.
    pub names: u32,
    /// Names with their calls, the one with the most time first; as many as were asked for.
    pub functions: Vec<FunctionTotal>,
    /// What the search found, when there was one.
    pub search: Option<SearchReport>,
}

/// What all calls of one name add up to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FunctionTotal {
    /// The name, as written.
    pub name: String,
    /// How many calls.
    pub calls: u32,
    /// Time in them and in what they called; a call within another of the same name counts once.
    #[specta(type = Number)]
    pub total_us: Micros,
    /// Time in them alone.
    #[specta(type = Number)]
    pub self_us: Micros,
    /// The longest of them.
    pub longest: u32,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SearchReport {
    /// Calls found.
    pub total: u32,
    /// Calls each term found, in the order asked.
    pub by_term: Vec<u32>,
    /// The calls, by start; as many as were asked for.
    pub hits: Vec<SliceHit>,
}

/// The thread in row `row` in numbers, with at most `top` functions and hits.
pub fn thread_report(
    session: &Session,
    row: u32,
    top: usize,
    search: Option<&SliceSearch>,
    job: &Job,
) -> Result<ThreadReport, WireError> {
    let thread = thread(session, row)?;
    let functions = thread.functions(job)?;
    let total = |total: &session::FunctionTotal<'_>| FunctionTotal {
        name: total.name.to_owned(),
        calls: total.calls,
        total_us: Micros(total.total_ns),
        self_us: Micros(total.self_ns),
        longest: total.longest,
    };
    let search = search.map(|search| thread.found(&search_of(search), job)).transpose()?;
    let search = search.map(|found| {
        let count = found.hits.rows().len();
        SearchReport {
            total: count as u32,
            by_term: found.by_term.clone(),
            hits: (0..count.min(top)).map(|ordinal| hit_of(thread, &found, ordinal)).collect(),
        }
    });
    Ok(ThreadReport {
        thread: thread_of(thread),
        names: functions.len() as u32,
        functions: functions.iter().take(top).map(total).collect(),
        search,
    })
}
