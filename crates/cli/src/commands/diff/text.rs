//! A difference for a person at a terminal.

use crate::table::{Side, Table};
use crate::text::{change, counted, human, plain, signed_count, stack};
use session::OnDevice;
use std::io::{self, Write};
use wire::{DiffBy, DiffRest, DiffRow, DiffSide, DiffStep, Difference};

/// Prints both sides, their totals, what changed, and the steps.
pub(super) fn print(
    found: &Difference,
    on: [OnDevice<'_>; 2],
    top: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{}", heads(found, on))?;
    write!(out, "\n{}", totals(found, on))?;
    writeln!(out, "\n{}", heading(found))?;
    if !found.rows.is_empty() {
        write!(out, "{}", rows(found))?;
    }
    if found.smaller.rows > 0 {
        writeln!(out, "  and {}", rest(&found.smaller, "smaller change"))?;
    }
    if found.unchanged.rows > 0 {
        writeln!(out, "  {}", rest(&found.unchanged, "row without a change"))?;
    }
    steps(found, top, out)
}

fn heads(found: &Difference, on: [OnDevice<'_>; 2]) -> String {
    let mut table = Table::new([
        ("", Side::Left),
        ("recording", Side::Left),
        ("device", Side::Left),
        ("moment", Side::Left),
        ("held", Side::Right),
        ("peak of allocated", Side::Right),
    ]);
    for (name, side, on) in [("A", &found.a, on[0]), ("B", &found.b, on[1])] {
        table.row([
            name.to_owned(),
            plain(&side.name),
            plain(&side.device),
            moment(side, on),
            human(side.live.size),
            human(side.peak.allocated.bytes),
        ]);
    }
    table.lines("  ")
}

fn moment(side: &DiffSide, on: OnDevice<'_>) -> String {
    let event = match side.event {
        -1 => "before the first event".to_owned(),
        event => format!("after event {event}"),
    };
    let is_last = side.event + 1 == i64::from(on.table().events.len());
    match side.event == side.peak.allocated.event {
        true => format!("{event}, the peak"),
        false if is_last => format!("{event}, the end"),
        false => event,
    }
}

fn totals(found: &Difference, on: [OnDevice<'_>; 2]) -> String {
    let mut table = Table::new([
        ("", Side::Left),
        ("A", Side::Right),
        ("bytes", Side::Right),
        ("B", Side::Right),
        ("bytes", Side::Right),
        ("change", Side::Right),
        ("bytes", Side::Right),
    ]);
    let (a, b) = (&found.a, &found.b);
    let pool = pool_name(on);
    let peak_pool = pool.map(|name| format!("peak {name}"));
    let all = [
        (Some("held"), a.live.size, b.live.size),
        (Some("allocated"), a.totals.allocated, b.totals.allocated),
        (pool, a.totals.reserved, b.totals.reserved),
        (Some("peak allocated"), a.peak.allocated.bytes, b.peak.allocated.bytes),
        (peak_pool.as_deref(), a.peak.reserved.bytes, b.peak.reserved.bytes),
    ];
    for (name, a, b) in all {
        let Some(name) = name else { continue };
        let (words, bytes) = change(a, b);
        table.row([
            name.to_owned(),
            human(a),
            a.to_string(),
            human(b),
            b.to_string(),
            words,
            bytes,
        ]);
    }
    let (one, other) = (a.live.count, b.live.count);
    let blocks = signed_count(i64::from(other) - i64::from(one));
    let none = String::new;
    let count = |count: u32| count.to_string();
    table.row(["blocks".to_owned(), none(), count(one), none(), count(other), none(), blocks]);
    table.lines("  ")
}

/// What the memory taken by the pool is called; nothing where neither side says.
fn pool_name(on: [OnDevice<'_>; 2]) -> Option<&'static str> {
    let tracks = on.map(|on| on.table().track.as_deref());
    match tracks {
        [Some(a), Some(b)] => (a.has_total || b.has_total).then_some("pool total"),
        _ => Some("reserved"),
    }
}

fn heading(found: &Difference) -> String {
    let by = match found.by {
        DiffBy::Stack => "stack (file, line, function)",
        DiffBy::FileFunction => "stack (file, function)",
        DiffBy::Function => "stack (function)",
        DiffBy::Owner => "owner",
    };
    match found.rows.len() as u64 + u64::from(found.smaller.rows) {
        0 => format!("by {by}: no difference"),
        changed => format!("by {by}: {}", counted(changed, "change")),
    }
}

fn rows(found: &Difference) -> String {
    let what = if found.by == DiffBy::Owner { "owner" } else { "stack" };
    let mut table = Table::new([
        ("change", Side::Right),
        ("bytes", Side::Right),
        ("share", Side::Right),
        ("A", Side::Right),
        ("B", Side::Right),
        ("blocks", Side::Right),
        (what, Side::Left),
    ]);
    for row in &found.rows {
        let (words, bytes) = change(row.a.size, row.b.size);
        table.row([
            words,
            bytes,
            format!("{:.1} %", row.share),
            human(row.a.size),
            human(row.b.size),
            signed_count(row.change_count),
            format!("{}{}", place(row, what), known(row)),
        ]);
    }
    table.lines("  ")
}

fn place(row: &DiffRow, what: &str) -> String {
    match &row.lines {
        Some(lines) => stack(lines, row.top_line.unwrap_or(0) as usize),
        None => format!("no {what}"),
    }
}

fn known(row: &DiffRow) -> &'static str {
    match (row.in_a, row.in_b) {
        (true, false) => "  (unknown to B)",
        (false, true) => "  (unknown to A)",
        (true, true) | (false, false) => "",
    }
}

fn rest(rest: &DiffRest, what: &str) -> String {
    let words = match (rest.rows, what.split_once(' ')) {
        // `rows without a change`.
        (2.., Some(("row", without))) => format!("{} rows {without}", rest.rows),
        _ => counted(rest.rows, what),
    };
    if rest.a.size == rest.b.size {
        return format!("{words}: {}", human(rest.a.size));
    }
    let (change, _) = change(rest.a.size, rest.b.size);
    format!("{words}: {} → {}, {change}", human(rest.a.size), human(rest.b.size))
}

/// The steps with the largest changes, in their order.
fn steps(found: &Difference, top: usize, out: &mut dyn Write) -> io::Result<()> {
    let size = |step: &DiffStep| {
        let allocated = step.a.allocated.abs_diff(step.b.allocated);
        allocated.max(step.a.reserved.abs_diff(step.b.reserved))
    };
    let mut largest: Vec<usize> = (0..found.steps.len()).collect();
    largest.sort_by_key(|place| std::cmp::Reverse(size(&found.steps[*place])));
    largest.truncate(top);
    largest.sort_unstable();
    if !largest.is_empty() {
        let mut table = Table::new([
            ("step", Side::Right),
            ("allocated A", Side::Right),
            ("B", Side::Right),
            ("change", Side::Right),
            ("reserved A", Side::Right),
            ("B", Side::Right),
            ("change", Side::Right),
        ]);
        for step in largest.iter().map(|place| &found.steps[*place]) {
            let (a, b) = (step.a, step.b);
            table.row([
                plain(&step.step),
                human(a.allocated),
                human(b.allocated),
                change(a.allocated, b.allocated).0,
                human(a.reserved),
                human(b.reserved),
                change(a.reserved, b.reserved).0,
            ]);
        }
        write!(out, "\nmost within each step\n{}", table.lines("  "))?;
        let more = found.steps.len() - largest.len();
        if more > 0 {
            writeln!(out, "  and {} that changed less", counted(more as u64, "step"))?;
        }
    }
    for (name, lonely) in [("A", &found.steps_only_a), ("B", &found.steps_only_b)] {
        if !lonely.is_empty() {
            let shown: Vec<String> = lonely.iter().take(top).map(|step| plain(step)).collect();
            let more = if lonely.len() > shown.len() { ", …" } else { "" };
            let count = counted(lonely.len() as u64, "step");
            writeln!(out, "\n{count} only in {name}: {}{more}", shown.join(", "))?;
        }
    }
    Ok(())
}
