//! `cargo xtask shots`: the pictures in the documents, or of every view.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::app::{self, Profile};
use crate::command::root;
use crate::driver::Window;
use crate::page;
use crate::sample::{BUNDLED, memscope};
use crate::setup::{self, Need};
use crate::window::Stage;
use crate::window::{block::click_traced, keys::switch_to, leak::told_at_once};

const CONTROL: char = '\u{E009}';
const ENTER: char = '\u{E007}';
const ESCAPE: char = '\u{E00C}';

/// The tones and languages a view is photographed in.
const LOOKS: [(&str, &str); 4] = [("light", "en"), ("dark", "en"), ("light", "zh"), ("dark", "zh")];

/// What to photograph.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording; without it, the samples that ship with the app.
    file: Option<PathBuf>,
    /// Where the pictures go.
    #[arg(long, default_value = "docs/images")]
    out: PathBuf,
    /// Every view of the samples in both tones and languages, for a person to look at, and some in
    /// a small and in a very large window.
    #[arg(long, conflicts_with = "file")]
    views: bool,
}

/// Takes the main window with a block selected, as `NAME-light.png` and `NAME-dark.png`, and as
/// `dump-light.png` and `dump-dark.png` with the leak of the sample of a dump.
pub(crate) fn shots(arguments: &Arguments) -> Result<()> {
    setup::system(Need::Tests)?;
    setup::page()?;
    page::build()?;
    let stage = Stage::new(app::build(Profile::Dev)?, root().join(&arguments.out))?;
    if arguments.views {
        return views(&stage);
    }
    let file = match &arguments.file {
        Some(file) => std::path::absolute(file)?,
        None => root().join(BUNDLED),
    };
    let name = file.file_name().context("a file with a name")?.to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    let window = stage.open(&file)?;
    click_traced(&window)?;
    both(&stage, &window, name)?;
    drop(window);
    if arguments.file.is_some() {
        return Ok(());
    }
    let window = stage.open(&root().join(memscope::BUNDLED))?;
    told_at_once(&window)?;
    both(&stage, &window, "dump")
}

/// Takes the window in both themes.
fn both(stage: &Stage, window: &Window, name: &str) -> Result<()> {
    for tone in ["light", "dark"] {
        switch_to(window, tone)?;
        keep(stage, window, &format!("{name}-{tone}"))?;
    }
    Ok(())
}

/// Takes every view of the start page and of the samples.
fn views(stage: &Stage) -> Result<()> {
    in_all_looks(stage, &stage.start(&[])?, &start_page)?;
    let snapshot = stage.open(&root().join(BUNDLED))?;
    click_traced(&snapshot)?;
    in_all_looks(stage, &snapshot, &snapshot_views)?;
    in_sizes(stage, &snapshot, "snapshot")?;
    drop(snapshot);
    let dump = stage.open(&root().join(memscope::BUNDLED))?;
    in_all_looks(stage, &dump, &dump_views)?;
    in_sizes(stage, &dump, "dump")
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

fn start_page(stage: &Stage, window: &Window, look: &str) -> Result<()> {
    keep(stage, window, &format!("start-{look}"))?;
    window.press('?')?;
    window.wait_for("help-card")?;
    keep(stage, window, &format!("help-{look}"))?;
    window.click("help-guide")?;
    window.wait_for("guide")?;
    keep(stage, window, &format!("guide-{look}"))?;
    window.press(ESCAPE)
}

fn snapshot_views(stage: &Stage, window: &Window, look: &str) -> Result<()> {
    for tab in ["blocks", "events", "map", "pools"] {
        show_tab(window, &format!("tab-{tab}"))?;
        keep(stage, window, &format!("snapshot-{tab}-{look}"))?;
    }
    show_tab(window, "tab-blocks")?;
    type_in_palette(window, "")?;
    keep(stage, window, &format!("palette-{look}"))?;
    window.press(ESCAPE)?;
    type_in_palette(window, "forward")?;
    keep(stage, window, &format!("palette-found-{look}"))?;
    window.press(ESCAPE)
}

fn dump_views(stage: &Stage, window: &Window, look: &str) -> Result<()> {
    for tab in ["blocks", "events"] {
        show_tab(window, &format!("tab-{tab}"))?;
        keep(stage, window, &format!("dump-{tab}-{look}"))?;
    }
    show_tab(window, "tab-blocks")?;
    type_in_palette(window, "leaks_mem")?;
    window.press(ENTER)?;
    window.idle()?;
    keep(stage, window, &format!("dump-owner-{look}"))
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

fn keep(stage: &Stage, window: &Window, name: &str) -> Result<()> {
    window.idle()?;
    println!("{}", stage.keep(window, name)?.display());
    Ok(())
}
