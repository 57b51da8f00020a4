//! Row numbers of one recording's tables; they mean nothing outside it.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            /// The row as an index into a column.
            pub const fn row(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A row of one device's [`Events`](crate::Events): its place in the device's trace, from 0.
    EventId(u32)
);
id!(
    /// A row of one device's [`Blocks`](crate::Blocks).
    BlockId(u32)
);
id!(
    /// A row of one device's [`Segments`](crate::Segments).
    SegmentId(u32)
);
id!(
    /// A call stack of the recording, see [`Stacks`](crate::Stacks); 0 is the empty stack.
    StackId(u32)
);
id!(
    /// A distinct frame of the recording.
    FrameId(u32)
);
id!(
    /// A distinct text of the recording, see [`Strings`](crate::Strings); 0 is the empty text.
    StringId(u32)
);
id!(
    /// What an event says beside its numbers, see [`Note`](crate::Note).
    NoteId(u32)
);
id!(
    /// A distinct stream handle of the recording.
    StreamId(u16)
);
id!(
    /// A distinct pool id of the recording.
    PoolId(u16)
);

/// A moment between events: `State(0)` is before the first event, `State(i + 1)` right after
/// event `i`.
///
/// Whatever lives, lives in a half-open range of states, so "there at state s" is
/// `born <= s < died`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u32);

impl State {
    /// The moment right after `event`.
    pub const fn after(event: EventId) -> Self {
        Self(event.0 + 1)
    }

    /// The event that made this state, or `None` before the first event.
    pub const fn event(self) -> Option<EventId> {
        match self.0 {
            0 => None,
            after => Some(EventId(after - 1)),
        }
    }
}
