//! A stack that is selected: its blocks are lit, counted and listed, and no others.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Stage;
use super::block::click_traced;
use super::seen::{bands, colors, number_in, title};
use crate::command::{output, program, root};
use crate::driver::Window;
use crate::sample::BUNDLED;

const ALT: char = '\u{E00A}';
const ESCAPE: char = '\u{E00C}';
const LEFT: char = '\u{E012}';

/// From a block to its stack: the lifecycle lights the blocks with it by the file, the details
/// count them, the table lists them; back leads to the block.
pub(super) fn lit(stage: &Stage) -> Result<()> {
    let file = root().join(BUNDLED);
    let window = stage.open(&file)?;
    let (block, event) = click_traced(&window)?;
    let kin = kin_of(stage, &file, block)?;
    window.click("same-stack")?;
    window.wait_for("holder-chart")?;
    window.idle()?;
    stage.keep(&window, "stack")?;
    ensure!(title(&window)? == "Stack", "the details show {}", title(&window)?);
    let said = window.text("holder-all")?;
    let counted = said.split('·').next().and_then(number_in);
    ensure!(counted == Some(kin.len() as u64), "{said:?}: the file has {}", kin.len());
    is_lit(&window, &kin)?;

    window.click("holder-blocks")?;
    window.wait_for("holder-filter")?;
    window.idle()?;
    stage.keep(&window, "stack-table")?;
    let listed = window.text("statistics")?;
    let listed = listed.split(" of ").next().and_then(number_in);
    ensure!(listed == Some(kin.len() as u64), "{listed:?} rows of {}", kin.len());
    window.press_with(ALT, LEFT)?;
    let wanted = format!("Block {event}");
    window.until(&format!("{wanted} is selected again"), || Ok(title(&window)? == wanted))
}

/// Bands of `kin` are as bright with the stack selected as with nothing, all others are not.
fn is_lit(window: &Window, kin: &BTreeSet<u64>) -> Result<()> {
    let bands = bands(window, 100)?;
    let lit = colors(window, &bands)?;
    window.press(ESCAPE)?;
    window.idle()?;
    ensure!(title(window)?.is_empty(), "{} is selected still", title(window)?);
    let bright = colors(window, &bands)?;
    let mut counts = [0, 0];
    for (((row, _), lit), bright) in bands.iter().zip(lit).zip(bright) {
        let is_kin = kin.contains(row);
        counts[usize::from(is_kin)] += 1;
        ensure!((lit == bright) == is_kin, "block {row}: {lit:?} of {bright:?}, {is_kin}");
    }
    ensure!(counts.iter().all(|count| *count > 0), "bands of others and of the stack: {counts:?}");
    window.press_with(ALT, LEFT)?;
    window.until("the stack is selected again", || Ok(title(window)? == "Stack"))?;
    window.idle()
}

/// The blocks with the stack of `block`, by the file.
fn kin_of(stage: &Stage, file: &Path, block: u64) -> Result<BTreeSet<u64>> {
    let mut export = program(&stage.programs.tidemark);
    export.arg("export").arg(file).arg("blocks").args(["--columns", "stack"]);
    let stacks = cells(&output(&mut export)?);
    let own = stacks.get(usize::try_from(block)?).context("no row of the block")?;
    ensure!(!own.is_empty(), "block {block} has no stack");
    let alike = stacks.iter().enumerate().filter(|(_, stack)| *stack == own);
    Ok(alike.map(|(row, _)| row as u64).collect())
}

/// The cells of a CSV of one column without its head; quoted ones span lines.
fn cells(csv: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let (mut cell, mut is_quoted) = (String::new(), false);
    for character in csv.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    cells.drain(1..).collect()
}
