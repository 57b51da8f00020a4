//! What `index` made of a device.

use crate::device::Names;
use crate::reading::File;
use crate::writing::Columns;
use index::{DeviceIndex, Lives, Pyramid, PyramidLevel, Totals};
use job::Job;
use model::{Column, DeviceTable};

/// More levels than these no tree has: each is a sixteenth of the one below.
const MOST_LEVELS: usize = 16;
/// Names of the pyramids, in the order of [`Totals::pyramids`].
const COUNTERS: [&str; 3] = ["allocated", "active", "reserved"];

pub(crate) fn put(to: &mut Columns, names: Names, index: &DeviceIndex) {
    for (name, lives) in [("lives", &index.lives), ("active", &index.active)] {
        for (at, level) in lives.levels().iter().enumerate() {
            to.plain(&names.of(&format!("index.{name}.{at}")), level);
        }
    }
    for (counter, pyramid) in COUNTERS.into_iter().zip(index.totals.pyramids()) {
        for (at, level) in pyramid.levels().iter().enumerate() {
            let name = |column: &str| names.of(&format!("index.{counter}.{at}.{column}"));
            to.plain(&name("least"), &level.least);
            to.plain(&name("most"), &level.most);
            to.plain(&name("at"), &level.at);
        }
    }
}

pub(crate) fn read(
    file: &File,
    names: Names,
    table: &DeviceTable,
    job: &Job,
) -> Option<DeviceIndex> {
    let blocks = table.blocks.len() as usize;
    let lives = |name: &str| {
        let level = |at: usize| file.column(&names.of(&format!("index.{name}.{at}")));
        let levels: Vec<Column<u32>> = (0..MOST_LEVELS).map_while(level).collect();
        Lives::from_levels(levels, blocks)
    };
    let pyramid = |counter: &str| {
        let level = |at: usize| {
            let name = |column: &str| names.of(&format!("index.{counter}.{at}.{column}"));
            Some(PyramidLevel {
                least: file.column(&name("least"))?,
                most: file.column(&name("most"))?,
                at: file.column(&name("at"))?,
            })
        };
        let levels = (0..MOST_LEVELS).map_while(level).collect();
        Pyramid::from_levels(levels, table.events.len() as usize + 1)
    };
    let [allocated, active, reserved] = COUNTERS.map(pyramid);
    let totals = Totals::of_pyramids([allocated?, active?, reserved?]);
    // Cancelled is as good as nothing: who asked is told by the job.
    DeviceIndex::of_parts(table, (lives("lives")?, lives("active")?), totals, job).ok()
}
