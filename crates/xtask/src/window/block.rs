//! From a click in the picture to the bytes in the file.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::Stage;
use crate::driver::Window;

/// How many bands are tried for one of the kind wanted.
const TRIES: usize = 60;

/// The numbers in the details are those of the file, read by the command line.
pub(super) fn clicked(stage: &Stage) -> Result<()> {
    agrees_with_the_command_line(stage, &stage.recording(10_000)?).map(drop)
}

/// Clicks a block of `file` and compares; returns its bytes.
pub(crate) fn agrees_with_the_command_line(stage: &Stage, file: &Path) -> Result<u64> {
    let window = stage.open(file)?;
    let (block, event) = click_traced(&window)?;
    stage.keep(&window, "block")?;
    let told = told(stage, file, block, &event)?;
    agree(&window, &told)?;
    let alloc = told["alloc_event"].as_u64().context("no event")?;
    ensure!(event == alloc.to_string(), "allocated at {event} instead of {alloc}");
    let stack = window.text("details-stack")?;
    let frame = told["top_frame"].as_str().context("no frame")?;
    // `mlp.py:62 forward`
    let place = frame.split(' ').next().unwrap_or_default();
    ensure!(stack.contains(place), "no {place} in the stack {stack:?}");
    told["size"].as_u64().context("no bytes")
}

/// A block without an allocation in the recording says so instead of inventing one.
pub(super) fn older(stage: &Stage) -> Result<()> {
    let file = stage.recording(10_000)?;
    let window = stage.open(&file)?;
    let block = click_band(&window)?;
    agree(&window, &told(stage, &file, block, "start")?)?;
    let alloc = window.text("details-alloc-event")?;
    ensure!(alloc.contains("before"), "allocated {alloc:?}");
    Ok(())
}

/// Clicks the first band the page offers; returns its block.
pub(crate) fn click_band(window: &Window) -> Result<u64> {
    click(window, 0)?.context("the page offers no band")
}

/// Clicks bands until one's block was allocated in the recording; returns it and the event.
pub(crate) fn click_traced(window: &Window) -> Result<(u64, String)> {
    for nth in 0..TRIES {
        let block = click(window, nth)?.context("no band of a block allocated in the recording")?;
        let event = digits(&window.text("details-alloc-event")?);
        if !event.is_empty() {
            return Ok((block, event));
        }
    }
    bail!("none of {TRIES} blocks was allocated in the recording")
}

/// Clicks the band `nth`, if there is one; returns its block.
fn click(window: &Window, nth: usize) -> Result<Option<u64>> {
    let band = window.script(&format!("return window.__tidemark.bandAt({nth}) ?? null"))?;
    if band.is_null() {
        return Ok(None);
    }
    let number = |key: &str| band[key].as_f64().with_context(|| format!("no {key} in {band}"));
    window.click_at(number("x")?, number("y")?)?;
    window.wait_for("details-address")?;
    window.idle()?;
    Ok(Some(band["block"].as_u64().context("the band has no block")?))
}

/// What the command line says of `block` at the moment `at`, when it lives.
fn told(stage: &Stage, file: &Path, block: u64, at: &str) -> Result<Value> {
    let path = file.to_str().context("a path in Unicode")?;
    let live = stage.tidemark(&["blocks", path, "--at", at, "--top", "1000000"])?;
    row(&live, block)
        .cloned()
        .with_context(|| format!("the command line knows no block {block} at {at}"))
}

/// Address and bytes on the screen are those in `told`.
fn agree(window: &Window, told: &Value) -> Result<()> {
    let address = told["address"].as_str().context("no address")?;
    let shown = window.text("details-address")?;
    ensure!(shown.contains(address), "address {shown:?} instead of {address}");
    for (id, key) in [("details-size", "size"), ("details-requested", "requested")] {
        // The text is rounded (`36.00 MiB`), the tooltip is exact.
        let (shown, bytes) = (window.tooltip(id)?, told[key].as_u64().context("no bytes")?);
        ensure!(digits(&shown) == bytes.to_string(), "{key} {shown:?} instead of {bytes}");
    }
    Ok(())
}

fn row(live: &Value, block: u64) -> Option<&Value> {
    // One file gives one answer; several give a list of them.
    let blocks = live["blocks"].as_array().or_else(|| live[0]["blocks"].as_array())?;
    blocks.iter().find(|row| row["block"].as_u64() == Some(block))
}

/// The digits of `text`, without what groups them.
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
