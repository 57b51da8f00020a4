//! `tidemark blocks`: what holds memory at one moment.

use super::refusal;
use crate::arguments::Blocks;
use crate::table::{Side, Table};
use crate::text::{counted, date, exact, human, plain};
use crate::{Bar, Exit};
use anyhow::anyhow;
use session::{At, OnDevice, Session};
use std::io::{self, Write};
use wire::{Amount, LiveBlock, LiveSet, Micros};

/// Prints the live set of one device.
pub(crate) fn run(arguments: &Blocks, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let device = device(&session, arguments.device.as_deref())?;
    if device.state(arguments.at).is_none() {
        return Err(anyhow!("{}", no_event(device, arguments.at)));
    }
    let set = wire::live_set(&session, device.row() as u32, arguments.at, arguments.top)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &set)?;
        writeln!(out)?;
    } else {
        print(&set, arguments.at, session.recording().zero_ns, out)?;
    }
    Ok(Exit::Done)
}

/// The device `asked` for by name, failing that by row; the busiest when nobody says.
pub(super) fn device<'a>(
    session: &'a Session,
    asked: Option<&str>,
) -> anyhow::Result<OnDevice<'a>> {
    let found = match asked {
        None => session.device(session.recording().busiest_device()),
        Some(asked) => session
            .devices()
            .find(|device| device.name() == asked)
            .or_else(|| session.device(asked.parse().ok()?)),
    };
    found.ok_or_else(|| {
        let names: Vec<String> = session.devices().map(OnDevice::name).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        anyhow!("no device {}: the recording has {names}", asked.unwrap_or("at all"))
    })
}

pub(super) fn no_event(device: OnDevice<'_>, at: At) -> String {
    let (name, count) = (device.name(), device.table().events.len());
    let asked = match at {
        At::Event(event) => format!("event {}", event.0),
        At::Start | At::Peak | At::End => "such event".to_owned(),
    };
    match count.checked_sub(1) {
        Some(last) => format!("no {asked}: {name} has events 0 to {last}"),
        None => format!("no {asked}: {name} has no events"),
    }
}

fn print(set: &LiveSet, at: At, zero_ns: i64, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} {}", set.device, moment(set, at, zero_ns))?;
    writeln!(out, "{}", amount("live", &set.total))?;
    if set.pending.count > 0 {
        writeln!(out, "{}", amount("allocated", &set.allocated))?;
        writeln!(out, "{}", amount("pending", &set.pending))?;
    }
    if set.blocks.is_empty() {
        return Ok(());
    }
    let columns = [
        ("size", Side::Right),
        ("bytes", Side::Right),
        ("requested", Side::Right),
        ("address", Side::Right),
        ("allocated", Side::Right),
        ("freed", Side::Right),
        ("where", Side::Left),
    ];
    let is_owned = set.blocks.iter().any(|block| block.owner.is_some());
    let mut table = if is_owned { owned(columns) } else { Table::new(columns) };
    for block in &set.blocks {
        let cells = row(block);
        if is_owned {
            let [size, bytes, requested, address, allocated, freed, place] = cells;
            let owner = block.owner.as_deref().map_or_else(String::new, plain);
            table.row([size, bytes, requested, address, allocated, freed, owner, place]);
        } else {
            table.row(cells);
        }
    }
    write!(out, "\n{}", table.lines("  "))?;
    let more = set.total.count as usize - set.blocks.len();
    if more > 0 {
        writeln!(out, "  and {}", counted(more as u64, "smaller block"))?;
    }
    Ok(())
}

/// `columns` with one for the owners that a dump tells of.
fn owned([size, bytes, requested, address, allocated, freed, place]: [(&str, Side); 7]) -> Table {
    let owner = ("owner", Side::Left);
    Table::new([size, bytes, requested, address, allocated, freed, owner, place])
}

/// `right after event 4311, the peak of allocated, 2026-…`.
fn moment(set: &LiveSet, at: At, zero_ns: i64) -> String {
    let event = match set.event {
        -1 => "before the first event".to_owned(),
        event => format!("right after event {event}"),
    };
    let name = match at {
        At::Peak => ", the peak of the allocated bytes",
        At::End => ", the end",
        At::Start | At::Event(_) => "",
    };
    let date = |time: Micros| date(zero_ns.saturating_add(time.0).div_euclid(1_000));
    let time = set.time_us.map_or_else(String::new, |time| format!(", {}", date(time)));
    format!("{event}{name}{time}")
}

fn amount(name: &str, amount: &Amount) -> String {
    let (count, size) = (counted(amount.count, "block"), exact(amount.size));
    format!("  {name:<10}{count} of {size}, requested {}", exact(amount.requested))
}

fn row(block: &LiveBlock) -> [String; 7] {
    let event = |event: Option<u32>, none: &str| match event {
        Some(event) => event.to_string(),
        None => none.to_owned(),
    };
    let freed = event(block.free_event, "never");
    let place = block.top_frame.as_ref().or(block.fallback_frame.as_ref());
    [
        human(block.size),
        block.size.to_string(),
        block.requested.to_string(),
        block.address.clone(),
        event(block.alloc_event, "before"),
        if block.is_pending { format!("pending {freed}") } else { freed },
        place.map_or_else(|| "no stack".to_owned(), |place| plain(place)),
    ]
}
