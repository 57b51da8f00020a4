//! The command line: the same answers as the window, on a machine without a screen.
//!
//! Start at [`run`]. Exit codes are [`Exit`]'s; a reader that closes the pipe early is a success;
//! messages go to standard error, answers to standard output.
//!
//! To add a command: write `commands/NAME.rs`, and a variant in `arguments.rs`.

mod arguments;
mod bar;
mod commands;
mod table;
mod text;

pub use bar::Bar;

use arguments::{Arguments, Command};
use clap::Parser;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Exit {
    /// It did what was asked: 0.
    Done,
    /// The answer is "no" or "different": 1.
    No,
    /// It could not do it: 2.
    Error,
}

impl Exit {
    /// The process's exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Error => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// Runs the command in `args`, of which the first is the program's name.
pub fn run<T: Into<OsString> + Clone>(
    args: impl IntoIterator<Item = T>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    bar: &Bar,
) -> Exit {
    let done = match Arguments::try_parse_from(args) {
        Ok(arguments) => {
            let bar = bar.with_cache(arguments.cache.or_else(cache));
            let done = command(arguments.command, out, err, &bar);
            let told = if arguments.verbose { bar.told() } else { Vec::new() };
            told.iter()
                .try_for_each(|line| writeln!(err, "tidemark: {line}"))
                .map_err(Into::into)
                .and(done)
        }
        Err(refusal) => usage(&refusal, out, err),
    };
    let done = done.and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    bar.clear();
    match done {
        Ok(exit) => exit,
        Err(problem) if is_closed_pipe(&problem) => Exit::Done,
        Err(problem) => {
            // Nobody is left to be told when this fails too; the exit code says it.
            drop(writeln!(err, "tidemark: {}", text::plain_lines(&format!("{problem:#}"))));
            Exit::Error
        }
    }
}

/// The folder of indexes that the environment names.
fn cache() -> Option<PathBuf> {
    std::env::var_os("TIDEMARK_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

fn command(
    command: Command,
    out: &mut dyn Write,
    err: &mut dyn Write,
    bar: &Bar,
) -> anyhow::Result<Exit> {
    match command {
        Command::Info(arguments) => commands::info::run(&arguments, out, err, bar),
        Command::Blocks(arguments) => commands::blocks::run(&arguments, out, bar),
        Command::Diff(arguments) => commands::diff::run(&arguments, out, err, bar),
        Command::Decompose(arguments) => commands::decompose::run(&arguments, out, bar),
        Command::Holders(arguments) => commands::holders::run(&arguments, out, bar),
        Command::Stacks(arguments) => commands::stacks::run(&arguments, out, bar),
        Command::Inefficient(arguments) => commands::inefficient::run(&arguments, out, bar),
        Command::Export(arguments) => commands::export::run(&arguments, out, bar),
        Command::Trace(arguments) => commands::trace::run(&arguments, out, bar),
        Command::Completions(arguments) => commands::completions::run(&arguments, out),
        Command::Manual(arguments) => commands::manual::run(&arguments),
    }
}

/// Help and version are answers, anything else is a refusal.
fn usage(refusal: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<Exit> {
    let words = refusal.render();
    if refusal.use_stderr() {
        write!(err, "{words}")?;
        return Ok(Exit::Error);
    }
    write!(out, "{words}")?;
    Ok(Exit::Done)
}

/// Whether the reader of our output went away, which is its right.
fn is_closed_pipe(problem: &anyhow::Error) -> bool {
    problem.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>();
        io.or_else(|| json.and_then(serde_json::Error::io_error_kind))
            == Some(ErrorKind::BrokenPipe)
    })
}
