//! The steps a run is divided into.

use model::EventId;

/// Steps of one device by the event they start at; one lasts until the next begins.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    starts: Vec<u32>,
    names: Vec<String>,
}

impl Steps {
    /// Steps that begin at these events, in any order; of two that begin at the same one, the
    /// later given holds it.
    pub fn new(mut steps: Vec<(EventId, String)>) -> Self {
        steps.sort_by_key(|(start, _)| *start);
        let (starts, names) = steps.into_iter().map(|(start, name)| (start.0, name)).unzip();
        Self { starts, names }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// What the step at `place` is called.
    pub fn name(&self, place: usize) -> &str {
        &self.names[place]
    }

    /// The place of the step that `event` is in; `None` before the first.
    pub fn at(&self, event: EventId) -> Option<usize> {
        self.starts.partition_point(|start| *start <= event.0).checked_sub(1)
    }

    /// [`Steps::at`] of events that never decrease; nothing for none.
    pub(crate) fn along(
        &self,
        events: impl Iterator<Item = Option<EventId>>,
    ) -> impl Iterator<Item = Option<usize>> {
        let mut begun = None;
        events.map(move |event| {
            let event = event?;
            let mut begun_by = begun.unwrap_or_else(|| self.at(event).map_or(0, |step| step + 1));
            while self.starts.get(begun_by).is_some_and(|start| *start <= event.0) {
                begun_by += 1;
            }
            begun = Some(begun_by);
            begun_by.checked_sub(1)
        })
    }
}
