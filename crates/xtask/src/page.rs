//! Builds the page, `ui/dist`, which the app carries inside.

use anyhow::Result;

use crate::command::{newest, npm, root, run};

/// Builds the page, unless nothing changed since it was built.
pub(crate) fn build() -> Result<()> {
    let ui = root().join("ui");
    let built = newest(&ui.join("dist/index.html"), &[]).ok();
    if built >= Some(newest(&ui, &["dist", "node_modules", "tests"])?) {
        return Ok(());
    }
    run(&mut npm(["run", "--silent", "build"]))
}
