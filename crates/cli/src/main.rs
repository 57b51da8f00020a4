//! The `tidemark` binary: [`cli::run`] on this process's arguments and streams.

use std::io::{BufWriter, IsTerminal, stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let bar = if stderr().is_terminal() { cli::Bar::shown() } else { cli::Bar::hidden() };
    let mut out = BufWriter::new(stdout().lock());
    cli::run(std::env::args_os(), &mut out, &mut stderr(), &bar).into()
}
