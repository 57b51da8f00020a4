//! What people know blocks by.

use model::{BlockId, Blocks, DeviceTable, Origin, Recording};
use std::ops::Range;

/// What people know the blocks of one device by: the number of the event that allocated it.
///
/// A block whose allocation is not in the trace has a negative number instead: −1, −2, … in the
/// order of rows (by address for those there from the start), counted over the devices of the file
/// in its order. `MindStudio Insight` numbers them the same way.
#[derive(Debug, Clone)]
pub struct BlockNumbers {
    /// Rows that an event of the trace allocated.
    pub(crate) traced: Range<usize>,
    /// Blocks of earlier devices that none did.
    untraced_before: usize,
}

impl BlockNumbers {
    /// Those of `recording.devices[device]`.
    pub fn new(recording: &Recording, device: usize) -> Self {
        let untraced =
            |table: &DeviceTable| table.blocks.len() as usize - traced(&table.blocks).len();
        Self {
            traced: traced(&recording.devices[device].blocks),
            untraced_before: recording.devices[..device].iter().map(untraced).sum(),
        }
    }

    /// What people know `block`, one of `blocks`, by.
    pub fn number(&self, blocks: &Blocks, block: BlockId) -> i64 {
        let row = block.row();
        if self.traced.contains(&row) {
            return i64::from(blocks.born()[row]) - 1;
        }
        let before = if row < self.traced.start { row } else { row - self.traced.len() };
        -1 - (self.untraced_before + before) as i64
    }

    /// The one of `blocks` that [`BlockNumbers::number`] calls `number`.
    pub fn find(&self, blocks: &Blocks, number: i64) -> Option<BlockId> {
        let row = if let Ok(event) = u32::try_from(number) {
            let born = &blocks.born()[self.traced.clone()];
            self.traced.start + born.binary_search(&event.checked_add(1)?).ok()?
        } else {
            let counted = usize::try_from(number.checked_add(1)?.checked_neg()?).ok()?;
            let at = counted.checked_sub(self.untraced_before)?;
            if at < self.traced.start { at } else { at + self.traced.len() }
        };
        (row < blocks.len() as usize).then_some(BlockId(row as u32))
    }
}

/// The rows that an event of the trace allocated: after those there from the start, and before
/// those that only the final segments name.
fn traced(blocks: &Blocks) -> Range<usize> {
    let start = blocks.born().partition_point(|born| *born == 0);
    let late = (start..blocks.len() as usize).rev();
    let is_late = |row: &usize| blocks.get(BlockId(*row as u32)).origin != Origin::Traced;
    start..blocks.len() as usize - late.take_while(is_late).count()
}
