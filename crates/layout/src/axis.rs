//! What the horizontal axis counts, and where states lie on it.

use model::{DeviceTable, State};

/// What the horizontal axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Events: the state right after event `i` covers `[i, i + 1)`, the state before the first
    /// event `[-1, 0)`.
    Event,
    /// Microseconds since the device's first event; the state right after an event lasts until the
    /// next one's time.
    Time,
}

impl Axis {
    /// Bounds of the axis over `table`; `None` for time when the events have none.
    pub fn range(self, table: &DeviceTable) -> Option<(f64, f64)> {
        match self {
            Self::Event => Some((-1.0, f64::from(table.events.len()))),
            Self::Time => {
                let times = table.events.time_us.as_ref()?;
                let span = (*times.last()? - *times.first()?) as f64;
                let margin = (span * 0.01).max(1.0);
                Some((-margin, span + margin))
            }
        }
    }

    /// Where `state` begins on the axis.
    pub fn begin(self, table: &DeviceTable, state: State) -> f64 {
        match (self, state.event(), table.events.time_us.as_ref()) {
            (Self::Event, _, _) => f64::from(state.0) - 1.0,
            (Self::Time, Some(event), Some(times)) => (times[event.row()] - times[0]) as f64,
            (Self::Time, ..) => self.range(table).map_or(-1.0, |(from, _)| from),
        }
    }

    /// The state that covers `x`, clamped to the recording.
    pub fn state_at(self, table: &DeviceTable, x: f64) -> State {
        match (self, table.events.time_us.as_ref()) {
            (Self::Time, Some(times)) if !times.is_empty() => {
                let first = times[0];
                State(times.partition_point(|time| (*time - first) as f64 <= x) as u32)
            }
            _ => State((x.floor() + 1.0).clamp(0.0, f64::from(table.events.len())) as u32),
        }
    }
}
