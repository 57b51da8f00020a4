//! What was alive when, and where: orders, sums and lifetimes over the columns.
//!
//! Built once a device; every question after that is answered without a scan over all events.
//! Cannot fail: a question returns a value or [`job::Cancelled`].

mod lives;
#[cfg(test)]
mod tests;
mod totals;

pub use lives::Lives;
pub use totals::{Peak, Totals};

use job::{Cancelled, Job};
use model::DeviceTable;

/// The index of one device.
#[derive(Debug, Clone)]
pub struct DeviceIndex {
    /// Who is alive when.
    pub lives: Lives,
    /// Least and most of the totals over any stretch.
    pub totals: Totals,
}

impl DeviceIndex {
    /// Indexes `table`.
    pub fn new(table: &DeviceTable, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let lives = Lives::new(&table.blocks, job)?;
        let totals = Totals::new(&table.counters, job)?;
        Ok(Self { lives, totals })
    }
}
