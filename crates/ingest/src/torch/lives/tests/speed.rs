//! How long many events take. Run by hand, the number of events in the variable:
//! `TIDEMARK_SPEED=10000000 cargo test --release -p ingest lives::tests::speed -- --nocapture`.

use super::notation::{Trace, derived_from};
use crate::torch::raw::{RawDevice, RawSegment};
use model::{Action, Device, Family, SegmentKind, Settings, StreamId};
use std::collections::VecDeque;
use std::io::Write;
use std::time::Instant;

const MIB: u64 = 1 << 20;

/// Traces of alloc, free requested, free completed over `distinct` addresses, `live` blocks alive.
fn raw(events: usize, distinct: u64, live: usize) -> RawDevice {
    let mut trace = Trace::default();
    let mut queue = VecDeque::new();
    let base = 0x7f00_0000_0000;
    let mut at = 0u64;
    while trace.action.len() + 2 * queue.len() + 3 < events {
        // A stride that visits all addresses without being in order.
        at = (at + 7919) % distinct;
        let addr = base + at * 2048;
        trace.push(Action::Alloc, addr, 512 + at % 1000);
        queue.push_back((addr, 512 + at % 1000));
        if queue.len() > live {
            free(&mut trace, queue.pop_front());
        }
    }
    while let Some(block) = queue.pop_front() {
        free(&mut trace, Some(block));
    }
    let size = 2 * MIB;
    let segments = (0..(distinct * 2048).div_ceil(size)).map(|row| RawSegment {
        addr: base + row * size,
        size,
        stream: StreamId(0),
        pool: None,
        kind: SegmentKind::Small,
        is_expandable: false,
        stack: None,
        blocks: (0, 0),
    });
    let segments = segments.collect();
    RawDevice { device: Device::Accelerator(0), events: trace.events(), segments, blocks: vec![] }
}

fn free(trace: &mut Trace, block: Option<(u64, u64)>) {
    if let Some((addr, size)) = block {
        trace.push(Action::FreeRequested, addr, size);
        trace.push(Action::FreeCompleted, addr, size);
    }
}

/// What this thread has run, where the system says so: a busy machine makes clocks useless.
fn cpu_ms() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0u64) / 1_000_000
}

#[test]
fn many_events_take_a_moment() {
    let events = std::env::var("TIDEMARK_SPEED").ok().and_then(|it| it.parse().ok());
    for (distinct, live) in [(5_003, 500), (200_003, 20_000), (3_333_337, 300_000)] {
        let raw = raw(events.unwrap_or(30_000), distinct, live.min(events.unwrap_or(0) / 20));
        let len = raw.events.len();
        let (start, cpu) = (Instant::now(), cpu_ms());
        let (table, _) = derived_from(raw, Family::Cuda, &Settings::default());
        let (took, cpu) = (start.elapsed(), cpu_ms() - cpu);
        assert_eq!(table.blocks.len(), len / 3);
        assert_eq!(table.counters.active[len as usize], 0);
        let mut out = std::io::stdout();
        writeln!(
            out,
            "{len} events, {distinct} addresses, {live} alive: {took:?}, {cpu} ms of CPU"
        )
        .unwrap();
    }
}
