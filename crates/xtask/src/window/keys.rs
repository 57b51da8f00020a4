//! The keyboard, the axis and the theme.

use anyhow::{Result, bail, ensure};
use serde_json::Value;

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
        window.until(&format!("`{key}` moves the view"), || Ok(seen(&window)? != last))?;
        last = seen(&window)?;
    }
    window.press('r')?;
    window.until("`r` brings the whole recording back", || Ok(seen(&window)? == whole))?;
    window.press('p')?;
    window.until("`p` goes to the peak", || Ok(seen(&window)? != whole))?;
    stage.keep(&window, "peak")?;
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
    window.until("the time axis shows", || Ok(seen(&window)? != by_event))?;
    stage.keep(&window, "time")?;
    window.click("axis-event")?;
    window.until("the event axis comes back", || Ok(seen(&window)? == by_event))?;
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
    window.until("the picture changes its colours", || Ok(seen(&window)? != light))?;
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

/// The pixels of the lifecycle view's canvases, once nothing is under way.
fn seen(window: &Window) -> Result<Value> {
    window.idle()?;
    window.script(
        "const view = document.querySelector('[data-testid=\"lifecycle-canvas\"]').parentElement;
         return [...view.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL());",
    )
}
