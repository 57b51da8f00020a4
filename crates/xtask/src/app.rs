//! Builds the app and the command line, and finds them.

use std::path::PathBuf;

use anyhow::Result;

use crate::command::{cargo, run, target};

/// How much the compiler is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build; our own readers are optimised all the same.
    Dev,
    /// For use.
    Release,
}

impl Profile {
    /// The flags cargo wants for it.
    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Dev => &[],
            Self::Release => &["--release"],
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }
}

/// The two programs.
pub(crate) struct Programs {
    /// The desktop app.
    pub(crate) app: PathBuf,
    /// The command line.
    pub(crate) tidemark: PathBuf,
}

/// Builds both programs with the page as it is in `ui/dist`.
pub(crate) fn build(profile: Profile) -> Result<Programs> {
    let mut build = cargo(["build", "--package=tidemark-app", "--package=tidemark-cli"]);
    run(build.args(profile.flags()))?;
    let folder = target()?.join(profile.folder());
    let program = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(Programs { app: program("tidemark-app"), tidemark: program("tidemark") })
}
