//! Holders for a person at a terminal.

use crate::table::{Side, Table};
use crate::text::{change, human, plain, signed_count, stack};
use std::io::{self, Write};
use wire::{
    Amount, HolderAmounts, Holders, HoldersOrder, PeriodAmounts, PeriodBy, PeriodByReport,
    PeriodOrder,
};

/// Prints what each holds, the rest of them, and what all hold.
pub(super) fn print(found: &Holders, order: HoldersOrder, out: &mut dyn Write) -> io::Result<()> {
    let what = what(found.by);
    let event = match found.event {
        -1 => "before the first event".to_owned(),
        event => format!("right after event {event}"),
    };
    let is_peak =
        if found.event == found.peak_event { ", the peak of the allocated bytes" } else { "" };
    writeln!(out, "{} by {what}, now {event}{is_peak}\n", found.device)?;
    let mut table = Table::new([
        (of_order(order), Side::Right),
        ("now", Side::Right),
        ("at the peak", Side::Right),
        ("never freed", Side::Right),
        ("in all", Side::Right),
        ("blocks", Side::Right),
        ("largest", Side::Right),
        (what, Side::Left),
    ]);
    for row in &found.rows {
        let largest = row.largest.map_or(0, |block| block.size);
        let words = place(row.name.as_deref(), &row.lines, found.by);
        table.row(cells(&row.amounts, order, Some(largest), words));
    }
    if found.rest_rows > 0 {
        table.row(cells(&found.rest, order, None, more(found.rest_rows)));
    }
    table.row(cells(&found.whole, order, None, ALL.to_owned()));
    write!(out, "{}", table.lines("  "))
}

/// Prints what each did, the rest of them, and what all did.
pub(super) fn print_period(
    found: &PeriodByReport,
    order: PeriodOrder,
    out: &mut dyn Write,
) -> io::Result<()> {
    let what = what(found.by);
    let PeriodByReport { device, from, to, answer, .. } = found;
    writeln!(out, "{device} by {what}, events {from} to {to}\n")?;
    let mut table = Table::new([
        (of_period(order), Side::Right),
        ("change", Side::Right),
        ("blocks", Side::Right),
        ("before", Side::Right),
        ("after", Side::Right),
        ("allocated", Side::Right),
        ("blocks", Side::Right),
        ("not freed", Side::Right),
        ("blocks", Side::Right),
        (what, Side::Left),
    ]);
    for row in &answer.rows {
        let words = place(row.name.as_deref(), &row.lines, found.by);
        table.row(period_cells(&row.amounts, order, words));
    }
    if answer.rest_rows > 0 {
        table.row(period_cells(&answer.rest, order, more(answer.rest_rows)));
    }
    table.row(period_cells(&answer.whole, order, ALL.to_owned()));
    write!(out, "{}", table.lines("  "))
}

/// What the last row is called.
const ALL: &str = "(all)";

fn more(rows: u32) -> String {
    format!("({rows} more)")
}

fn what(by: PeriodBy) -> &'static str {
    match by {
        PeriodBy::Stack => "stack",
        PeriodBy::Owner => "owner",
    }
}

/// Whose exact bytes the first column has.
fn of_order(order: HoldersOrder) -> &'static str {
    match order {
        HoldersOrder::Now => "bytes now",
        HoldersOrder::AtPeak => "bytes at the peak",
        HoldersOrder::Unfreed => "bytes never freed",
        HoldersOrder::All => "bytes in all",
        HoldersOrder::Largest => "bytes of the largest",
    }
}

fn of_period(order: PeriodOrder) -> &'static str {
    match order {
        PeriodOrder::Change => "bytes changed",
        PeriodOrder::Allocated => "bytes allocated",
        PeriodOrder::Unfreed => "bytes not freed",
    }
}

fn cells(
    amounts: &HolderAmounts,
    order: HoldersOrder,
    largest: Option<u64>,
    words: String,
) -> [String; 8] {
    let exact = match order {
        HoldersOrder::Now => Some(amounts.now.size),
        HoldersOrder::AtPeak => Some(amounts.at_peak.size),
        HoldersOrder::Unfreed => Some(amounts.unfreed.size),
        HoldersOrder::All => Some(amounts.all.size),
        HoldersOrder::Largest => largest,
    };
    let size = |amount: Amount| human(amount.size);
    [
        exact.map_or_else(String::new, |bytes| bytes.to_string()),
        size(amounts.now),
        size(amounts.at_peak),
        size(amounts.unfreed),
        size(amounts.all),
        amounts.all.count.to_string(),
        largest.map_or_else(String::new, human),
        words,
    ]
}

fn period_cells(amounts: &PeriodAmounts, order: PeriodOrder, words: String) -> [String; 10] {
    let (changed, exact) = change(amounts.before.size, amounts.after.size);
    let exact = match order {
        PeriodOrder::Change => exact,
        PeriodOrder::Allocated => amounts.allocated.size.to_string(),
        PeriodOrder::Unfreed => amounts.unfreed.size.to_string(),
    };
    [
        exact,
        changed,
        signed_count(amounts.change_count),
        human(amounts.before.size),
        human(amounts.after.size),
        human(amounts.allocated.size),
        amounts.allocated.count.to_string(),
        human(amounts.unfreed.size),
        amounts.unfreed.count.to_string(),
        words,
    ]
}

/// The row's owner, or its stack around the frame that tells most.
fn place(name: Option<&str>, lines: &[String], by: PeriodBy) -> String {
    match (name, by) {
        (Some(name), PeriodBy::Stack) if !lines.is_empty() => {
            stack(lines, lines.iter().position(|line| line == name).unwrap_or(0))
        }
        (Some(name), _) => plain(name),
        (None, by) => format!("no {}", what(by)),
    }
}
