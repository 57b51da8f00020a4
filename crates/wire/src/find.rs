//! Whatever a person looks for, as answers.

use crate::block::moment;
use crate::{Amount, EventRef, Number, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::{BlockId, EventId, Finding, Hits, Job, Moment, OnDevice, SegmentId, Session, Sought};
use specta::Type;

/// The most rows of each kind in an answer.
const MOST: usize = 20;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FindQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
    /// An address, `#` and a number, or a part of what stacks, owners and ranges say.
    pub text: String,
}

/// The first rows of one kind, twenty at most, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundRows<T> {
    /// The first of them.
    pub first: Vec<T>,
    /// All of them.
    pub all: u32,
}

/// A block that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundBlock {
    /// Its row.
    pub block: u32,
    /// What people know it by.
    #[specta(type = Number)]
    pub number: i64,
    /// Hex.
    pub address: String,
    /// Bytes it occupies.
    #[specta(type = Number)]
    pub size: u64,
    /// The event that freed it; absent: it outlives the recording.
    pub freed: Option<u32>,
}

/// A segment that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundSegment {
    /// Hex.
    pub address: String,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
    /// The event that mapped it; absent: it was there before.
    pub mapped: Option<u32>,
    /// The event that unmapped it; absent: it outlives the recording.
    pub unmapped: Option<u32>,
}

/// An event that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundEvent {
    /// Which, and when.
    pub at: EventRef,
    /// The name the file uses.
    pub action: String,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
}

/// A stack that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundStack {
    /// Its row among the recording's stacks.
    pub stack: u32,
    /// Its innermost frame that says what is looked for, in a line.
    pub frame: String,
    /// The frame that tells most about who allocated, where it is another one.
    pub top: Option<String>,
    /// The device's blocks with it.
    pub blocks: Amount,
    /// The newest of them.
    pub newest: u32,
}

/// An owner that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundOwner {
    /// The whole path, `PTA@ops@aten`.
    pub tag: String,
    /// The device's blocks of it and of those below it.
    pub blocks: Amount,
}

/// A range that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FoundRange {
    /// The text the program gave.
    pub name: String,
    /// Its first event; absent: the device has none in it.
    pub from: Option<u32>,
    /// Its last event.
    pub to: Option<u32>,
}

/// What was found on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FindAnswer {
    /// The address that was meant, in hex, if it may be one.
    pub address: Option<String>,
    /// The block with the number, then those that ever held the address, the newest first.
    pub blocks: FoundRows<FoundBlock>,
    /// Segments that ever held the address, the newest first.
    pub segments: FoundRows<FoundSegment>,
    /// The event with the number.
    pub event: Option<FoundEvent>,
    /// The most bytes first.
    pub stacks: FoundRows<FoundStack>,
    /// Likewise.
    pub owners: FoundRows<FoundOwner>,
    /// By start.
    pub ranges: FoundRows<FoundRange>,
}

/// What `question` leads to.
pub fn find(
    session: &Session,
    question: &FindQuestion,
    job: &Job,
) -> Result<FindAnswer, WireError> {
    let on = error::device(session, question.device)?;
    let sought = Sought { text: question.text.clone(), most: MOST };
    let Finding { address, blocks, segments, event, stacks, owners, ranges } =
        on.find(&sought, job)?;
    let recording = session.recording();
    Ok(FindAnswer {
        address: address.map(names::hex),
        blocks: rows(blocks, |block| found_block(on, block)),
        segments: rows(segments, |segment| found_segment(on, segment)),
        event: event.map(|event| found_event(session, on, event)),
        stacks: rows(stacks, |hit| {
            let top = session.top_frame(hit.stack).map(|top| top.frame);
            FoundStack {
                stack: hit.stack.0,
                frame: session.frame_line(hit.frame),
                top: top.filter(|top| *top != hit.frame).map(|top| session.frame_line(top)),
                blocks: hit.blocks.into(),
                newest: hit.newest.0,
            }
        }),
        owners: rows(owners, |hit| FoundOwner { tag: hit.tag, blocks: hit.blocks.into() }),
        ranges: rows(ranges, |hit| FoundRange {
            name: recording.text(hit.name).to_owned(),
            from: hit.events.map(|(first, _)| first.0),
            to: hit.events.map(|(_, last)| last.0),
        }),
    })
}

fn rows<T, U>(hits: Hits<T>, row: impl FnMut(T) -> U) -> FoundRows<U> {
    let all = u32::try_from(hits.all).unwrap_or(u32::MAX);
    FoundRows { first: hits.first.into_iter().map(row).collect(), all }
}

fn found_block(on: OnDevice<'_>, block: BlockId) -> FoundBlock {
    let columns = on.table().blocks.get(block);
    FoundBlock {
        block: block.0,
        number: on.block_number(block),
        address: names::hex(columns.addr),
        size: columns.size,
        freed: columns.released.and_then(session::State::event).map(|event| event.0),
    }
}

fn found_segment(on: OnDevice<'_>, segment: SegmentId) -> FoundSegment {
    let columns = on.table().segments.get(segment);
    FoundSegment {
        address: names::hex(columns.addr),
        size: columns.size,
        mapped: columns.born.event().map(|event| event.0),
        unmapped: columns.died.and_then(session::State::event).map(|event| event.0),
    }
}

fn found_event(session: &Session, on: OnDevice<'_>, event: EventId) -> FoundEvent {
    let events = &on.table().events;
    FoundEvent {
        at: moment(Moment { event, time_ns: events.time_ns(event) }),
        action: names::action(session.recording(), events.action(event)),
        size: events.size[event.row()],
    }
}
