//! From the containers a snapshot left to a [`RawSnapshot`].

use super::annotations::Marks;
use super::family::family;
use super::raw::{RawDevice, RawSnapshot};
use super::reader::{Mode, ROW, Reader, STACK};
use super::words as word;
use job::{Cancelled, Job, Progress};
use model::{Device, Events, Settings, WarningKind};
use pickle::{Heap, NodeId, Thing, Value, expand};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;

/// Why the containers are no snapshot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// They hold something else; the words say what.
    SomethingElse(String),
    /// Nothing of it came before the cut.
    Empty,
    /// The person stopped the import.
    Cancelled,
}

impl From<Cancelled> for Unfit {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Whether the containers are all that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The file was read to its end.
    Whole,
    /// The rest of the file is lost.
    Cut,
}

/// The parts of a snapshot, wherever they stood.
#[derive(Debug, Clone, Copy)]
struct Parts {
    segments: Value,
    traces: Value,
    settings: Value,
    annotations: Value,
    host_segments: Value,
    host_traces: Value,
    max_entries: Value,
    overflowed: Value,
}

/// Rows of [`Columns`](super::columns::Columns) that make one trace.
type Trace = Vec<Range<u32>>;

/// A device's rows while it is put together.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) ranges: Trace,
    pub(super) segments: Vec<super::segments::Draft>,
}

impl Reader<'_, '_> {
    /// The snapshot whose outermost value is `root`.
    pub(crate) fn finish(
        mut self,
        mut heap: Heap<'_>,
        root: Value,
        ending: Ending,
        job: &Job,
    ) -> Result<RawSnapshot, Unfit> {
        let heap = &mut heap;
        let parts = self.parts(root, heap)?;
        job.step(Progress { stage: STAGE, done: 0, total: 0 })?;
        let mut drafts: BTreeMap<i32, Draft> = BTreeMap::new();
        self.segments(parts.segments, None, heap, &mut drafts, job)?;
        let mut host: BTreeMap<i32, Draft> = BTreeMap::new();
        self.segments(parts.host_segments, Some(0), heap, &mut host, job)?;
        let mut used = FxHashSet::default();
        for (device, trace) in self.traces(parts.traces, heap, &mut used, job)? {
            drafts.entry(device).or_default().ranges = trace;
        }
        let host_traces = self.traces(parts.host_traces, heap, &mut used, job)?;
        let host_rows = host_traces.into_iter().flat_map(|(_, trace)| trace);
        host.entry(0).or_default().ranges = host_rows.collect();

        let settings = self.settings(parts.settings, heap);
        let mut marks = self.marks(parts.annotations, heap);
        let named = drafts.into_iter().map(|(index, draft)| (Device::Accelerator(index), draft));
        let host = host.into_values().map(|draft| (Device::Host, draft));
        let mut devices = Vec::new();
        for (device, draft) in named.chain(host) {
            job.check()?;
            if draft.ranges.iter().any(|range| !range.is_empty()) || !draft.segments.is_empty() {
                devices.push(self.device(device, draft));
            }
        }
        if devices.is_empty() {
            if ending == Ending::Cut {
                return Err(Unfit::Empty);
            }
            // A sound file that was written before anything was allocated: an empty picture.
            devices.push(self.device(Device::Accelerator(0), Draft::default()));
        }
        self.overflow_stated(&parts, &devices, heap);
        super::hints::tell(&devices, self.warnings, job)?;
        self.marks_in_traces(&devices, &mut marks);
        Ok(self.assemble(devices, marks, settings))
    }

    fn assemble(
        mut self,
        devices: Vec<RawDevice>,
        marks: Marks,
        settings: Settings,
    ) -> RawSnapshot {
        let annotations = marks.paired(&mut self.texts, self.warnings);
        let family = family(&devices, &settings);
        let dropped =
            self.texts.dropped + self.stacks.dropped + self.streams.dropped + self.pools.dropped;
        self.warnings.add(WarningKind::TooLarge, "tables", dropped, || {
            "There are more texts, stacks, streams or pools than this program can number; some \
             are shown as others."
                .into()
        });
        RawSnapshot {
            family,
            strings: self.texts.into_strings(),
            stacks: self.stacks.into_stacks(),
            notes: self.notes.list,
            streams: self.streams.list,
            pools: self.pools.list,
            other_actions: self.other_actions.list,
            devices,
            annotations,
            settings,
        }
    }

    /// Finds the parts, in a dict or a bare list of segments.
    fn parts(&self, root: Value, heap: &Heap<'_>) -> Result<Parts, Unfit> {
        let mut parts = Parts {
            segments: Value::None,
            traces: Value::None,
            settings: Value::None,
            annotations: Value::None,
            host_segments: Value::None,
            host_traces: Value::None,
            max_entries: Value::None,
            overflowed: Value::None,
        };
        if let Some(items) = heap.items(root) {
            let is_segment = |value: &Value| field(heap, *value, word::TOTAL_SIZE).is_some();
            if !items.iter().any(is_segment) {
                return Err(Unfit::SomethingElse(self.described(root, heap)));
            }
            parts.segments = root;
            return Ok(parts);
        }
        let mut known = false;
        for (key, value) in heap.pairs(root).unwrap_or_default() {
            let Value::Text(key) = heap.resolve(*key) else { continue };
            let place = match key {
                word::SEGMENTS => &mut parts.segments,
                word::DEVICE_TRACES => &mut parts.traces,
                word::ALLOCATOR_SETTINGS => &mut parts.settings,
                word::EXTERNAL_ANNOTATIONS => &mut parts.annotations,
                word::HOST_SEGMENTS => &mut parts.host_segments,
                word::HOST_TRACES => &mut parts.host_traces,
                word::TRACE_ALLOC_MAX_ENTRIES => &mut parts.max_entries,
                word::TRACE_ALLOC_OVERFLOWED => &mut parts.overflowed,
                // People add keys of their own.
                _ => continue,
            };
            known |= matches!(key, word::SEGMENTS | word::DEVICE_TRACES);
            *place = *value;
        }
        if known { Ok(parts) } else { Err(Unfit::SomethingElse(self.described(root, heap))) }
    }

    /// What `root` is, in words.
    fn described(&self, root: Value, heap: &Heap<'_>) -> String {
        let root = heap.resolve(root);
        if let Some(pairs) = heap.pairs(root) {
            let keys = pairs.iter().filter_map(|(key, _)| match heap.resolve(*key) {
                Value::Text(key) => Some(super::entry::shortened(self.texts.text(key))),
                _ => None,
            });
            let keys: Vec<String> = keys.take(4).collect();
            return format!(
                "it holds a dict without \"segments\" and \"device_traces\" (its keys: {})",
                if keys.is_empty() { "none".into() } else { keys.join(", ") }
            );
        }
        let what = match root {
            Value::Node(_) if heap.items(root).is_some_and(<[Value]>::is_empty) => "an empty list",
            Value::Node(_) if heap.items(root).is_some() => "a list of something else",
            Value::Text(_) => "a text",
            Value::Thing(Thing { kind: ROW, .. }) => "a single event",
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
                "a single value"
            }
            _ => "something else",
        };
        format!("it holds {what} instead of a memory snapshot")
    }

    /// The rows of each trace in `traces`, by device.
    fn traces(
        &mut self,
        traces: Value,
        heap: &mut Heap<'_>,
        used: &mut FxHashSet<NodeId>,
        job: &Job,
    ) -> Result<Vec<(i32, Trace)>, Cancelled> {
        let items = heap.items(traces).map(<[Value]>::to_vec);
        let Some(items) = items else {
            if !matches!(traces, Value::None | Value::Thing(Thing { kind: STACK, id: 0 })) {
                self.bad_value("device_traces", "it is no list");
            }
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        for (device, trace) in (0..).zip(items) {
            // The same list as several devices would multiply the file.
            if let Value::Node(id) = trace
                && !used.insert(id)
            {
                self.bad_value("device_traces", "two devices share one list");
                continue;
            }
            all.push((device, self.rows(trace, heap, job)?));
        }
        Ok(all)
    }

    /// The rows of one trace; entries that are still dicts become rows now.
    fn rows(&mut self, trace: Value, heap: &mut Heap<'_>, job: &Job) -> Result<Trace, Cancelled> {
        let mut ranges = Trace::new();
        let mut add = |first: u32, len: u32| match ranges.last_mut() {
            Some(last) if last.end == first => last.end += len,
            _ => ranges.push(first..first + len),
        };
        let items = heap.items(trace).map(<[Value]>::to_vec);
        if items.is_none()
            && !matches!(trace, Value::None | Value::Thing(Thing { kind: STACK, .. }))
        {
            self.bad_value("trace", "a trace is no list");
        }
        let items = items.unwrap_or_default();
        let count = items.len();
        for (done, item) in items.into_iter().enumerate() {
            if done % 0x1000 == 0 {
                job.step(Progress { stage: STAGE, done: u64::from(self.columns.len()), total: 0 })?;
            }
            let value = match heap.resolve(item) {
                Value::Node(id) if self.mode == Mode::Whole => {
                    let row = self.settle(id, heap);
                    row.inspect(|row| heap.take(id, *row)).unwrap_or(Value::Node(id))
                }
                value => value,
            };
            match value {
                Value::Rows { first, len } => add(first, len),
                Value::Thing(Thing { kind: ROW, id }) => add(id, 1),
                // Left out with a warning of its own.
                Value::None => {}
                // The entry in which the file was cut.
                Value::Node(_) if done + 1 == count => {}
                _ => self.warnings.add(WarningKind::MissingField, "event", 1, || {
                    "Things in a trace that are no events were left out.".into()
                }),
            }
        }
        Ok(ranges)
    }

    fn device(&mut self, device: Device, draft: Draft) -> RawDevice {
        let (events, filled) = self.columns.events(&draft.ranges);
        self.warnings.add(WarningKind::MissingField, "time_us", filled, || {
            "Events without a time have that of the event before.".into()
        });
        let (segments, blocks) = super::segments::columns(draft.segments);
        RawDevice { device, events, segments, blocks }
    }

    /// What the file itself says of overwritten events.
    fn overflow_stated(&self, parts: &Parts, devices: &[RawDevice], heap: &Heap<'_>) {
        let in_settings = |key| field(heap, parts.settings, key).unwrap_or(Value::None);
        let flags = [parts.overflowed, in_settings(word::TRACE_ALLOC_OVERFLOWED)];
        let overflowed = flags.iter().any(|value| {
            any(heap, *value, &|value| {
                matches!(value, Value::Bool(true)) || value.bits().is_some_and(|bits| bits > 0)
            })
        });
        let limits = [parts.max_entries, in_settings(word::TRACE_ALLOC_MAX_ENTRIES)];
        let full = |events: &Events| {
            let len = u64::from(events.len());
            len > 0
                && limits.iter().any(|limit| any(heap, *limit, &|value| value.bits() == Some(len)))
        };
        let full = devices.iter().filter(|device| full(&device.events)).count();
        if overflowed || full > 0 {
            self.warnings.add(WarningKind::RingOverflowStated, "", full.max(1) as u64, || {
                "The file says that its list of events was full and older ones were overwritten: \
                 what is drawn begins in the middle."
                    .into()
            });
        }
    }
}

/// Stage of the work, in words.
const STAGE: &str = "putting events in order";

/// The value of a dict's key.
pub(super) fn field(heap: &Heap<'_>, dict: Value, key: u32) -> Option<Value> {
    let pairs = heap.pairs(dict)?;
    let found = pairs.iter().rev().find(|(name, _)| heap.resolve(*name) == Value::Text(key))?;
    Some(heap.resolve(found.1))
}

/// Whether `test` holds for the value or for anything right in it.
fn any(heap: &Heap<'_>, value: Value, test: &dyn Fn(Value) -> bool) -> bool {
    let value = heap.resolve(value);
    let in_list = heap.items(value).unwrap_or_default();
    let in_dict = heap.pairs(value).unwrap_or_default();
    test(value)
        || expand(in_list).any(|item| test(heap.resolve(item)))
        || in_dict.iter().any(|(_, item)| test(heap.resolve(*item)))
}
