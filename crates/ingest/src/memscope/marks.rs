//! What the program or the collector marked: ranges, steps, switches, failures.

use super::gather::Gathered;
use super::order::unquoted;
use super::words::{Meaning, Role};
use crate::Warnings;
use model::{Annotation, AnnotationKind, StringId, WarningKind};
use rustc_hash::FxHashMap;

/// What the collector calls the end of a range that has a number and no name.
const RANGE_END: &str = "Range end from id ";

/// How many open ranges are looked through for the start of one: more are not nested but lost.
const MOST_OPEN: usize = 4096;

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Stop,
}

/// A row that marks something.
#[derive(Debug, Clone, Copy)]
struct Mark {
    process: u16,
    thread: i64,
    device: i32,
    time_ns: i64,
    /// Row of the recording's texts, without quotes.
    name: u32,
    /// The number in a name such as "Range end from id 7".
    number: Option<u32>,
}

impl Mark {
    fn at(&self, kind: AnnotationKind) -> Annotation {
        Annotation {
            name: StringId(self.name),
            device: self.device,
            kind,
            start_ns: Some(self.time_ns),
            end_ns: Some(self.time_ns),
            depth: 0,
        }
    }
}

/// All annotations of a dump, sorted by start.
pub(super) fn annotations(
    gathered: &mut Gathered,
    meaning: &Meaning,
    warnings: &Warnings,
) -> Vec<Annotation> {
    let mut found = Vec::new();
    let mut ends = Vec::new();
    let mut steps: FxHashMap<(u16, i32), i64> = FxHashMap::default();
    for row in 0..gathered.rows.len() as usize {
        let role = meaning.role(gathered.rows.columns.event[row]);
        if !matches!(role, Role::Mark | Role::System | Role::Oom | Role::Snapshot) {
            continue;
        }
        let event_type = gathered.rows.words[usize::from(gathered.rows.columns.event_type[row])];
        let event_type = gathered.texts.text(event_type).to_owned();
        let mark = mark(gathered, meaning, row);
        match (role, event_type.as_str()) {
            (Role::Mark, "Range_start") => ends.push((mark, End::Start)),
            (Role::Mark, "Range_end") => ends.push((mark, End::Stop)),
            // A program says that a step is over: its beginning is the end of the one before it.
            (Role::Mark, "STEP") => {
                let before = steps.insert((mark.process, mark.device), mark.time_ns);
                let name = format!("step {}", gathered.texts.text(mark.name));
                let name = StringId(gathered.texts.row(name.as_bytes()));
                let start_ns = Some(before.unwrap_or(0));
                found.push(Annotation { name, start_ns, ..mark.at(AnnotationKind::Step) });
            }
            (Role::Mark, _) => found.push(mark.at(AnnotationKind::Range)),
            (Role::System, "START_TRACE" | "STOP_TRACE") => {
                let name = StringId(gathered.texts.row(event_type.as_bytes()));
                found.push(Annotation { name, ..mark.at(AnnotationKind::Switch) });
            }
            (Role::Oom, "OOM_TRIGGER") => found.push(mark.at(AnnotationKind::Oom)),
            (Role::Snapshot, _) => found.push(mark.at(AnnotationKind::Snapshot)),
            _ => {}
        }
    }
    found.extend(ranges(&ends, warnings));
    let from = |range: &Annotation| range.start_ns.or(range.end_ns);
    found.sort_by_key(|range| (from(range), std::cmp::Reverse(range.end_ns)));
    crate::torch::nest(&mut found);
    found
}

fn mark(gathered: &mut Gathered, meaning: &Meaning, row: usize) -> Mark {
    let columns = &gathered.rows.columns;
    let written = columns.name[row];
    let text = gathered.texts.text(written);
    let number = unquoted(text).strip_prefix(RANGE_END).and_then(|number| number.parse().ok());
    let plain = unquoted(text);
    let name = if plain.len() == text.len() {
        written
    } else {
        let plain = plain.to_owned();
        gathered.texts.row(plain.as_bytes())
    };
    let columns = &gathered.rows.columns;
    let device = columns.device[row];
    Mark {
        process: columns.process[row],
        thread: columns.thread[row],
        device: if meaning.is_nowhere(device) { -1 } else { i32::from(device) },
        time_ns: columns.time_ns[row],
        name,
        number,
    }
}

/// Pairs the ends of ranges within each process.
fn ranges(ends: &[(Mark, End)], warnings: &Warnings) -> Vec<Annotation> {
    let mut of_process: FxHashMap<u16, Vec<(Mark, End)>> = FxHashMap::default();
    for end in ends {
        of_process.entry(end.0.process).or_default().push(*end);
    }
    let mut processes: Vec<_> = of_process.into_iter().collect();
    processes.sort_unstable_by_key(|(process, _)| *process);
    let ranges: Vec<_> = processes.iter().flat_map(|(_, ends)| paired(ends)).collect();
    let lonely = |range: &&Annotation| range.start_ns.is_none() || range.end_ns.is_none();
    let lonely = ranges.iter().filter(lonely).count() as u64;
    warnings.add(WarningKind::UnpairedAnnotation, "", lonely, || {
        "Ranges of which only one end is in the file are shown with that end alone.".into()
    });
    ranges
}

/// Pairs the ends of one process's ranges: by number where ends have one and all numbers fit, else
/// by name, else the innermost, of the same thread before others.
fn paired(ends: &[(Mark, End)]) -> Vec<Annotation> {
    let numbers_fit = numbers_fit(ends);
    let mut ranges: Vec<Annotation> = Vec::new();
    // Starts as they come: the range of each, and whether it is open.
    let mut starts: Vec<(Mark, usize, bool)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (mark, end) in ends {
        if *end == End::Start {
            open.push(starts.len());
            starts.push((*mark, ranges.len(), true));
            ranges.push(Annotation { end_ns: None, ..mark.at(AnnotationKind::Range) });
            continue;
        }
        let partner = match mark.number {
            Some(number) if numbers_fit => {
                Some(number as usize - 1).filter(|start| starts[*start].2)
            }
            Some(_) => innermost(&open, &starts, mark, |_| true),
            None => innermost(&open, &starts, mark, |start| start.name == mark.name),
        };
        if let Some(start) = partner {
            starts[start].2 = false;
            ranges[starts[start].1].end_ns = Some(mark.time_ns);
            if let Some(place) = open.iter().rposition(|open| *open == start) {
                open.remove(place);
            }
        } else {
            ranges.push(Annotation { start_ns: None, ..mark.at(AnnotationKind::Range) });
        }
    }
    ranges
}

/// Whether the numbers of ends can be those of starts, which are counted from 1 in a process: they
/// cannot when starts were lost.
fn numbers_fit(ends: &[(Mark, End)]) -> bool {
    let mut starts = 0;
    ends.iter().all(|(mark, end)| {
        starts += u32::from(*end == End::Start);
        *end == End::Start || mark.number.is_none_or(|number| (1..=starts).contains(&number))
    })
}

fn innermost(
    open: &[usize],
    starts: &[(Mark, usize, bool)],
    end: &Mark,
    fits: impl Fn(&Mark) -> bool,
) -> Option<usize> {
    let near = open.iter().rev().take(MOST_OPEN).copied();
    let mut fitting = near.filter(|start| fits(&starts[*start].0));
    let own = fitting.clone().find(|start| starts[*start].0.thread == end.thread);
    own.or_else(|| fitting.next())
}
