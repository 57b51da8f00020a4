//! `tidemark diff`: how two recordings differ, or two moments of one.

mod text;

use super::blocks::{device, no_event};
use super::refusal;
use crate::arguments::{By, Diff, Growth, Moment};
use crate::text::exact;
use crate::{Bar, Exit};
use anyhow::anyhow;
use session::{At, OnDevice, Session};
use std::io::Write;
use std::path::Path;
use wire::{DiffBy, DiffQuestion, DiffSideQuestion, Difference, MomentQuestion};

/// Prints what differs, and fails when a limit is exceeded.
pub(crate) fn run(
    arguments: &Diff,
    out: &mut dyn Write,
    err: &mut dyn Write,
    bar: &Bar,
) -> anyhow::Result<Exit> {
    let a = open(&arguments.a, bar)?;
    let other = if arguments.a == arguments.b { None } else { Some(open(&arguments.b, bar)?) };
    let b = other.as_ref().unwrap_or(&a);
    let on_a = device(&a, arguments.device.as_deref())?;
    let asked = arguments.device_b.as_deref().or(arguments.device.as_deref());
    let on_b = device(b, asked)?;
    let question = DiffQuestion {
        a: side(on_a, arguments.at)?,
        b: side(on_b, arguments.at_b.unwrap_or(arguments.at))?,
        by: by(arguments.by, [on_a, on_b]),
        top: arguments.top,
        unchanged: false,
        steps: true,
    };
    let found = wire::diff(&a, b, &question)?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &found)?;
        writeln!(out)?;
    } else {
        text::print(&found, [on_a, on_b], arguments.top as usize, out)?;
    }
    let exceeded = exceeded(arguments, &found);
    for words in &exceeded {
        writeln!(err, "tidemark: {words}")?;
    }
    Ok(if exceeded.is_empty() { Exit::Done } else { Exit::No })
}

fn open(path: &Path, bar: &Bar) -> anyhow::Result<Session> {
    let opened = bar.open(path);
    opened.map_err(|error| anyhow!(refusal(path, &error)))
}

fn side(on: OnDevice<'_>, at: Moment) -> anyhow::Result<DiffSideQuestion> {
    let at = match at {
        Moment::At(At::Peak) => None,
        Moment::At(at) => {
            let state = on.state(at).ok_or_else(|| anyhow!("{}", no_event(on, at)))?;
            let event = state.event().map_or(-1.0, |event| f64::from(event.0));
            Some(MomentQuestion::Event { event })
        }
        Moment::Nanoseconds(_) if on.table().events.time_ns.is_none() => {
            return Err(anyhow!("no such time: the events of {} have none", on.name()));
        }
        Moment::Nanoseconds(time) => Some(MomentQuestion::Time { us: time as f64 / 1e3 }),
    };
    Ok(DiffSideQuestion { session: 0, device: on.row() as u32, at })
}

/// Whether the owner of any block is recorded.
pub(super) fn has_owners(on: OnDevice<'_>) -> bool {
    on.table().track.as_deref().is_some_and(|track| track.owner.iter().any(|row| *row != 0))
}

/// Dumps say who owns memory, and often have no stacks.
fn by(asked: Option<By>, sides: [OnDevice<'_>; 2]) -> DiffBy {
    match asked {
        Some(By::FileFunction) => DiffBy::FileFunction,
        Some(By::Function) => DiffBy::Function,
        Some(By::Owner) => DiffBy::Owner,
        None if sides.into_iter().all(has_owners) => DiffBy::Owner,
        Some(By::Stack) | None => DiffBy::Stack,
    }
}

/// Each limit that does not hold, in words.
fn exceeded(arguments: &Diff, found: &Difference) -> Vec<String> {
    let (before, grown) = (found.a.live.size, u64::try_from(found.change).unwrap_or(0));
    let growth = arguments.max_growth.and_then(|limit| {
        let (is_over, limit) = match limit {
            Growth::Bytes(bytes) => (grown > bytes, exact(bytes)),
            Growth::Percent(share) => {
                let is_over = grown as f64 * 100.0 > share * before as f64;
                (is_over, format!("{share} % of {}", exact(before)))
            }
        };
        is_over.then(|| format!("--max-growth is exceeded: {} more, limit {limit}", exact(grown)))
    });
    let peak = found.b.peak.allocated.bytes;
    let over = arguments.max_peak.filter(|limit| peak > *limit);
    let over = over.map(|limit| {
        format!("--max-peak is exceeded: B peaks at {}, limit {}", exact(peak), exact(limit))
    });
    growth.into_iter().chain(over).collect()
}
