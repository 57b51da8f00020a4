//! Lives of blocks and segments, and totals, from the final segments and the events.

use crate::Warnings;
use crate::torch::raw::RawDevice;
use job::{Cancelled, Job};
use model::{DeviceTable, Family, Settings};

/// What decides the size of a block that was freed before the file was written.
pub(crate) struct Rules<'a> {
    pub(crate) family: Family,
    pub(crate) settings: &'a Settings,
}

/// Derives everything the events and the final segments imply for one device.
pub(crate) fn derive(
    raw: RawDevice,
    rules: &Rules<'_>,
    warnings: &Warnings,
    job: &Job,
) -> Result<DeviceTable, Cancelled> {
    let _ = (raw, rules, warnings, job);
    unimplemented!("contract")
}
