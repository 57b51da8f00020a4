//! What the horizontal axis counts, and where states lie on it.

use model::{DeviceTable, State};

/// What the horizontal axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Events: the state right after event `i` covers `[i, i + 1)`, the state before the first
    /// event `[-1, 0)`.
    Event,
    /// Microseconds since [`DeviceTable::span_ns`] begins; the state right after an event lasts until
    /// the next one's time.
    Time,
}

impl Axis {
    /// Bounds of the axis over `table`; `None` for time when the events have none.
    pub fn range(self, table: &DeviceTable) -> Option<(f64, f64)> {
        match self {
            Self::Event => Some((-1.0, f64::from(table.events.len()))),
            Self::Time => {
                let (from, to) = table.span_ns()?;
                let span = micros(to, from);
                let margin = (span * 0.01).max(1.0);
                Some((-margin, span + margin))
            }
        }
    }

    /// Where `state` begins on the axis.
    pub fn begin(self, table: &DeviceTable, state: State) -> f64 {
        match (self, state.event(), table.events.time_ns.as_ref()) {
            (Self::Event, _, _) => f64::from(state.0) - 1.0,
            (Self::Time, Some(event), Some(times)) => {
                micros(times[event.row()], origin(table, times))
            }
            (Self::Time, ..) => self.range(table).map_or(-1.0, |(from, _)| from),
        }
    }

    /// The state that covers `x`, clamped to the recording.
    pub fn state_at(self, table: &DeviceTable, x: f64) -> State {
        match (self, table.events.time_ns.as_ref()) {
            (Self::Time, Some(times)) if !times.is_empty() => {
                let first = origin(table, times);
                State(times.partition_point(|time| micros(*time, first) <= x) as u32)
            }
            _ => State((x.floor() + 1.0).clamp(0.0, f64::from(table.events.len())) as u32),
        }
    }
}

/// Where the time axis of `table`, whose events have `times`, counts from.
pub(crate) fn origin(table: &DeviceTable, times: &[i64]) -> i64 {
    table.span_ns().map_or_else(|| times.first().copied().unwrap_or(0), |(from, _)| from)
}

/// Microseconds from `from_ns` to `time_ns`.
pub(crate) fn micros(time_ns: i64, from_ns: i64) -> f64 {
    time_ns.saturating_sub(from_ns) as f64 / 1e3
}
