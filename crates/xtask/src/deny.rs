//! Whether what the app is made of may be in it, by the rules in `deny.toml`.

use std::path::PathBuf;

use anyhow::Result;

use crate::command::{cargo, is_installed, output, program, run, target};

/// The line of cargo-deny whose rules and messages we know.
const VERSION: &str = "^0.20";

/// Checks licences, bans and sources of all crates; advisories where their database can be had.
pub(crate) fn crates() -> Result<()> {
    let deny = tool()?;
    let check = ["check", "--hide-inclusion-graph", "licenses", "bans", "sources"];
    run(program(&deny).arg("--locked").args(check))?;
    let mut fetch = program(&deny);
    // A network that swallows everything must not hold the tests.
    fetch.args(["fetch", "db"]).env("GIT_TERMINAL_PROMPT", "0");
    fetch.env("GIT_HTTP_LOW_SPEED_LIMIT", "1000").env("GIT_HTTP_LOW_SPEED_TIME", "20");
    if let Err(problem) = output(&mut fetch) {
        println!("advisories were NOT checked: their database is out of reach ({problem:#})");
        return Ok(());
    }
    run(program(&deny).args(["--locked", "check", "--disable-fetch", "advisories"]))
}

/// Installs cargo-deny unless it is there.
pub(crate) fn install() -> Result<()> {
    tool().map(drop)
}

/// Where cargo-deny is: the person's own, or one below the target folder.
fn tool() -> Result<PathBuf> {
    if is_installed("cargo-deny") {
        return Ok("cargo-deny".into());
    }
    let folder = target()?.join("tools");
    let deny = folder.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !deny.is_file() {
        // It runs for a second: optimising it would cost minutes.
        let mut install = cargo(["install", "cargo-deny", "--locked", "--debug", "--version"]);
        run(install.arg(VERSION).arg("--root").arg(&folder))?;
    }
    Ok(deny)
}
