//! What was alive when, and where: orders, sums and lifetimes over the columns.
//!
//! Built once a device; every question after that is answered without a scan over all events.
//! Cannot fail: a question returns a value or [`job::Cancelled`].

mod curve;
mod curves;
mod hits;
mod lives;
mod pool;
mod slices;
#[cfg(test)]
mod tests;
mod totals;

pub use curve::Curve;
pub use curves::{PoolCounter, PoolCurves, PoolKey, pool_peaks};
pub use hits::SliceHits;
pub use lives::Lives;
pub use pool::{PoolSegment, PoolState};
pub use slices::{Row, SliceIndex};
pub use totals::{Peak, Pyramid, PyramidLevel, Totals};

use job::{Cancelled, Job};
use model::{BlockId, DeviceTable, State};

/// The index of one device.
#[derive(Debug, Clone)]
pub struct DeviceIndex {
    /// Which blocks are allocated when: over [`model::Blocks::released`].
    pub lives: Lives,
    /// Which blocks are not free when: over [`model::Blocks::died`].
    pub active: Lives,
    /// Which segments are mapped when.
    pub segments: SegmentLives,
    /// Least and most of the totals over any stretch.
    pub totals: Totals,
}

/// Which segments are mapped when.
#[derive(Debug, Clone)]
pub struct SegmentLives {
    born: Vec<u32>,
    died: Vec<u32>,
    lives: Lives,
}

impl DeviceIndex {
    /// Indexes `table`.
    pub fn new(table: &DeviceTable, job: &Job) -> Result<Self, Cancelled> {
        let (totals, (lives, active)) = rayon::join(
            || Totals::new(&table.counters, job),
            || {
                let blocks = &table.blocks;
                rayon::join(
                    || Lives::new(blocks.released(), job),
                    || Lives::new(blocks.died(), job),
                )
            },
        );
        Ok(Self {
            lives: lives?,
            active: active?,
            segments: SegmentLives::new(table, job)?,
            totals: totals?,
        })
    }

    /// The index of `table` of what [`DeviceIndex::new`] made of it at another time.
    pub fn of_parts(
        table: &DeviceTable,
        (lives, active): (Lives, Lives),
        totals: Totals,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        Ok(Self { lives, active, segments: SegmentLives::new(table, job)?, totals })
    }

    /// The blocks allocated at `state`, in birth order.
    pub fn allocated_at(&self, table: &DeviceTable, state: State) -> Vec<BlockId> {
        let blocks = &table.blocks;
        let rows = self.lives.at(blocks.born(), blocks.released(), state);
        rows.into_iter().map(BlockId).collect()
    }
}

impl SegmentLives {
    fn new(table: &DeviceTable, job: &Job) -> Result<Self, Cancelled> {
        let rows = table.segments.rows();
        let born = rows.iter().map(|row| row.born.0).collect();
        let died: Vec<u32> =
            rows.iter().map(|row| row.died.map_or(u32::MAX, |state| state.0)).collect();
        let lives = Lives::new(&died, job)?;
        Ok(Self { born, died, lives })
    }

    /// Rows of the segments mapped at `state`, in birth order.
    pub fn at(&self, state: State) -> Vec<u32> {
        self.lives.at(&self.born, &self.died, state)
    }
}
