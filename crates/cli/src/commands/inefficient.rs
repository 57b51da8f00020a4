//! `tidemark inefficient`: blocks of a dump that hold memory in vain.

use super::blocks::device;
use super::refusal;
use crate::arguments::Inefficient as Arguments;
use crate::table::{Side, Table};
use crate::text::{counted, human, plain};
use crate::{Bar, Exit};
use anyhow::{Context, anyhow};
use std::io::{self, Write};
use wire::{Inefficient, InefficientKind, InefficientQuestion, Waste, WasteByKind};

/// Prints what one device and pool holds in vain.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let limits = arguments.limits.thresholds();
    let thresholds = limits.context("nothing counts: set --lazy, --delayed or --idle")?;
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let device = device(&session, arguments.device.as_deref())?;
    let question = InefficientQuestion {
        session: 0,
        device: device.row() as u32,
        thresholds,
        top: arguments.top,
    };
    let found = wire::inefficient(&session, &question, &bar.job())?;
    bar.clear();
    if arguments.json {
        serde_json::to_writer_pretty(&mut *out, &found)?;
        writeln!(out)?;
    } else {
        print(&device.name(), &found, out)?;
    }
    Ok(Exit::Done)
}

fn print(name: &str, found: &Inefficient, out: &mut dyn Write) -> io::Result<()> {
    let judged = counted(found.accessed, "block");
    writeln!(out, "{name}: {judged} of {} with recorded accesses", found.blocks_in_all)?;
    let mut kinds = Table::new([
        ("kind", Side::Left),
        ("blocks", Side::Right),
        ("size", Side::Right),
        ("bytes", Side::Right),
        ("bytes x seconds", Side::Right),
    ]);
    let mut kind = |name: &str, waste: &Waste| {
        let [blocks, size, bytes, cost] = cost(waste);
        kinds.row([name.to_owned(), blocks, size, bytes, cost]);
    };
    kind("allocated early", &found.each.lazy_used);
    kind("freed late", &found.each.delayed_free);
    kind("idle for long", &found.each.long_idle);
    kind("any", &found.all);
    write!(out, "{}", kinds.lines("  "))?;
    if found.all.amount.count == 0 {
        return Ok(());
    }
    let owners = found
        .owners
        .iter()
        .map(|owner| (owner.owner.as_deref().unwrap_or("(not recorded)"), &owner.all, &owner.each));
    group(out, "owner", owners, found.owner_count)?;
    let stacks = found
        .stacks
        .iter()
        .map(|stack| (stack.top_frame.as_deref().unwrap_or("(no stack)"), &stack.all, &stack.each));
    group(out, "stack", stacks, found.stack_count)?;
    blocks(out, found)
}

/// Blocks, size, bytes, bytes times seconds.
fn cost(waste: &Waste) -> [String; 4] {
    let amount = &waste.amount;
    [
        amount.count.to_string(),
        human(amount.size),
        amount.size.to_string(),
        format!("{:.6}", waste.byte_seconds),
    ]
}

fn group<'a>(
    out: &mut dyn Write,
    name: &str,
    groups: impl Iterator<Item = (&'a str, &'a Waste, &'a WasteByKind)>,
    count: u32,
) -> io::Result<()> {
    let mut table = Table::new([
        ("bytes x seconds", Side::Right),
        ("blocks", Side::Right),
        ("size", Side::Right),
        ("early", Side::Right),
        ("late", Side::Right),
        ("idle", Side::Right),
        (name, Side::Left),
    ]);
    let mut shown = 0;
    for (of, all, each) in groups {
        let [blocks, size, _, cost] = cost(all);
        let of_kind = |waste: &Waste| waste.amount.count.to_string();
        let (early, late) = (of_kind(&each.lazy_used), of_kind(&each.delayed_free));
        table.row([cost, blocks, size, early, late, of_kind(&each.long_idle), plain(of)]);
        shown += 1;
    }
    write!(out, "\n{}", table.lines("  "))?;
    rest(out, count.saturating_sub(shown), name)
}

fn rest(out: &mut dyn Write, more: u32, name: &str) -> io::Result<()> {
    if more > 0 {
        writeln!(out, "  and {}", counted(more, &format!("more {name}")))?;
    }
    Ok(())
}

fn blocks(out: &mut dyn Write, found: &Inefficient) -> io::Result<()> {
    let mut table = Table::new([
        ("bytes x seconds", Side::Right),
        ("size", Side::Right),
        ("block", Side::Right),
        ("address", Side::Right),
        ("kinds", Side::Left),
        ("owner", Side::Left),
        ("where", Side::Left),
    ]);
    for block in &found.blocks {
        let kinds: Vec<&str> = block.kinds.iter().map(|kind| word(*kind)).collect();
        let text = |text: &Option<String>| text.as_deref().map_or_else(String::new, plain);
        table.row([
            format!("{:.6}", block.waste.byte_seconds),
            human(block.size),
            block.number.to_string(),
            block.address.clone(),
            kinds.join(" "),
            text(&block.owner),
            text(&block.top_frame),
        ]);
    }
    write!(out, "\n{}", table.lines("  "))?;
    rest(out, found.all.amount.count.saturating_sub(found.blocks.len() as u32), "block")
}

fn word(kind: InefficientKind) -> &'static str {
    match kind {
        InefficientKind::LazyUsed => "early",
        InefficientKind::DelayedFree => "late",
        InefficientKind::LongIdle => "idle",
    }
}
