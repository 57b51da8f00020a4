//! One block, as an answer.

use crate::{
    BlockDetails, EventRef, FrameView, Micros, ModelLine, SameStack, SegmentRef, Setting,
    StackView, TracedNode, WireError, error, names,
};
use session::{BlockId, FrameId, Missing, Moment, Note, Session, StackId, StackOf};

/// All of block `block` of the device in row `device`.
pub fn block(session: &Session, device: u32, block: u32) -> Result<BlockDetails, WireError> {
    let on = error::device(session, device)?;
    let Some(details) = on.block(BlockId(block)) else {
        let count = on.table().blocks.len();
        let name = on.name();
        return Err(WireError::nonsense(format!("no block {block}: {name} has {count}")));
    };
    let recording = session.recording();
    let columns = &details.block;
    let (top_frame, fallback_frame) = names::top_frame(session, details.top_frame);
    Ok(BlockDetails {
        block,
        number: on.block_number(BlockId(block)),
        address: names::hex(columns.addr),
        size: columns.size,
        size_source: names::size_source(columns.size_source).to_owned(),
        requested: columns.requested,
        origin: names::origin(columns.origin).to_owned(),
        stream: names::hex(recording.stream(columns.stream)),
        pool: columns.pool.map(|pool| names::pool(recording.pool(pool))),
        segment: details.segment.map(segment),
        alloc: details.alloc.map(moment),
        free_requested: details.free_requested.map(moment),
        free_completed: details.free_completed.map(moment),
        life_events: details.life_events,
        life_us: details.life_ns.map(Micros),
        within: details.within.iter().map(|name| recording.text(*name).to_owned()).collect(),
        alloc_stack: stack_of(session, details.alloc_stack),
        free_stack: details.free_stack.map(|stack| stack_of(session, stack)),
        top_frame,
        fallback_frame,
        notes: notes(session, details.note),
        previous: details.previous.map(|block| block.0),
        next: details.next.map(|block| block.0),
        previous_number: details.previous.map(|block| on.block_number(block)),
        next_number: details.next.map(|block| on.block_number(block)),
        same_stack: SameStack {
            all: details.same_stack.all.into(),
            at_peak: details.same_stack.at_peak.into(),
            unfreed: details.same_stack.unfreed.into(),
        },
        dump: on.dumped(BlockId(block)).map(Into::into),
    })
}

pub(crate) fn moment(moment: Moment) -> EventRef {
    EventRef { event: moment.event.0, time_us: moment.time_ns.map(Micros) }
}

pub(crate) fn segment(segment: session::Segment) -> SegmentRef {
    SegmentRef {
        address: names::hex(segment.addr),
        size: segment.size,
        kind: names::segment_kind(segment.kind).to_owned(),
        is_expandable: segment.is_expandable,
    }
}

pub(crate) fn stack_of(session: &Session, stack: StackOf) -> StackView {
    let missing = match stack {
        Ok(stack) => {
            let frames = frames(session, stack);
            return StackView { id: Some(stack.0), frames, missing: None };
        }
        Err(Missing::BeforeRecording) => "before_recording",
        Err(Missing::NoContext) => "no_context",
        Err(Missing::Empty) => "empty",
    };
    StackView { id: None, frames: Vec::new(), missing: Some(missing.to_owned()) }
}

fn frames(session: &Session, stack: StackId) -> Vec<FrameView> {
    let ids = session.recording().stacks.frame_ids(stack).iter();
    ids.map(|id| frame(session, FrameId(*id))).collect()
}

pub(crate) fn frame(session: &Session, id: FrameId) -> FrameView {
    let recording = session.recording();
    let frame = recording.stacks.frame(id);
    FrameView {
        id: Some(id.0),
        name: recording.text(frame.name).to_owned(),
        file: recording.text(frame.filename).to_owned(),
        line: frame.line,
        kind: names::frame_kind(session.frame_kind(id)).to_owned(),
        traced: session.traced(id).map(traced),
    }
}

fn traced(traced: session::Traced<'_>) -> TracedNode {
    let line = |line: session::TracedLine<'_>| ModelLine {
        file: line.file.to_owned(),
        line: line.line,
        name: line.function.to_owned(),
        code: line.code.map(str::to_owned),
    };
    TracedNode {
        op: traced.op.map(str::to_owned),
        name: traced.name.map(str::to_owned),
        target: traced.target.map(str::to_owned),
        line: traced.line.map(line),
        trace: traced.trace.map(str::to_owned),
    }
}

pub(crate) fn notes(session: &Session, note: Note) -> Vec<Setting> {
    let texts = [
        ("compile_context", note.compile_context),
        ("user_metadata", note.user_metadata),
        ("internal_metadata", note.internal_metadata),
        ("category", note.category),
        ("forward_frames", note.forward_frames),
    ];
    let present = texts.into_iter().filter_map(|(key, text)| Some((key, text?)));
    let text = |(key, text): (&str, _)| Setting {
        key: key.to_owned(),
        value: session.recording().text(text).to_owned(),
    };
    present.map(text).collect()
}
