//! What a recording is, as an answer.

use crate::{
    ActionCount, Amount, DeviceSummary, DumpSummary, Micros, Opened, Peak, PoolSummary, Range,
    Remark, Setting, Summary, Totals, TrackSummary, names,
};
use session::{Axis, Dump, OnDevice, Recording, Session, Track};

/// The answer to opening: `session` under the id it got.
pub fn opened(id: u32, session: &Session) -> Opened {
    Opened { session: id, reopened: session.is_reopened(), summary: summary(session) }
}

/// What the recording is.
pub fn summary(session: &Session) -> Summary {
    let recording = session.recording();
    let source = &recording.source;
    Summary {
        name: source.name.clone(),
        bytes: source.bytes,
        carrier: names::carrier(source.carrier).to_owned(),
        protocol: source.protocol,
        family: names::family(recording.family).to_owned(),
        opened_ms: session.opened_in().as_secs_f64() * 1e3,
        devices: session.devices().map(|on| device(session, on)).collect(),
        busiest: recording.busiest_device() as u32,
        stacks: recording.stacks.len() as u32 - 1,
        frames: recording.stacks.frame_count() as u32,
        settings: recording.settings.text.iter().map(setting).collect(),
        remarks: recording.warnings.iter().map(remark).collect(),
        dump: recording.dump.as_deref().map(|found| dump(recording, found)),
    }
}

fn setting((key, value): &(String, String)) -> Setting {
    Setting { key: key.clone(), value: value.clone() }
}

fn remark(warning: &session::Warning) -> Remark {
    Remark {
        code: names::warning(warning.kind).to_owned(),
        count: warning.count,
        message: warning.message.clone(),
    }
}

fn device(session: &Session, on: OnDevice<'_>) -> DeviceSummary {
    let (table, recording, facts) = (on.table(), session.recording(), on.summary());
    let times = table.events.time_ns.as_ref().filter(|times| !times.is_empty());
    let action = |(action, count): &(session::Action, u32)| ActionCount {
        action: names::action(recording, *action),
        count: *count,
    };
    DeviceSummary {
        name: on.name(),
        events: table.events.len(),
        actions: facts.actions.iter().map(action).collect(),
        blocks: table.blocks.len(),
        blocks_before: facts.blocks_before,
        blocks_ghost: facts.blocks_ghost,
        segments: table.segments.stated(),
        final_blocks: table.segments.stated_blocks(),
        has_time: times.is_some(),
        first_us: times.and_then(|_| table.span_ns()).map(|(first, _)| Micros(first)),
        last_us: times.and_then(|_| table.span_ns()).map(|(_, last)| Micros(last)),
        event_range: range(Axis::Event.range(table)).unwrap_or(Range { from: -1.0, to: 0.0 }),
        time_range: times.and_then(|_| range(Axis::Time.range(table))),
        peak: totals(facts.peak.map(peak)),
        peak_requested: peak(facts.peak_requested),
        start: totals(facts.start),
        end: totals(facts.end),
        start_live: facts.start_live.into(),
        end_active: facts.end_active.into(),
        pools: facts.pools.iter().map(pool).collect(),
        streams: recording.streams.iter().map(|stream| names::hex(*stream)).collect(),
        steps: facts.steps,
        annotations: facts.annotations,
        events_without_stack: facts.events_without_stack,
        track: table.track.as_deref().map(|found| track(recording, found)),
    }
}

fn dump(recording: &Recording, dump: &Dump) -> DumpSummary {
    DumpSummary {
        zero_ns: recording.zero_ns.to_string(),
        length_us: Micros(dump.end_ns),
        rows: dump.rows.len(),
        processes: dump.processes.clone(),
        threads: dump.threads.len() as u32,
        has_python_stacks: dump.rows.has_stacks[0],
        has_c_stacks: dump.rows.has_stacks[1],
    }
}

fn track(recording: &Recording, track: &Track) -> TrackSummary {
    let dump = recording.dump.as_deref();
    let of = |process: &Dump| process.processes.get(usize::from(track.process)).copied();
    let device = dump.and_then(|dump| dump.devices.get(usize::from(track.device)));
    TrackSummary {
        device: device.map_or("", |device| recording.text(*device)).to_owned(),
        pool: recording.text(track.pool).to_owned(),
        process: dump.and_then(of).unwrap_or_default(),
        has_used: track.has_used,
        has_total: track.has_total,
        has_owners: track.owner.iter().any(|owner| *owner != 0),
        has_accesses: !track.access_rows.is_empty(),
    }
}

/// A range for JSON, which has no infinities.
fn range(bounds: Option<(f64, f64)>) -> Option<Range> {
    let (from, to) = bounds?;
    (from.is_finite() && to.is_finite()).then_some(Range { from, to })
}

fn totals<T: Copy>([allocated, active, reserved]: [T; 3]) -> Totals<T> {
    Totals { allocated, active, reserved }
}

pub(crate) fn peak(peak: session::Peak) -> Peak {
    Peak { bytes: peak.bytes, event: i64::from(peak.at.0) - 1, time_us: peak.time_ns.map(Micros) }
}

fn pool(pool: &session::PoolUse) -> PoolSummary {
    PoolSummary {
        pool: pool.pool.map_or_else(|| "unknown".to_owned(), names::pool),
        stream: names::hex(pool.stream),
        segments: pool.segments,
        reserved: pool.reserved,
        active: pool.active,
        peak_reserved: peak(pool.peak_reserved),
        peak_active: peak(pool.peak_active),
    }
}

impl From<session::Amount> for Amount {
    fn from(amount: session::Amount) -> Self {
        Self { count: amount.count, requested: amount.requested, size: amount.size }
    }
}
