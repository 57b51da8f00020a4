//! `tidemark trace`: what ran in the Python threads of a dump.

use super::refusal;
use crate::arguments::Trace;
use crate::table::{Side, Table};
use crate::text::{counted, plain, span};
use crate::{Bar, Exit};
use anyhow::anyhow;
use session::{OnThread, Session};
use std::io::{self, Write};
use wire::{Fit, Micros, SearchReport, SliceSearch, ThreadReport};

/// Prints the threads of one dump.
pub(crate) fn run(arguments: &Trace, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let job = bar.job();
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let search = (!arguments.search.is_empty()).then(|| SliceSearch {
        terms: arguments.search.clone(),
        fit: if arguments.exact { Fit::Exact } else { Fit::Within },
    });
    let mut reports = Vec::new();
    for row in rows(&session, arguments.thread.as_deref())? {
        let search = search.as_ref();
        reports.push(wire::thread_report(&session, row, arguments.top, search, &job)?);
    }
    bar.clear();
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &reports)?;
        writeln!(out)?;
    } else {
        for report in &reports {
            print(report, &arguments.search, out)?;
        }
    }
    let found = |report: &ThreadReport| report.search.as_ref().is_none_or(|found| found.total > 0);
    Ok(if reports.iter().any(found) { Exit::Done } else { Exit::No })
}

/// Rows of the threads `asked` for; all when nobody says.
fn rows(session: &Session, asked: Option<&str>) -> anyhow::Result<Vec<u32>> {
    let rows = |threads: Vec<OnThread<'_>>| -> Vec<u32> {
        threads.into_iter().map(|thread| thread.row() as u32).collect()
    };
    if session.threads().len() == 0 {
        return Err(anyhow!("no Python thread was traced in this recording"));
    }
    let Some(asked) = asked else { return Ok(rows(session.threads().collect())) };
    let is_named =
        |thread: &OnThread<'_>| thread.thread().to_string() == asked || name(*thread) == asked;
    let named = rows(session.threads().filter(is_named).collect());
    if !named.is_empty() {
        return Ok(named);
    }
    let by_row = asked.parse().ok().and_then(|row| session.thread(row));
    by_row.map(|thread| rows(vec![thread])).ok_or_else(|| {
        let all: Vec<String> = session.threads().map(name).collect();
        anyhow!("no thread {asked}: the recording has {}", all.join(", "))
    })
}

/// `PROCESS/THREAD`.
fn name(thread: OnThread<'_>) -> String {
    format!("{}/{}", thread.process(), thread.thread())
}

fn print(report: &ThreadReport, terms: &[String], out: &mut dyn Write) -> io::Result<()> {
    let thread = &report.thread;
    writeln!(out, "process {} thread {}", thread.process, thread.thread)?;
    let (calls, names) = (counted(thread.calls, "call"), counted(report.names, "name"));
    let depths = counted(thread.depths, "depth");
    writeln!(out, "  {calls} of {names}, {depths}, {}", stretch(thread.from_us, thread.to_us))?;
    if thread.open > 0 {
        writeln!(out, "  {} still running when tracing stopped", counted(thread.open, "call"))?;
    }
    if thread.without_start > 0 {
        writeln!(out, "  {} without a start", counted(thread.without_start, "call"))?;
    }
    match &report.search {
        Some(found) => hits(found, terms, out),
        None => functions(report, out),
    }
}

fn functions(report: &ThreadReport, out: &mut dyn Write) -> io::Result<()> {
    if report.functions.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        ("total", Side::Right),
        ("self", Side::Right),
        ("calls", Side::Right),
        ("function", Side::Left),
    ]);
    for total in &report.functions {
        let (total_us, self_us) = (lasting(total.total_us), lasting(total.self_us));
        table.row([total_us, self_us, total.calls.to_string(), plain(&total.name)]);
    }
    write!(out, "\n{}", table.lines("  "))?;
    let more = report.names as usize - report.functions.len();
    if more > 0 {
        writeln!(out, "  and {}", counted(more as u64, "more name"))?;
    }
    Ok(())
}

fn hits(found: &SearchReport, terms: &[String], out: &mut dyn Write) -> io::Result<()> {
    for (term, count) in terms.iter().zip(&found.by_term) {
        writeln!(out, "  {:?}: {}", term, counted(*count, "call"))?;
    }
    if found.hits.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        ("start", Side::Right),
        ("duration", Side::Right),
        ("depth", Side::Right),
        ("function", Side::Left),
    ]);
    for hit in &found.hits {
        let duration = Micros(hit.end_us.0 - hit.start_us.0);
        let (start, duration) = (lasting(hit.start_us), lasting(duration));
        table.row([start, duration, hit.depth.to_string(), plain(&hit.name)]);
    }
    write!(out, "\n{}", table.lines("  "))?;
    let more = found.total as usize - found.hits.len();
    if more > 0 {
        writeln!(out, "  and {}", counted(more as u64, "later call"))?;
    }
    Ok(())
}

fn stretch(from: Micros, to: Micros) -> String {
    format!("from {} to {}", lasting(from), lasting(to))
}

/// Below a microsecond in nanoseconds: short calls are not nothing.
fn lasting(time: Micros) -> String {
    match time.0 {
        nanoseconds @ -999..1_000 => format!("{nanoseconds} ns"),
        nanoseconds => {
            let words = span((nanoseconds / 1_000).unsigned_abs());
            if nanoseconds < 0 { format!("-{words}") } else { words }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::{FunctionTotal, SliceHit, Thread};

    fn report(search: Option<SearchReport>) -> ThreadReport {
        let total = |name: &str, calls, total, own| FunctionTotal {
            name: name.to_owned(),
            calls,
            total_us: Micros(total),
            self_us: Micros(own),
            longest: 0,
        };
        ThreadReport {
            thread: Thread {
                process: 7,
                thread: 9,
                calls: 4,
                depths: 2,
                from_us: Micros(0),
                to_us: Micros(3_000_000),
                open: 1,
                without_start: 0,
            },
            names: 3,
            functions: vec![
                total("train.py(3): step", 1, 3_000_000, 900),
                total("<built-in>", 3, 500, 500),
            ],
            search,
        }
    }

    fn printed(report: &ThreadReport, terms: &[&str]) -> String {
        let mut out = Vec::new();
        let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
        print(report, &terms, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_thread_is_told_with_where_its_time_went() {
        let expected = "\
process 7 thread 9
  4 calls of 3 names, 2 depths, from 0 ns to 3.000 ms
  1 call still running when tracing stopped

     total    self  calls  function
  3.000 ms  900 ns      1  train.py(3): step
    500 ns  500 ns      3  <built-in>
  and 1 more name
";
        assert_eq!(printed(&report(None), &[]), expected);
    }

    #[test]
    fn a_search_is_told_with_its_first_hits() {
        let hit = SliceHit {
            ordinal: 0,
            slice: 2,
            name: "train.py(3): step".to_owned(),
            start_us: Micros(20_000),
            end_us: Micros(70_000),
            depth: 1,
        };
        let found = SearchReport { total: 2, by_term: vec![2, 0], hits: vec![hit] };
        let text = printed(&report(Some(found)), &["step", "no"]);
        assert!(text.contains("  \"step\": 2 calls\n  \"no\": 0 calls\n"), "{text}");
        assert!(text.contains("  20 µs     50 µs      1  train.py(3): step\n"), "{text}");
        assert!(text.ends_with("  and 1 later call\n"), "{text}");
    }
}
