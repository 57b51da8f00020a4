//! Texts, frames, stacks, notes and ranges: what all devices of a recording share.

use crate::bounds::Bound;
use crate::names::Numbered;
use crate::reading::File;
use crate::writing::Columns;
use model::{
    Annotation, AnnotationKind, Column, Frame, FrameExtra, FrameId, Note, Stacks, StringId, Strings,
};

/// Where a text or a time is missing.
const NONE: u32 = u32::MAX;

fn text(id: Option<StringId>) -> u32 {
    id.map_or(NONE, |id| id.0)
}

fn some_text(row: u32) -> Option<StringId> {
    (row != NONE).then_some(StringId(row))
}

/// The texts of a row: one column each.
type Texts<T> = [(&'static str, fn(&T) -> Option<StringId>); 5];

const NOTE: Texts<Note> = [
    ("notes.compile_context", |note| note.compile_context),
    ("notes.user_metadata", |note| note.user_metadata),
    ("notes.internal_metadata", |note| note.internal_metadata),
    ("notes.category", |note| note.category),
    ("notes.forward_frames", |note| note.forward_frames),
];

pub(crate) fn put_strings(to: &mut Columns, strings: &Strings) {
    let (offsets, bytes) = strings.columns();
    to.packed("strings.offsets", offsets);
    to.plain("strings.bytes", bytes);
}

pub(crate) fn strings(file: &File) -> Option<Strings> {
    Strings::from_columns(file.column("strings.offsets")?, file.column("strings.bytes")?)
}

pub(crate) fn put_stacks(to: &mut Columns, stacks: &Stacks) {
    let (offsets, frames) = stacks.columns();
    to.packed("stacks.offsets", offsets);
    to.packed("stacks.frames", frames);
    let table = || stacks.table().iter();
    to.rows("frames.name", table().map(|frame| frame.name.0));
    to.rows("frames.filename", table().map(|frame| frame.filename.0));
    // One more than the line, so that 0 is none.
    to.rows("frames.line", table().map(|frame| frame.line.map_or(0, |line| u64::from(line) + 1)));
    let extras = || stacks.extras().iter();
    to.rows("frame_extras.frame", extras().map(|(frame, _)| frame.0));
    to.rows("frame_extras.node_op", extras().map(|(_, it)| text(it.node_op)));
    to.rows("frame_extras.node_name", extras().map(|(_, it)| text(it.node_name)));
    to.rows("frame_extras.node_target", extras().map(|(_, it)| text(it.node_target)));
    to.rows("frame_extras.original_trace", extras().map(|(_, it)| text(it.original_trace)));
}

pub(crate) fn stacks(file: &File, texts: Bound) -> Option<Stacks> {
    let names: Column<u32> = file.within("frames.name", texts)?;
    let files: Column<u32> = file.within("frames.filename", texts)?;
    let lines: Column<u64> = file.column("frames.line")?;
    let fits = names.len() == files.len() && names.len() == lines.len();
    let frame = |row: usize| Frame {
        name: StringId(names[row]),
        filename: StringId(files[row]),
        line: lines[row].checked_sub(1).map(|line| line as u32),
    };
    let table = fits.then(|| (0..names.len()).map(frame).collect())?;
    let rows: Column<u32> = file.column("frame_extras.frame")?;
    let words = ["node_op", "node_name", "node_target", "original_trace"];
    let mut columns = Vec::with_capacity(words.len());
    for name in words {
        let name = format!("frame_extras.{name}");
        let column: Column<u32> = file.within(&name, texts.or_none())?;
        if column.len() != rows.len() {
            return None;
        }
        columns.push(column);
    }
    let extra = |row: usize| {
        let at = |column: usize| some_text(columns[column][row]);
        let extra = FrameExtra {
            node_op: at(0),
            node_name: at(1),
            node_target: at(2),
            original_trace: at(3),
        };
        (FrameId(rows[row]), extra)
    };
    let extras = (0..rows.len()).map(extra).collect();
    let offsets = file.column("stacks.offsets")?;
    Stacks::from_columns(offsets, file.column("stacks.frames")?, table, extras)
}

pub(crate) fn put_notes(to: &mut Columns, notes: &[Note]) {
    for (name, of) in NOTE {
        to.rows(name, notes.iter().map(|note| text(of(note))));
    }
}

pub(crate) fn notes(file: &File, texts: Bound) -> Option<Vec<Note>> {
    let mut columns: Vec<Column<u32>> = Vec::with_capacity(NOTE.len());
    for (name, _) in NOTE {
        columns.push(file.within(name, texts.or_none())?);
    }
    let count = columns.first()?.len();
    let fits = columns.iter().all(|column| column.len() == count);
    let note = |row: usize| {
        let at = |column: usize| some_text(columns[column][row]);
        Note {
            compile_context: at(0),
            user_metadata: at(1),
            internal_metadata: at(2),
            category: at(3),
            forward_frames: at(4),
        }
    };
    fits.then(|| (0..count).map(note).collect())
}

pub(crate) fn put_annotations(to: &mut Columns, ranges: &[Annotation]) {
    let all = || ranges.iter();
    to.rows("annotations.name", all().map(|range| range.name.0));
    to.rows("annotations.device", all().map(|range| i64::from(range.device)));
    to.rows("annotations.kind", all().map(|range| range.kind.number() as u8));
    to.rows("annotations.start_ns", all().map(|range| range.start_ns.unwrap_or(0)));
    to.rows("annotations.end_ns", all().map(|range| range.end_ns.unwrap_or(0)));
    let known = |range: &Annotation| {
        u8::from(range.start_ns.is_some()) | u8::from(range.end_ns.is_some()) << 1
    };
    to.rows("annotations.known_ends", all().map(known));
    to.rows("annotations.depth", all().map(|range| range.depth));
}

pub(crate) fn annotations(file: &File, texts: Bound) -> Option<Vec<Annotation>> {
    let names: Column<u32> = file.within("annotations.name", texts)?;
    let devices: Column<i64> = file.column("annotations.device")?;
    let kinds: Column<u8> = file.column("annotations.kind")?;
    let starts: Column<i64> = file.column("annotations.start_ns")?;
    let ends: Column<i64> = file.column("annotations.end_ns")?;
    let known: Column<u8> = file.column("annotations.known_ends")?;
    let depths: Column<u16> = file.column("annotations.depth")?;
    let lengths = [devices.len(), kinds.len(), starts.len(), ends.len(), known.len(), depths.len()];
    if lengths != [names.len(); 6] {
        return None;
    }
    let range = |row: usize| {
        Some(Annotation {
            name: StringId(names[row]),
            device: i32::try_from(devices[row]).ok()?,
            kind: AnnotationKind::of_number(kinds[row].into())?,
            start_ns: (known[row] & 1 != 0).then_some(starts[row]),
            end_ns: (known[row] & 2 != 0).then_some(ends[row]),
            depth: depths[row],
        })
    };
    (0..names.len()).map(range).collect()
}
