//! A recording that is closed gives back its memory.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Stage;
use super::tabs::{tabs, to_window};
use crate::driver::Window;
use crate::held::Held;

/// What may stay of the memory that opening took, in percent.
const MOST_STAYS: u64 = 15;

/// What opening a recording took goes back to the system when its tab is closed.
pub(super) fn given_back(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    let now = || Held::now(window.driver(), &stage.programs.app);
    let before = now()?.anonymous;
    open(&window, &stage.recording(500_001)?)?;
    let took = now()?.anonymous.saturating_sub(before);
    ensure!(took > 20_000_000, "500,000 events take {took} bytes");
    let limit = before + took * MOST_STAYS / 100;
    close_tab(&window)?;
    window.until("a closed tab has given its memory back", || Ok(now()?.anonymous < limit))
}

fn close_tab(window: &Window) -> Result<()> {
    window.click("tab-close")?;
    window.until("one tab is left", || Ok(tabs(window)? == 1))?;
    window.idle()
}

/// What the app holds at each stage of opening and closing recordings of `events` events: a table.
pub(crate) fn table(stage: &Stage, events: u64) -> Result<String> {
    let files = [stage.recording(events)?, stage.recording(events + 1)?];
    let window = stage.start(&[])?;
    window.wait_for("open-button")?;
    window.idle()?;
    let app = &stage.programs.app;
    let mut rows = Vec::new();
    let mut note = |what: &'static str| -> Result<Held> {
        let held = Held::at_rest(window.driver(), app)?;
        rows.push((what, held));
        Ok(held)
    };
    let nothing = note("the start page")?;
    open(&window, &files[0])?;
    let one = note("one recording")?;
    open(&window, &files[1])?;
    note("two, the first in a tab behind")?;
    window.click("tab-close")?;
    note("the second closed")?;
    window.click("tab-close")?;
    window.idle()?;
    let end = note("the first closed as well")?;
    open(&window, &files[0])?;
    note("the first again, from its index")?;
    open(&window, &files[1])?;
    to_window(&window, &format!("{}.pickle", events + 1))?;
    window.idle()?;
    note("the second again, from its index, in a window of its own")?;
    Ok(text(events, &rows, [nothing, one, end]))
}

fn text(events: u64, rows: &[(&str, Held)], [nothing, one, end]: [Held; 3]) -> String {
    let mb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e6);
    let mut lines = vec![
        format!("| recordings of {events} events | app MB | of these anonymous | web view MB |"),
        "|---|--:|--:|--:|".to_owned(),
    ];
    lines.extend(rows.iter().map(|(what, held)| {
        format!("| {what} | {} | {} | {} |", mb(held.app), mb(held.anonymous), mb(held.web))
    }));
    let took = one.anonymous.saturating_sub(nothing.anonymous).max(1);
    let stays = end.anonymous.saturating_sub(nothing.anonymous);
    let given = 100.0 * (1.0 - stays as f64 / took as f64);
    lines.push(format!("\ngiven back: {given:.0} % of the {} MB that opening took", mb(took)));
    lines.join("\n")
}

fn open(window: &Window, file: &Path) -> Result<()> {
    let name = file.file_name().and_then(|name| name.to_str()).context("a file with a name")?;
    window.drop_file(file)?;
    window.until(&format!("{name} is open"), || {
        let front = window.script(
            "return document.querySelector('[data-testid=\"tab\"] [aria-selected=\"true\"]')?.title",
        )?;
        let is_front = front.as_str().is_some_and(|title| title.ends_with(name));
        Ok(is_front && window.shows("lifecycle-canvas")?)
    })?;
    window.idle()
}
