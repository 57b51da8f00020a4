//! From a click in the picture to the bytes in the file.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Stage;
use crate::driver::Window;

/// The numbers in the details are those of the file, read by the command line.
pub(super) fn clicked(stage: &Stage) -> Result<()> {
    let file = stage.recording(10_000)?;
    let window = stage.open(&file)?;
    let block = click_band(&window)?;
    stage.keep(&window, "block")?;
    let event = digits(&window.text("details-alloc-event")?);
    let path = file.to_str().context("a path in Unicode")?;
    let live = stage.tidemark(&["blocks", path, "--at", &event, "--top", "1000000"])?;
    let told = row(&live, block).with_context(|| {
        format!("the command line knows no block {block} right after event {event}")
    })?;
    let address = told["address"].as_str().context("no address")?;
    let shown = window.text("details-address")?;
    ensure!(shown.contains(address), "address {shown:?} instead of {address}");
    for (id, key) in [("details-size", "size"), ("details-requested", "requested")] {
        let (shown, bytes) = (window.text(id)?, told[key].as_u64().context("no bytes")?);
        ensure!(digits(&shown).contains(&bytes.to_string()), "{key} {shown:?} instead of {bytes}");
    }
    let alloc = told["alloc_event"].as_u64().context("no event")?;
    ensure!(event == alloc.to_string(), "allocated at {event} instead of {alloc}");
    let stack = window.text("details-stack")?;
    let frame = told["top_frame"].as_str().unwrap_or_default();
    let place = frame.split(' ').next().unwrap_or_default();
    ensure!(stack.contains(place), "no {place} in the stack {stack:?}");
    Ok(())
}

/// Clicks the first band the page offers; returns its block.
pub(crate) fn click_band(window: &Window) -> Result<u64> {
    let band = window.script("return window.__tidemark.bandAt(0)")?;
    let number = |key: &str| band[key].as_f64().with_context(|| format!("no {key} in {band}"));
    window.click_at(number("x")?, number("y")?)?;
    window.wait_for("details-address")?;
    window.idle()?;
    band["block"].as_u64().context("the band has no block")
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
