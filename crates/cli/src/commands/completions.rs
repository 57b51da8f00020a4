//! `tidemark completions`: what a shell needs to complete our commands.

use std::io::Write;

use clap::CommandFactory;

use crate::Exit;
use crate::arguments::{Arguments, Completions};

/// Prints the script of one shell.
pub(crate) fn run(arguments: &Completions, out: &mut dyn Write) -> anyhow::Result<Exit> {
    // The generator cannot be told that a reader has gone.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "tidemark", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}
