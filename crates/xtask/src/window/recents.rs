//! What was opened is listed the next time, and opens where it was left.

use anyhow::{Result, ensure};

use super::Stage;
use super::block::click_band;

/// A recording is left with a block selected and zoomed in; after a new start it is in the list,
/// opens as it was, and says so when its file has changed or is gone.
pub(super) fn reopened(stage: &Stage) -> Result<()> {
    let data = tempfile::tempdir()?;
    let file = stage.files.path().join("left.pickle");
    std::fs::copy(stage.recording(10_000)?, &file)?;

    let window = stage.start_with(data.path(), &[&file.to_string_lossy()])?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    window.press('w')?;
    window.press('w')?;
    window.idle()?;
    click_band(&window)?;
    window.idle()?;
    let address = window.text("details-address")?;
    let picture = window.script("return JSON.stringify(window.__tidemark.bandAt(0))")?;
    window.press('m')?;
    window.wait_for("bookmark-note")?;
    // Closing it keeps where it was left.
    window.click("tab-close")?;
    window.wait_for("recent")?;
    window.idle()?;
    drop(window);

    let window = stage.start_with(data.path(), &[])?;
    window.wait_for("recent")?;
    window.idle()?;
    stage.keep(&window, "recents")?;
    let row = window.text("recent")?;
    ensure!(row.contains("left.pickle") && row.contains("1 bookmark"), "the list says {row:?}");
    window.click("recent")?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    window.wait_for("details-address")?;
    stage.keep(&window, "reopened")?;
    let again = window.text("details-address")?;
    ensure!(again == address, "block {address} was selected, and {again} is");
    let seen = window.script("return JSON.stringify(window.__tidemark.bandAt(0))")?;
    ensure!(seen == picture, "the picture was {picture} and is {seen}");
    drop(window);

    let bytes = std::fs::read(&file)?;
    std::fs::write(&file, [bytes.as_slice(), b"more"].concat())?;
    let window = stage.start_with(data.path(), &[])?;
    window.wait_for("recent-changed")?;
    std::fs::remove_file(&file)?;
    drop(window);
    stage.start_with(data.path(), &[])?.wait_for("recent-missing")
}
