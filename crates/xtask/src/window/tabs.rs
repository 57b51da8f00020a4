//! Several recordings: in tabs, in windows of their own, and from a second start.

use std::cell::RefCell;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::block::click_band;
use super::seen::state;
use super::{SYSTEM, Stage};
use crate::display::{Bus, Ended};
use crate::driver::{System, Window, surround};

/// A tab is looked at closely, another one is gone to and closed: the first one shows what it did.
pub(super) fn closed(stage: &Stage) -> Result<()> {
    let (window, [_, b]) = two(stage)?;
    looked_at_closely(&window)?;
    let before = state(&window)?;
    show(&window, &b)?;
    let other = state(&window)?;
    ensure!(other["band"] != before["band"], "both tabs show {other}");
    window.press('w')?;
    window.idle()?;
    window.click("tab-close")?;
    window.until("one tab is left", || Ok(tabs(&window)? == 1))?;
    window.idle()?;
    let after = state(&window)?;
    ensure!(after == before, "the tab showed {before}, and shows {after}");
    stage.keep(&window, "tab-left").map(drop)
}

/// A tab becomes a window, though its file is gone by then: it shows what it showed, and what it
/// had selected; the first window goes on with what is left.
pub(super) fn moved(stage: &Stage) -> Result<()> {
    let (window, [a, _]) = two(stage)?;
    looked_at_closely(&window)?;
    let before = state(&window)?;
    std::fs::remove_file(stage.recording(10_000)?)?;
    let first = window.windows()?;
    to_window(&window, &a)?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    stage.keep(&window, "tab-moved")?;
    let after = state(&window)?;
    ensure!(after == before, "the tab showed {before}, the window shows {after}");
    window.look_at(&first[0])?;
    window.idle()?;
    let before = state(&window)?;
    window.press('w')?;
    window.idle()?;
    ensure!(state(&window)?["stretch"] != before["stretch"], "the first window shows {before}");
    window.click("axis-time")?;
    window.idle()?;
    ensure!(state(&window)?["axis"] != before["axis"], "the first window shows {before}");
    ensure!(!window.shows("notice")?, "a notice: {:?}", window.text("notice")?);
    Ok(())
}

/// The app runs; a second start with a file, named from the folder it lies in, ends at once, and
/// the file is open beside what was.
pub(super) fn handed_over(stage: &Stage) -> Result<()> {
    let bus = Bus::start()?;
    let home = tempfile::tempdir()?;
    let [a, b] = [stage.recording(10_000)?, stage.recording(14_000)?];
    let system = System { home: Some(home.path()), bus: Some(bus.address()), ..SYSTEM };
    let window = stage.window(system, &[&*a.to_string_lossy()])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    let mut second = Command::new(&stage.programs.app);
    surround(&mut second, &stage.display, system, home.path());
    second.current_dir(stage.files.path()).arg(name(&b)?);
    second.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let second = RefCell::new(Ended(second.spawn().context("the app does not start")?));
    let ended = || Ok::<_, anyhow::Error>(second.borrow_mut().0.try_wait()?);
    window.until("the second start is over", || Ok(ended()?.is_some()))?;
    ensure!(ended()?.is_some_and(|status| status.success()), "the second start failed");
    window.until("there are two tabs", || Ok(tabs(&window)? == 2))?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    stage.keep(&window, "second-start")?;
    let front = window.script(
        "return document.querySelector('[data-testid=\"tab\"] [aria-selected=\"true\"]').title;",
    )?;
    ensure!(front == Value::from(b.to_string_lossy()), "in front is {front}");
    ensure!(window.windows()?.len() == 1, "the second start opened a window");
    Ok(())
}

/// The app with two recordings, the first one in front, and their names.
fn two(stage: &Stage) -> Result<(Window, [String; 2])> {
    let files = [stage.recording(10_000)?, stage.recording(14_000)?];
    let paths = [&files[0], &files[1]].map(|path| path.to_string_lossy().into_owned());
    let window = stage.start(&[&paths[0], &paths[1]])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    ensure!(tabs(&window)? == 2, "there are {} tabs", tabs(&window)?);
    Ok((window, [name(&files[0])?, name(&files[1])?]))
}

/// Zooms in, selects a block and lists large ones only.
fn looked_at_closely(window: &Window) -> Result<()> {
    window.press('w')?;
    window.press('w')?;
    window.idle()?;
    click_band(window)?;
    window.enter("filter-size-from", "1 MiB")?;
    let rows = || Ok::<_, anyhow::Error>(state(window)?["rows"].clone());
    let before = rows()?;
    window.until("fewer blocks are listed", || Ok(rows()? != before))?;
    window.idle()
}

/// Brings the tab of a recording to the front.
fn show(window: &Window, name: &str) -> Result<()> {
    let (x, y) = place_of(window, name)?;
    window.click_at(x, y)?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()
}

/// Moves the tab of a recording to a window of its own, and looks at that.
pub(super) fn to_window(window: &Window, name: &str) -> Result<()> {
    let before = window.windows()?;
    let (x, y) = place_of(window, name)?;
    window.menu_at(x, y)?;
    window.wait_for("tab-menu-window")?;
    window.click("tab-menu-window")?;
    window.until("another window is there", || Ok(window.windows()?.len() > before.len()))?;
    let all = window.windows()?;
    window.look_at(all.iter().find(|one| !before.contains(one)).context("no other window")?)
}

/// The middle of a recording's tab.
fn place_of(window: &Window, name: &str) -> Result<(f64, f64)> {
    let place = window.script(&format!(
        "const tab = [...document.querySelectorAll('[data-testid=\"tab\"] [role=\"tab\"]')]
             .find((tab) => tab.title.endsWith('{name}'));
         const box = tab?.getBoundingClientRect();
         return box && {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }};"
    ))?;
    let part = |key: &str| place[key].as_f64().with_context(|| format!("no tab of {name}"));
    Ok((part("x")?, part("y")?))
}

/// How many tabs there are.
pub(super) fn tabs(window: &Window) -> Result<u64> {
    let count =
        window.script("return document.querySelectorAll('[data-testid=\"tab\"]').length")?;
    count.as_u64().context("no number")
}

fn name(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(name.context("a file with a name")?.to_owned())
}
