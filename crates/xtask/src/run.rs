//! `cargo xtask run`: from a fresh checkout to the open window.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::app::{self, Profile};
use crate::command::{cargo, program, root, run as start};
use crate::setup::{self, Need};
use crate::{page, sample};

/// What to open.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A recording; without it, the sample that ships with the app.
    file: Option<PathBuf>,
    /// Build quickly instead of for use.
    #[arg(long)]
    dev: bool,
}

/// Sets up, builds, and opens the window; without a display, prints the report instead.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let file = match &arguments.file {
        Some(file) => std::path::absolute(file)?,
        None => root().join(sample::BUNDLED),
    };
    std::fs::metadata(&file).with_context(|| format!("cannot open {}", file.display()))?;
    let profile = if arguments.dev { Profile::Dev } else { Profile::Release };
    if !has_display() {
        return report(&file, profile);
    }
    setup::system(Need::App)?;
    setup::page()?;
    page::build()?;
    let programs = app::build(profile)?;
    start(program(programs.app).arg(file))
}

/// The same file through the command line, which needs nothing but Rust.
fn report(file: &Path, profile: Profile) -> Result<()> {
    println!(
        "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window \
         cannot open.\nThis is what the command line says: tidemark info {}\n",
        file.display()
    );
    let mut info = cargo(["run", "--quiet", "--package=tidemark-cli"]);
    start(info.args(profile.flags()).args(["--", "info"]).arg(file))
}

fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
