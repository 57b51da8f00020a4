//! Every view, in both tones and languages, for a person to look at.

use std::path::Path;

use anyhow::Result;

use super::keep;
use crate::command::root;
use crate::driver::Window;
use crate::sample::{BUNDLED, memscope};
use crate::window::Stage;
use crate::window::again::compare_in_front;
use crate::window::{block::click_traced, keys::switch_to, leak::told_at_once};

const CONTROL: char = '\u{E009}';
const ENTER: char = '\u{E007}';
const ESCAPE: char = '\u{E00C}';

/// The tones and languages a view is photographed in.
const LOOKS: [(&str, &str); 4] = [("light", "en"), ("dark", "en"), ("light", "zh"), ("dark", "zh")];

/// Takes the views of one kind of window.
type Views = fn(&Stage) -> Result<()>;

/// Takes every view whose window has `only` in its name: `start`, `recents`, `snapshot`, `dump`,
/// `compare`.
pub(super) fn take(stage: &Stage, only: &str) -> Result<()> {
    let windows: [(&str, Views); 5] = [
        ("start", start),
        ("recents", recents),
        ("snapshot", snapshot),
        ("dump", dump),
        ("compare", compare),
    ];
    windows.iter().filter(|(name, _)| name.contains(only)).try_for_each(|(_, take)| take(stage))
}

/// What takes the views of one window; it is told what to add to their names.
type Take<'a> = &'a dyn Fn(&Stage, &Window, &str) -> Result<()>;

fn in_all_looks(stage: &Stage, window: &Window, take: Take<'_>) -> Result<()> {
    for (tone, language) in LOOKS {
        let choice = format!("language-{language}");
        window.wait_for(&choice)?;
        window.click(&choice)?;
        switch_to(window, tone)?;
        take(stage, window, &format!("{tone}-{language}"))?;
    }
    Ok(())
}

fn start(stage: &Stage) -> Result<()> {
    in_all_looks(stage, &stage.start(&[])?, &|stage, window, look| {
        keep(stage, window, &format!("start-{look}"))?;
        window.press('?')?;
        window.wait_for("help-card")?;
        keep(stage, window, &format!("help-{look}"))?;
        window.click("help-guide")?;
        window.wait_for("guide")?;
        keep(stage, window, &format!("guide-{look}"))?;
        window.press(ESCAPE)?;
        window.press('?')?;
        window.wait_for("help-about")?;
        window.click("help-about")?;
        window.wait_for("about-part")?;
        keep(stage, window, &format!("about-{look}"))?;
        window.press(ESCAPE)
    })
}

/// The start page with a list: one recording with a bookmark, one that was changed, one that is gone.
fn recents(stage: &Stage) -> Result<()> {
    let home = tempfile::tempdir()?;
    let folder = tempfile::tempdir()?;
    let runs = folder.path().join("runs/llama-7b/rank-0");
    std::fs::create_dir_all(&runs)?;
    let copied = |from: &Path, name: &str| {
        let to = runs.join(name);
        std::fs::copy(from, &to).map(|_| to)
    };
    let files = [
        copied(&root().join(BUNDLED), "before-checkpointing.pickle.gz")?,
        copied(&root().join(memscope::BUNDLED), "memscope_dump_20261128.db")?,
        copied(&stage.recording(10_000)?, "oom.pickle")?,
        copied(&stage.recording(14_000)?, "longer-sequence.pickle")?,
    ];
    let paths: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = paths.iter().map(String::as_str).collect();
    let window = stage.start_with(home.path(), &words)?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    click_traced(&window)?;
    window.press('m')?;
    window.wait_for("bookmark-note")?;
    window.idle()?;
    drop(window);
    std::fs::remove_file(&files[2])?;
    let other = [std::fs::read(&files[3])?.as_slice(), b"more"].concat();
    std::fs::write(&files[3], other)?;
    let window = stage.start_with(home.path(), &[])?;
    window.wait_for("recent-missing")?;
    window.wait_for("recent-changed")?;
    in_all_looks(stage, &window, &|stage, window, look| {
        keep(stage, window, &format!("recents-{look}"))
    })
}

fn snapshot(stage: &Stage) -> Result<()> {
    let window = stage.open(&root().join(BUNDLED))?;
    click_traced(&window)?;
    in_all_looks(stage, &window, &snapshot_views)?;
    in_sizes(stage, &window, "snapshot")
}

fn snapshot_views(stage: &Stage, window: &Window, look: &str) -> Result<()> {
    for tab in ["blocks", "events", "map", "pools", "stacks"] {
        show_tab(window, &format!("tab-{tab}"))?;
        keep(stage, window, &format!("snapshot-{tab}-{look}"))?;
    }
    show_tab(window, "tab-blocks")?;
    type_in_palette(window, "")?;
    keep(stage, window, &format!("palette-{look}"))?;
    window.press(ESCAPE)?;
    type_in_palette(window, "forward")?;
    keep(stage, window, &format!("palette-found-{look}"))?;
    window.press(ESCAPE)?;
    window.press('m')?;
    window.wait_for("bookmark-note")?;
    keep(stage, window, &format!("bookmarks-{look}"))?;
    // Once out of the note, once out of the list.
    window.press(ESCAPE)?;
    if window.shows("bookmark-list")? {
        window.press(ESCAPE)?;
    }
    window.press('t')?;
    window.drag("lifecycle-canvas", 0.35, 0.6)?;
    window.wait_for("period-by")?;
    keep(stage, window, &format!("period-{look}"))?;
    click_traced(window).map(drop)
}

fn dump(stage: &Stage) -> Result<()> {
    let window = stage.open(&root().join(memscope::BUNDLED))?;
    in_all_looks(stage, &window, &dump_views)?;
    in_sizes(stage, &window, "dump")?;
    window.press(ESCAPE)?;
    window.press('r')?;
    told_at_once(&window)?;
    in_all_looks(stage, &window, &|stage, window, look| {
        keep(stage, window, &format!("dump-moments-{look}"))
    })
}

fn dump_views(stage: &Stage, window: &Window, look: &str) -> Result<()> {
    for tab in ["blocks", "events", "stacks"] {
        show_tab(window, &format!("tab-{tab}"))?;
        keep(stage, window, &format!("dump-{tab}-{look}"))?;
    }
    show_tab(window, "tab-blocks")?;
    type_in_palette(window, "leaks_mem")?;
    window.press(ENTER)?;
    window.idle()?;
    keep(stage, window, &format!("dump-owner-{look}"))
}

fn compare(stage: &Stage) -> Result<()> {
    let runs = [stage.recording(10_000)?, stage.recording(14_000)?];
    let paths = runs.map(|path| path.to_string_lossy().into_owned());
    let window = stage.start(&[&paths[0], &paths[1]])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    compare_in_front(&window)?;
    window.click("link-step")?;
    window.idle()?;
    click_traced(&window)?;
    in_all_looks(stage, &window, &|stage, window, look| {
        for tab in ["difference", "pool", "tables"] {
            window.click(&format!("compare-tab-{tab}"))?;
            keep(stage, window, &format!("compare-{tab}-{look}"))?;
        }
        window.click("compare-tab-difference")
    })?;
    in_sizes(stage, &window, "compare")
}

/// Takes the window small and very large.
fn in_sizes(stage: &Stage, window: &Window, name: &str) -> Result<()> {
    for (width, height) in [(1000, 700), (3840, 2160), (1400, 900)] {
        window.resize(width, height)?;
        keep(stage, window, &format!("{name}-{width}x{height}"))?;
    }
    Ok(())
}

/// Brings a tab of the tables to the front: a click on the one that is there would fold it.
fn show_tab(window: &Window, tab: &str) -> Result<()> {
    let is_front = window.script(&format!(
        "return document.querySelector('[data-testid=\"{tab}\"]')?.ariaSelected === 'true'"
    ))?;
    if is_front != true {
        window.click(tab)?;
    }
    window.idle()
}

/// Opens the palette and types in it.
fn type_in_palette(window: &Window, text: &str) -> Result<()> {
    window.press_with(CONTROL, 'k')?;
    window.wait_for("palette")?;
    for letter in text.chars() {
        window.press(letter)?;
    }
    window.idle()
}
