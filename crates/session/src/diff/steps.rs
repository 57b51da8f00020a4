//! Steps of two recordings, side by side.

use crate::{OnDevice, annotations::profiler_step};
use model::{Annotation, AnnotationKind, Counter, State};
use std::collections::{BTreeMap, BTreeSet};

/// What one step reaches on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepPeaks {
    /// Most bytes in allocated blocks from its beginning to its end.
    pub allocated: u64,
    /// Most bytes in segments; in a dump, in its pool.
    pub reserved: u64,
}

/// Where one step lies on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepPlace {
    /// The state before its first event.
    pub from: State,
    /// The state after its last event.
    pub to: State,
    /// Its beginning and its end, nanoseconds since the recording's zero.
    pub ns: [i64; 2],
}

/// A step that both sides have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepDifference {
    /// Its number.
    pub step: String,
    /// What it reaches on each side.
    pub peaks: [StepPeaks; 2],
    /// Where it lies on each side; of several of that number, the first.
    pub places: [StepPlace; 2],
}

/// The steps of two recordings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignedSteps {
    /// Steps of both, by number.
    pub steps: Vec<StepDifference>,
    /// Steps of one side that the other has not, or whose beginning is not in its file.
    pub lonely: [Vec<String>; 2],
}

/// A step's number; those without one come last, by name.
type Order = (u64, String);

type Reached = (StepPeaks, StepPlace);

/// Steps of both sides, and those of each that the other does not have.
pub fn aligned_steps(a: OnDevice<'_>, b: OnDevice<'_>) -> AlignedSteps {
    let [a, b] = [a, b].map(reached);
    let (mut steps, mut lonely) = (Vec::new(), [Vec::new(), Vec::new()]);
    let all: BTreeSet<&Order> = a.keys().chain(b.keys()).collect();
    for order in all {
        let found = [&a, &b].map(|side| side.get(order));
        if let [Some(Some(a)), Some(Some(b))] = found {
            let (peaks, places) = ([a.0, b.0], [a.1, b.1]);
            steps.push(StepDifference { step: order.1.clone(), peaks, places });
            continue;
        }
        for (lonely, _) in lonely.iter_mut().zip(found).filter(|(_, found)| found.is_some()) {
            lonely.push(order.1.clone());
        }
    }
    AlignedSteps { steps, lonely }
}

/// What each step of a device reaches; nothing for one whose beginning is not in the file.
fn reached(on: OnDevice<'_>) -> BTreeMap<Order, Option<Reached>> {
    let Some(times) = on.table().events.time_ns.as_deref() else { return BTreeMap::new() };
    let recording = on.session.recording();
    let named = |range| Some((step_number(range, recording.text(range.name))?, range));
    let mut steps: Vec<(&str, &Annotation)> = on.annotations().filter_map(named).collect();
    steps.sort_by_key(|(_, range)| range.start_ns);
    // The state before the first event of a step is there when it begins.
    let before = |time: i64| State(times.partition_point(|event| *event < time) as u32);
    let last_ns = on.table().span_ns().map_or(0, |(_, last)| last);
    let mut found: BTreeMap<Order, Option<Reached>> = BTreeMap::new();
    for (place, (name, range)) in steps.iter().enumerate() {
        let next = steps.get(place + 1).and_then(|(_, next)| next.start_ns);
        let reached = range.start_ns.map(|start| {
            // Where the end is lost, the next one's beginning ends it.
            let end = range.end_ns.or(next.filter(|next| *next > start));
            let (from, to) = (before(start), end.map_or(on.last_state(), before));
            let ns = [start, end.unwrap_or(last_ns.max(start))];
            (between(on, from, to), StepPlace { from, to, ns })
        });
        let order = (name.parse().unwrap_or(u64::MAX), (*name).to_owned());
        let kept = found.entry(order).or_insert(reached);
        // Several processes, or several runs of a loop, may count alike: the most counts.
        if let (Some((kept, _)), Some((reached, _))) = (kept.as_mut(), reached) {
            kept.allocated = kept.allocated.max(reached.allocated);
            kept.reserved = kept.reserved.max(reached.reserved);
        }
    }
    found
}

/// What a step is called by: its number, as a profiler or a dump's program gives it; `None` for
/// another range.
fn step_number<'a>(range: &Annotation, name: &'a str) -> Option<&'a str> {
    match range.kind {
        AnnotationKind::Step => Some(name.strip_prefix("step ").unwrap_or(name)),
        _ => name.strip_prefix("ProfilerStep#").filter(|_| profiler_step(name).is_some()),
    }
}

fn between(on: OnDevice<'_>, from: State, to: State) -> StepPeaks {
    let peak = |counter| {
        let states = from..State(to.0 + 1);
        on.index().totals.peak(&on.table().counters, counter, states).most
    };
    StepPeaks { allocated: peak(Counter::Allocated), reserved: peak(Counter::Reserved) }
}
