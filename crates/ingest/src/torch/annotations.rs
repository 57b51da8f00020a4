//! Ranges of time that the recorded program named.

use super::finish::field;
use super::raw::RawDevice;
use super::reader::Reader;
use super::texts::Texts;
use super::words as word;
use crate::Warnings;
use model::{Action, Annotation, AnnotationKind, Device, EventId, StackId, WarningKind};
use pickle::{Heap, Value, expand};
use rustc_hash::FxHashMap;

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    End,
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    stage: Stage,
    /// Number of a text.
    name: u32,
    device: i32,
    time_ns: i64,
}

/// Ends of ranges, not paired yet.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<Mark>);

impl Reader<'_, '_> {
    /// The marks of the list `annotations`.
    pub(super) fn marks(&mut self, annotations: Value, heap: &Heap<'_>) -> Marks {
        let items = heap.items(annotations).unwrap_or_default();
        let mut marks = Vec::with_capacity(items.len());
        for item in expand(items) {
            let field = |key| field(heap, item, key);
            let stage = match field(word::STAGE) {
                Some(Value::Text(word::START)) => Some(Stage::Start),
                Some(Value::Text(word::END)) => Some(Stage::End),
                _ => None,
            };
            let name = match field(word::NAME) {
                Some(Value::Text(name)) => Some(name),
                _ => None,
            };
            let time = field(word::TIME_US).and_then(Value::bits);
            let device = field(word::DEVICE).and_then(Value::bits).unwrap_or_default();
            if let (Some(stage), Some(name), Some(time)) = (stage, name, time) {
                let time_ns = (time as i64).saturating_mul(1_000);
                marks.push(Mark { stage, name, device: device as i32, time_ns });
            } else {
                self.warnings.add(WarningKind::MissingField, "annotation", 1, || {
                    "Annotations without stage, name or time were left out.".into()
                });
            }
        }
        Marks(marks)
    }

    /// Adds the marks that nightlies of 2024 wrote between the events.
    pub(super) fn marks_in_traces(&mut self, devices: &[RawDevice], marks: &mut Marks) {
        let code = Action::UserDefined.code();
        for device in devices {
            let (Device::Accelerator(index), Some(times)) = (device.device, &device.events.time_ns)
            else {
                continue;
            };
            for (row, _) in device.events.action.iter().enumerate().filter(|(_, it)| **it == code) {
                let stack = device.events.stack(EventId(row as u32)).unwrap_or(StackId(0));
                let first = self.stacks.items(stack).first();
                let Some(frame) = first.and_then(|frame| self.stacks.frame_at(*frame)) else {
                    continue;
                };
                let is = |texts: &mut Texts, number: u32| texts.string(number) == frame.name;
                let stage = if is(&mut self.texts, word::START) {
                    Stage::Start
                } else if is(&mut self.texts, word::END) {
                    Stage::End
                } else {
                    continue;
                };
                let name = Texts::number_of(frame.filename);
                marks.0.push(Mark { stage, name, device: index, time_ns: times[row] });
            }
        }
    }
}

impl Marks {
    /// Pairs them by device and name, the innermost first; sorted by start.
    pub(super) fn paired(mut self, texts: &mut Texts, warnings: &Warnings) -> Vec<Annotation> {
        self.0.sort_by_key(|mark| mark.time_ns);
        let mut open: FxHashMap<(i32, u32), Vec<usize>> = FxHashMap::default();
        let mut ranges: Vec<Annotation> = Vec::new();
        for mark in self.0 {
            let waiting = open.entry((mark.device, mark.name)).or_default();
            let partner = if mark.stage == Stage::End { waiting.pop() } else { None };
            if let Some(row) = partner {
                ranges[row].end_ns = Some(mark.time_ns);
                continue;
            }
            let is_start = mark.stage == Stage::Start;
            if is_start {
                waiting.push(ranges.len());
            }
            ranges.push(Annotation {
                name: texts.string(mark.name),
                device: mark.device,
                kind: AnnotationKind::Range,
                start_ns: is_start.then_some(mark.time_ns),
                end_ns: (!is_start).then_some(mark.time_ns),
                depth: 0,
            });
        }
        let lonely = |range: &&Annotation| range.start_ns.is_none() || range.end_ns.is_none();
        let count = ranges.iter().filter(lonely).count() as u64;
        warnings.add(WarningKind::UnpairedAnnotation, "", count, || {
            "Annotations of which only one end is in the file are shown with that end alone.".into()
        });
        let from = |range: &Annotation| range.start_ns.or(range.end_ns);
        ranges.sort_by_key(|range| (from(range), std::cmp::Reverse(range.end_ns)));
        nest(&mut ranges);
        ranges
    }
}

/// Counts for each range how many of its device enclose it.
pub(crate) fn nest(ranges: &mut [Annotation]) {
    let mut enclosing: FxHashMap<i32, Vec<i64>> = FxHashMap::default();
    for range in ranges {
        let ends = enclosing.entry(range.device).or_default();
        let Some(start) = range.start_ns.or(range.end_ns) else { continue };
        let end = range.end_ns.unwrap_or(start);
        ends.retain(|outer| *outer > start || (*outer == start && end == start));
        range.depth = ends.iter().filter(|outer| **outer >= end).count().min(0xffff) as u16;
        if range.start_ns.is_some() && range.end_ns.is_some() {
            ends.push(end);
        }
    }
}
