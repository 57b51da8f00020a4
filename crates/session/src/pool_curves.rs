//! Each pool on each stream: at one state, and over a stretch of the axis.

use crate::{OnDevice, Peak};
use index::{PoolCounter, PoolKey};
use layout::{Axis, stretches};
use model::{Pool, State};
use std::collections::HashMap;
use std::ops::Range;

/// One pool on one stream at one state, and what it had at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolMoment {
    /// `None` when nothing says.
    pub pool: Option<Pool>,
    /// Raw stream handle.
    pub stream: u64,
    /// Bytes in segments.
    pub reserved: u64,
    /// Bytes in blocks that are allocated or pending.
    pub active: u64,
    /// Bytes of its segments in no block.
    pub free: u64,
    /// Bytes of the largest run of them.
    pub largest_gap: u64,
    /// Segments; one of an expandable pool counts once however often it grew.
    pub segments: u32,
    /// Most bytes in segments.
    pub peak_reserved: Peak,
    /// Most bytes in blocks that are allocated or pending.
    pub peak_active: Peak,
}

/// Pools over a stretch of the axis, a value a column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoolColumns {
    /// Left edges in pixels, and the last one's right edge: one more than there are columns.
    pub edge: Vec<f32>,
    /// One a pool asked for.
    pub lines: Vec<PoolLine>,
}

/// One pool, a value a column: least and most over all states that the column covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolLine {
    /// Bytes in segments.
    pub reserved: [Vec<u64>; 2],
    /// Bytes in blocks that are allocated or pending.
    pub active: [Vec<u64>; 2],
}

impl OnDevice<'_> {
    /// Every pool that ever had memory, at `state`; as the file first
    /// names them, unknown ones last.
    pub fn pool_moments(self, state: State) -> Vec<PoolMoment> {
        let state = state.min(self.last_state());
        let mut inside: HashMap<PoolKey, (u32, u64, u64)> = HashMap::new();
        for segment in self.pool(state).segments {
            let of = inside.entry((segment.pool, segment.stream)).or_default();
            of.0 += 1;
            of.1 += segment.free;
            of.2 = of.2.max(segment.largest_gap);
        }
        let all = State(0)..State(self.last_state().0 + 1);
        let keys = self.curves().keys().iter().enumerate();
        keys.map(|(row, key)| {
            let peak = |counter| {
                let peak = self.pool_peak(row, counter, all.clone());
                Peak { bytes: peak.most, at: peak.at, time_ns: self.time_ns(peak.at) }
            };
            let now = |counter| self.pool_peak(row, counter, state..State(state.0 + 1)).most;
            let (segments, free, largest_gap) = inside.get(key).copied().unwrap_or_default();
            let recording = self.session.recording();
            PoolMoment {
                pool: key.0.map(|pool| recording.pool(pool)),
                stream: recording.stream(key.1),
                reserved: now(PoolCounter::Reserved),
                active: now(PoolCounter::Active),
                free,
                largest_gap,
                segments,
                peak_reserved: peak(PoolCounter::Reserved),
                peak_active: peak(PoolCounter::Active),
            }
        })
        .collect()
    }

    /// The pools in `rows` of [`OnDevice::pool_moments`] from `x.0` to `x.1`; rows that are not
    /// there have nothing.
    ///
    /// The work is bounded by rows × pixels, whatever the length of the recording.
    pub fn pool_columns(
        self,
        axis: Axis,
        x: (f64, f64),
        width_px: u32,
        rows: &[usize],
    ) -> PoolColumns {
        let columns = stretches(self.table(), axis, x, width_px);
        let count = self.curves().keys().len();
        let line = |row: &usize| {
            let mut line = PoolLine::default();
            for states in columns.states.iter().filter(|_| *row < count) {
                for (values, counter) in [
                    (&mut line.reserved, PoolCounter::Reserved),
                    (&mut line.active, PoolCounter::Active),
                ] {
                    let peak = self.pool_peak(*row, counter, states.clone());
                    values[0].push(peak.least);
                    values[1].push(peak.most);
                }
            }
            line
        };
        PoolColumns { lines: rows.iter().map(line).collect(), edge: columns.edge }
    }

    fn pool_peak(self, row: usize, counter: PoolCounter, states: Range<State>) -> index::Peak {
        self.curves().peak((self.table(), &self.index().totals), row, counter, states)
    }
}
