//! One device of an open recording.

use crate::Session;
use crate::open::Indexed;
use crate::summary::DeviceSummary;
use ::table::{BlockNumbers, DeviceRows, Steps, Thresholds};
use index::{DeviceIndex, PoolCurves};
use job::{Cancelled, Job};
use layout::{AddressMap, Axis, LaneOrder, Lanes, Lit, Mark, Scene, Viewport};
use model::{BlockId, Blocks, Counter, Device, DeviceTable, Family, State};
use std::sync::{Mutex, OnceLock};

/// A number of blocks with their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Blocks.
    pub count: u32,
    /// Bytes asked for.
    pub requested: u64,
    /// Bytes occupied.
    pub size: u64,
}

impl Amount {
    /// Counts `row` of `blocks` in.
    pub(crate) fn add(&mut self, blocks: &Blocks, row: usize) {
        self.count += 1;
        self.requested = self.requested.saturating_add(blocks.columns().requested.value(row));
        self.size = self.size.saturating_add(blocks.columns().size.value(row));
    }

    /// Counts all of `other` in.
    pub(crate) fn join(&mut self, other: Self) {
        self.count += other.count;
        self.requested = self.requested.saturating_add(other.requested);
        self.size = self.size.saturating_add(other.size);
    }
}

/// One device of an open recording, to be asked.
#[derive(Debug, Clone, Copy)]
pub struct OnDevice<'a> {
    pub(crate) session: &'a Session,
    row: usize,
    indexed: &'a Indexed,
}

impl<'a> OnDevice<'a> {
    pub(crate) fn new(session: &'a Session, row: usize, indexed: &'a Indexed) -> Self {
        Self { session, row, indexed }
    }

    /// Its columns.
    pub fn table(self) -> &'a DeviceTable {
        &self.session.recording().devices[self.row]
    }

    pub(crate) fn index(self) -> &'a DeviceIndex {
        &self.indexed.index
    }

    pub(crate) fn kept_steps(self) -> &'a OnceLock<Steps> {
        &self.indexed.steps
    }

    pub(crate) fn kept_lit(self) -> &'a Mutex<Option<(Thresholds, Lit)>> {
        &self.indexed.inefficient
    }

    pub(crate) fn kept_device_rows(self) -> &'a OnceLock<DeviceRows> {
        &self.indexed.device_rows
    }

    /// Each pool over time; computed once.
    pub(crate) fn curves(self) -> &'a PoolCurves {
        self.indexed.curves.get_or_init(|| PoolCurves::new(self.table()))
    }

    /// What people know `block` by: the number of the event that allocated it, or a negative one.
    pub fn block_number(self, block: BlockId) -> i64 {
        self.block_numbers().number(&self.table().blocks, block)
    }

    /// What people know its blocks by.
    pub(crate) fn block_numbers(self) -> &'a BlockNumbers {
        let recording = self.session.recording();
        self.indexed.numbers.get_or_init(|| BlockNumbers::new(recording, self.row))
    }

    /// Its row in the recording.
    pub fn row(self) -> usize {
        self.row
    }

    /// `cuda:0`, `npu:1`, `host`.
    pub fn name(self) -> String {
        let family = match self.session.recording().family {
            Family::Cuda => "cuda",
            Family::Npu => "npu",
            Family::Xpu => "xpu",
        };
        match self.table().device {
            Device::Accelerator(ordinal) => format!("{family}:{ordinal}"),
            Device::Host => "host".to_owned(),
            Device::Track => self.track_name(),
        }
    }

    /// `npu:0 PTA`, with the process where the dump has several.
    fn track_name(self) -> String {
        let recording = self.session.recording();
        let (Some(track), Some(dump)) = (&self.table().track, &recording.dump) else {
            return "device".to_owned();
        };
        let device = recording.text(dump.devices[usize::from(track.device)]);
        let prefix = if device.bytes().all(|byte| byte.is_ascii_digit()) { "npu:" } else { "" };
        let process = match dump.processes.as_slice() {
            [_] => String::new(),
            all => format!(" (process {})", all[usize::from(track.process)]),
        };
        format!("{prefix}{device} {}{process}", recording.text(track.pool))
    }

    /// Counts, peaks and totals; computed once.
    pub fn summary(self) -> &'a DeviceSummary {
        self.indexed.summary.get_or_init(|| DeviceSummary::new(self))
    }

    /// The shapes of the lifecycle view for `viewport`.
    pub fn scene(self, viewport: &Viewport, job: &Job) -> Result<Scene, Cancelled> {
        layout::scene(self.table(), self.index(), viewport, job)
    }

    /// Where addresses lie on the address map.
    pub fn lanes(self, order: LaneOrder) -> &'a Lanes {
        let kept = match order {
            LaneOrder::Address => &self.indexed.by_address,
            LaneOrder::Size => &self.indexed.by_size,
        };
        kept.get_or_init(|| Lanes::new(&self.table().segments, order))
    }

    /// The shapes of the address map for `viewport`, whose y counts bytes of [`Lanes`].
    pub fn address_map(
        self,
        order: LaneOrder,
        viewport: &Viewport,
        job: &Job,
    ) -> Result<AddressMap, Cancelled> {
        layout::address_map(self.table(), self.index(), self.lanes(order), viewport, job)
    }

    /// The named ranges between `x.0` and `x.1`, bounded by `width_px`.
    pub fn marks(self, axis: Axis, x: (f64, f64), width_px: u32) -> Vec<Mark> {
        layout::marks(self.session.recording(), self.row, axis, x, width_px)
    }

    /// When `state` began: the time of the event that made it.
    pub(crate) fn time_ns(self, state: State) -> Option<i64> {
        self.table().events.time_ns(state.event()?)
    }

    /// The moment right after the last event.
    pub(crate) fn last_state(self) -> State {
        State(self.table().events.len())
    }

    /// Where `counter` is largest for the first time.
    pub fn peak_state(self, counter: Counter) -> State {
        let all = State(0)..State(self.last_state().0 + 1);
        self.index().totals.peak(&self.table().counters, counter, all).at
    }
}
