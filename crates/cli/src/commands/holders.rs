//! `tidemark holders`: who holds memory, or what each did in a period.

mod text;

use super::blocks::{device, no_event};
use super::diff::has_owners;
use super::refusal;
use crate::arguments::{Holders, HoldersBy, HoldersSort, Period};
use crate::{Bar, Exit};
use anyhow::{anyhow, bail};
use session::{At, EventId, OnDevice, Session};
use std::io::Write;
use wire::{HoldersOrder, PeriodBy, PeriodByQuestion, PeriodOrder};

/// Prints a row for each stack or owner of one device.
pub(crate) fn run(arguments: &Holders, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let sort = sort(arguments)?;
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let on = device(&session, arguments.device.as_deref())?;
    let by = match arguments.by {
        Some(HoldersBy::Owner) => PeriodBy::Owner,
        None if has_owners(on) => PeriodBy::Owner,
        Some(HoldersBy::Stack) | None => PeriodBy::Stack,
    };
    match sort {
        Sort::Moment(order) => moment(&session, on, arguments, (by, order), out),
        Sort::Period(period, order) => {
            let (from, to) = events(on, period)?;
            let question = PeriodByQuestion {
                session: 0,
                device: on.row() as u32,
                from: f64::from(from),
                to: f64::from(to),
                by,
                order,
                top: arguments.top,
            };
            let found = wire::period_by_report(&session, &question)?;
            if arguments.json {
                serde_json::to_writer_pretty(&mut *out, &found)?;
                writeln!(out)?;
            } else {
                text::print_period(&found, order, out)?;
            }
            Ok(Exit::Done)
        }
    }
}

fn moment(
    session: &Session,
    on: OnDevice<'_>,
    arguments: &Holders,
    (by, order): (PeriodBy, HoldersOrder),
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let state = on.state(arguments.at).ok_or_else(|| anyhow!(no_event(on, arguments.at)))?;
    let top = arguments.top as usize;
    let found = wire::holders(session, on.row() as u32, state, (by, order, top))?;
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &found)?;
        writeln!(out)?;
    } else {
        text::print(&found, order, out)?;
    }
    Ok(Exit::Done)
}

/// What is asked, and which rows come first.
enum Sort {
    Moment(HoldersOrder),
    Period(Period, PeriodOrder),
}

fn sort(arguments: &Holders) -> anyhow::Result<Sort> {
    Ok(match (arguments.period, arguments.sort) {
        (None, None | Some(HoldersSort::Now)) => Sort::Moment(HoldersOrder::Now),
        (None, Some(HoldersSort::Peak)) => Sort::Moment(HoldersOrder::AtPeak),
        (None, Some(HoldersSort::Unfreed)) => Sort::Moment(HoldersOrder::Unfreed),
        (None, Some(HoldersSort::All)) => Sort::Moment(HoldersOrder::All),
        (None, Some(HoldersSort::Largest)) => Sort::Moment(HoldersOrder::Largest),
        (None, Some(HoldersSort::Change)) => bail!("--sort change is of a period: set --period"),
        (Some(period), None | Some(HoldersSort::Change)) => {
            Sort::Period(period, PeriodOrder::Change)
        }
        (Some(period), Some(HoldersSort::All)) => Sort::Period(period, PeriodOrder::Allocated),
        (Some(period), Some(HoldersSort::Unfreed)) => Sort::Period(period, PeriodOrder::Unfreed),
        (Some(_), Some(HoldersSort::Now | HoldersSort::Peak | HoldersSort::Largest)) => {
            bail!("with --period, --sort is one of change, all, unfreed")
        }
    })
}

/// The first and the last event of `period`, which the device has.
pub(super) fn events(on: OnDevice<'_>, period: Period) -> anyhow::Result<(u32, u32)> {
    let last = on.table().events.len().saturating_sub(1);
    let to = period.to.unwrap_or(last.max(period.from));
    for end in [period.from, to] {
        let at = At::Event(EventId(end));
        on.state(at).ok_or_else(|| anyhow!(no_event(on, at)))?;
    }
    Ok((period.from, to))
}
