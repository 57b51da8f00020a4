//! `tidemark decompose`: who holds memory at one moment of a dump, or what changed between two.

use super::blocks::device;
use super::refusal;
use crate::arguments::{Decompose, DumpMoment};
use crate::table::{Side, Table};
use crate::text::{human, plain};
use crate::{Bar, Exit};
use anyhow::anyhow;
use session::{At, OnDevice, Session};
use std::io::{self, Write};
use wire::{Decomposition, MomentQuestion, Part, PartKind, Whole};

/// Prints the parts of one device's memory.
pub(crate) fn run(arguments: &Decompose, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let device = device(&session, arguments.device.as_deref())?;
    let question = wire::DecomposeQuestion {
        session: 0,
        device: device.row() as u32,
        at: moment(&session, device, arguments.at),
        then: arguments.then.map(|then| moment(&session, device, then)),
    };
    let found = wire::decompose(&session, &question)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &found)?;
        writeln!(out)?;
    } else {
        print(&device.name(), &found, out)?;
    }
    Ok(Exit::Done)
}

/// A time beyond the recording's own length is one since the epoch.
fn moment(session: &Session, device: OnDevice<'_>, at: DumpMoment) -> MomentQuestion {
    let recording = session.recording();
    let end = recording.dump.as_deref().map_or(0, |dump| dump.end_ns);
    let event = |at| {
        let state = device.state(at).and_then(session::State::event);
        MomentQuestion::Event { event: state.map_or(-1.0, |event| f64::from(event.0)) }
    };
    match at {
        DumpMoment::Named(at) => event(at),
        DumpMoment::Nanoseconds(time) => {
            let since = time.saturating_sub(recording.zero_ns);
            let time = if time > end && since >= 0 { since } else { time };
            MomentQuestion::Time { us: time as f64 / 1e3 }
        }
    }
}

fn print(name: &str, found: &Decomposition, out: &mut dyn Write) -> io::Result<()> {
    let whole = match found.whole {
        Whole::Process => "all the process took from the driver (HAL)",
        Whole::Pools => "the sum of the pools: HAL was not recorded, or does not hold them",
    };
    writeln!(out, "{name} at {}", since_start(found.at_ns))?;
    if let Some(then) = found.then_ns {
        writeln!(out, "  compared with {}", since_start(then))?;
    }
    writeln!(out, "  the whole is {whole}\n")?;
    let lines = match found.then_ns {
        Some(_) => changes(&found.parts),
        None => shares(&found.parts),
    };
    write!(out, "{lines}")
}

/// `23584400241 ns (23.584 s) from the start`.
fn since_start(time: i64) -> String {
    format!("{time} ns ({:.3} s) from the start", time as f64 / 1e9)
}

fn shares(parts: &[Part]) -> String {
    let mut table = Table::new([
        ("size", Side::Right),
        ("bytes", Side::Right),
        ("blocks", Side::Right),
        ("of above", Side::Right),
        ("of all", Side::Right),
        ("part", Side::Left),
    ]);
    let all = parts.first().map_or(0, |part| part.bytes);
    for part in parts {
        let above = part.parent.and_then(|parent| parts.get(parent as usize));
        table.row([
            human(part.bytes),
            part.bytes.to_string(),
            counted(part),
            percent(part.bytes, above.map_or(part.bytes, |above| above.bytes)),
            percent(part.bytes, all),
            name(parts, part),
        ]);
    }
    table.lines("  ")
}

fn changes(parts: &[Part]) -> String {
    let mut table = Table::new([
        ("before", Side::Right),
        ("after", Side::Right),
        ("change in bytes", Side::Right),
        ("blocks", Side::Right),
        ("part", Side::Left),
    ]);
    for part in parts {
        let change = i128::from(part.then_bytes) - i128::from(part.bytes);
        let blocks = i64::from(part.then_blocks) - i64::from(part.blocks);
        table.row([
            human(part.bytes),
            human(part.then_bytes),
            if change == 0 { "0".to_owned() } else { format!("{change:+}") },
            if blocks == 0 { "0".to_owned() } else { format!("{blocks:+}") },
            name(parts, part),
        ]);
    }
    table.lines("  ")
}

fn counted(part: &Part) -> String {
    match part.kind {
        PartKind::PoolFree | PartKind::Outside => String::new(),
        PartKind::Whole | PartKind::Owner | PartKind::Unclassified => part.blocks.to_string(),
    }
}

fn percent(bytes: u64, of: u64) -> String {
    if of == 0 { String::new() } else { format!("{:.1} %", bytes as f64 * 100.0 / of as f64) }
}

/// The part's own name, indented by how deep it lies.
fn name(parts: &[Part], part: &Part) -> String {
    let above = |part: &Part| part.parent.and_then(|parent| parts.get(parent as usize)).cloned();
    let depth = std::iter::successors(above(part), above).count();
    let last = part.tag.rsplit('@').next().unwrap_or_default();
    let words = match part.kind {
        PartKind::Whole => "all".to_owned(),
        PartKind::Owner => plain(last),
        PartKind::Unclassified => "(unclassified)".to_owned(),
        PartKind::PoolFree => format!("(held by {}, not handed out)", plain(last)),
        PartKind::Outside => "(outside these pools)".to_owned(),
    };
    format!("{}{words}", "  ".repeat(depth))
}

impl DumpMoment {
    /// `peak`, `start`, `end`, or nanoseconds, from the start or since the epoch, also as `1.5s`.
    pub(crate) fn parse(words: &str) -> Result<Self, String> {
        let named = match words {
            "peak" => Some(At::Peak),
            "start" => Some(At::Start),
            "end" => Some(At::End),
            _ => None,
        };
        if let Some(at) = named {
            return Ok(Self::Named(at));
        }
        nanoseconds(words).map(Self::Nanoseconds).ok_or_else(|| {
            "neither peak, start, end nor a time such as 23584400241, 23584.4ms or 23.6s".to_owned()
        })
    }
}

/// Nanoseconds of a number with a unit, or of a whole number without.
pub(crate) fn nanoseconds(words: &str) -> Option<i64> {
    const UNITS: [(&str, f64); 5] =
        [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    if let Ok(whole) = words.parse::<i64>() {
        return (whole >= 0).then_some(whole);
    }
    let (number, unit) = UNITS.iter().find_map(|(name, unit)| {
        let number = words.strip_suffix(name)?.trim_end().parse::<f64>().ok()?;
        Some((number, unit))
    })?;
    let time = number * unit;
    (time.is_finite() && (0.0..9e18).contains(&time)).then(|| time.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_nanoseconds() {
        assert_eq!(nanoseconds("23584400241"), Some(23_584_400_241));
        assert_eq!(nanoseconds("1.5s"), Some(1_500_000_000));
        assert_eq!(nanoseconds("20 us"), Some(20_000));
        assert_eq!(nanoseconds("3µs"), Some(3_000));
        assert_eq!(nanoseconds("7ns"), Some(7));
        assert_eq!(nanoseconds("-1"), None);
        assert_eq!(nanoseconds("1.5"), None);
        assert_eq!(nanoseconds("NaNs"), None);
        assert_eq!(nanoseconds("soon"), None);
    }
}
