//! The Python threads and what ran in them: questions, answers, and the bytes of the flame graph.

use crate::columns::ColumnWriter;
use crate::viewport::{MOST_PX, stretch};
use crate::{Amount, Micros, Number, WireError, error};
use serde::{Deserialize, Serialize};
use session::{Flame, FlameViewport, Job, OnThread, Session};
use specta::Type;
use std::collections::HashMap;

/// First word of an encoded flame graph: `TIDF`.
pub const FLAME_MAGIC: u32 = u32::from_le_bytes(*b"TIDF");
/// Second word.
const VERSION: u32 = 1;
/// The key of a rectangle of several calls.
const NO_KEY: u32 = u32::MAX;
/// No name is readable in fewer device pixels.
const LABEL_PX: f32 = 16.0;
/// No name is readable beyond this many letters.
const MOST_LETTERS: usize = 160;
/// More depths than any picture shows at once.
const MOST_DEPTHS: u32 = 1 << 10;
/// Names in one search.
const MOST_TERMS: usize = 64;

/// A Python thread that was traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Thread {
    /// Process id.
    #[specta(type = Number)]
    pub process: i64,
    /// Thread id.
    #[specta(type = Number)]
    pub thread: i64,
    /// How many calls.
    pub calls: u32,
    /// How many depths of calls.
    pub depths: u32,
    /// The first call's start, since the recording's.
    #[specta(type = Number)]
    pub from_us: Micros,
    /// The last call's end, since the recording's start.
    #[specta(type = Number)]
    pub to_us: Micros,
    /// Calls that had not ended when tracing stopped.
    pub open: u32,
    /// Calls whose start is not in the file.
    pub without_start: u32,
}

/// What becomes of calls too narrow to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Narrow {
    /// Neighbours are one rectangle.
    Joined,
    /// Each is itself, as far as a pixel can hold them.
    Apart,
}

/// How a term has to fit a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// It is anywhere in it, whatever the case.
    Within,
    /// It is the name as written, or its function.
    Exact,
}

/// Names looked for: those that fit any of the terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SliceSearch {
    /// What is looked for; an empty term finds nothing.
    pub terms: Vec<String>,
    /// How it has to fit.
    pub fit: Fit,
}

/// A viewport of the flame graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct FlameQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of the threads.
    pub thread: u32,
    /// Left edge, microseconds since the recording's start.
    #[specta(type = Number)]
    pub x0: f64,
    /// Right edge, likewise.
    #[specta(type = Number)]
    pub x1: f64,
    /// The outermost depth wanted.
    pub first_depth: u32,
    /// How many.
    pub depths: u32,
    /// Device pixels across.
    pub width_px: u32,
    /// What becomes of narrow calls.
    pub narrow: Narrow,
    /// A call whose place is wanted however small it is.
    pub selected: Option<u32>,
    /// Which calls are hits; absent: none.
    pub search: Option<SliceSearch>,
}

/// Which of the hits is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SliceStep {
    /// The first that begins at this moment or later.
    From {
        /// Since the recording's start.
        #[specta(type = Number)]
        at_us: f64,
    },
    /// The one after a call.
    After {
        /// The call.
        slice: u32,
    },
    /// The one before a call.
    Before {
        /// The call.
        slice: u32,
    },
}

/// A search, and the hit that is wanted of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct FlameSearchQuestion {
    /// Which open recording.
    pub session: u32,
    /// Row of the threads.
    pub thread: u32,
    /// What is looked for.
    pub search: SliceSearch,
    /// Which hit.
    pub step: SliceStep,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FlameSearchAnswer {
    /// Calls found.
    pub total: u32,
    /// Calls each term found, in the order asked.
    pub by_term: Vec<u32>,
    /// The hit that was wanted; absent when nothing was found.
    pub hit: Option<SliceHit>,
}

/// A call that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SliceHit {
    /// Its place among the hits, from 0.
    pub ordinal: u32,
    /// Its row.
    pub slice: u32,
    /// Its name, as written.
    pub name: String,
    /// When it began, since the recording's start.
    #[specta(type = Number)]
    pub start_us: Micros,
    /// When it ended.
    #[specta(type = Number)]
    pub end_us: Micros,
    /// How many calls enclose it.
    pub depth: u32,
}

/// A call by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SliceRef {
    /// Its row.
    pub slice: u32,
    /// Its name, as written.
    pub name: String,
}

/// What a device did while a call ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SliceAllocations {
    /// The device's first event in the call, whoever caused it.
    pub first_event: Option<u32>,
    /// The last one.
    pub last_event: Option<u32>,
    /// The last event before the call; −1: there is none.
    #[specta(type = Number)]
    pub before_event: i64,
    /// Whether the device is one of the call's process: else nothing is counted.
    pub is_own: bool,
    /// Blocks that the call's thread allocated in it.
    pub allocated: Amount,
    /// Those of them that were not free again at its end.
    pub unfreed: Amount,
}

/// All of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SliceDetails {
    /// Its row.
    pub slice: u32,
    /// Row of its thread.
    pub in_thread: u32,
    /// Process id.
    #[specta(type = Number)]
    pub process: i64,
    /// Thread id.
    #[specta(type = Number)]
    pub thread: i64,
    /// Its name, as written.
    pub name: String,
    /// The function in it.
    pub function: String,
    /// The file in it.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// When it began, since the recording's start.
    #[specta(type = Number)]
    pub start_us: Micros,
    /// When it ended.
    #[specta(type = Number)]
    pub end_us: Micros,
    /// How long it took.
    #[specta(type = Number)]
    pub duration_us: Micros,
    /// Of that, outside the calls made directly in it.
    #[specta(type = Number)]
    pub self_us: Micros,
    /// How many calls enclose it.
    pub depth: u32,
    /// It had not ended when tracing stopped.
    pub is_open: bool,
    /// Its start is not in the file.
    pub is_without_start: bool,
    /// The calls around it, innermost first.
    pub parents: Vec<SliceRef>,
    /// How many calls were made directly in it.
    pub children: u32,
    /// What the device asked about did meanwhile; absent when none was asked about.
    pub allocations: Option<SliceAllocations>,
}

/// The Python threads of a recording, by process, then thread.
pub fn threads(session: &Session) -> Vec<Thread> {
    session.threads().map(thread_of).collect()
}

pub(crate) fn thread_of(thread: OnThread<'_>) -> Thread {
    let summary = thread.summary();
    Thread {
        process: summary.process,
        thread: summary.thread,
        calls: summary.calls,
        depths: summary.depths,
        from_us: Micros(summary.from_ns),
        to_us: Micros(summary.to_ns),
        open: summary.open,
        without_start: summary.without_start,
    }
}

/// The flame graph that `question` asks for, as [`encode_flame`] writes it.
pub fn flame_bytes(
    session: &Session,
    question: &FlameQuestion,
    job: &Job,
) -> Result<Vec<u8>, WireError> {
    let thread = thread(session, question.thread)?;
    let first = question.first_depth;
    let viewport = FlameViewport {
        x: stretch("x", question.x0, question.x1)?,
        depths: first..first.saturating_add(question.depths.min(MOST_DEPTHS)),
        width_px: question.width_px.clamp(1, MOST_PX),
        narrow: match question.narrow {
            Narrow::Joined => session::Narrow::Joined,
            Narrow::Apart => session::Narrow::Apart,
        },
        selected: question.selected,
    };
    let search = question.search.as_ref().map(search_of);
    let scene = thread.flame(&viewport, search.as_ref(), job)?;
    Ok(encode_flame(&scene, &Names::new(thread, &scene)))
}

/// All of call `slice` of a thread, and what `device` did meanwhile.
pub fn slice(
    session: &Session,
    in_thread: u32,
    slice: u32,
    device: Option<u32>,
    job: &Job,
) -> Result<SliceDetails, WireError> {
    let thread = thread(session, in_thread)?;
    let device = device.map(|device| error::device(session, device)).transpose()?;
    let Some(details) = thread.slice(slice, job)? else {
        let count = thread.slices().len();
        return Err(WireError::nonsense(format!("no call {slice}: the thread has {count}")));
    };
    let parent = |row: &u32| SliceRef { slice: *row, name: thread.name(*row).to_owned() };
    let allocations = device.and_then(|device| thread.allocations(slice, device));
    Ok(SliceDetails {
        slice,
        in_thread,
        process: thread.process(),
        thread: thread.thread(),
        name: details.name.to_owned(),
        function: details.parts.function.to_owned(),
        file: details.parts.file.map(str::to_owned),
        line: details.parts.line,
        start_us: Micros(details.start_ns),
        end_us: Micros(details.end_ns),
        duration_us: Micros(details.end_ns - details.start_ns),
        self_us: Micros(details.self_ns),
        depth: details.depth,
        is_open: details.is_open,
        is_without_start: details.is_without_start,
        parents: details.parents.iter().map(parent).collect(),
        children: details.children,
        allocations: allocations.map(|found| SliceAllocations {
            first_event: found.events.map(|(first, _)| first.0),
            last_event: found.events.map(|(_, last)| last.0),
            before_event: i64::from(found.before.0) - 1,
            is_own: found.is_own,
            allocated: found.allocated.into(),
            unfreed: found.unfreed.into(),
        }),
    })
}

/// How many calls a search finds, and the one it steps to.
pub fn flame_search(
    session: &Session,
    question: &FlameSearchQuestion,
    job: &Job,
) -> Result<FlameSearchAnswer, WireError> {
    let thread = thread(session, question.thread)?;
    let found = thread.found(&search_of(&question.search), job)?;
    let step = match question.step {
        SliceStep::From { at_us } => session::Step::From((at_us * 1e3).ceil() as i64),
        SliceStep::After { slice } => session::Step::After(slice),
        SliceStep::Before { slice } => session::Step::Before(slice),
    };
    let hit = thread.hit(&found, step);
    Ok(FlameSearchAnswer {
        total: found.hits.rows().len() as u32,
        by_term: found.by_term.clone(),
        hit: hit.map(|ordinal| hit_of(thread, &found, ordinal)),
    })
}

pub(crate) fn hit_of(thread: OnThread<'_>, found: &session::Found, ordinal: usize) -> SliceHit {
    let slice = found.hits.rows()[ordinal];
    let (slices, at) = (thread.slices(), slice as usize);
    SliceHit {
        ordinal: ordinal as u32,
        slice,
        name: thread.name(slice).to_owned(),
        start_us: Micros(slices.start_ns[at]),
        end_us: Micros(slices.end_ns[at]),
        depth: u32::from(slices.depth[at]),
    }
}

/// The thread in `row`, or a refusal.
pub(crate) fn thread(session: &Session, row: u32) -> Result<OnThread<'_>, WireError> {
    session.thread(row as usize).ok_or_else(|| {
        let count = session.threads().len();
        WireError::nonsense(format!("no thread in row {row}: the recording has {count}"))
    })
}

pub(crate) fn search_of(search: &SliceSearch) -> session::Search {
    let fit = match search.fit {
        Fit::Within => session::Fit::Within,
        Fit::Exact => session::Fit::Exact,
    };
    session::Search { terms: search.terms.iter().take(MOST_TERMS).cloned().collect(), fit }
}

/// What the rectangles of a scene are called and coloured by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Of every rectangle: the colour's key, `u32::MAX` where it stands for several calls.
    pub key: Vec<u32>,
    /// Of every rectangle: its row of `labels` plus 1, or 0 where there is no room for a name.
    pub label: Vec<u32>,
    /// Distinct names of functions.
    pub labels: Vec<String>,
}

impl Names {
    fn new(thread: OnThread<'_>, scene: &Flame) -> Self {
        let mut names = Self::default();
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (at, slice) in scene.slice.iter().enumerate() {
            let is_one = scene.count[at] == 1;
            names.key.push(if is_one { thread.key(*slice) } else { NO_KEY });
            let is_readable = is_one && scene.x1[at] - scene.x0[at] >= LABEL_PX;
            let mut label = || {
                names.labels.push(shortened(thread.call_name(*slice).function));
                names.labels.len() as u32
            };
            let name = thread.slices().name[*slice as usize];
            let row = if is_readable { *known.entry(name).or_insert_with(&mut label) } else { 0 };
            names.label.push(row);
        }
        names
    }
}

fn shortened(function: &str) -> String {
    function.chars().take(MOST_LETTERS).collect()
}

/// A flame graph as raw little-endian columns, read in the page through typed arrays without a copy.
///
/// ```text
/// offset  0  u32 magic, version, m (rectangles), t (labels), b (bytes of labels), crowded,
///            1 when the selected call is in view, its depth
/// offset 32  f32 left and right edge of the selected call
///            f32 x0[m], x1[m]; u32 depth[m], slice[m], count[m], hits[m], key[m], label[m]
///            u32 end[t]: where each label ends in the bytes
///            u8  bytes[b], UTF-8
/// ```
pub fn encode_flame(scene: &Flame, names: &Names) -> Vec<u8> {
    let text = names.labels.concat();
    let ends = names.labels.iter().scan(0, |end, label| {
        *end += label.len() as u32;
        Some(*end)
    });
    let (left, right, depth) = scene.selected.unwrap_or_default();
    let counts = [scene.slice.len(), names.labels.len(), text.len()].map(|count| count as u32);
    let mut bytes = ColumnWriter::default();
    bytes.words([FLAME_MAGIC, VERSION]).words(counts);
    bytes.words([scene.crowded, u32::from(scene.selected.is_some()), depth]);
    bytes.floats([left, right]);
    for edge in [&scene.x0, &scene.x1] {
        bytes.floats(edge.iter().copied());
    }
    let columns = [&scene.depth, &scene.slice, &scene.count, &scene.hits, &names.key, &names.label];
    for column in columns {
        bytes.words(column.iter().copied());
    }
    bytes.words(ends);
    let mut bytes = bytes.finish();
    bytes.extend(text.as_bytes());
    bytes
}
