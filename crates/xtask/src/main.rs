//! Chores around the project: set-up, build, test, samples. One file a command.
//!
//! `cargo xtask run` and `cargo xtask test` are the two a person needs; both do all their own
//! set-up. Start reading at [`run`] and [`test`].
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the terminal")]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod app;
mod bench;
mod command;
mod deny;
mod display;
mod driver;
mod held;
mod licences;
mod package;
mod page;
mod run;
mod sample;
mod setup;
mod shots;
mod test;
mod window;
mod wire;
mod workflows;

/// Chores of the Tidemark repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Set up, build and open the app, with FILE or the bundled sample.
    Run(run::Arguments),
    /// Set up, and check everything that CI checks.
    Test(test::Arguments),
    /// Write a generated snapshot and its true answers.
    Sample(sample::Arguments),
    /// Write the TypeScript of the commands, `ui/src/wire/bindings.ts`.
    Wire,
    /// Take the screenshots in `docs/images/`.
    Shots(shots::Arguments),
    /// Make installers for this system, with the command line in them and by itself.
    Package(package::Arguments),
    /// Write the licences of everything in the app, `ui/src/wire/licences.json`.
    Licences,
    /// Measure the paths a person waits for.
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Run(arguments) => run::run(&arguments),
        Chore::Test(arguments) => test::test(&arguments),
        Chore::Sample(arguments) => sample::sample(&arguments),
        Chore::Wire => wire::wire(),
        Chore::Shots(arguments) => shots::shots(&arguments),
        Chore::Package(arguments) => package::package(&arguments),
        Chore::Licences => licences::write(),
        Chore::Bench(arguments) => bench::bench(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
