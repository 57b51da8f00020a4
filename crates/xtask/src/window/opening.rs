//! Opening a recording: well, not at all, and not to the end.

use anyhow::{Context, Result, ensure};

use super::Stage;
use super::block::click_band;

/// One click on the welcome screen shows the sample that ships with the app.
pub(super) fn bundled(stage: &Stage) -> Result<()> {
    let window = stage.start(&[])?;
    window.idle()?;
    window.wait_for("open-sample")?;
    window.promise("new Promise(requestAnimationFrame)")?;
    stage.keep(&window, "welcome")?;
    window.click("open-sample")?;
    window.wait_for("lifecycle-canvas")?;
    window.idle()?;
    stage.keep(&window, "sample")?;
    let device = window.text("device-select")?;
    ensure!(device.contains("cuda:0"), "the device is {device:?}");
    ensure!(!window.shows("notice")?, "a notice: {:?}", window.text("notice")?);
    Ok(())
}

/// A file that is no recording: a notice, and the recording that was open stays.
pub(super) fn refused(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    let block = click_band(&window)?;
    let address = window.text("details-address")?;
    let letter = stage.files.path().join("letter.pickle");
    std::fs::write(&letter, "Dear reader, this is no recording.\n")?;
    window.drop_file(&letter)?;
    window.wait_for("notice")?;
    window.idle()?;
    stage.keep(&window, "refused")?;
    let notice = window.text("notice")?;
    ensure!(notice.contains("letter.pickle"), "the notice names no file: {notice:?}");
    ensure!(window.text("details-address")? == address, "the details changed");
    let band = window.script("return window.__tidemark.bandAt(0)")?;
    ensure!(band["block"].as_u64() == Some(block), "the picture changed: {band}");
    Ok(())
}

/// A large file: Cancel stops it, nothing is said, and the recording that was open stays.
pub(super) fn cancelled(stage: &Stage) -> Result<()> {
    let large = stage.recording(1_500_000)?;
    let window = stage.open(&stage.recording(10_000)?)?;
    let before = window.text("status")?;
    // A person is slower than the import: press the button in the frame in which it appears.
    window.script(
        "window.pressed = 0;
         const press = () => {
             const button = document.querySelector('[data-testid=\"cancel\"]');
             if (button === null) return requestAnimationFrame(press);
             window.pressed = performance.now();
             button.click();
             const wait = () => document.querySelector('[data-testid=\"progress\"]') === null
                 ? (window.took = performance.now() - window.pressed)
                 : requestAnimationFrame(wait);
             wait();
         };
         press();",
    )?;
    window.drop_file(&large)?;
    window.until("the import is cancelled", || {
        window.script("return window.took !== undefined").map(|is| is == true)
    })?;
    window.idle()?;
    let took = window.script("return window.took")?.as_f64().context("no time")?;
    println!("cancelling took {took} ms, from the press to the frame without the progress");
    // The import itself stops within 100 ms, which its own tests check; the rest is drawing by
    // software on a machine that may be busy.
    ensure!(took < 5000.0, "cancelling took {took} ms");
    ensure!(!window.shows("notice")?, "a notice: {:?}", window.text("notice")?);
    let after = window.text("status")?;
    ensure!(before == after, "the status was {before:?} and is {after:?}");
    std::fs::remove_file(large)?;
    Ok(())
}
