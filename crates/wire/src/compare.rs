//! Two recordings beside each other: where their steps lie, and what in one stands for what of the
//! other.

use crate::event::{parse_address, state};
use crate::{DiffBy, Micros, Number, WireError, error, names};
use serde::{Deserialize, Serialize};
use session::{
    Alike, BlockId, EventCounterpart, EventId, FrameId, Match, OnDevice, SegmentAlike, SegmentId,
    Session, StackId, StepDifference, Unmatched,
};
use specta::Type;

/// One of two devices that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ComparedDevice {
    /// Which open recording.
    pub session: u32,
    /// Row of [`Summary::devices`](crate::Summary).
    pub device: u32,
}

/// Where do the steps of two devices lie?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AlignedStepsQuestion {
    /// The first device.
    pub a: ComparedDevice,
    /// The second one.
    pub b: ComparedDevice,
}

/// A step on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StepSide {
    /// Where it begins on the axis of events: at its first event.
    pub from_event: u32,
    /// Where it ends: at the first event after it.
    pub to_event: u32,
    /// Where it begins on the device's time axis.
    #[specta(type = Number)]
    pub from_us: Micros,
    /// Where it ends.
    #[specta(type = Number)]
    pub to_us: Micros,
    /// Most bytes in allocated blocks.
    #[specta(type = Number)]
    pub allocated: u64,
    /// Most bytes in segments; of a dump, in its pool.
    #[specta(type = Number)]
    pub reserved: u64,
}

/// A step that both sides have; of very many, several as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AlignedStep {
    /// The number of the first.
    pub step: String,
    /// The number of the last.
    pub last: String,
    /// On the first side.
    pub a: StepSide,
    /// On the second side.
    pub b: StepSide,
}

/// Steps that cannot be compared: the other side has none of that number, or a beginning is lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LonelySteps {
    /// How many.
    pub count: u32,
    /// The numbers of the first of them.
    pub first: Vec<String>,
}

/// The steps of two devices, by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct AlignedSteps {
    /// Those of both, at most a thousand.
    pub steps: Vec<AlignedStep>,
    /// How many steps each of them stands for; the last may stand for fewer.
    pub each: u32,
    /// Those of the first side only.
    pub only_a: LonelySteps,
    /// Those of the second side only.
    pub only_b: LonelySteps,
}

/// The most steps of an answer: more than a picture has room for.
const MOST_STEPS: usize = 1000;
/// The most steps that are named one by one.
const MOST_LONELY: usize = 100;

/// Where the steps lie that both devices have; `a` and `b` may be one session.
pub fn aligned_steps(
    a: &Session,
    b: &Session,
    question: &AlignedStepsQuestion,
) -> Result<AlignedSteps, WireError> {
    let on = [error::device(a, question.a.device)?, error::device(b, question.b.device)?];
    let found = session::aligned_steps(on[0], on[1]);
    let each = found.steps.len().div_ceil(MOST_STEPS).max(1);
    let [only_a, only_b] = found.lonely.map(|names| LonelySteps {
        count: names.len() as u32,
        first: names.into_iter().take(MOST_LONELY).collect(),
    });
    let steps = found.steps.chunks(each).map(|steps| joined(on, steps)).collect();
    Ok(AlignedSteps { steps, each: each as u32, only_a, only_b })
}

/// Steps that follow each other, as one; there is at least one.
fn joined(on: [OnDevice<'_>; 2], steps: &[StepDifference]) -> AlignedStep {
    let name =
        |step: Option<&StepDifference>| step.map_or_else(String::new, |step| step.step.clone());
    let side = |side: usize| {
        let origin = on[side].table().span_ns().map_or(0, |(from, _)| from);
        let places = || steps.iter().map(|step| step.places[side]);
        let peaks = || steps.iter().map(|step| step.peaks[side]);
        StepSide {
            from_event: places().map(|place| place.from.0).min().unwrap_or(0),
            to_event: places().map(|place| place.to.0).max().unwrap_or(0),
            from_us: Micros(places().map(|place| place.ns[0]).min().unwrap_or(origin) - origin),
            to_us: Micros(places().map(|place| place.ns[1]).max().unwrap_or(origin) - origin),
            allocated: peaks().map(|peaks| peaks.allocated).max().unwrap_or(0),
            reserved: peaks().map(|peaks| peaks.reserved).max().unwrap_or(0),
        }
    };
    AlignedStep { step: name(steps.first()), last: name(steps.last()), a: side(0), b: side(1) }
}

/// What is looked for in the other recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CounterpartOf {
    /// A block.
    Block {
        /// Its row.
        block: u32,
    },
    /// A stack.
    Stack {
        /// Its row.
        stack: u32,
    },
    /// A frame.
    Frame {
        /// Its row.
        frame: u32,
    },
    /// An owner of a dump.
    Owner {
        /// The whole path.
        tag: String,
    },
    /// The segment around `address` right after event `after`.
    Segment {
        /// Hex or decimal.
        address: String,
        /// −1: before the first event.
        #[specta(type = Number)]
        after: f64,
    },
    /// An event.
    Event {
        /// Its row.
        event: u32,
    },
}

/// What of `b` stands for something of `a`?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct CounterpartQuestion {
    /// Where it is.
    pub a: ComparedDevice,
    /// Where its counterpart is looked for.
    pub b: ComparedDevice,
    /// How alike stacks have to be; by owner: blocks of one owner are looked for first.
    pub by: DiffBy,
    /// What it is.
    pub of: CounterpartOf,
}

/// What stands for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Counterpart {
    /// A block of the same stack or owner that comes as late among its like.
    Block {
        /// Its row.
        block: u32,
        /// By what it was found.
        how: FoundBy,
        /// The place of what it stands for among its like, in the order of allocation, from 1.
        place_a: u32,
        /// Its own place; another one where there are fewer.
        place_b: u32,
        /// How many are alike on the side of what it stands for.
        count_a: u32,
        /// How many on its own side.
        count_b: u32,
    },
    /// A stack.
    Stack {
        /// The row of the one with the most bytes.
        stack: u32,
        /// How many are the same when compared like this.
        count: u32,
    },
    /// A frame.
    Frame {
        /// The row of the one through which most bytes were allocated.
        frame: u32,
        /// How many are the same when compared like this.
        count: u32,
    },
    /// An owner: the same.
    Owner {
        /// The whole path.
        tag: String,
    },
    /// A segment of the same stack or shape that comes as late among its like.
    Segment {
        /// Its first byte, hex.
        address: String,
        /// The event right after which it is there first; −1: before the first event.
        #[specta(type = Number)]
        from: i64,
        /// The event right after which it is there last.
        #[specta(type = Number)]
        to: i64,
        /// By what it was found.
        how: FoundBy,
        /// The place of what it stands for among its like, in the order of mapping, from 1.
        place_a: u32,
        /// Its own place.
        place_b: u32,
        /// How many are alike on the side of what it stands for.
        count_a: u32,
        /// How many on its own side.
        count_b: u32,
    },
    /// An event.
    Event {
        /// Its row.
        event: u32,
        /// By what it was found.
        how: FoundBy,
        /// The block to which it happens as the other one does to its own; places and counts are
        /// those of blocks then, else those of events of the kind and the stack.
        block: Option<u32>,
        /// The place of what it stands for among its like, from 1.
        place_a: u32,
        /// Its own place.
        place_b: u32,
        /// How many are alike on the side of what it stands for.
        count_a: u32,
        /// How many on its own side.
        count_b: u32,
    },
    /// Nothing.
    None {
        /// Why.
        why: Unfound,
    },
}

/// By what something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// Its stack.
    Stack,
    /// Its owner.
    Owner,
    /// Its bytes, kind, stream and pool.
    Shape,
}

/// Why nothing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Unfound {
    /// Neither a stack nor an owner is recorded that both sides could have.
    Unrecorded,
    /// The other side has nothing that is alike.
    Unknown,
    /// To the block that stands for an event's block this does not happen in its recording.
    Outside,
}

/// What of `b` stands for something of `a`; they may be one session.
pub fn counterpart(
    a: &Session,
    b: &Session,
    question: &CounterpartQuestion,
) -> Result<Counterpart, WireError> {
    let on_a = error::device(a, question.a.device)?;
    let on_b = error::device(b, question.b.device)?;
    Ok(match &question.of {
        CounterpartOf::Block { block } => {
            if *block >= on_a.table().blocks.len() {
                return Err(WireError::nonsense(format!("no block in row {block}")));
            }
            of_block(on_a, BlockId(*block), on_b, question.by)
        }
        CounterpartOf::Stack { stack } => of_stack(on_a, StackId(*stack), on_b, question.by),
        CounterpartOf::Frame { frame } => of_frame(on_a, FrameId(*frame), on_b, question.by),
        CounterpartOf::Owner { tag } => of_owner(tag, on_b),
        CounterpartOf::Segment { address, after } => {
            let pool = on_a.pool(state(on_a, *after));
            let Some(held) = pool.segment_at(parse_address(address)?) else {
                let problem = format!("no segment holds {address} at that moment");
                return Err(WireError::nonsense(problem));
            };
            of_segment(on_a, held.segment, on_b, question.by)
        }
        CounterpartOf::Event { event } => {
            if *event >= on_a.table().events.len() {
                return Err(WireError::nonsense(format!("no event in row {event}")));
            }
            of_event(on_a, EventId(*event), on_b, question.by)
        }
    })
}

fn of_block(a: OnDevice<'_>, block: BlockId, b: OnDevice<'_>, by: DiffBy) -> Counterpart {
    match session::counterpart(a, block, b, how(by), preferred(by)) {
        Ok(found) => Counterpart::Block {
            block: found.block.0,
            how: found_by(found.how),
            place_a: found.places[0] + 1,
            place_b: found.places[1] + 1,
            count_a: found.counts[0],
            count_b: found.counts[1],
        },
        Err(why) => unfound(why),
    }
}

fn of_segment(a: OnDevice<'_>, segment: SegmentId, b: OnDevice<'_>, by: DiffBy) -> Counterpart {
    match session::segment_counterpart(a, segment, b, how(by)) {
        Ok(found) => {
            let segment = b.table().segments.get(found.segment);
            // The state before the one from which it is gone, as an event.
            let last = segment
                .died
                .map_or(i64::from(b.table().events.len()), |died| i64::from(died.0) - 1);
            let from = i64::from(segment.born.0) - 1;
            Counterpart::Segment {
                address: names::hex(segment.addr),
                from,
                to: (last - 1).max(from),
                how: match found.how {
                    SegmentAlike::Stack => FoundBy::Stack,
                    SegmentAlike::Shape => FoundBy::Shape,
                },
                place_a: found.places[0] + 1,
                place_b: found.places[1] + 1,
                count_a: found.counts[0],
                count_b: found.counts[1],
            }
        }
        Err(why) => unfound(why),
    }
}

fn of_event(a: OnDevice<'_>, event: EventId, b: OnDevice<'_>, by: DiffBy) -> Counterpart {
    let (event, how, block, places, counts) =
        match session::event_counterpart(a, event, b, how(by), preferred(by)) {
            Ok(EventCounterpart::OfBlock { event, block }) => {
                let how = found_by(block.how);
                (event, how, Some(block.block.0), block.places, block.counts)
            }
            Ok(EventCounterpart::AsLate { event, places, counts }) => {
                (event, FoundBy::Stack, None, places, counts)
            }
            Err(why) => return unfound(why),
        };
    Counterpart::Event {
        event: event.0,
        how,
        block,
        place_a: places[0] + 1,
        place_b: places[1] + 1,
        count_a: counts[0],
        count_b: counts[1],
    }
}

fn of_frame(a: OnDevice<'_>, frame: FrameId, b: OnDevice<'_>, by: DiffBy) -> Counterpart {
    let found = session::same_frame_in(a, frame, b, how(by));
    match found.first() {
        Some(frame) => Counterpart::Frame { frame: frame.0, count: found.len() as u32 },
        None => Counterpart::None { why: Unfound::Unknown },
    }
}

fn preferred(by: DiffBy) -> Alike {
    if by == DiffBy::Owner { Alike::Owner } else { Alike::Stack }
}

fn found_by(how: Alike) -> FoundBy {
    match how {
        Alike::Stack => FoundBy::Stack,
        Alike::Owner => FoundBy::Owner,
    }
}

fn unfound(why: Unmatched) -> Counterpart {
    let why = match why {
        Unmatched::Unrecorded => Unfound::Unrecorded,
        Unmatched::Unknown => Unfound::Unknown,
        Unmatched::Outside => Unfound::Outside,
    };
    Counterpart::None { why }
}

fn of_stack(a: OnDevice<'_>, stack: StackId, b: OnDevice<'_>, by: DiffBy) -> Counterpart {
    let found = session::same_stack_in(a, stack, b, how(by));
    match found.first() {
        Some(stack) => Counterpart::Stack { stack: stack.0, count: found.len() as u32 },
        None => Counterpart::None { why: Unfound::Unknown },
    }
}

fn of_owner(tag: &str, b: OnDevice<'_>) -> Counterpart {
    let Some(track) = b.table().track.as_deref() else {
        return Counterpart::None { why: Unfound::Unrecorded };
    };
    let below = b.owners_below(tag);
    let is_known = track.owner.iter().any(|owner| below[*owner as usize]);
    if is_known {
        Counterpart::Owner { tag: tag.to_owned() }
    } else {
        Counterpart::None { why: Unfound::Unknown }
    }
}

fn how(by: DiffBy) -> Match {
    match by {
        DiffBy::Stack | DiffBy::Owner => Match::Exact,
        DiffBy::FileFunction => Match::FileFunction,
        DiffBy::Function => Match::Function,
    }
}
