//! Recordings as text.

use super::*;
use model::{Blocks, StringId, Track};
use std::fmt::Write as _;

/// `addr+size@born..released` of each block of `table`, and what a track adds: `#id`, owner,
/// `!access,access/longest gap`, `s` and `S` where MALLOC and FREE are made up. Times are
/// nanoseconds; nothing stands for what is before or never.
pub(super) fn blocks(recording: &Recording, table: &DeviceTable) -> String {
    let rows = &dump(recording).rows;
    let track = table.track.as_deref().unwrap();
    let times = table.events.time_ns.as_ref().unwrap();
    let time = |state: u32| match state {
        0 | Blocks::NEVER => String::new(),
        state => times[state as usize - 1].to_string(),
    };
    let block = |block: usize| {
        let blocks = &table.blocks;
        let mut out = format!(
            "{:x}+{}@{}..{}",
            blocks.addr()[block],
            blocks.size()[block],
            time(blocks.born()[block]),
            time(blocks.released()[block])
        );
        if track.allocation_id[block] != 0 {
            write!(out, "#{}", track.allocation_id[block]).unwrap();
        }
        let owner: StringId = dump(recording).owners[track.owner[block] as usize];
        out.push_str(recording.text(owner));
        let accesses = track.accesses(block);
        if !accesses.is_empty() {
            let times: Vec<_> =
                accesses.iter().map(|row| rows.time_ns[*row as usize].to_string()).collect();
            write!(out, "!{}/{}", times.join(","), track.longest_gap_ns[block]).unwrap();
        }
        out.push_str(match track.flags[block] {
            0 => "",
            Track::SHADOW_MALLOC => "s",
            Track::SHADOW_FREE => "S",
            _ => "sS",
        });
        out
    };
    let blocks: Vec<_> = (0..table.blocks.len() as usize).map(block).collect();
    blocks.join(" ")
}

/// A line a table.
pub(super) fn tables(recording: &Recording) -> Vec<String> {
    let table = |table| format!("{}: {}", called(recording, table), blocks(recording, table));
    recording.devices.iter().map(table).collect()
}

/// `kind name @ device start..end ^depth` of each annotation.
pub(super) fn annotations(recording: &Recording) -> Vec<String> {
    let end = |end: Option<i64>| end.map_or(String::new(), |end| end.to_string());
    let annotations = recording.annotations.iter().map(|it| {
        let device = match it.device {
            -1 => "all",
            device => recording.text(dump(recording).devices[device as usize]),
        };
        format!(
            "{:?} {} @{device} {}..{} ^{}",
            it.kind,
            recording.text(it.name),
            end(it.start_ns),
            end(it.end_ns),
            it.depth
        )
    });
    annotations.collect()
}

/// `name start..end@depth flags` of each call, a line a thread.
pub(super) fn threads(recording: &Recording) -> Vec<String> {
    let threads = dump(recording).threads.iter().map(|thread| {
        let slices = &thread.slices;
        let call = |row: usize| {
            let name = recording.text(slices.name(row));
            let (start, end) = (slices.start_ns[row], slices.end_ns[row]);
            format!("{name} {start}..{end}@{} {}", slices.depth[row], slices.flags[row])
        };
        let calls: Vec<_> = (0..slices.len() as usize).map(call).collect();
        format!("{} {}: {}", thread.process, thread.thread, calls.join("; "))
    });
    threads.collect()
}
