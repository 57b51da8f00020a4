//! `cargo xtask bench`: the crate `bench`, built for speed.

use std::ffi::OsString;

use anyhow::Result;

use crate::command::{cargo, run};

/// What to measure.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Passed on; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Measures.
pub(crate) fn bench(arguments: &Arguments) -> Result<()> {
    let mut bench = cargo(["run", "--quiet", "--release", "--package=bench", "--"]);
    run(bench.args(&arguments.rest))
}
