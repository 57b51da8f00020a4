//! One event, one segment and one period, as answers.

use crate::block::{moment, notes, segment as segment_ref, stack_of};
use crate::{
    Amount, DumpedRow, EventRef, Micros, Number, SegmentRef, Setting, StackView, Totals, WireError,
};
use crate::{error, names};
use serde::{Deserialize, Serialize};
use session::{EventId, OnDevice, Session, State};
use specta::Type;

/// All of one event.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct EventDetails {
    /// Its row.
    pub event: u32,
    /// Microseconds since the epoch.
    #[specta(type = Option<Number>)]
    pub time_us: Option<Micros>,
    /// The name the file uses.
    pub action: String,
    /// Hex; absent for `oom`.
    pub address: Option<String>,
    /// Bytes: requested for block events, real for segment events, rounded for `oom`.
    #[specta(type = Number)]
    pub size: u64,
    /// Bytes the driver said were free; only for `oom`.
    #[specta(type = Option<Number>)]
    pub device_free: Option<u64>,
    /// Stream handle in hex.
    pub stream: String,
    /// `(0, 0)`; absent when nothing says.
    pub pool: Option<String>,
    /// Right after it.
    #[specta(type = Totals<Number>)]
    pub totals: Totals<u64>,
    /// Its stack.
    pub stack: StackView,
    /// The innermost frame of the user's code.
    pub top_frame: Option<String>,
    /// Texts of the entry.
    pub notes: Vec<Setting>,
    /// The block it is about.
    pub block: Option<u32>,
    /// What people know that by.
    #[specta(type = Option<Number>)]
    pub block_number: Option<i64>,
    /// The segment around its address.
    pub segment: Option<SegmentRef>,
    /// Enclosing annotations, outermost first.
    pub within: Vec<String>,
    /// The row of the file it is; absent in a snapshot.
    pub dump: Option<DumpedRow>,
}

/// All of one segment at one moment.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct SegmentDetails {
    /// Its address, size and kind.
    pub segment: SegmentRef,
    /// Stream handle in hex.
    pub stream: String,
    /// `(0, 0)`; absent when nothing says.
    pub pool: Option<String>,
    /// Bytes in allocated blocks.
    #[specta(type = Number)]
    pub allocated: u64,
    /// Bytes in blocks whose free is not completed.
    #[specta(type = Number)]
    pub pending: u64,
    /// Bytes asked for by both.
    #[specta(type = Number)]
    pub requested: u64,
    /// Bytes in no block.
    #[specta(type = Number)]
    pub free: u64,
    /// Runs of free bytes.
    pub gaps: u32,
    /// Bytes of the largest.
    #[specta(type = Number)]
    pub largest_gap: u64,
    /// Blocks in it at the moment.
    pub blocks: u32,
    /// Blocks that ever lay in it.
    pub ever: u32,
    /// When its oldest part was mapped; absent: before the recording.
    pub mapped: Option<EventRef>,
    /// When the first of its parts goes; absent: it outlives the recording.
    pub unmapped: Option<EventRef>,
    /// The events that made it what it is at the moment.
    pub growths: Vec<EventRef>,
    /// When it grew and shrank in all of the recording, oldest first.
    pub changes: Vec<SegmentChange>,
    /// Stack of the allocation that needed its first part.
    pub stack: StackView,
}

/// A segment grew or shrank.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct SegmentChange {
    /// The event that did it.
    pub at: EventRef,
    /// By how many bytes; less than 0: it shrank.
    #[specta(type = Number)]
    pub bytes: i64,
}

/// A number of blocks with the extremes of their sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Spread {
    /// How many, and their bytes.
    pub amount: Amount,
    /// Bytes of the largest.
    #[specta(type = Number)]
    pub largest: u64,
    /// Bytes of the smallest.
    #[specta(type = Number)]
    pub smallest: u64,
}

/// What happened in a stretch of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PeriodDetails {
    /// First event in it.
    pub from: u32,
    /// Last event in it.
    pub to: u32,
    /// Blocks allocated in it.
    pub allocated: Spread,
    /// Blocks freed in it, wherever they were allocated.
    pub freed: Spread,
    /// Blocks allocated in it and not freed in it.
    pub unfreed: Spread,
    /// Right before it.
    #[specta(type = Totals<Number>)]
    pub before: Totals<u64>,
    /// Right after it.
    #[specta(type = Totals<Number>)]
    pub after: Totals<u64>,
}

/// All of event `event` of the device in row `device`.
pub fn event(session: &Session, device: u32, event: u32) -> Result<EventDetails, WireError> {
    let on = error::device(session, device)?;
    let Some(found) = on.event(EventId(event)) else {
        let (count, name) = (on.table().events.len(), on.name());
        return Err(WireError::nonsense(format!("no event {event}: {name} has {count}")));
    };
    let recording = session.recording();
    Ok(EventDetails {
        event,
        time_us: found.time_ns.map(Micros),
        action: names::action(recording, found.action),
        address: found.addr.map(names::hex),
        size: found.size,
        device_free: found.device_free,
        stream: names::hex(recording.stream(found.stream)),
        pool: found.pool.map(|pool| names::pool(recording.pool(pool))),
        totals: totals(found.totals),
        stack: stack_of(session, found.stack),
        top_frame: names::top_frame(session, found.top_frame).0,
        notes: notes(session, found.note),
        block: found.block.map(|block| block.0),
        block_number: found.block.map(|block| on.block_number(block)),
        segment: found.segment.map(segment_ref),
        within: found.within.iter().map(|name| recording.text(*name).to_owned()).collect(),
        dump: on.dumped_event(EventId(event)).map(Into::into),
    })
}

/// The segment around `address` right after event `after` (−1: before the first).
pub fn segment(
    session: &Session,
    device: u32,
    after: f64,
    address: &str,
) -> Result<SegmentDetails, WireError> {
    let on = error::device(session, device)?;
    let addr = parse_address(address)?;
    let Some(found) = on.segment(state(on, after), addr) else {
        return Err(WireError::nonsense(format!("no segment holds {address} at that moment")));
    };
    let recording = session.recording();
    let held = &found.segment;
    Ok(SegmentDetails {
        segment: SegmentRef {
            address: names::hex(held.addr),
            size: held.size,
            kind: names::segment_kind(held.kind).to_owned(),
            is_expandable: held.is_expandable,
        },
        stream: names::hex(recording.stream(held.stream)),
        pool: held.pool.map(|pool| names::pool(recording.pool(pool))),
        allocated: held.allocated,
        pending: held.pending,
        requested: held.requested,
        free: held.free,
        gaps: held.gaps,
        largest_gap: held.largest_gap,
        blocks: held.blocks.len() as u32,
        ever: found.ever,
        mapped: found.mapped.map(moment),
        unmapped: found.unmapped.map(moment),
        growths: found.growths.iter().copied().map(moment).collect(),
        changes: (found.changes.iter())
            .map(|change| SegmentChange { at: moment(change.at), bytes: change.bytes })
            .collect(),
        stack: stack_of(session, found.stack),
    })
}

/// What happened from event `from` to event `to`, both included.
pub fn period(
    session: &Session,
    device: u32,
    from: f64,
    to: f64,
) -> Result<PeriodDetails, WireError> {
    let on = error::device(session, device)?;
    let (from, to) = (from.min(to), from.max(to));
    let found = on.period(state(on, from - 1.0), state(on, to));
    Ok(PeriodDetails {
        from: found.from.0,
        to: found.to.0.saturating_sub(1),
        allocated: spread(found.allocated),
        freed: spread(found.freed),
        unfreed: spread(found.unfreed),
        before: totals(found.before),
        after: totals(found.after),
    })
}

/// The state right after event `after`, clamped to the recording; NaN is before the first event.
pub(crate) fn state(on: OnDevice<'_>, after: f64) -> State {
    State((after.floor() + 1.0).clamp(0.0, f64::from(on.table().events.len())) as u32)
}

/// An address as hex with `0x`, or decimal.
pub(crate) fn parse_address(text: &str) -> Result<u64, WireError> {
    let text = text.trim();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let parsed = hex.map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.map_err(|_| WireError::nonsense(format!("{text} is not an address")))
}

fn totals([allocated, active, reserved]: [u64; 3]) -> Totals<u64> {
    Totals { allocated, active, reserved }
}

fn spread(spread: session::Spread) -> Spread {
    Spread { amount: spread.amount.into(), largest: spread.largest, smallest: spread.smallest }
}
