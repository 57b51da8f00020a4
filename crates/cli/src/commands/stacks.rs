//! `tidemark stacks`: where blocks were allocated, as tools that draw flame graphs read it.

use super::blocks::{device, no_event};
use super::holders::events;
use super::refusal;
use crate::arguments::Stacks;
use crate::text::plain;
use crate::{Bar, Exit};
use anyhow::anyhow;
use session::{BlockSet, OnDevice, Session, StackPart, State};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use wire::{StackSet, StackTreeQuestion};

/// Pixels that the tree is told for: frames of less than one of them are summed up.
const WIDTH: u32 = 4096;

/// Prints the stacks of a set of blocks.
pub(crate) fn run(arguments: &Stacks, out: &mut dyn Write, bar: &Bar) -> anyhow::Result<Exit> {
    let opened = bar.open(&arguments.file);
    let session = opened.map_err(|error| anyhow!(refusal(&arguments.file, &error)))?;
    let on = device(&session, arguments.device.as_deref())?;
    let (set, blocks) = asked(arguments, on)?;
    if arguments.json {
        let device = on.row() as u32;
        let question =
            StackTreeQuestion { session: 0, device, set, below: Vec::new(), width_px: WIDTH };
        let found = wire::stack_tree_report(&session, &question)?;
        serde_json::to_writer_pretty(&mut *out, &found)?;
        writeln!(out)?;
    } else {
        print(&session, &on.stack_parts(blocks), out)?;
    }
    Ok(Exit::Done)
}

/// Which blocks are meant, for the tree and for the lines.
fn asked(arguments: &Stacks, on: OnDevice<'_>) -> anyhow::Result<(StackSet, BlockSet)> {
    let Some(period) = arguments.period else {
        let state = on.state(arguments.at).ok_or_else(|| anyhow!(no_event(on, arguments.at)))?;
        let after = f64::from(state.0) - 1.0;
        return Ok((StackSet::At { after }, BlockSet::AllocatedAt(state)));
    };
    let (first, last) = events(on, period)?;
    let (before, after) = (State(first), State(last + 1));
    let (from, to) = (f64::from(first), f64::from(last));
    Ok(if arguments.unfreed {
        (StackSet::Unfreed { from, to }, BlockSet::UnfreedIn(before, after))
    } else {
        (StackSet::Allocated { from, to }, BlockSet::AllocatedIn(before, after))
    })
}

/// `main.py:9 main;net.py:20 forward 134217728`: a line for each stack, from its outermost frame,
/// with its bytes; the most first.
fn print(session: &Session, parts: &[StackPart], out: &mut dyn Write) -> io::Result<()> {
    let mut bytes_of: HashMap<String, u64> = HashMap::new();
    for part in parts {
        let bytes = bytes_of.entry(folded(session, part)).or_default();
        *bytes = bytes.saturating_add(part.amount.size);
    }
    let mut lines: Vec<(String, u64)> = bytes_of.into_iter().collect();
    lines
        .sort_unstable_by(|one, other| (Reverse(one.1), &one.0).cmp(&(Reverse(other.1), &other.0)));
    for (stack, bytes) in lines {
        writeln!(out, "{stack} {bytes}")?;
    }
    Ok(())
}

fn folded(session: &Session, part: &StackPart) -> String {
    let Some(stack) = part.stack else { return "(no stack)".to_owned() };
    let frames = session.recording().stacks.frames(stack);
    let frame = |line: String| match plain(&line).replace(';', ":") {
        nameless if nameless.trim().is_empty() => "?".to_owned(),
        name => name,
    };
    let mut names: Vec<String> = frames.map(|(id, _)| frame(session.frame_line(id))).collect();
    names.reverse();
    names.join(";")
}
