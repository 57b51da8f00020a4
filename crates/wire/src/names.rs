//! Words for values that travel as text; the page and scripts may rely on them.

use session::{
    Action, Carrier, Family, FrameId, Origin, Pool, Recording, SegmentKind, Session, SizeSource,
    TopFrame, WarningKind,
};

/// `0x7f1200000000`.
pub(crate) fn hex(value: u64) -> String {
    format!("{value:#x}")
}

pub(crate) fn carrier(carrier: Carrier) -> &'static str {
    match carrier {
        Carrier::Pickle => "pickle",
        Carrier::Json => "json",
        Carrier::Gzip => "gzip",
        Carrier::Zstd => "zstd",
        Carrier::Zip => "zip",
        Carrier::TorchSave => "torch_save",
        Carrier::Html => "html",
        Carrier::Sqlite => "sqlite",
        Carrier::Csv => "csv",
        Carrier::Folder => "folder",
    }
}

pub(crate) fn family(family: Family) -> &'static str {
    match family {
        Family::Cuda => "cuda",
        Family::Npu => "npu",
        Family::Xpu => "xpu",
    }
}

/// The name the file uses, also for an action this program does not know.
pub(crate) fn action(recording: &Recording, action: Action) -> String {
    match (action.name(), action) {
        (Some(name), _) => name.to_owned(),
        (None, Action::Other(row)) => {
            let name = recording.other_actions.get(usize::from(row));
            name.map_or_else(|| format!("unknown {row}"), |name| recording.text(*name).to_owned())
        }
        (None, _) => "unknown".to_owned(),
    }
}

/// `(0, 0)` as the files write it.
pub(crate) fn pool(pool: Pool) -> String {
    format!("({}, {})", pool.0, pool.1)
}

pub(crate) fn size_source(source: SizeSource) -> &'static str {
    match source {
        SizeSource::Stated => "stated",
        SizeSource::Computed => "computed",
        SizeSource::Requested => "requested",
    }
}

pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Traced => "traced",
        Origin::BeforeRecording => "before_recording",
        Origin::Ghost => "ghost",
        Origin::Workspace => "workspace",
    }
}

pub(crate) fn segment_kind(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Small => "small",
        SegmentKind::Large => "large",
        SegmentKind::Unknown => "unknown",
    }
}

pub(crate) fn frame_kind(kind: session::FrameKind) -> &'static str {
    match kind {
        session::FrameKind::User => "user",
        session::FrameKind::Library => "library",
        session::FrameKind::Native => "native",
    }
}

/// The user's top frame and, when there is none, the one to show instead.
pub(crate) fn top_frame(
    session: &Session,
    top: Option<TopFrame>,
) -> (Option<String>, Option<String>) {
    let line = |frame: FrameId| session.frame_line(frame);
    match top {
        Some(TopFrame { frame, kind: session::FrameKind::User }) => (Some(line(frame)), None),
        Some(TopFrame { frame, .. }) => (None, Some(line(frame))),
        None => (None, None),
    }
}

pub(crate) fn warning(kind: WarningKind) -> &'static str {
    match kind {
        WarningKind::Truncated => "truncated",
        WarningKind::TrailingBytes => "trailing_bytes",
        WarningKind::NoHistory => "no_history",
        WarningKind::LegacyHistory => "legacy_history",
        WarningKind::RingOverflow => "ring_overflow",
        WarningKind::RingOverflowStated => "ring_overflow_stated",
        WarningKind::UnknownAction => "unknown_action",
        WarningKind::UnknownKey => "unknown_key",
        WarningKind::MissingField => "missing_field",
        WarningKind::BadValue => "bad_value",
        WarningKind::Contradiction => "contradiction",
        WarningKind::BadSegment => "bad_segment",
        WarningKind::OutsideSegments => "outside_segments",
        WarningKind::TimeBackwards => "time_backwards",
        WarningKind::UnpairedAnnotation => "unpaired_annotation",
        WarningKind::Workspace => "workspace",
        WarningKind::Damaged => "damaged",
        WarningKind::UnmatchedFree => "unmatched_free",
        WarningKind::UnknownAccess => "unknown_access",
        WarningKind::TooLarge => "too_large",
    }
}
