//! What is allocated at one moment, as an answer.

use crate::{LiveBlock, LiveSet, WireError, error, names};
use session::{At, Block, BlockId, Session, TopFrame};

/// The blocks allocated at `at` on the device in row `device`, of which the `top` largest are listed.
pub fn live_set(session: &Session, device: u32, at: At, top: usize) -> Result<LiveSet, WireError> {
    let on = error::device(session, device)?;
    let Some(set) = on.live_set(at, top) else {
        let (name, count) = (on.name(), on.table().events.len());
        return Err(WireError::nonsense(format!("no such event: {name} has {count}")));
    };
    let row = |(id, block, top): &(BlockId, Block, Option<TopFrame>)| {
        let (top_frame, fallback_frame) = names::top_frame(session, *top);
        LiveBlock {
            block: id.0,
            address: names::hex(block.addr),
            size: block.size,
            requested: block.requested,
            alloc_event: block.alloc().map(|event| event.0),
            free_event: block.released.and_then(|state| state.event()).map(|event| event.0),
            top_frame,
            fallback_frame,
        }
    };
    Ok(LiveSet {
        device: on.name(),
        event: i64::from(set.state.0) - 1,
        time_us: set.time_us,
        total: set.total.into(),
        blocks: set.largest.iter().map(row).collect(),
    })
}
