//! The keyboard, the axis and the theme.

use anyhow::{Result, ensure};

use super::Stage;
use super::block::click_band;
use crate::driver::Window;

/// W A S D zoom and pan, R brings the whole recording back, P goes to the peak, `?` lists them.
pub(super) fn moved(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    let whole = seen(&window)?;
    let mut last = whole.clone();
    for key in ['w', 'w', 'd', 'a', 's'] {
        window.press(key)?;
        let now = seen(&window)?;
        ensure!(now != last, "`{key}` changed nothing");
        last = now;
    }
    window.press('r')?;
    ensure!(seen(&window)? == whole, "`r` does not bring the whole recording back");
    window.press('p')?;
    stage.keep(&window, "peak")?;
    ensure!(seen(&window)? != whole, "`p` does not go to the peak");
    window.press('?')?;
    window.wait_for("help-card")?;
    stage.keep(&window, "help")?;
    Ok(())
}

/// The same recording by event number and by time looks different, and comes back the same.
pub(super) fn axis(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    let by_event = seen(&window)?;
    window.click("axis-time")?;
    let by_time = seen(&window)?;
    stage.keep(&window, "time")?;
    ensure!(by_event != by_time, "the time axis looks like the event axis");
    window.click("axis-event")?;
    ensure!(seen(&window)? == by_event, "the event axis did not come back");
    Ok(())
}

/// Switching the theme repaints the view and leaves the selection alone.
pub(super) fn theme(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    click_band(&window)?;
    let address = window.text("details-address")?;
    let before = seen(&window)?;
    window.click("theme-toggle")?;
    ensure!(seen(&window)? != before, "the picture kept its colours");
    stage.keep(&window, "other-theme")?;
    ensure!(window.text("details-address")? == address, "the details changed");
    Ok(())
}

/// The lifecycle view as it looks once nothing is under way.
fn seen(window: &Window) -> Result<Vec<u8>> {
    window.idle()?;
    window.picture_of("lifecycle-canvas")
}
