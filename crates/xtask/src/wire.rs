//! `cargo xtask wire`: the page's side of the commands.

use anyhow::Result;

use crate::command::{cargo, run};

/// Writes `ui/src/wire/bindings.ts`, by the test that otherwise compares it.
pub(crate) fn wire() -> Result<()> {
    let mut test = cargo(["test", "--quiet", "--package=tidemark-app", "--lib", "bindings"]);
    run(test.env("TIDEMARK_WRITE_BINDINGS", "1"))?;
    println!("wrote ui/src/wire/bindings.ts");
    Ok(())
}
