//! Lives of segments.
//!
//! First backward from the final segments over the segment events, to learn what was mapped at
//! the start: exact even when the ring buffer cut the beginning. Then forward, making a row of
//! every range from the event that maps it to the one that unmaps it.

use super::trouble::{Trouble, Troubles};
use crate::torch::raw::{RawDevice, RawSegment};
use job::{Cancelled, Job};
use model::{Action, EventId, Events, Segment, SegmentKind, State};
use std::collections::BTreeMap;

/// Events between two looks at whether to stop: one that spans many segments takes a while.
const STRIDE: usize = 1 << 8;

/// Ranges that do not overlap, by first byte: end, and something that belongs to each.
struct Ranges<T>(BTreeMap<u64, (u64, T)>);

impl<T: Copy> Ranges<T> {
    fn new() -> Self {
        Self(BTreeMap::new())
    }

    fn insert(&mut self, start: u64, end: u64, with: T) {
        if start < end {
            self.0.insert(start, (end, with));
        }
    }

    /// Takes out, whole, all that overlap `start..end`, by address.
    fn take(&mut self, start: u64, end: u64) -> Vec<(u64, u64, T)> {
        let mut taken = Vec::new();
        while let Some((&at, &(stop, with))) = self.0.range(..end).next_back() {
            if stop <= start {
                break;
            }
            self.0.remove(&at);
            taken.push((at, stop, with));
        }
        taken.reverse();
        taken
    }
}

/// How much of `start..end` the ranges cover that were taken out for it.
fn covered<T>(taken: &[(u64, u64, T)], start: u64, end: u64) -> u64 {
    taken.iter().map(|(at, stop, _)| (*stop).min(end) - (*at).max(start)).sum()
}

/// The first byte after a segment.
fn end_of(addr: u64, size: u64) -> u64 {
    addr.saturating_add(size)
}

/// Every segment's life, sorted by birth, then address. `events` are the rows of segment events
/// that belong to the history.
pub(super) fn lives(
    raw: &RawDevice,
    events: &[u32],
    troubles: &mut Troubles,
    job: &Job,
) -> Result<Vec<Segment>, Cancelled> {
    let mut history = History {
        events: &raw.events,
        last: State(raw.events.len()),
        mapped: Ranges::new(),
        rows: Vec::new(),
        was: Vec::new(),
    };
    for (start, end, said_by) in at_start(raw, events, troubles, job)? {
        let row = match said_by {
            SaidBy::Segment(segment) => stated(&segment, start, end, State(0)),
            // The stack of an unmap is not that of the mapping.
            SaidBy::Event(event) => {
                Segment { stack: None, ..history.unstated(event, start, end, State(0)) }
            }
        };
        history.begin(row, None);
    }
    for (done, event) in events.iter().enumerate() {
        if done.is_multiple_of(STRIDE) {
            job.check()?;
        }
        history.step(EventId(*event), troubles);
    }
    history.settle(&raw.segments, troubles);
    let mut rows = history.rows;
    rows.sort_by_key(|row| (row.born, row.addr));
    Ok(rows)
}

/// What the start's mapped ranges are known from.
#[derive(Clone, Copy)]
enum SaidBy {
    Segment(RawSegment),
    Event(EventId),
}

/// What was mapped before the first event, by address.
fn at_start(
    raw: &RawDevice,
    events: &[u32],
    troubles: &mut Troubles,
    job: &Job,
) -> Result<Vec<(u64, u64, SaidBy)>, Cancelled> {
    let mut mapped = Ranges::new();
    for segment in &raw.segments {
        let (start, end) = (segment.addr, end_of(segment.addr, segment.size));
        let gaps = gaps(&mut mapped, start, end);
        if covered(&gaps, start, end) < end - start {
            troubles.add(Trouble::BadSegment, start);
        }
        for (start, end, ()) in gaps {
            mapped.insert(start, end, SaidBy::Segment(*segment));
        }
    }
    for (done, event) in events.iter().rev().enumerate() {
        if done.is_multiple_of(STRIDE) {
            job.check()?;
        }
        let row = *event as usize;
        let (start, end) =
            (raw.events.addr[row], end_of(raw.events.addr[row], raw.events.size[row]));
        if maps(&raw.events, EventId(*event)) {
            for (at, stop, said_by) in mapped.take(start, end) {
                mapped.insert(at, stop.min(start), said_by);
                mapped.insert(at.max(end), stop, said_by);
            }
        } else {
            for (start, end, ()) in gaps(&mut mapped, start, end) {
                mapped.insert(start, end, SaidBy::Event(EventId(*event)));
            }
        }
    }
    Ok(mapped.0.into_iter().map(|(start, (end, said_by))| (start, end, said_by)).collect())
}

/// The parts of `start..end` that are not mapped.
fn gaps<T: Copy>(mapped: &mut Ranges<T>, start: u64, end: u64) -> Vec<(u64, u64, ())> {
    let taken = mapped.take(start, end);
    let mut gaps = Vec::new();
    let mut from = start;
    for (at, stop, with) in taken {
        if from < at {
            gaps.push((from, at, ()));
        }
        from = stop;
        mapped.insert(at, stop, with);
    }
    if from < end {
        gaps.push((from, end, ()));
    }
    gaps
}

/// Whether `event`, a segment event, takes memory from the driver.
fn maps(events: &Events, event: EventId) -> bool {
    matches!(events.action(event), Action::SegmentAlloc | Action::SegmentMap)
}

/// A row of part of a final segment.
fn stated(segment: &RawSegment, start: u64, end: u64, born: State) -> Segment {
    Segment {
        addr: start,
        size: end - start,
        born,
        died: None,
        stack: segment.stack,
        stream: segment.stream,
        pool: segment.pool,
        kind: segment.kind,
        is_expandable: segment.is_expandable,
    }
}

/// The forward pass.
struct History<'a> {
    events: &'a Events,
    last: State,
    /// Mapped now, with the row.
    mapped: Ranges<usize>,
    rows: Vec<Segment>,
    /// By row: the row it is a remainder of.
    was: Vec<Option<usize>>,
}

impl History<'_> {
    fn begin(&mut self, row: Segment, was: Option<usize>) {
        self.mapped.insert(row.addr, end_of(row.addr, row.size), self.rows.len());
        if row.size > 0 {
            self.rows.push(row);
            self.was.push(was);
        }
    }

    /// A row that only `event` speaks of.
    fn unstated(&self, event: EventId, start: u64, end: u64, born: State) -> Segment {
        let action = self.events.action(event);
        Segment {
            addr: start,
            size: end - start,
            born,
            died: None,
            stack: self.events.stack(event),
            stream: self.events.stream(event),
            pool: self.events.pool(event),
            kind: SegmentKind::Unknown,
            is_expandable: matches!(action, Action::SegmentMap | Action::SegmentUnmap),
        }
    }

    fn step(&mut self, event: EventId, troubles: &mut Troubles) {
        let (addr, size) = (self.events.addr[event.row()], self.events.size[event.row()]);
        let end = end_of(addr, size);
        let state = State::after(event);
        let cut = self.cut(addr, end, state);
        if maps(self.events, event) {
            if cut > 0 {
                troubles.add(Trouble::MappedTwice, addr);
            }
            self.begin(self.unstated(event, addr, end, state), None);
        } else if cut < end - addr {
            troubles.add(Trouble::UnmappedTwice, addr);
        }
    }

    /// Ends all that is mapped in `start..end`; what sticks out on either side begins anew.
    fn cut(&mut self, start: u64, end: u64, state: State) -> u64 {
        let taken = self.mapped.take(start, end);
        let cut = covered(&taken, start, end);
        for (at, stop, row) in taken {
            self.rows[row].died = Some(state);
            let old = Segment { born: state, died: None, ..self.rows[row] };
            if at < start {
                self.begin(Segment { addr: at, size: start - at, ..old }, Some(row));
            }
            if end < stop {
                self.begin(Segment { addr: end, size: stop - end, ..old }, Some(row));
            }
        }
        cut
    }

    /// Makes the end that of the final segments, and learns from them what events do not say.
    fn settle(&mut self, segments: &[RawSegment], troubles: &mut Troubles) {
        let mut stays: Ranges<()> = Ranges::new();
        for segment in segments {
            let end = end_of(segment.addr, segment.size);
            for (start, stop, row) in self.mapped.take(segment.addr, end) {
                self.learn(row, segment);
                self.mapped.insert(start, stop, row);
            }
            for (start, stop, ()) in gaps(&mut self.mapped, segment.addr, end) {
                troubles.add(Trouble::SegmentAppeared, start);
                self.begin(stated(segment, start, stop, self.last), None);
            }
            for (start, stop, ()) in gaps(&mut stays, segment.addr, end) {
                stays.insert(start, stop, ());
            }
        }
        let mapped: Vec<_> = self.mapped.0.iter().map(|(at, (end, _))| (*at, *end)).collect();
        for (at, end) in mapped {
            for (start, stop, ()) in gaps(&mut stays, at, end) {
                troubles.add(Trouble::SegmentVanished, start);
                self.cut(start, stop, self.last);
            }
        }
    }

    /// A row overlaps a final segment: the two are the same memory, and so is what the row is a
    /// remainder of.
    fn learn(&mut self, row: usize, segment: &RawSegment) {
        self.rows[row].stack = self.rows[row].stack.or(segment.stack);
        let mut next = Some(row);
        while let Some(row) = next {
            next = self.was[row].filter(|was| self.rows[*was].kind == SegmentKind::Unknown);
            let row = &mut self.rows[row];
            row.pool = segment.pool.or(row.pool);
            row.kind = segment.kind;
            row.is_expandable |= segment.is_expandable;
            row.stream = segment.stream;
        }
    }
}
