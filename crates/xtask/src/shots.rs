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

mod views;

/// What to photograph.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording; without it, the samples that ship with the app.
    file: Option<PathBuf>,
    /// Where the pictures go.
    #[arg(long, default_value = "docs/images")]
    out: PathBuf,
    /// Every view in both tones and languages, for a person to look at, and some in a small and in
    /// a very large window; with a word only those of the windows that have it in their name:
    /// `start`, `recents`, `snapshot`, `dump`, `compare`.
    #[arg(long, conflicts_with = "file", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_name = "WINDOW")]
    views: Option<String>,
}

/// Takes the main window with a block selected, as `NAME-light.png` and `NAME-dark.png`, and as
/// `dump-light.png` and `dump-dark.png` with the leak of the sample of a dump.
pub(crate) fn shots(arguments: &Arguments) -> Result<()> {
    setup::system(Need::Tests)?;
    setup::page()?;
    page::build()?;
    let stage = Stage::new(app::build(Profile::Dev)?, root().join(&arguments.out))?;
    if let Some(only) = &arguments.views {
        return views::take(&stage, only);
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

fn keep(stage: &Stage, window: &Window, name: &str) -> Result<()> {
    window.idle()?;
    println!("{}", stage.keep(window, name)?.display());
    Ok(())
}
