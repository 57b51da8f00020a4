//! What events and final segments say against each other, counted, and told in words.

use crate::Warnings;
use model::WarningKind;

/// One way in which a file contradicts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    AllocatedTwice,
    FreedTwice,
    NotRequested,
    NotCompleted,
    RequestedTwice,
    OtherSize,
    Vanished,
    Appeared,
    Unseen,
    PendingUnseen,
    Overlap,
    MappedTwice,
    UnmappedTwice,
    SegmentVanished,
    SegmentAppeared,
    BadSegment,
    Outside,
    Workspace,
    WorkspaceApart,
}

/// Each with its warning, what happened, and what that means for the picture.
const KINDS: [(Trouble, WarningKind, &str); 19] = [
    (
        Trouble::AllocatedTwice,
        WarningKind::Contradiction,
        "an address was handed out again without a free in between: the older block is \
         shown until then",
    ),
    (
        Trouble::FreedTwice,
        WarningKind::Contradiction,
        "a block was freed that was not allocated any more: the event is listed and \
         changes nothing",
    ),
    (
        Trouble::NotRequested,
        WarningKind::Contradiction,
        "a free was completed that nobody had requested: the block is shown as allocated \
         until it was completed",
    ),
    (
        Trouble::NotCompleted,
        WarningKind::Contradiction,
        "a free was requested and never completed, though the memory was free later: the \
         block is shown as free from the request on",
    ),
    (
        Trouble::RequestedTwice,
        WarningKind::Contradiction,
        "a free was requested twice: the block is shown as pending from the first request",
    ),
    (
        Trouble::OtherSize,
        WarningKind::Contradiction,
        "a block was freed with another size than it was allocated with: the size of the \
         allocation is shown",
    ),
    (
        Trouble::Vanished,
        WarningKind::Contradiction,
        "a block was allocated, never freed in the trace, and is not in the final \
         segments: it is shown until something else is put in its place, at most until \
         the last event",
    ),
    (
        Trouble::Appeared,
        WarningKind::Contradiction,
        "a block is in the final segments though the trace freed it and never allocated \
         it again: it is shown from the last event on",
    ),
    (
        Trouble::Unseen,
        WarningKind::Contradiction,
        "a block's memory was taken from the driver in the trace, and its allocation is not in \
         the trace: it is shown from the moment its memory was there",
    ),
    (
        Trouble::PendingUnseen,
        WarningKind::Contradiction,
        "a block is pending free in the final segments and the trace has no request: it \
         is shown as allocated until the last event",
    ),
    (
        Trouble::Overlap,
        WarningKind::Contradiction,
        "a block was put where another one still is: both are shown, and totals are too \
         high there",
    ),
    (
        Trouble::MappedTwice,
        WarningKind::Contradiction,
        "memory was taken from the driver that was already taken: the older segment is \
         shown until then",
    ),
    (
        Trouble::UnmappedTwice,
        WarningKind::Contradiction,
        "memory was given back to the driver that was not taken, or only in part: what \
         was taken is shown until then",
    ),
    (
        Trouble::SegmentVanished,
        WarningKind::Contradiction,
        "a segment was never given back in the trace and is not among the final segments: \
         it is shown until the last event",
    ),
    (
        Trouble::SegmentAppeared,
        WarningKind::Contradiction,
        "a segment is among the final ones though the trace gave it back: it is shown \
         from the last event on",
    ),
    (
        Trouble::BadSegment,
        WarningKind::BadSegment,
        "a segment's blocks do not add up to it: they are shown as stated, so totals of \
         blocks and of segments may not fit each other",
    ),
    (
        Trouble::Outside,
        WarningKind::OutsideSegments,
        "a block lies in no known segment: it is shown with the size that was requested, \
         and in no segment",
    ),
    (
        Trouble::Workspace,
        WarningKind::Workspace,
        "a workspace is known only as it was when the file was written: it is shown as a \
         block from the start to the end, apart from the history",
    ),
    (
        Trouble::WorkspaceApart,
        WarningKind::Workspace,
        "a workspace's memory is not in a segment that was there all the time: it is \
         listed, and not counted in any total",
    ),
];

/// How often each [`Trouble`] was met, and where first.
#[derive(Debug, Default)]
pub(super) struct Troubles([(u64, u64); KINDS.len()]);

impl Troubles {
    pub(super) fn add(&mut self, trouble: Trouble, addr: u64) {
        let (count, first) = &mut self.0[trouble as usize];
        if *count == 0 {
            *first = addr;
        }
        *count += 1;
    }

    pub(super) fn count(&self, trouble: Trouble) -> u64 {
        self.0[trouble as usize].0
    }

    /// It was no trouble after all.
    pub(super) fn forgive(&mut self, trouble: Trouble) {
        self.0[trouble as usize].0 = 0;
    }

    pub(super) fn tell(&self, warnings: &Warnings) {
        for (trouble, kind, words) in KINDS {
            let (count, first) = self.0[trouble as usize];
            warnings.add(kind, words, count, || format!("{words} (first: {first:#x})"));
        }
    }
}
