//! What holds memory at one moment, as an answer.

use crate::{LiveBlock, LiveSet, Micros, WireError, error, names};
use session::{At, Session};

/// The blocks that hold memory at `at` on the device in row `device`, of which the `top` largest are listed.
pub fn live_set(session: &Session, device: u32, at: At, top: usize) -> Result<LiveSet, WireError> {
    let on = error::device(session, device)?;
    let Some(set) = on.live_set(at, top) else {
        let (name, count) = (on.name(), on.table().events.len());
        return Err(WireError::nonsense(format!("no such event: {name} has {count}")));
    };
    let row = |live: &session::LiveBlock| {
        let (top_frame, fallback_frame) = names::top_frame(session, live.top_frame);
        LiveBlock {
            block: live.id.0,
            address: names::hex(live.block.addr),
            size: live.block.size,
            requested: live.block.requested,
            is_pending: live.is_pending,
            alloc_event: live.block.alloc().map(|event| event.0),
            free_event: live.block.released.and_then(session::State::event).map(|event| event.0),
            top_frame,
            fallback_frame,
            owner: on.owner(live.id).map(str::to_owned),
        }
    };
    Ok(LiveSet {
        device: on.name(),
        event: i64::from(set.state.0) - 1,
        time_us: set.time_ns.map(Micros),
        total: set.total.into(),
        allocated: set.allocated.into(),
        pending: set.pending.into(),
        blocks: set.largest.iter().map(row).collect(),
    })
}
