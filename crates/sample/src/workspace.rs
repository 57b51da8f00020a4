//! The entries `torch_npu` puts at the head of a list: workspaces as they are when the file is written.
//!
//! They contradict the segments on purpose: the segment's one block is inactive, as the real writer leaves it.

use crate::allocator::{Block, DEFAULT_POOL, Kind, MIB, Origin, State};
use crate::event::{Action, Event};
use crate::plan::{Plan, Rounding};

/// Above all addresses of the run.
const ADDRESS: u64 = 0x7fff_0000_0000;
const STREAMS: [u64; 2] = [0, crate::training::SIDE_STREAM];
const SIZE: u64 = 64 * MIB;

fn places(plan: &Plan) -> impl Iterator<Item = (u64, u64)> {
    let count =
        if plan.device == Rounding::Npu && plan.features.workspaces { STREAMS.len() } else { 0 };
    (0u64..).map(|index| ADDRESS + index * 2 * SIZE).zip(STREAMS).take(count)
}

/// The workspaces' segments.
pub(crate) fn segments(plan: &Plan) -> Vec<Block> {
    places(plan)
        .map(|(address, stream)| Block {
            address,
            size: SIZE,
            requested: 0,
            stream,
            kind: Kind::Large,
            pool: DEFAULT_POOL,
            state: State::Inactive,
            origin: Origin::Whole,
            prev: None,
            next: None,
            trace: None,
            segment_trace: None,
            alloc: None,
            free_requested: None,
        })
        .collect()
}

/// Three entries for each workspace.
pub(crate) fn entries(plan: &Plan) -> Vec<Event> {
    let actions = [Action::WorkspaceSnapshot, Action::SegmentAlloc, Action::Alloc];
    let entry = |(address, stream)| {
        actions.map(|action| Event {
            action,
            address,
            size: SIZE,
            stream,
            time_us: 0,
            pool: DEFAULT_POOL,
            trace: None,
        })
    };
    places(plan).flat_map(entry).collect()
}
