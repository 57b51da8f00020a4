//! Builds the app and the command line, and finds them.

use std::path::PathBuf;

use anyhow::Result;

use crate::command::{cargo, output, program, run, target};

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

    /// The folder below the target folder that cargo uses for it.
    pub(crate) fn folder(self) -> &'static str {
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
    build_for(profile, None)
}

/// Likewise, for another processor when `triple` names one.
pub(crate) fn build_for(profile: Profile, triple: Option<&str>) -> Result<Programs> {
    let mut build = cargo(["build", "--package=tidemark-app", "--package=tidemark-cli"]);
    build.args(profile.flags());
    let mut folder = target()?;
    if let Some(triple) = triple {
        build.args(["--target", triple]);
        folder.push(triple);
    }
    // The quick build would be built anew after every commit.
    if profile == Profile::Release {
        build.envs(origin());
    }
    run(&mut build)?;
    folder.push(profile.folder());
    let program = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    Ok(Programs { app: program("tidemark-app"), tidemark: program("tidemark") })
}

/// What the programs say of where they come from: the commit, and its time in place of the clock,
/// so that the same commit gives the same programs.
fn origin() -> Vec<(&'static str, String)> {
    let git = |arguments: &[&str]| {
        output(program("git").args(arguments)).ok().map(|text| text.trim().to_owned())
    };
    let commit = git(&["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    let epoch = std::env::var("SOURCE_DATE_EPOCH").ok();
    let epoch = epoch.or_else(|| git(&["log", "-1", "--format=%ct"]));
    let commit = commit.map(|commit| ("TIDEMARK_COMMIT", commit));
    commit.into_iter().chain(epoch.map(|epoch| ("SOURCE_DATE_EPOCH", epoch))).collect()
}
