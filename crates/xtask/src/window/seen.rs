//! What a person sees of the selection, read off the page.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::driver::Window;

/// A place of the page in CSS pixels.
pub(super) type Place = (f64, f64);

/// The events at both ends of what the lifecycle shows, off the handles of its slider.
pub(super) fn stretch(window: &Window) -> Result<(f64, f64)> {
    let ends = window.script(
        "return [...document.querySelectorAll('[data-testid=\"slider\"] [role=\"slider\"]')]
             .map((handle) => Number(handle.getAttribute('aria-valuenow')));",
    )?;
    let end = |at: usize| ends[at].as_f64().with_context(|| format!("no handles: {ends}"));
    Ok((end(0)?, end(1)?))
}

/// What the tab in front shows, in any language: how a comparison is linked, the stretches and the
/// largest band, what is selected, and what is listed.
pub(super) fn state(window: &Window) -> Result<Value> {
    window.script(
        "const all = (selector) => [...document.querySelectorAll(selector)]
             .filter((one) => one.closest('[inert]') === null);
         const pressed = (name) => all(`[data-testid^=\"${name}-\"][aria-pressed=\"true\"]`)
             .map((one) => one.dataset.testid);
         const texts = (id) => all(`[data-testid=\"${id}\"]`).map((one) => one.textContent.trim());
         return {
             link: pressed('link'),
             axis: [...pressed('compare-axis'), ...pressed('axis')],
             stretch: all('[data-testid=\"slider\"] [role=\"slider\"]')
                 .map((handle) => handle.getAttribute('aria-valuenow')),
             band: window.__tidemark.bandAt(0),
             selected: texts('details-address'),
             size: texts('details-size'),
             filters: all('[data-testid=\"filter-size-from\"]')
                 .map((field) => Number.parseFloat(field.value)),
             rows: all('[data-testid=\"table-grid\"]')
                 .map((grid) => grid.getAttribute('aria-rowcount')),
         };",
    )
}

/// The title of the details that are shown: `Block 12`, `Event 3`.
pub(super) fn title(window: &Window) -> Result<String> {
    let title = window.script(
        "return document.querySelector('[data-testid=\"details\"] [role=\"tab\"][aria-selected=\"true\"]')
             ?.textContent.trim() ?? '';",
    )?;
    Ok(title.as_str().unwrap_or_default().replace(',', ""))
}

/// The event that is marked in the list of events.
pub(super) fn listed(window: &Window) -> Result<u64> {
    let number = window.script(
        "return document.querySelector(
             '[data-testid=\"event-list\"] [aria-selected=\"true\"] .number')?.textContent ?? '';",
    )?;
    number_in(number.as_str().unwrap_or_default()).context("no event is marked in the list")
}

/// The event right after which the pool is shown.
pub(super) fn pool_after(window: &Window) -> Result<u64> {
    let moment = window.text("pool-moment")?;
    ensure!(moment.contains("right after event"), "the pool is shown {moment:?}");
    number_in(&moment).context("no event")
}

/// Where the lifecycle shows a block, if it does.
pub(super) fn band_of(window: &Window, block: u64) -> Result<Option<Place>> {
    place(&window.script(&format!("return window.__tidemark.bandOf({block}) ?? null"))?)
}

/// Where the pool shows a block, if it does: inside of what can be seen of it.
pub(super) fn pool_place(window: &Window, block: u64) -> Result<Option<Place>> {
    place(&window.script(&format!(
        "const at = window.__tidemark.poolBlockAt({block});
         const box = document.querySelector('[data-testid=\"pool-canvas\"]').getBoundingClientRect();
         const isInside = at !== undefined && at.x > box.left && at.x < box.right
             && at.y > box.top && at.y < box.bottom;
         return isInside ? at : null;"
    ))?)
}

/// Whether what is at a place of a canvas has the double line of a selection around it.
///
/// Looked for above and below, in columns of pixels that no vertical line runs through; what is
/// only under the pointer has a single line.
pub(super) fn is_outlined(window: &Window, canvas: &str, (x, y): Place) -> Result<bool> {
    let found = window.script(&format!(
        "const canvas = document.querySelector('[data-testid=\"{canvas}\"]');
         const box = canvas.getBoundingClientRect();
         const scale = canvas.width / box.width;
         const left = Math.round(({x} - box.left) * scale);
         const row = Math.round(({y} - box.top) * scale);
         const digits = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
         const ink = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
         const columnAt = (at) => {{
             const {{ data }} = canvas.getContext('2d').getImageData(at, 0, 1, canvas.height);
             return Array.from({{ length: canvas.height }}, (_, i) =>
                 data[4 * i + 3] > 240 && ink.every((part, k) => Math.abs(data[4 * i + k] - part) < 12));
         }};
         const lineFrom = (column, by) => {{
             let at = row;
             while (at >= 0 && at < column.length && !column[at]) at += by;
             let thick = 0;
             while (column[at] === true) {{ thick += 1; at += by; }}
             return thick >= 2 * scale && thick <= 4 * scale;
         }};
         return [0, 3, -3].some((by) => {{
             const column = columnAt(left + by);
             return !column[row] && (lineFrom(column, 1) || lineFrom(column, -1));
         }});"
    ))?;
    found.as_bool().context("no answer")
}

/// The colours of the largest bands: block, place, and red, green and blue.
pub(super) fn colors(window: &Window, bands: &[(u64, Place)]) -> Result<Vec<[u64; 3]>> {
    let places: Vec<Value> = bands.iter().map(|(_, (x, y))| serde_json::json!([x, y])).collect();
    let colors = window.script(&format!(
        "const over = document.querySelector('[data-testid=\"lifecycle-canvas\"]');
         const canvas = over.parentElement.querySelectorAll('canvas')[1];
         const box = canvas.getBoundingClientRect();
         const copy = document.createElement('canvas');
         [copy.width, copy.height] = [canvas.width, canvas.height];
         const context = copy.getContext('2d', {{ willReadFrequently: true }});
         context.drawImage(canvas, 0, 0);
         const scale = canvas.width / box.width;
         return {}.map(([x, y]) => [...context.getImageData(
             Math.floor((x - box.left) * scale), Math.floor((y - box.top) * scale), 1, 1).data]);",
        Value::from(places)
    ))?;
    let colors = colors.as_array().context("no colours")?;
    let color = |color: &Value| {
        let part = |at: usize| color[at].as_u64().context("no colour");
        ensure!(part(3)? > 0, "nothing is drawn at a band");
        Ok([part(0)?, part(1)?, part(2)?])
    };
    colors.iter().map(color).collect()
}

/// The largest bands on the screen: block and centre.
pub(super) fn bands(window: &Window, most: usize) -> Result<Vec<(u64, Place)>> {
    let bands = window.script(&format!(
        "return Array.from({{ length: {most} }}, (_, i) => window.__tidemark.bandAt(i))
             .filter((band) => band !== undefined);"
    ))?;
    let band = |band: &Value| {
        let at = place(band)?.context("a band without a place")?;
        Ok((band["block"].as_u64().context("a band without a block")?, at))
    };
    bands.as_array().context("no bands")?.iter().map(band).collect()
}

/// The number in a text, whatever groups its digits.
pub(super) fn number_in(text: &str) -> Option<u64> {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}

fn place(at: &Value) -> Result<Option<Place>> {
    if at.is_null() {
        return Ok(None);
    }
    let part = |key: &str| at[key].as_f64().with_context(|| format!("no {key} in {at}"));
    Ok(Some((part("x")?, part("y")?)))
}
