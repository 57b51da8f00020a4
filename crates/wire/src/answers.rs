//! What is answered.

use crate::{DumpedBlock, Micros, Number};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A recording was opened.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct Opened {
    /// Its id in every further question.
    pub session: u32,
    /// Whether it was opened from its index on disk instead of being read.
    pub reopened: bool,
    /// What it is.
    pub summary: Summary,
}

/// What one recording is.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct Summary {
    /// File name without folder.
    pub name: String,
    /// Bytes on disk.
    #[specta(type = Number)]
    pub bytes: u64,
    /// `pickle`, `gzip`, `zstd`, `zip`, `torch_save`, `html`, `json`.
    pub carrier: String,
    /// Pickle protocol.
    pub protocol: Option<u8>,
    /// `cuda`, `npu` or `xpu`.
    pub family: String,
    /// How long opening took, milliseconds.
    #[specta(type = Number)]
    pub opened_ms: f64,
    /// Devices with anything to show.
    pub devices: Vec<DeviceSummary>,
    /// Row of the device to show first.
    pub busiest: u32,
    /// Distinct stacks that are not empty.
    pub stacks: u32,
    /// Distinct frames.
    pub frames: u32,
    /// Allocator settings as the file has them.
    pub settings: Vec<Setting>,
    /// Trouble met while reading, and what it means.
    pub remarks: Vec<Remark>,
    /// What a dump adds; absent of a snapshot.
    pub dump: Option<DumpSummary>,
}

/// One allocator setting.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct Setting {
    /// Key.
    pub key: String,
    /// Value as text.
    pub value: String,
}

/// One kind of trouble.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Remark {
    /// Stable name, such as `truncated`.
    pub code: String,
    /// How often.
    #[specta(type = Number)]
    pub count: u64,
    /// A sentence.
    pub message: String,
}

/// One device of a recording.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct DeviceSummary {
    /// `cuda:0`, `npu:1`, `host`.
    pub name: String,
    /// Events.
    pub events: u32,
    /// Events by kind, only kinds that occur, in a fixed order.
    pub actions: Vec<ActionCount>,
    /// Blocks that ever lived.
    pub blocks: u32,
    /// Of them, there before the first event and freed in the trace.
    pub blocks_before: u32,
    /// Of them, there from the start to the end without any event.
    pub blocks_ghost: u32,
    /// Segments at the end.
    pub segments: u32,
    /// Blocks, inactive ones included, the final segments are cut into.
    pub final_blocks: u32,
    /// Whether events have times.
    pub has_time: bool,
    /// First event's time, microseconds since the epoch.
    #[specta(type = Option<Number>)]
    pub first_us: Option<Micros>,
    /// Last event's time.
    #[specta(type = Option<Number>)]
    pub last_us: Option<Micros>,
    /// Bounds of the event axis: −1 and the number of events.
    pub event_range: Range,
    /// Bounds of the time axis, when events have times.
    pub time_range: Option<Range>,
    /// Largest totals.
    pub peak: Totals<Peak>,
    /// Largest sum of requested bytes of blocks allocated or pending.
    pub peak_requested: Peak,
    /// Totals before the first event.
    #[specta(type = Totals<Number>)]
    pub start: Totals<u64>,
    /// Totals after the last event.
    #[specta(type = Totals<Number>)]
    pub end: Totals<u64>,
    /// Blocks there at the start (allocated or pending), and what they had requested.
    pub start_live: Amount,
    /// Blocks active at the end (allocated or pending), and what they had requested.
    pub end_active: Amount,
    /// Pools that ever had memory.
    pub pools: Vec<PoolSummary>,
    /// Streams seen, as hex handles, by ordinal.
    pub streams: Vec<String>,
    /// Profiler steps among the annotations of this device.
    pub steps: u32,
    /// Named ranges on this device.
    pub annotations: u32,
    /// Events without a stack (no `frames` key, or an empty list) among block and segment events.
    pub events_without_stack: u32,
    /// What it is in a dump; absent in a snapshot.
    pub track: Option<TrackSummary>,
}

/// A stretch of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
pub struct Range {
    /// Left.
    #[specta(type = Number)]
    pub from: f64,
    /// Right.
    #[specta(type = Number)]
    pub to: f64,
}

/// Events of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ActionCount {
    /// The name the file uses.
    pub action: String,
    /// How many.
    pub count: u32,
}

/// The three totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Totals<T> {
    /// In allocated blocks.
    pub allocated: T,
    /// Plus pending frees.
    pub active: T,
    /// In segments.
    pub reserved: T,
}

/// A largest value and when it is first reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Peak {
    /// Bytes.
    #[specta(type = Number)]
    pub bytes: u64,
    /// The event right after which it is reached; −1: it was so before the first event.
    #[specta(type = Number)]
    pub event: i64,
    /// That event's time.
    #[specta(type = Option<Number>)]
    pub time_us: Option<Micros>,
}

/// What a device of a dump is: one pool of one device and process.
#[expect(clippy::struct_excessive_bools, reason = "each says of its own whether the file has it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TrackSummary {
    /// `0`, `cpu`, as the file has it.
    pub device: String,
    /// `PTA`, `HAL`, as the file has it.
    pub pool: String,
    /// Process id.
    #[specta(type = Number)]
    pub process: i64,
    /// Whether the active line is what the pool itself says it has handed out; else it repeats what
    /// the blocks add up to.
    pub has_used: bool,
    /// Whether the reserved line is what the pool itself says it holds; else it repeats what the
    /// blocks add up to.
    pub has_total: bool,
    /// Whether any block has an owner.
    pub has_owners: bool,
    /// Whether any block was seen accessed.
    pub has_accesses: bool,
}

/// What a dump adds to a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DumpSummary {
    /// The moment that times count from, nanoseconds since the epoch, in decimal: more than a
    /// number of a page holds.
    pub zero_ns: String,
    /// How long the recording is, microseconds.
    #[specta(type = Number)]
    pub length_us: Micros,
    /// Rows of the dump, whatever they are about.
    pub rows: u32,
    /// Process ids.
    #[specta(type = Vec<Number>)]
    pub processes: Vec<i64>,
    /// Python threads that were traced.
    pub threads: u32,
    /// Whether the file has columns for Python's and C's stacks.
    pub has_python_stacks: bool,
    /// See `has_python_stacks`.
    pub has_c_stacks: bool,
}

/// A number of blocks with their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Amount {
    /// Blocks.
    pub count: u32,
    /// Bytes asked for.
    #[specta(type = Number)]
    pub requested: u64,
    /// Bytes occupied.
    #[specta(type = Number)]
    pub size: u64,
}

/// One pool on one stream: what it has at the end of the recording, and had at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct PoolSummary {
    /// `(0, 0)` is the default pool; `unknown` when the file does not say.
    pub pool: String,
    /// Stream handle in hex.
    pub stream: String,
    /// Segments.
    pub segments: u32,
    /// Bytes in them.
    #[specta(type = Number)]
    pub reserved: u64,
    /// Bytes in blocks not free.
    #[specta(type = Number)]
    pub active: u64,
    /// Most bytes in segments.
    pub peak_reserved: Peak,
    /// Most bytes in blocks not free.
    pub peak_active: Peak,
}

/// An event by number, with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct EventRef {
    /// Its row.
    pub event: u32,
    /// Microseconds since the epoch.
    #[specta(type = Option<Number>)]
    pub time_us: Option<Micros>,
}

/// All of one block.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct BlockDetails {
    /// Its row.
    pub block: u32,
    /// What people know it by: the number of the event that allocated it, or a negative one.
    #[specta(type = Number)]
    pub number: i64,
    /// Hex.
    pub address: String,
    /// Bytes occupied.
    #[specta(type = Number)]
    pub size: u64,
    /// `stated`, `computed` or `requested`.
    pub size_source: String,
    /// Bytes asked for.
    #[specta(type = Number)]
    pub requested: u64,
    /// `traced`, `before_recording`, `ghost` or `workspace`.
    pub origin: String,
    /// Stream handle in hex.
    pub stream: String,
    /// `(0, 0)`; absent when nothing says.
    pub pool: Option<String>,
    /// The segment it lay in when it was born.
    pub segment: Option<SegmentRef>,
    /// Its allocation.
    pub alloc: Option<EventRef>,
    /// When its free was requested.
    pub free_requested: Option<EventRef>,
    /// When its memory was free again.
    pub free_completed: Option<EventRef>,
    /// Events from allocation (or start) to the requested free (or end).
    pub life_events: u32,
    /// Microseconds likewise, when both ends have a time.
    #[specta(type = Option<Number>)]
    pub life_us: Option<Micros>,
    /// Enclosing annotations at its birth, outermost first.
    pub within: Vec<String>,
    /// Stack of the allocation.
    pub alloc_stack: StackView,
    /// Stack of the requested free.
    pub free_stack: Option<StackView>,
    /// The innermost frame that is the user's code: `mlp.py:62 forward`.
    pub top_frame: Option<String>,
    /// When no frame is the user's: the innermost of a library or, failing that, a native one.
    pub fallback_frame: Option<String>,
    /// Texts of its allocation: compile context, user metadata, category.
    pub notes: Vec<Setting>,
    /// The block that had this address before.
    pub previous: Option<u32>,
    /// The block that had it next.
    pub next: Option<u32>,
    /// What people know `previous` by.
    #[specta(type = Option<Number>)]
    pub previous_number: Option<i64>,
    /// What people know `next` by.
    #[specta(type = Option<Number>)]
    pub next_number: Option<i64>,
    /// Blocks with the same allocation stack; all zero when it has none.
    pub same_stack: SameStack,
    /// What a dump says of it; absent in a snapshot.
    pub dump: Option<DumpedBlock>,
}

/// How the stack of a block fares elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SameStack {
    /// In the whole recording.
    pub all: Amount,
    /// Allocated at the moment the allocated total peaks.
    pub at_peak: Amount,
    /// Never freed.
    pub unfreed: Amount,
}

/// The segment around a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SegmentRef {
    /// Hex.
    pub address: String,
    /// Bytes.
    #[specta(type = Number)]
    pub size: u64,
    /// `small`, `large` or `unknown`.
    pub kind: String,
    /// Part of an expandable segment.
    pub is_expandable: bool,
}

/// A stack to show, innermost first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StackView {
    /// Its row among the recording's stacks; absent when there are no frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Frames.
    pub frames: Vec<FrameView>,
    /// Why there are none: `before_recording`, `no_context` (the entry has no frames key),
    /// `empty` (recorded as empty: a thread without Python, or NPU).
    pub missing: Option<String>,
}

/// One frame to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FrameView {
    /// Its row among the recording's frames; absent of a text that only looks like a frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Function.
    pub name: String,
    /// File as recorded.
    pub file: String,
    /// Line, when known.
    pub line: Option<u32>,
    /// `user`, `library` (Python of an installed package or the standard library) or `native`.
    pub kind: String,
    /// Of compiled code: what tracing says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traced: Option<TracedNode>,
}

/// The node of a traced graph that a frame of compiled code belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct TracedNode {
    /// What kind of node: `call_function`, `call_module`, ….
    pub op: Option<String>,
    /// Its name in the graph.
    pub name: Option<String>,
    /// What it calls.
    pub target: Option<String>,
    /// The line of the model it was made from.
    pub line: Option<ModelLine>,
    /// The stack at which it was traced, as the file has it.
    pub trace: Option<String>,
}

/// A line of the code that was traced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ModelLine {
    /// File as recorded.
    pub file: String,
    /// Line, when known.
    pub line: Option<u32>,
    /// Function; empty when it is not said.
    pub name: String,
    /// The line itself, when the file has it.
    pub code: Option<String>,
}

/// Named ranges in a stretch of the axis, never more than fit the pixels.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct Annotations {
    /// Sorted by depth, then left edge.
    pub ranges: Vec<AnnotationRange>,
}

/// A named range, or several too narrow to tell apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct AnnotationRange {
    /// The name; of the first when there are several.
    pub name: String,
    /// Left edge, axis units; absent: its START was lost.
    #[specta(type = Option<Number>)]
    pub from: Option<f64>,
    /// Right edge, axis units; absent: its END was lost.
    #[specta(type = Option<Number>)]
    pub to: Option<f64>,
    /// Nesting, 0 outermost.
    pub depth: u16,
    /// What it stands for.
    pub kind: AnnotationKind,
    /// How many ranges this stands for.
    pub count: u32,
}

/// What a named range stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum AnnotationKind {
    /// A range the program named, or a moment it marked.
    Range,
    /// A step, as the recorder counts them.
    Step,
    /// Recording was switched on or off.
    Switch,
    /// An allocation failed.
    Oom,
    /// Somebody took a snapshot.
    Snapshot,
}

impl From<session::AnnotationKind> for AnnotationKind {
    fn from(kind: session::AnnotationKind) -> Self {
        match kind {
            session::AnnotationKind::Range => Self::Range,
            session::AnnotationKind::Step => Self::Step,
            session::AnnotationKind::Switch => Self::Switch,
            session::AnnotationKind::Oom => Self::Oom,
            session::AnnotationKind::Snapshot => Self::Snapshot,
        }
    }
}

/// The blocks that hold memory at one moment: allocated, or their free not completed.
#[derive(Debug, Clone, Serialize, Deserialize, Type)]
pub struct LiveSet {
    /// `cuda:0`.
    pub device: String,
    /// The event right after which; −1: before the first.
    #[specta(type = Number)]
    pub event: i64,
    /// That event's time.
    #[specta(type = Option<Number>)]
    pub time_us: Option<Micros>,
    /// Of the whole set.
    pub total: Amount,
    /// Of those allocated.
    pub allocated: Amount,
    /// Of those whose free was requested and not completed.
    pub pending: Amount,
    /// The largest first (by size, then requested, then address).
    pub blocks: Vec<LiveBlock>,
}

/// One row of a [`LiveSet`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LiveBlock {
    /// Its row.
    pub block: u32,
    /// Hex.
    pub address: String,
    /// Bytes occupied.
    #[specta(type = Number)]
    pub size: u64,
    /// Bytes asked for.
    #[specta(type = Number)]
    pub requested: u64,
    /// Whether its free was requested and is not completed.
    pub is_pending: bool,
    /// Event of its allocation; absent: before the recording.
    pub alloc_event: Option<u32>,
    /// Event from which it is no longer allocated; absent: never.
    pub free_event: Option<u32>,
    /// The innermost frame of the user's code.
    pub top_frame: Option<String>,
    /// When no frame is the user's: the innermost of a library or, failing that, a native one.
    pub fallback_frame: Option<String>,
    /// Of a dump: whole path of its owner; absent: not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// Progress of a long question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ProgressNow {
    /// Words for the person who waits.
    pub stage: String,
    /// Units done.
    #[specta(type = Number)]
    pub done: u64,
    /// Units in all; 0 when not known.
    #[specta(type = Number)]
    pub total: u64,
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct WireError {
    /// What the page may branch on.
    pub code: ErrorCode,
    /// A sentence for the person.
    pub message: String,
}

/// What the page may branch on. Add one only when the page does something different for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// No importer knows the file.
    NotRecognized,
    /// Nothing of it can be shown.
    Damaged,
    /// It wants code to be run.
    WantsCode,
    /// The system would not read it.
    Unreadable,
    /// The system would not write what was to be saved.
    Unwritable,
    /// The person stopped the work; not shown.
    Cancelled,
    /// The recording is no longer open.
    Closed,
    /// A bug of ours.
    Bug,
}
