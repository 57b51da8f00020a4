//! Two recordings beside each other.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Stage;
use super::again::compare_in_front;
use super::seen::number_in;
use crate::driver::Window;

/// Two runs are opened, compared and aligned by step: what differs is what the command line says,
/// at both peaks and at the end of a step, and so is what each step reaches.
pub(super) fn compared(stage: &Stage) -> Result<()> {
    let (a, b) = (stage.recording(10_000)?, stage.recording(14_000)?);
    let paths = [&a, &b].map(|path| path.to_string_lossy().into_owned());
    let window = stage.start(&[&paths[0], &paths[1]])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    compare_in_front(&window)?;
    stage.keep(&window, "compare")?;

    let told = stage.tidemark(&["diff", &paths[0], &paths[1], "--by", "stack"])?;
    same(&window, &told)?;
    steps_are(&window, &told)?;

    window.click("link-step")?;
    window.idle()?;
    let [at_a, at_b] = pick_step(&window, 1)?.map(|event| event.to_string());
    stage.keep(&window, "compare-step")?;
    let words = ["diff", &paths[0], &paths[1], "--by", "stack", "--at", &at_a, "--at-b", &at_b];
    same(&window, &stage.tidemark(&words)?)
}

/// Clicks a dot of the chart, so that the end of a step is compared; returns the events on both
/// sides.
pub(super) fn pick_step(window: &Window, dot: usize) -> Result<[u64; 2]> {
    let place = window.script(&format!(
        "const dot = [...document.querySelectorAll('.dot.is-a')].at({dot}).getBoundingClientRect();
         return {{ x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 }};"
    ))?;
    let part = |key: &str| place[key].as_f64().context("no dot to click");
    let before = event(window, "a")?;
    window.click_at(part("x")?, part("y")?)?;
    window.until("the end of a step is compared", || Ok(event(window, "a")? != before))?;
    window.idle()?;
    Ok([event(window, "a")?, event(window, "b")?])
}

/// The chart has a dot for each step of both, at the bytes that the command line says.
fn steps_are(window: &Window, told: &Value) -> Result<()> {
    let dots = window.script(
        "const bytes = (side) => [...document.querySelectorAll(`.dot.is-${side} title`)]
             .map((title) => Number(title.textContent.replaceAll(',', '')));
         return { a: bytes('a'), b: bytes('b') };",
    )?;
    let steps = told["steps"].as_array().context("no steps")?;
    ensure!(steps.len() > 1, "{} steps in common", steps.len());
    for side in ["a", "b"] {
        let peaks: Vec<&Value> = steps.iter().map(|step| &step[side]["allocated"]).collect();
        let drawn: Vec<&Value> = dots[side].as_array().context("no dots")?.iter().collect();
        ensure!(drawn == peaks, "steps of {side} are drawn at {drawn:?}, not at {peaks:?}");
    }
    Ok(())
}

/// The window says of the difference what the command line says, to the byte.
pub(super) fn same(window: &Window, told: &Value) -> Result<()> {
    let titles = window.script(
        "return [...document.querySelectorAll('[data-testid=\"diff-total\"] [title]')]
             .map((cell) => cell.title);",
    )?;
    let title = |at: usize| titles[at].as_str().with_context(|| format!("no sums: {titles}"));
    for (place, side) in ["a", "b"].into_iter().enumerate() {
        let live = told[side]["live"]["size"].as_u64();
        ensure!(number_in(title(place)?) == live, "{side}: {}, not {live:?}", title(place)?);
    }
    let change = told["change"].as_i64().context("no change")?;
    let shown = title(2)?;
    ensure!(number_in(shown) == Some(change.unsigned_abs()), "{shown} instead of {change}");
    ensure!(change == 0 || shown.starts_with(if change > 0 { '+' } else { '−' }), "{shown}");
    let rows = window.script(
        "return document.querySelector('[data-testid=\"diff-table\"]')
             .getAttribute('aria-rowcount');",
    )?;
    let count = |of: &str| told[of]["rows"].as_u64().unwrap_or_default();
    let listed = told["rows"].as_array().context("no rows")?.len() as u64;
    let all = listed + count("smaller") + count("unchanged");
    ensure!(number_in(rows.as_str().unwrap_or_default()) == Some(all), "{rows} rows, not {all}");
    Ok(())
}

/// The event right after which a side is compared.
fn event(window: &Window, side: &str) -> Result<u64> {
    number_in(&window.text(&format!("diff-event-{side}"))?).context("no event")
}
