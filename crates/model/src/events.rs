//! What the allocator did, in the order in which it says it did it.

use crate::{Column, EventId, NoteId, PoolId, StackId, StreamId, StringId};

/// What an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A block was handed out.
    Alloc,
    /// The caller gave a block back; other streams may still use it.
    FreeRequested,
    /// The block can be used again.
    FreeCompleted,
    /// Memory was taken from the driver.
    SegmentAlloc,
    /// Memory went back to the driver.
    SegmentFree,
    /// An expandable segment grew.
    SegmentMap,
    /// An expandable segment gave pages back.
    SegmentUnmap,
    /// An allocation failed; the address column holds the bytes the driver said were free.
    Oom,
    /// Somebody took a snapshot; the size is the active bytes at that moment.
    Snapshot,
    /// A text was attached to a live allocation.
    Annotate,
    /// A mark of the 2024 nightlies: one frame whose file name is the text.
    UserDefined,
    /// A `torch_npu` workspace as it was when the file was written.
    WorkspaceSnapshot,
    /// An action this program does not know: row of [`Recording::other_actions`](crate::Recording).
    Other(u8),
}

/// The known actions with the names the files use, by code.
const NAMES: [(&str, Action); 12] = [
    ("alloc", Action::Alloc),
    ("free_requested", Action::FreeRequested),
    ("free_completed", Action::FreeCompleted),
    ("segment_alloc", Action::SegmentAlloc),
    ("segment_free", Action::SegmentFree),
    ("segment_map", Action::SegmentMap),
    ("segment_unmap", Action::SegmentUnmap),
    ("oom", Action::Oom),
    ("snapshot", Action::Snapshot),
    ("annotate", Action::Annotate),
    ("user_defined", Action::UserDefined),
    ("workspace_snapshot", Action::WorkspaceSnapshot),
];

/// Codes from here on are rows of the recording's unknown actions.
const OTHER: u8 = 128;

impl Action {
    /// The action a file calls `name`, if this program knows it.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, action)| *action)
    }

    /// The name files use, or `None` for [`Action::Other`].
    pub fn name(self) -> Option<&'static str> {
        NAMES.iter().find(|(_, action)| *action == self).map(|(name, _)| *name)
    }

    /// The byte stored in the column.
    pub fn code(self) -> u8 {
        match self {
            Self::Other(row) => OTHER.saturating_add(row),
            known => NAMES.iter().position(|(_, action)| *action == known).unwrap_or(0) as u8,
        }
    }

    /// The action behind a stored byte.
    pub fn from_code(code: u8) -> Self {
        match NAMES.get(usize::from(code)) {
            Some((_, action)) => *action,
            None => Self::Other(code.saturating_sub(OTHER)),
        }
    }
}

/// The rare texts of an event, interned as one: most events of a file have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Note {
    /// `torch.compile`'s region, unless none ("N/A").
    pub compile_context: Option<StringId>,
    /// The caller's own text.
    pub user_metadata: Option<StringId>,
    /// The allocator's own text.
    pub internal_metadata: Option<StringId>,
    /// The category a profiler conversion gave (parameter, gradient, …).
    pub category: Option<StringId>,
    /// The forward pass's stack as preformatted text.
    pub forward_frames: Option<StringId>,
}

/// One device's events as columns of equal length.
#[derive(Debug, Clone)]
pub struct Events {
    /// [`Action`] codes.
    pub action: Column<u8>,
    /// Address; for [`Action::Oom`] the driver's free bytes.
    pub addr: Column<u64>,
    /// Bytes: requested for block events, real for segment events, rounded for `oom`.
    pub size: Column<u64>,
    /// Row of [`Recording::streams`](crate::Recording).
    pub stream: Column<u16>,
    /// Row of the recording's stacks, or [`Events::NO_STACK`].
    pub stack: Column<u32>,
    /// Nanoseconds since [`Recording::zero_ns`](crate::Recording), never decreasing as written;
    /// absent when the file has none.
    pub time_ns: Option<Column<i64>>,
    /// Row of [`Recording::pools`](crate::Recording), or [`PoolId`] `u16::MAX`; absent when the
    /// events do not say.
    pub pool: Option<Column<u16>>,
    /// Row of [`Recording::notes`](crate::Recording) (0: nothing to say); absent when none has one.
    pub note: Option<Column<u32>>,
}

impl Events {
    /// In [`Events::stack`]: the entry has no `frames` key at all.
    pub const NO_STACK: u32 = u32::MAX;
    /// In [`Events::pool`]: the entry does not say its pool.
    pub const NO_POOL: u16 = u16::MAX;

    /// No events.
    pub fn empty() -> Self {
        Self {
            action: Vec::new().into(),
            addr: Vec::new().into(),
            size: Vec::new().into(),
            stream: Vec::new().into(),
            stack: Vec::new().into(),
            time_ns: None,
            pool: None,
            note: None,
        }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.action.len() as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.action.is_empty()
    }

    /// What `event` is.
    pub fn action(&self, event: EventId) -> Action {
        Action::from_code(self.action.value(event.row()))
    }

    /// The stream of `event`.
    pub fn stream(&self, event: EventId) -> StreamId {
        StreamId(self.stream.value(event.row()))
    }

    /// The stack of `event`; `None` when the entry has no `frames` key.
    pub fn stack(&self, event: EventId) -> Option<StackId> {
        let row = self.stack.value(event.row());
        (row != Self::NO_STACK).then_some(StackId(row))
    }

    /// When `event` happened, nanoseconds since [`Recording::zero_ns`](crate::Recording).
    pub fn time_ns(&self, event: EventId) -> Option<i64> {
        self.time_ns.as_ref().map(|times| times.value(event.row()))
    }

    /// The pool the entry names.
    pub fn pool(&self, event: EventId) -> Option<PoolId> {
        let row = self.pool.as_ref()?.value(event.row());
        (row != Self::NO_POOL).then_some(PoolId(row))
    }

    /// The texts of `event`.
    pub fn note(&self, event: EventId) -> Option<NoteId> {
        let row = self.note.as_ref()?.value(event.row());
        (row != 0).then_some(NoteId(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_survives_its_code_and_its_name() {
        for (name, action) in NAMES {
            assert_eq!(Action::from_code(action.code()), action);
            assert_eq!(Action::from_name(name), Some(action));
            assert_eq!(action.name(), Some(name));
        }
        assert_eq!(Action::from_code(Action::Other(7).code()), Action::Other(7));
        assert_eq!(Action::from_name("defragment"), None);
    }
}
