//! What makes an application one keeps: two runs compared, left, and found again the next day.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Stage;
use super::block::click_band;
use super::compare::{pick_step, same};
use super::language::speak;
use super::seen::{number_in, state};
use crate::driver::Window;

/// How the two are looked at in one round of the walk.
struct Round {
    language: &'static str,
    /// What the page calls the link by steps there.
    title: &'static str,
    axis: &'static str,
    /// Rows by this, for the page and for the command line.
    by: [&'static str; 2],
    /// The dot of the chart that is compared at.
    step: usize,
    /// Blocks of at least so much are listed.
    least: &'static str,
}

const ROUNDS: [Round; 2] = [
    Round {
        language: "en",
        title: "Difference",
        axis: "time",
        by: ["file_function", "file-function"],
        step: 1,
        least: "1 MiB",
    },
    Round {
        language: "zh",
        title: "差异",
        axis: "event",
        by: ["function", "function"],
        step: 2,
        least: "2 MiB",
    },
];

/// Two runs are opened, compared, aligned by step, and what differs is read, to the byte as the
/// command line says it; the app ends, and opened from the list of what was opened they are as they
/// were left. First in English, then in Chinese, which the next start speaks by itself.
pub(super) fn reopened(stage: &Stage) -> Result<()> {
    let home = tempfile::tempdir()?;
    let files = [stage.recording(10_000)?, stage.recording(14_000)?];
    let paths = [&files[0], &files[1]].map(|path| path.to_string_lossy().into_owned());
    let [a, b] = [name(&files[0])?, name(&files[1])?];

    let [english, chinese] = &ROUNDS;
    let window = stage.start_with(home.path(), &[&paths[0], &paths[1]])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    let left = leave(stage, &window, &paths, english)?;
    drop(window);
    let window = stage.start_with(home.path(), &[])?;
    is_as_left(stage, &window, a, english, &left)?;

    let before = state(&window)?;
    speak(&window, chinese.language)?;
    let after = state(&window)?;
    ensure!(after == before, "another language changes {before} to {after}");
    close_all(&window)?;
    open_recent(&window, b)?;
    window.click("tab-add")?;
    open_recent(&window, a)?;
    let left = leave(stage, &window, &paths, chinese)?;
    drop(window);
    let window = stage.start_with(home.path(), &[])?;
    is_as_left(stage, &window, a, chinese, &left)
}

/// How a comparison was left.
struct Left {
    seen: Value,
    /// What the command line says of it.
    told: Value,
}

/// Compares the recording in front with the other, looks at it as `round` says, and reads what
/// differs.
fn leave(stage: &Stage, window: &Window, paths: &[String; 2], round: &Round) -> Result<Left> {
    compare_in_front(window)?;
    window.click("link-step")?;
    window.click(&format!("compare-axis-{}", round.axis))?;
    window.idle()?;
    let [page, line] = round.by;
    window.choose("diff-by", page)?;
    window.idle()?;
    let [at_a, at_b] = pick_step(window, round.step)?.map(|event| event.to_string());
    let words = ["diff", &paths[0], &paths[1], "--by", line, "--at", &at_a, "--at-b", &at_b];
    let told = stage.tidemark(&words)?;
    same(window, &told)?;
    stage.keep(window, &format!("again-difference-{}", round.language))?;

    window.press('w')?;
    window.press('w')?;
    window.idle()?;
    click_band(window)?;
    window.click("compare-tab-tables")?;
    window.wait_for("filter-size-from")?;
    window.idle()?;
    let all = listed(window)?;
    window.enter("filter-size-from", round.least)?;
    window.until("fewer blocks are listed", || Ok(listed(window)? < all))?;
    window.idle()?;
    let seen = state(window)?;
    stage.keep(window, &format!("again-left-{}", round.language))?;
    // What a window says to its page before it goes.
    window.script("window.dispatchEvent(new Event('pagehide'))")?;
    window.idle()?;
    Ok(Left { seen, told })
}

/// Compares the recording in front with the first one that is offered.
pub(crate) fn compare_in_front(window: &Window) -> Result<()> {
    window.click("compare-button")?;
    window.wait_for("compare-choice")?;
    window.click("compare-choice")?;
    window.wait_for("diff-total")?;
    window.idle()
}

/// The app, just started, lists the recording, and opens it beside the other one as it was left.
fn is_as_left(
    stage: &Stage,
    window: &Window,
    name: &str,
    round: &Round,
    left: &Left,
) -> Result<()> {
    open_recent(window, name)?;
    let spoken = window.script("return document.documentElement.lang")?;
    let is_kept = spoken.as_str().is_some_and(|spoken| spoken.starts_with(round.language));
    ensure!(is_kept, "the page speaks {spoken}, not {}", round.language);
    window.wait_for("filter-size-from")?;
    window.idle()?;
    stage.keep(window, &format!("again-reopened-{}", round.language))?;
    let seen = state(window)?;
    ensure!(seen == left.seen, "it was left as {}, and is {seen}", left.seen);
    let title = window.text("compare-tab-difference")?;
    ensure!(title == round.title, "in {} it is called {title}", round.language);
    window.click("compare-tab-difference")?;
    window.wait_for("diff-total")?;
    window.idle()?;
    same(window, &left.told)
}

/// How many blocks of the first side are listed.
fn listed(window: &Window) -> Result<u64> {
    let rows = &state(window)?["rows"][0];
    rows.as_str().and_then(number_in).with_context(|| format!("no rows: {rows}"))
}

/// Closes every tab, so that the start page is shown.
fn close_all(window: &Window) -> Result<()> {
    while !window.shows("recent")? {
        window.click("tab-close")?;
        window.idle()?;
    }
    Ok(())
}

/// Opens a recording from the list on the start page.
fn open_recent(window: &Window, name: &str) -> Result<()> {
    window.wait_for("recent")?;
    window.idle()?;
    let place = window.script(&format!(
        "const row = [...document.querySelectorAll('[data-testid=\"recent\"]')]
             .find((row) => row.textContent.includes('{name}'));
         const box = row?.querySelector('.what').getBoundingClientRect();
         return box && {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }};"
    ))?;
    let part = |key: &str| place[key].as_f64().with_context(|| format!("{name} is not listed"));
    window.click_at(part("x")?, part("y")?)?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()
}

fn name(path: &Path) -> Result<&str> {
    path.file_name().and_then(|name| name.to_str()).context("a file with a name")
}
