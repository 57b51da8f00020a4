//! Trouble that left the rest of a file usable.

/// What kind of trouble it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningKind {
    /// The file ends in the middle; what comes before the cut is shown.
    Truncated,
    /// Bytes follow the end of the pickle.
    TrailingBytes,
    /// The file has segments and no events: recording was not on.
    NoHistory,
    /// A device's trace holds one entry: the legacy recording mode keeps only the last.
    LegacyHistory,
    /// The first events or a round count say that older events were overwritten (inferred).
    RingOverflow,
    /// The file itself says that events were overwritten.
    RingOverflowStated,
    /// An action this program does not know.
    UnknownAction,
    /// A key this program does not know.
    UnknownKey,
    /// An entry or segment lacks something it needs and was left out, or filled in.
    MissingField,
    /// A value has a type or range its key cannot have.
    BadValue,
    /// An event contradicts what the others say about the address.
    Contradiction,
    /// A segment's blocks do not add up to it, or lie outside it.
    BadSegment,
    /// An address lies in no known segment.
    OutsideSegments,
    /// Times go backwards within a device.
    TimeBackwards,
    /// START or END of an annotation has no partner.
    UnpairedAnnotation,
    /// A `torch_npu` workspace as of the dump is shown apart from the history.
    Workspace,
    /// Pages of a database, or files of a folder, are damaged; what is on the others is shown.
    Damaged,
    /// A free matches no allocation.
    UnmatchedFree,
    /// An access is to memory of no known block.
    UnknownAccess,
    /// More than this program can index.
    TooLarge,
}

/// One kind of trouble, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Its kind.
    pub kind: WarningKind,
    /// How often.
    pub count: u64,
    /// What it was and what it means for the picture, as a sentence.
    pub message: String,
}
