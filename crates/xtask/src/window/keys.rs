//! The keyboard, the axis and the theme.

use anyhow::{Result, bail, ensure};

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
    switch_to(&window, "light")?;
    let light = seen(&window)?;
    switch_to(&window, "dark")?;
    ensure!(seen(&window)? != light, "the picture kept its colours");
    stage.keep(&window, "dark")?;
    ensure!(window.text("details-address")? == address, "the details changed");
    Ok(())
}

/// Presses the theme button until the page is in `tone`: the button also offers "as the system".
pub(crate) fn switch_to(window: &Window, tone: &str) -> Result<()> {
    for _ in 0..3 {
        window.click("theme-toggle")?;
        window.idle()?;
        if window.script("return document.documentElement.dataset.theme")? == tone {
            return Ok(());
        }
    }
    bail!("the theme button never gives {tone}")
}

/// The lifecycle view as it looks once nothing is under way.
fn seen(window: &Window) -> Result<Vec<u8>> {
    window.idle()?;
    window.picture_of("lifecycle-canvas")
}
