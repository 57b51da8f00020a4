//! The language of the page.

use anyhow::{Result, ensure};

use super::Stage;
use super::block::click_band;
use crate::driver::Window;

/// A switch changes the words where they are, and leaves the selection and the view alone.
pub(super) fn switched(stage: &Stage) -> Result<()> {
    let window = stage.open(&stage.recording(10_000)?)?;
    click_band(&window)?;
    let address = window.text("details-address")?;
    speak(&window, "zh")?;
    let heading = window.script("return document.querySelector('.pane b').textContent")?;
    ensure!(heading == "内存块生命周期图", "the lifecycle is headed {heading}");
    ensure!(window.text("details-address")? == address, "the details changed");
    stage.keep(&window, "chinese")?;
    speak(&window, "en")?;
    let heading = window.script("return document.querySelector('.pane b').textContent")?;
    ensure!(heading == "Lifecycle", "the lifecycle is headed {heading}");
    ensure!(window.text("details-address")? == address, "the details changed");
    Ok(())
}

/// Where the system's locale is no language, or one without texts, the page is in English.
///
/// What a system that speaks Chinese is shown is tried in the page's own tests: to `WebKit` a locale
/// that is not installed, as here, is none.
pub(super) fn first(stage: &Stage) -> Result<()> {
    for locale in ["C.UTF-8", "de_DE.UTF-8"] {
        let window = stage.start_in(locale, &[])?;
        window.wait_for("open-button")?;
        let said = window.text("open-button")?;
        ensure!(said == "Open a recording…", "where the locale is {locale}, the page says {said}");
        ensure!(!window.shows("notice")?, "the locale {locale} is an error");
    }
    Ok(())
}

/// Shows the page in `language`.
pub(crate) fn speak(window: &Window, language: &str) -> Result<()> {
    window.click(&format!("language-{language}"))?;
    window.until(&format!("the page speaks {language}"), || {
        let spoken = window.script("return document.documentElement.lang")?;
        Ok(spoken.as_str().is_some_and(|spoken| spoken.starts_with(language)))
    })?;
    window.idle()
}
