//! `tidemark export`: the block table or the event table as CSV.

use super::{blocks, refusal};
use crate::arguments::Export;
use crate::{Bar, Exit};
use anyhow::{Context, anyhow};
use serde::de::DeserializeOwned;
use session::{OnDevice, Session};
use std::io::{self, BufWriter, Write};
use wire::{
    RowsQuestion, SortDirection, TableColumn, TableFilter, TableKind, TableOrder, TablePeriod,
    TableQuestion, TableTest, TableWithin,
};

/// Writes all rows that match, or what they add up to.
pub(crate) fn run(arguments: &Export, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    // Names that do not exist are refused before anything is read.
    let asked: Vec<TableColumn> =
        arguments.columns.iter().map(|name| named(name)).collect::<anyhow::Result<_>>()?;
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let device = blocks::device(&session, arguments.device.as_deref())?;
    let Some(state) = device.state(arguments.at) else {
        return Err(anyhow!("{}", blocks::no_event(device, arguments.at)));
    };
    let cursor = f64::from(state.0) - 1.0;
    let kind = kind(device, named(&arguments.table)?);
    let columns = if asked.is_empty() { usual(kind, &session)? } else { asked };
    let question = TableQuestion {
        session: 0,
        device: device.row() as u32,
        kind,
        order: arguments.sort.iter().map(|sort| order(sort)).collect::<anyhow::Result<_>>()?,
        filters: filters(arguments)?,
        period: period(arguments)?,
        cursor,
        thresholds: arguments.limits.thresholds(),
    };
    let job = bar.job();
    let view = wire::table(&session, &question, &job)?;
    bar.clear();
    if arguments.count {
        let none = RowsQuestion { offset: 0, since: None, count: 0, columns: Vec::new(), cursor };
        let statistics = view.opened(&session, 0, &none, &job)?.statistics;
        serde_json::to_writer_pretty(&mut *out, &statistics)?;
        writeln!(out)?;
    } else {
        let mut kept = Kept { out, failed: None };
        let written = view.export(&session, &columns, BufWriter::new(&mut kept), &job);
        // A pipe that its reader closed is told apart by its kind, which the refusal has lost.
        written.map_err(|refused| {
            kept.failed.map_or_else(|| anyhow!(refused), |kind| anyhow!(io::Error::from(kind)))
        })?;
    }
    Ok(Exit::Done)
}

/// An output that remembers how it failed.
struct Kept<'a> {
    out: &'a mut dyn Write,
    failed: Option<io::ErrorKind>,
}

impl Write for Kept<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|error| self.failed = Some(error.kind()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|error| self.failed = Some(error.kind()))
    }
}

/// A value by the name it has in JSON.
fn named<T: DeserializeOwned>(name: &str) -> anyhow::Result<T> {
    Ok(serde_json::from_value(serde_json::Value::String(name.to_owned()))?)
}

/// The kind of table that `device` has.
fn kind(device: OnDevice<'_>, asked: TableKind) -> TableKind {
    match (asked, device.table().track.is_some()) {
        (TableKind::Blocks, true) => TableKind::DumpBlocks,
        (TableKind::Events, true) => TableKind::DumpEvents,
        _ => asked,
    }
}

/// The columns of a table when nobody chooses; of a dump, those of the collector's manual.
fn usual(kind: TableKind, session: &Session) -> anyhow::Result<Vec<TableColumn>> {
    let names = match kind {
        TableKind::Blocks => BLOCKS,
        TableKind::Events => EVENTS,
        TableKind::DumpBlocks => DUMP_BLOCKS,
        TableKind::DumpEvents => DUMP_EVENTS,
    };
    let mut columns: Vec<TableColumn> =
        names.iter().map(|name| named(name)).collect::<anyhow::Result<_>>()?;
    if kind == TableKind::DumpEvents {
        let has = session.recording().dump.as_deref().map(|dump| dump.rows.has_stacks);
        let stacks = [TableColumn::PythonStack, TableColumn::CStack].into_iter();
        let there = stacks.zip(has.unwrap_or_default()).filter(|(_, has)| *has);
        columns.extend(there.map(|(column, _)| column));
    }
    Ok(columns)
}

const BLOCKS: &[&str] = &[
    "id",
    "address",
    "size",
    "requested",
    "state",
    "alloc_event",
    "free_requested_event",
    "free_event",
    "lifetime",
    "pool",
    "stream",
    "top_frame",
    "step",
    "time",
];
const EVENTS: &[&str] = &[
    "id",
    "action",
    "address",
    "size",
    "stream",
    "allocated",
    "active",
    "reserved",
    "top_frame",
    "block",
    "pool",
    "step",
    "time",
];
const DUMP_BLOCKS: &[&str] = &[
    "id",
    "address",
    "size",
    "malloc_time_ns",
    "free_time_ns",
    "owner",
    "process",
    "thread",
    "first_access_ns",
    "last_access_ns",
    "longest_gap_ns",
    "attr",
];
const DUMP_EVENTS: &[&str] =
    &["id", "event", "event_type", "name", "time_ns", "process", "thread", "address", "attr"];

/// `size`, `size:desc`.
fn order(sort: &str) -> anyhow::Result<TableOrder> {
    let (column, direction) = match sort.split_once(':') {
        None | Some((_, "asc")) => (sort.trim_end_matches(":asc"), SortDirection::Ascending),
        Some((column, "desc")) => (column, SortDirection::Descending),
        Some((_, other)) => return Err(anyhow!("{other} is neither asc nor desc")),
    };
    Ok(TableOrder { column: named(column)?, direction })
}

fn filters(arguments: &Export) -> anyhow::Result<Vec<TableFilter>> {
    let contains = arguments.contains.iter().map(|filter| {
        let (column, part) = filter.split_once('=').context("--contains takes COLUMN=TEXT")?;
        let test = TableTest::Contains { text: part.to_owned() };
        Ok(TableFilter { column: named(column)?, test })
    });
    let between = arguments.between.iter().map(|filter| {
        let (column, range) = filter.split_once('=').context("--between takes COLUMN=FROM..TO")?;
        let (from, to) = ends(range)?;
        Ok(TableFilter { column: named(column)?, test: TableTest::Between { from, to } })
    });
    contains.chain(between).collect()
}

fn period(arguments: &Export) -> anyhow::Result<Option<TablePeriod>> {
    let Some(period) = &arguments.period else { return Ok(None) };
    let (from, to) = ends(period)?;
    let within: TableWithin = named(&arguments.within)?;
    let last = f64::from(u32::MAX);
    Ok(Some(TablePeriod {
        from: from.unwrap_or(0.0),
        to: to.unwrap_or(last),
        within,
        span_ns: None,
    }))
}

/// `100..1000`; either end may be left out.
fn ends(range: &str) -> anyhow::Result<(Option<f64>, Option<f64>)> {
    let (from, to) = range.split_once("..").with_context(|| format!("{range} is no FROM..TO"))?;
    let end = |text: &str| {
        let number = || text.parse().with_context(|| format!("{text} is no number"));
        (!text.is_empty()).then(number).transpose()
    };
    Ok((end(from)?, end(to)?))
}
