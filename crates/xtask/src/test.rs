//! `cargo xtask test`: everything CI checks, in stages; the first one that fails ends it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;

use crate::app::{self, Profile};
use crate::command::{cargo, is_installed, npm, root, run, target};
use crate::sample::memscope;
use crate::setup::{self, Need};
use crate::{deny, licences, package, page, sample, window, workflows};

/// Which part to check.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the stages whose name contains this: `window`, `page`, …
    #[arg(default_value = "")]
    stage: String,
    /// Only the window tests whose name contains this.
    #[arg(long, default_value = "")]
    window: String,
}

/// A name and what is done under it.
type Stage = (&'static str, fn(&Arguments) -> Result<()>);

/// In the order in which a mistake is found soonest, and nothing is built twice.
const STAGES: &[Stage] = &[
    ("set-up", |_| set_up()),
    ("format", |_| format()),
    ("workflows", |_| workflows::check()),
    ("page", |_| check_page()),
    ("licences", |_| check_licences()),
    ("lints", |_| lint()),
    ("tests", |_| test_rust()),
    ("sample fresh", |_| sample_is_fresh()),
    ("window", test_window),
    ("package", |_| package::installed::test()),
];

/// Runs the stages and prints what each took.
pub(crate) fn test(arguments: &Arguments) -> Result<()> {
    let mut times = Vec::new();
    for (name, stage) in STAGES.iter().filter(|(name, _)| name.contains(&arguments.stage)) {
        println!("\n==> {name}");
        let start = Instant::now();
        let result = stage(arguments);
        times.push((*name, start.elapsed()));
        if let Err(error) = result {
            summary(&times, 1);
            return Err(error.context(format!("stage `{name}` failed")));
        }
    }
    if times.is_empty() {
        bail!("no stage is called `{}`", arguments.stage);
    }
    summary(&times, 0);
    Ok(())
}

fn summary(times: &[(&str, Duration)], failed: usize) {
    println!();
    for (name, time) in times {
        println!("{name:<14}{:>8.1} s", time.as_secs_f64());
    }
    println!("stages: {} passed, {failed} failed", times.len() - failed);
}

fn set_up() -> Result<()> {
    let corpus = std::env::var_os("TIDEMARK_CORPUS").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| root().join("../shared/corpus"));
    if !corpus.is_dir() {
        let words = format!("no recordings to test with at {}", corpus.display());
        if std::env::var_os("CI").is_some() {
            bail!("{words}");
        }
        println!("{words} (TIDEMARK_CORPUS names another folder): the tests that read them skip");
    }
    setup::system(Need::Tests)?;
    deny::install()?;
    setup::page()
}

fn format() -> Result<()> {
    run(&mut cargo(["fmt", "--all", "--check"]))
}

/// The page's own checks; the app is built with what this builds.
fn check_page() -> Result<()> {
    for script in ["check", "lint", "test"] {
        // WebKit and Chromium take their language from the locale, and "C" is none.
        run(npm(["run", "--silent", script]).env("LANG", "en_US.UTF-8"))?;
    }
    page::build()
}

/// What the app is made of may be in it, and is told in it.
fn check_licences() -> Result<()> {
    page::build()?;
    deny::crates()?;
    licences::check()
}

fn lint() -> Result<()> {
    page::build()?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    run(&mut cargo(clippy))
}

fn test_rust() -> Result<()> {
    page::build()?;
    // The acceptance tests start the command line.
    run(&mut cargo(["build", "--package=tidemark-cli", "--locked"]))?;
    if is_installed("cargo-nextest") {
        run(&mut cargo(["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]))?;
        run(&mut cargo(["test", "--workspace", "--locked", "--doc", "--quiet"]))
    } else {
        run(&mut cargo(["test", "--workspace", "--locked", "--no-fail-fast"]))
    }
}

/// The committed sample is the one the generator writes.
fn sample_is_fresh() -> Result<()> {
    let fresh = tempfile::tempdir()?;
    let fresh = fresh.path().join("sample.pickle.gz");
    sample::bundled(&fresh)?;
    let committed = root().join(sample::BUNDLED);
    if read(&fresh)? != read(&committed)? {
        bail!("{} is stale: run `cargo xtask sample --bundled`", sample::BUNDLED)
    }
    dump_is_fresh()
}

/// The committed dump is the one the generator writes. Its bytes depend on nothing but SQLite, whose version is pinned.
fn dump_is_fresh() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let fresh = folder.path().join("sample.db");
    memscope::bundled(&fresh)?;
    let committed = root().join(memscope::BUNDLED);
    let is_fresh = std::fs::read(&fresh)? == std::fs::read(&committed)?;
    ensure!(is_fresh, "{} is stale: run `cargo xtask sample --bundled`", memscope::BUNDLED);
    Ok(())
}

fn test_window(arguments: &Arguments) -> Result<()> {
    page::build()?;
    let programs = app::build(Profile::Dev)?;
    window::test(programs, target()?.join("window"), &arguments.window)
}

/// What the gzip file at `path` holds; how well it is packed may differ from machine to machine.
fn read(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut bytes = Vec::new();
    GzDecoder::new(file).read_to_end(&mut bytes)?;
    Ok(bytes)
}
