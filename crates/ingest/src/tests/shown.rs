//! What a file says, as text a reviewer can read.

use crate::open::Read;
use crate::torch::raw::{RawDevice, RawSnapshot};
use model::{Action, EventId, Events, Note, StackId, StringId};
use std::fmt::Write;

/// Everything read, one line each; warnings last.
pub(super) fn text(read: &Read) -> String {
    let mut out = content(&read.snapshot);
    for ((kind, _), (count, _)) in read.warnings.cases() {
        writeln!(out, "{count} x {kind:?}").unwrap();
    }
    out
}

/// Everything but the warnings.
pub(super) fn content(snapshot: &RawSnapshot) -> String {
    let mut out = format!("{:?}\n", snapshot.family);
    for device in &snapshot.devices {
        writeln!(out, "{:?}", device.device).unwrap();
        segments(snapshot, device, &mut out);
        for row in 0..device.events.len() {
            event(snapshot, &device.events, EventId(row), &mut out);
        }
    }
    for range in &snapshot.annotations {
        let name = snapshot.strings.get(range.name);
        let (start, end) = (range.start_ns, range.end_ns);
        let end = end.map_or("?".into(), |time| (time / 1_000).to_string());
        let start = start.map_or("?".into(), |time| (time / 1_000).to_string());
        writeln!(out, "{name:?} on {} {start}..{end} depth {}", range.device, range.depth).unwrap();
    }
    for (name, value) in &snapshot.settings.text {
        writeln!(out, "{name}={value}").unwrap();
    }
    out
}

fn segments(snapshot: &RawSnapshot, device: &RawDevice, out: &mut String) {
    for segment in &device.segments {
        let pool = segment.pool.map(|pool| snapshot.pools[usize::from(pool.0)]);
        let kind = if segment.is_expandable { "expandable" } else { "fixed" };
        writeln!(
            out,
            "= {:#x} {} {:?} {kind} stream {:#x} {pool:?} {}",
            segment.addr,
            segment.size,
            segment.kind,
            snapshot.streams[usize::from(segment.stream.0)],
            stack(snapshot, segment.stack),
        )
        .unwrap();
        for block in &device.blocks[segment.blocks.0 as usize..segment.blocks.1 as usize] {
            let asked = block.requested.map_or("?".into(), |size| size.to_string());
            let stack = stack(snapshot, block.stack);
            writeln!(
                out,
                "  {:#x} {} of {asked} {:?} {stack}",
                block.addr, block.size, block.state
            )
            .unwrap();
        }
    }
}

fn event(snapshot: &RawSnapshot, events: &Events, row: EventId, out: &mut String) {
    let action = match events.action(row) {
        Action::Other(other) => snapshot.strings.get(snapshot.other_actions[usize::from(other)]),
        known => known.name().unwrap(),
    };
    let (addr, size) = (events.addr[row.row()], events.size[row.row()]);
    write!(out, "{action} {addr:#x} {size}").unwrap();
    let stream = snapshot.streams[usize::from(events.stream(row).0)];
    if stream != 0 {
        write!(out, " stream {stream:#x}").unwrap();
    }
    if let Some(time) = events.time_ns(row) {
        write!(out, " at {}", time / 1_000).unwrap();
    }
    if let Some(pool) = events.pool(row) {
        write!(out, " {:?}", snapshot.pools[usize::from(pool.0)]).unwrap();
    }
    let note = events.note(row).map_or(Note::default(), |note| snapshot.notes[note.row()]);
    let texts = [
        ("compiled", note.compile_context),
        ("user", note.user_metadata),
        ("internal", note.internal_metadata),
        ("category", note.category),
        ("forward", note.forward_frames),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            write!(out, " {name} {:?}", snapshot.strings.get(text)).unwrap();
        }
    }
    writeln!(out, " {}", stack(snapshot, events.stack(row))).unwrap();
}

fn stack(snapshot: &RawSnapshot, stack: Option<StackId>) -> String {
    let Some(stack) = stack else { return "no stack".into() };
    let text = |id: StringId| snapshot.strings.get(id);
    let frames = snapshot.stacks.frames(stack).map(|(id, frame)| {
        let line = frame.line.map_or("?".into(), |line| line.to_string());
        let fx = snapshot.stacks.extra(id).and_then(|extra| extra.node_name).map(text);
        let fx = fx.map_or(String::new(), |name| format!("#{name}"));
        format!("{}@{}:{line}{fx}", text(frame.name), text(frame.filename))
    });
    format!("[{}]", frames.collect::<Vec<_>>().join(" "))
}
