//! `torch_npu` workspaces: three entries at the head of a trace that tell of the moment when the
//! file was written, not of history.

use crate::torch::raw::{BlockState, RawDevice};
use model::{
    Action, Block, EventId, Events, Origin, Segment, SizeSource, StackId, State, Workspace,
};

/// A workspace and the block event of its triple.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triple {
    pub(super) workspace: Workspace,
    /// The `alloc` among its entries, if it has one.
    pub(super) alloc: Option<EventId>,
}

/// Whether `event`, a `workspace_snapshot`, is followed by the other two entries of a triple.
pub(super) fn is_triple(events: &Events, event: EventId) -> bool {
    let rows = event.row()..event.row() + 3;
    let entry = |row: usize| (events.addr[row], events.size[row], events.stream[row]);
    rows.end <= events.len() as usize
        && events.action(EventId(event.0 + 1)) == Action::SegmentAlloc
        && events.action(EventId(event.0 + 2)) == Action::Alloc
        && rows.clone().all(|row| entry(row) == entry(rows.start))
}

/// All workspaces of a trace.
pub(super) fn triples(events: &Events) -> Vec<Triple> {
    let code = Action::WorkspaceSnapshot.code();
    let marks = (0..events.len()).filter(|event| events.action[*event as usize] == code);
    marks
        .map(|event| {
            let event = EventId(event);
            Triple {
                workspace: Workspace {
                    addr: events.addr[event.row()],
                    size: events.size[event.row()],
                    stream: events.stream(event),
                },
                alloc: is_triple(events, event).then_some(EventId(event.0 + 2)),
            }
        })
        .collect()
}

/// The block that stands for a workspace in the totals.
///
/// Only when its segment was mapped all the time and holds nothing else: reserved bytes stay the
/// larger then.
pub(super) fn block(triple: &Triple, raw: &RawDevice, segments: &[Segment]) -> Option<Block> {
    let Workspace { addr, size, stream } = triple.workspace;
    let row = raw.segments.binary_search_by_key(&addr, |segment| segment.addr).ok();
    let segment = row.map(|row| raw.segments[row])?;
    let (first, last) = segment.blocks;
    let blocks = raw.blocks.get(first as usize..last as usize).unwrap_or_default();
    let at_start = &segments[..segments.partition_point(|row| row.born == State(0))];
    let row = at_start.binary_search_by_key(&addr, |row| row.addr).ok();
    let is_mapped = row
        .map(|row| &at_start[row])
        .is_some_and(|row| row.size == segment.size && row.died.is_none());
    if !is_mapped || blocks.iter().any(|block| block.state != BlockState::Inactive) {
        return None;
    }
    let stack = triple.alloc.and_then(|event| raw.events.stack(event)).or(segment.stack);
    Some(Block {
        addr,
        size: segment.size,
        requested: size.min(segment.size),
        born: State(0),
        released: None,
        died: None,
        stack: stack.filter(|stack| *stack != StackId(0)),
        stream,
        pool: segment.pool,
        origin: Origin::Workspace,
        size_source: SizeSource::Stated,
    })
}
