//! Traces as text.
//!
//! ```text
//! segment_alloc 0x1000 2M       an event: action, address, size; then `stream 1`, `pool 1`,
//!                               `stack 3` in any order
//! = 0x1000 2M small             a final segment; then `expandable`, `pool 1`, `stack 3`
//!   0x1000 512/400 stack 3      its blocks: address, size/requested; `pending`; free space between
//!                               is filled with inactive blocks
//! ```
//! Lines may be split by `;`. Sizes take `K` and `M`.

use crate::Warnings;
use crate::torch::lives::{Rules, derive};
use crate::torch::raw::{BlockState, RawBlock, RawDevice, RawSegment};
use job::Job;
use model::{
    Action, Block, BlockId, Device, DeviceTable, Events, Family, PoolId, SegmentKind, Settings,
    SizeSource, StackId, State, StreamId, Warning,
};
use std::fmt::Write;

/// Columns under construction.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) action: Vec<u8>,
    pub(super) addr: Vec<u64>,
    pub(super) size: Vec<u64>,
    pub(super) stream: Vec<u16>,
    pub(super) stack: Vec<u32>,
    pub(super) pool: Vec<u16>,
}

impl Trace {
    pub(super) fn push(&mut self, action: Action, addr: u64, size: u64) {
        self.action.push(action.code());
        self.addr.push(addr);
        self.size.push(size);
        self.stream.push(0);
        self.stack.push(Events::NO_STACK);
        self.pool.push(Events::NO_POOL);
    }

    pub(super) fn events(self) -> Events {
        let has_pools = self.pool.iter().any(|pool| *pool != Events::NO_POOL);
        Events {
            action: self.action.into(),
            addr: self.addr.into(),
            size: self.size.into(),
            stream: self.stream.into(),
            stack: self.stack.into(),
            time_ns: None,
            pool: has_pools.then(|| self.pool.into()),
            note: None,
        }
    }
}

/// A device from text.
pub(super) fn device(text: &str) -> RawDevice {
    let mut trace = Trace::default();
    let (mut segments, mut blocks): (Vec<RawSegment>, Vec<RawBlock>) = (Vec::new(), Vec::new());
    for line in text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[0] == "=" {
            close(&mut segments, &mut blocks);
            segments.push(segment(&words[1..], blocks.len() as u32));
        } else if words[0].starts_with("0x") {
            let block = block(&words);
            fill(segments.last().expect("a segment first"), &mut blocks, block.addr);
            blocks.push(block);
        } else {
            let action = Action::from_name(words[0]).unwrap_or(Action::Other(0));
            trace.push(action, number(words[1]), words.get(2).map_or(0, |size| number(size)));
            let row = trace.addr.len() - 1;
            trace.stream[row] = after(&words, "stream").unwrap_or(0) as u16;
            trace.stack[row] = after(&words, "stack").map_or(Events::NO_STACK, |id| id as u32);
            trace.pool[row] = after(&words, "pool").map_or(Events::NO_POOL, |id| id as u16);
        }
    }
    close(&mut segments, &mut blocks);
    RawDevice { device: Device::Accelerator(0), events: trace.events(), segments, blocks }
}

fn segment(words: &[&str], first: u32) -> RawSegment {
    RawSegment {
        addr: number(words[0]),
        size: number(words[1]),
        stream: StreamId(after(words, "stream").unwrap_or(0) as u16),
        pool: after(words, "pool").map(|id| PoolId(id as u16)),
        kind: if words.contains(&"small") { SegmentKind::Small } else { SegmentKind::Large },
        is_expandable: words.contains(&"expandable"),
        stack: after(words, "stack").map(|id| StackId(id as u32)),
        blocks: (first, first),
    }
}

fn block(words: &[&str]) -> RawBlock {
    let (size, requested) = words[1].split_once('/').expect("size/requested");
    let is_pending = words.contains(&"pending");
    RawBlock {
        addr: number(words[0]),
        size: number(size),
        requested: Some(number(requested)),
        state: if is_pending { BlockState::PendingFree } else { BlockState::Allocated },
        stack: after(words, "stack").map(|id| StackId(id as u32)),
    }
}

/// Fills the free space of `segment` up to `to`.
pub(super) fn fill(segment: &RawSegment, blocks: &mut Vec<RawBlock>, to: u64) {
    let own = &blocks[segment.blocks.0 as usize..];
    let addr = own.last().map_or(segment.addr, |block| block.addr + block.size);
    if addr < to {
        let (state, size) = (BlockState::Inactive, to - addr);
        blocks.push(RawBlock { addr, size, requested: None, state, stack: None });
    }
}

fn close(segments: &mut [RawSegment], blocks: &mut Vec<RawBlock>) {
    if let Some(segment) = segments.last_mut() {
        fill(segment, blocks, segment.addr + segment.size);
        segment.blocks.1 = blocks.len() as u32;
    }
}

fn after(words: &[&str], key: &str) -> Option<u64> {
    let at = words.iter().position(|word| *word == key)?;
    Some(number(words[at + 1]))
}

fn number(word: &str) -> u64 {
    if let Some(hex) = word.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).unwrap();
    }
    let (digits, unit) = match word.as_bytes().last() {
        Some(b'K') => (&word[..word.len() - 1], 1 << 10),
        Some(b'M') => (&word[..word.len() - 1], 1 << 20),
        _ => (word, 1),
    };
    digits.parse::<u64>().unwrap() * unit
}

/// The one place that calls [`derive`] for text.
pub(super) fn derived(
    text: &str,
    family: Family,
    settings: &Settings,
) -> (DeviceTable, Vec<Warning>) {
    derived_from(device(text), family, settings)
}

pub(super) fn derived_from(
    raw: RawDevice,
    family: Family,
    settings: &Settings,
) -> (DeviceTable, Vec<Warning>) {
    let warnings = Warnings::default();
    let rules = Rules { family, settings };
    let table = derive(raw, &rules, &warnings, &Job::unwatched()).unwrap();
    (table, warnings.into_list())
}

/// Lives, segments, totals and the rows of events as text, and the warnings' kinds.
pub(super) fn drawn(text: &str) -> String {
    shown(&derived(text, Family::Cuda, &Settings::default()))
}

pub(super) fn shown((table, warnings): &(DeviceTable, Vec<Warning>)) -> String {
    let mut out = String::new();
    for row in 0..table.blocks.len() {
        let Block { addr, size, requested, born, released, died, .. } =
            table.blocks.get(BlockId(row));
        let block = table.blocks.get(BlockId(row));
        let _ = write!(out, "{addr:#x} {}/{} ", short(size), short(requested));
        let _ = write!(out, "{}..{}", born.0, end(released));
        if released != died {
            let _ = write!(out, "..{}", end(died));
        }
        let _ = write!(out, " {:?}", block.origin);
        if block.size_source != SizeSource::Stated {
            let _ = write!(out, " {:?}", block.size_source);
        }
        let _ = write!(out, "{}", extras(block.stack, block.stream, block.pool));
        out.push('\n');
    }
    for row in table.segments.rows() {
        let _ = write!(out, "= {:#x} {} ", row.addr, short(row.size));
        let _ = write!(out, "{}..{} {:?}", row.born.0, end(row.died), row.kind);
        out += if row.is_expandable { " expandable" } else { "" };
        let _ = writeln!(out, "{}", extras(row.stack, row.stream, row.pool));
    }
    for (name, column) in [
        ("allocated", &table.counters.allocated),
        ("active", &table.counters.active),
        ("reserved", &table.counters.reserved),
    ] {
        let values: Vec<String> = column.iter().map(|bytes| short(*bytes)).collect();
        let _ = writeln!(out, "{name} {}", values.join(" "));
    }
    let rows = table.block_of_event.iter();
    let rows: Vec<String> =
        rows.map(|row| if *row == u32::MAX { "-".into() } else { row.to_string() }).collect();
    let _ = writeln!(out, "events {}", rows.join(" "));
    for warning in warnings {
        let words: Vec<&str> = warning.message.split(':').collect();
        let _ = writeln!(out, "! {:?} {}: {}", warning.kind, warning.count, words[0]);
    }
    out
}

fn extras(stack: Option<StackId>, stream: StreamId, pool: Option<PoolId>) -> String {
    let mut out = String::new();
    if let Some(stack) = stack {
        let _ = write!(out, " stack {}", stack.0);
    }
    if stream.0 != 0 {
        let _ = write!(out, " stream {}", stream.0);
    }
    if let Some(pool) = pool {
        let _ = write!(out, " pool {}", pool.0);
    }
    out
}

fn end(state: Option<State>) -> String {
    state.map_or(String::new(), |state| state.0.to_string())
}

/// Whole KiB and MiB by their letter.
fn short(bytes: u64) -> String {
    match bytes {
        0 => "0".into(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        _ => bytes.to_string(),
    }
}

/// `text` as drawn, line by line without indentation.
#[track_caller]
pub(super) fn check(text: &str, expected: &str) {
    same(&drawn(text), expected);
}

#[track_caller]
pub(super) fn same(drawn: &str, expected: &str) {
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines(drawn), lines(expected), "drawn:\n{drawn}");
}

macro_rules! laws {
    ($($name:ident: $text:expr => $expected:expr;)*) => {
        $(#[test] fn $name() { $crate::torch::lives::tests::notation::check($text, $expected); })*
    };
}

pub(super) use laws;
