//! Which ranges the program named around a moment.

use crate::OnDevice;
use model::{Annotation, StringId};

/// `ProfilerStep#12` → 12: how `torch.profiler` names the steps of a schedule.
pub(crate) fn profiler_step(name: &str) -> Option<u64> {
    name.strip_prefix("ProfilerStep#")?.parse().ok()
}

impl<'a> OnDevice<'a> {
    /// Named ranges of this device, sorted by start.
    pub(crate) fn annotations(self) -> impl Iterator<Item = &'a Annotation> {
        let recording = self.session.recording();
        recording.annotations.iter().filter(move |range| recording.is_about(range, self.row()))
    }

    /// Names of the ranges open at `time_ns`, outermost first.
    ///
    /// A range whose START was lost is left out: nothing says when it began. One whose END was not
    /// reached is still open.
    pub(crate) fn within(self, time_ns: i64) -> Vec<StringId> {
        let is_open = |range: &&Annotation| {
            let begun = range.start_ns.is_some_and(|start| start <= time_ns);
            // Of two steps that share a stamp, the later one holds it. What was a moment is over.
            let is_now = range.start_ns == Some(time_ns) && range.end_ns == Some(time_ns);
            begun && (is_now || range.end_ns.is_none_or(|end| time_ns < end))
        };
        let mut open: Vec<&Annotation> = self.annotations().filter(is_open).collect();
        open.sort_by_key(|range| range.depth);
        open.iter().map(|range| range.name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_profilers_own_names_are_steps() {
        assert_eq!(profiler_step("ProfilerStep#12"), Some(12));
        assert_eq!(profiler_step("ProfilerStep#"), None);
        assert_eq!(profiler_step("Optimizer.step#AdamW.step"), None);
        assert_eq!(profiler_step("my ProfilerStep#1"), None);
    }
}
