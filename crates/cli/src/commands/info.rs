//! `tidemark info`: what a recording holds.

use super::refusal;
use crate::arguments::Info;
use crate::table::{Side, Table};
use crate::text::{counted, date, exact, human, plain, plain_lines, span};
use crate::{Bar, Exit};
use std::io::{self, Write};
use std::path::Path;
use wire::{DeviceSummary, DumpSummary, FileReport, Peak, Summary, TrackSummary};

/// Reports every file, and fails at the end if one was refused.
pub(crate) fn run(
    arguments: &Info,
    out: &mut dyn Write,
    err: &mut dyn Write,
    bar: &Bar,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut reports = Vec::new();
    let mut printed = 0;
    for path in &arguments.files {
        let report = report(path, bar);
        if let Err(refusal) = &report {
            exit = Exit::Error;
            writeln!(err, "tidemark: {}", plain_lines(refusal.words.as_str()))?;
        }
        match report {
            _ if arguments.json => {
                reports.push(FileReport::new(path, report.map_err(|refusal| refusal.error)));
            }
            Ok(summary) => {
                if printed > 0 {
                    writeln!(out)?;
                }
                print(&summary, out)?;
                printed += 1;
            }
            Err(_) => {}
        }
    }
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &reports)?;
        writeln!(out)?;
    }
    Ok(exit)
}

/// A refusal for scripts and for people.
struct Refusal {
    error: wire::WireError,
    words: String,
}

fn report(path: &Path, bar: &Bar) -> Result<Summary, Refusal> {
    let opened = bar.open(path);
    match opened {
        Ok(session) => Ok(wire::summary(&session)),
        Err(error) => Err(Refusal { words: refusal(path, &error), error: error.into() }),
    }
}

fn print(summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", plain(&summary.name))?;
    line(out, "format", &format(summary))?;
    line(out, "size", &exact(summary.bytes))?;
    let frames = counted(summary.frames, "distinct frame");
    if let Some(dump) = &summary.dump {
        print_dump(dump, out)?;
    }
    line(out, "stacks", &format!("{} distinct, of {frames}", summary.stacks))?;
    for (row, setting) in summary.settings.iter().enumerate() {
        let name = if row == 0 { "settings" } else { "" };
        line(out, name, &format!("{} = {}", plain(&setting.key), plain(&setting.value)))?;
    }
    for (row, remark) in summary.remarks.iter().enumerate() {
        let name = if row == 0 { "remarks" } else { "" };
        line(out, name, &format!("{} × {}", remark.count, plain(&remark.message)))?;
    }
    for (row, device) in summary.devices.iter().enumerate() {
        let busiest = summary.devices.len() > 1 && row == summary.busiest as usize;
        let mark = if busiest { "  (the busiest)" } else { "" };
        writeln!(out, "\n{}{mark}", device.name)?;
        print_device(device, out)?;
    }
    Ok(())
}

/// What all devices of a dump share.
fn print_dump(dump: &DumpSummary, out: &mut dyn Write) -> io::Result<()> {
    line(out, "rows", &dump.rows.to_string())?;
    let processes: Vec<String> = dump.processes.iter().map(ToString::to_string).collect();
    line(out, "processes", &processes.join(", "))?;
    line(out, "traced", &counted(dump.threads, "Python thread"))?;
    let zero: i64 = dump.zero_ns.parse().unwrap_or(0);
    let length = dump.length_us.whole().max(0);
    let (from, to) = (zero.div_euclid(1_000), zero.div_euclid(1_000).saturating_add(length));
    line(out, "span", &format!("{} from {} to {}", span(length as u64), date(from), date(to)))
}

/// `PyTorch snapshot of cuda, pickle protocol 4`.
fn format(summary: &Summary) -> String {
    let carrier = match (summary.carrier.as_str(), summary.protocol) {
        ("pickle", Some(protocol)) => format!("pickle protocol {protocol}"),
        (carrier, Some(protocol)) => format!("{carrier} of pickle protocol {protocol}"),
        (carrier, None) => carrier.to_owned(),
    };
    match summary.dump {
        Some(_) => format!("msMemScope dump, {carrier}"),
        None => format!("PyTorch snapshot ({}), {carrier}", summary.family),
    }
}

/// A name and what belongs to it.
fn line(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "  {name:<10}{value}")
}

fn print_device(device: &DeviceSummary, out: &mut dyn Write) -> io::Result<()> {
    line(out, "events", &device.events.to_string())?;
    let mut actions = Table::new([("", Side::Left), ("", Side::Right)]);
    for action in &device.actions {
        actions.row([plain(&action.action), action.count.to_string()]);
    }
    // The table's empty heading line is left out.
    for row in actions.lines("").lines().skip(1) {
        line(out, "", row)?;
    }
    if device.events_without_stack > 0 {
        let count = counted(device.events_without_stack, "event");
        line(out, "", &format!("{count} without a stack"))?;
    }
    if device.track.is_none() {
        line(out, "span", &span_text(device))?;
    }
    line(out, "steps", &steps_text(device))?;
    line(out, "blocks", &blocks_text(device))?;
    let (start, end) = (device.start_live.count, device.end_active.count);
    line(out, "", &format!("{start} active at the start, {end} at the end"))?;
    if device.track.is_none() {
        let blocks = counted(device.final_blocks, "block");
        line(out, "segments", &format!("{} at the end, cut into {blocks}", device.segments))?;
    }
    write!(out, "\n{}", totals(device))?;
    if !device.pools.is_empty() && device.track.is_none() {
        write!(out, "\n{}", pools(device))?;
    }
    Ok(())
}

fn span_text(device: &DeviceSummary) -> String {
    match (device.first_us, device.last_us) {
        (Some(first), Some(last)) => {
            let micros = last.whole().saturating_sub(first.whole()).max(0) as u64;
            format!("{} from {} to {}", span(micros), date(first.whole()), date(last.whole()))
        }
        _ => "not known: the events have no times".to_owned(),
    }
}

fn steps_text(device: &DeviceSummary) -> String {
    match (device.steps, device.annotations) {
        (_, 0) => "not known: no range was named".to_owned(),
        (steps, ranges) => format!("{steps} among {}", counted(ranges, "named range")),
    }
}

fn blocks_text(device: &DeviceSummary) -> String {
    let mut parts = vec![format!("{} in all", device.blocks)];
    if device.blocks_before > 0 {
        parts.push(format!("{} known only by their free", device.blocks_before));
    }
    if device.blocks_ghost > 0 {
        parts.push(format!("{} there from start to end without an event", device.blocks_ghost));
    }
    parts.join(", ")
}

/// Start, peak and end of each total.
fn totals(device: &DeviceSummary) -> String {
    let mut table = Table::new([
        ("", Side::Left),
        ("start", Side::Right),
        ("bytes", Side::Right),
        ("peak", Side::Right),
        ("bytes", Side::Right),
        ("at event", Side::Right),
        ("time", Side::Right),
        ("end", Side::Right),
        ("bytes", Side::Right),
    ]);
    let (start, peak, end) = (&device.start, &device.peak, &device.end);
    let rows = [
        ("allocated", start.allocated, peak.allocated, end.allocated),
        ("active", start.active, peak.active, end.active),
        ("reserved", start.reserved, peak.reserved, end.reserved),
        (
            "requested",
            device.start_live.requested,
            device.peak_requested,
            device.end_active.requested,
        ),
    ];
    for (name, start, peak, end) in rows {
        let Some(name) = total_name(name, device.track.as_ref()) else { continue };
        table.row([
            name.to_owned(),
            human(start),
            start.to_string(),
            human(peak.bytes),
            peak.bytes.to_string(),
            at_event(peak),
            since_start(device, peak),
            human(end),
            end.to_string(),
        ]);
    }
    table.lines("  ")
}

/// What a total is called; nothing for one that a dump does not have.
fn total_name<'a>(name: &'a str, track: Option<&TrackSummary>) -> Option<&'a str> {
    match (name, track) {
        ("active", Some(track)) => track.has_used.then_some("pool used"),
        ("reserved", Some(track)) => track.has_total.then_some("pool total"),
        ("requested", Some(_)) => None,
        _ => Some(name),
    }
}

/// Which event reaches it.
fn at_event(peak: Peak) -> String {
    if peak.event < 0 { "start".to_owned() } else { peak.event.to_string() }
}

/// `+3.210 s` after the first event.
fn since_start(device: &DeviceSummary, peak: Peak) -> String {
    match (device.first_us, peak.time_us) {
        (Some(first), Some(time)) => {
            format!("+{}", span(time.whole().saturating_sub(first.whole()).max(0) as u64))
        }
        _ => "–".to_owned(),
    }
}

fn pools(device: &DeviceSummary) -> String {
    let mut table = Table::new([
        ("pool", Side::Left),
        ("stream", Side::Right),
        ("segments", Side::Right),
        ("reserved", Side::Right),
        ("bytes", Side::Right),
        ("active", Side::Right),
        ("bytes", Side::Right),
        ("peak reserved", Side::Right),
        ("bytes", Side::Right),
        ("at event", Side::Right),
        ("peak active", Side::Right),
        ("bytes", Side::Right),
        ("at event", Side::Right),
    ]);
    for pool in &device.pools {
        table.row([
            plain(&pool.pool),
            pool.stream.clone(),
            pool.segments.to_string(),
            human(pool.reserved),
            pool.reserved.to_string(),
            human(pool.active),
            pool.active.to_string(),
            human(pool.peak_reserved.bytes),
            pool.peak_reserved.bytes.to_string(),
            at_event(pool.peak_reserved),
            human(pool.peak_active.bytes),
            pool.peak_active.bytes.to_string(),
            at_event(pool.peak_active),
        ]);
    }
    table.lines("  ")
}
