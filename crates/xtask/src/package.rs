//! `cargo xtask package`: installers for this system, and the command line by itself.

mod archive;
mod inspect;
pub(crate) mod installed;
mod staged;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{self, Profile, Programs};
use crate::command::{program, root, target};
use crate::page;
use crate::setup::{self, Need};

/// What to make.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Package the quick build: to try the packages, not for use.
    #[arg(long)]
    debug: bool,
    /// Which kinds: deb, rpm, appimage, app, dmg, msi, nsis; without it, what this system needs.
    #[arg(long, value_delimiter = ',')]
    bundles: Vec<String>,
    /// Build for another processor of the same system, by rustc's name for it.
    #[arg(long)]
    target: Option<String>,
}

/// Makes packages, checks what is in them, and lists them with their sums.
pub(crate) fn package(arguments: &Arguments) -> Result<()> {
    setup::system(Need::App)?;
    setup::page()?;
    page::build()?;
    let profile = if arguments.debug { Profile::Dev } else { Profile::Release };
    let kinds = match arguments.bundles.as_slice() {
        [] => usual().iter().map(|kind| (*kind).to_owned()).collect(),
        kinds => kinds.to_vec(),
    };
    let programs = app::build_for(profile, arguments.target.as_deref())?;
    let out = folder(profile)?.join("made");
    empty(&out)?;
    for made in make(profile, &programs, &kinds, arguments.target.as_deref())? {
        inspect::inspect(&made)?;
        let name = made.file_name().context("a package with a name")?;
        std::fs::copy(&made, out.join(name))?;
    }
    archive::archive(&programs.tidemark, &out, arguments.target.as_deref())?;
    list(&out, arguments.target.as_deref().unwrap_or(std::env::consts::ARCH))
}

/// What people on this system install from.
fn usual() -> &'static [&'static str] {
    match std::env::consts::OS {
        "macos" => &["dmg"],
        "windows" => &["msi", "nsis"],
        _ => &["deb", "rpm"],
    }
}

/// Where packages of this profile, and what goes into them, are put.
fn folder(profile: Profile) -> Result<PathBuf> {
    Ok(target()?.join("package").join(profile.folder()))
}

/// Puts built programs into packages of these kinds.
pub(crate) fn make(
    profile: Profile,
    programs: &Programs,
    kinds: &[String],
    target: Option<&str>,
) -> Result<Vec<PathBuf>> {
    let staged = staged::stage(programs, &folder(profile)?.join("staged"))?;
    let built = programs.app.parent().context("a program in a folder")?.join("bundle");
    for kind in kinds {
        empty(&built.join(kind))?;
    }
    let cli = root().join("ui/node_modules/@tauri-apps/cli/tauri.js");
    let mut bundle = program("node");
    bundle.arg(cli).args(["bundle", "--ci", "--bundles", &kinds.join(",")]);
    bundle.arg("--config").arg(overlay(&staged).to_string());
    if profile == Profile::Dev {
        bundle.arg("--debug");
    }
    if let Some(target) = target {
        bundle.args(["--target", target]);
    }
    println!("making {}", kinds.join(", "));
    let status = bundle.status().context("cannot start node")?;
    ensure!(status.success(), "the packages could not be made ({status})");
    let mut made = Vec::new();
    for kind in kinds {
        let before = made.len();
        for entry in std::fs::read_dir(built.join(kind))? {
            let path = entry?.path();
            let is = |ending: &str| path.extension().is_some_and(|found| found == ending);
            if path.is_file()
                && ["deb", "rpm", "AppImage", "dmg", "msi", "exe"].iter().any(|e| is(e))
            {
                made.push(path);
            }
        }
        // An app is a folder, and only a step on the way to its image.
        ensure!(made.len() > before || kind == "app", "no {kind} was made");
    }
    Ok(made)
}

/// What `tauri.conf.json` cannot say, because it is generated: where it is installed, and from what.
fn overlay(staged: &[(String, PathBuf)]) -> Value {
    let files: serde_json::Map<_, _> =
        staged.iter().map(|(to, from)| (to.clone(), json!(from))).collect();
    json!({"bundle": {"linux": {"deb": {"files": files}, "rpm": {"files": files},
        "appimage": {"files": files}}}})
}

/// An empty folder.
fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    Ok(())
}

/// Prints the files in `folder` with their sizes, and writes and prints their sums.
fn list(folder: &Path, target: &str) -> Result<()> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    if files.is_empty() {
        bail!("nothing was made");
    }
    let mut sums = String::new();
    println!("\nin {}:", folder.display());
    for path in files {
        let bytes = std::fs::read(&path)?;
        let name = path.file_name().context("a file with a name")?.to_string_lossy();
        println!("{:>12} bytes  {name}", bytes.len());
        let sum = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes all");
            text
        });
        writeln!(sums, "{sum}  {name}")?;
    }
    print!("\n{sums}");
    let name = format!("SHA256SUMS-{}-{target}.txt", std::env::consts::OS);
    std::fs::write(folder.join(name), sums)?;
    Ok(())
}
