//! `cargo xtask shots`: the pictures in the documents.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::app::{self, Profile};
use crate::command::root;
use crate::driver::Window;
use crate::page;
use crate::sample::{BUNDLED, memscope};
use crate::setup::{self, Need};
use crate::window::Stage;
use crate::window::{block::click_traced, keys::switch_to, language::speak, leak::told_at_once};

/// What to photograph.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording; without it, the samples that ship with the app.
    file: Option<PathBuf>,
    /// Where the pictures go.
    #[arg(long, default_value = "docs/images")]
    out: PathBuf,
}

/// Takes the main window with a block selected, as `NAME-light.png` and `NAME-dark.png`, and as
/// `dump-light.png` and `dump-dark.png` with the leak of the sample of a dump; in Chinese as
/// `NAME-zh-light.png` and so on.
pub(crate) fn shots(arguments: &Arguments) -> Result<()> {
    setup::system(Need::Tests)?;
    setup::page()?;
    page::build()?;
    let stage = Stage::new(app::build(Profile::Dev)?, root().join(&arguments.out))?;
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

/// Takes the window in both themes, and in both languages.
fn both(stage: &Stage, window: &Window, name: &str) -> Result<()> {
    for tone in ["light", "dark"] {
        switch_to(window, tone)?;
        for (language, suffix) in [("zh", "-zh"), ("en", "")] {
            speak(window, language)?;
            let name = format!("{name}{suffix}-{tone}");
            println!("{}", stage.keep(window, &name)?.display());
        }
    }
    Ok(())
}
