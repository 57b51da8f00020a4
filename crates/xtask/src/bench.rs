//! `cargo xtask bench`: the crate `bench`, built for speed; or what the app gives back.

use std::ffi::OsString;

use anyhow::Result;

use crate::app::{self, Profile};
use crate::command::{cargo, run, target};
use crate::page;
use crate::setup::{self, Need};
use crate::window::{Stage, given_back};

/// What to measure.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Instead, what the app holds before, while and after recordings of so many events are open.
    #[arg(long, value_name = "EVENTS")]
    given_back: Option<u64>,
    /// Passed on; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Measures.
pub(crate) fn bench(arguments: &Arguments) -> Result<()> {
    if let Some(events) = arguments.given_back {
        return held(events);
    }
    let mut bench = cargo(["run", "--quiet", "--release", "--package=bench", "--"]);
    run(bench.args(&arguments.rest))
}

/// Of the quick build: bytes are the same.
fn held(events: u64) -> Result<()> {
    setup::system(Need::Tests)?;
    setup::page()?;
    page::build()?;
    let stage = Stage::new(app::build(Profile::Dev)?, target()?.join("window"))?;
    println!("{}", given_back::table(&stage, events)?);
    Ok(())
}
