//! The leak case of a dump, from opening it to the call that leaks.

use anyhow::{Context, Result, ensure};
use sample::memscope::Truth;
use serde_json::Value;

use super::Stage;
use super::seen::{band_of, colors, number_in, title};
use crate::command::{output, program, root};
use crate::driver::Window;
use crate::sample::memscope::{BUNDLED, truth_of_bundled};

const ESCAPE: char = '\u{E00C}';

/// Who leaks, by the script that was recorded.
const OWNER: &str = "PTA@ops@aten@leaks_mem";

/// What the script keeps of each step: 4 × 10 Mi, and how the allocator rounds it.
const LEAK: u64 = 41_943_552;

/// What is held at a moment, off the list of parts.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    /// Bytes; of A and B where two moments are compared.
    bytes: Vec<u64>,
    /// What the parts below the whole add up to.
    parts: Vec<u64>,
    whole: Vec<u64>,
}

/// Opens the dump, walks from step to step, compares, and ends at the call that keeps the memory.
pub(super) fn walked(stage: &Stage) -> Result<()> {
    let truth = truth_of_bundled()?;
    let window = stage.open(&root().join(BUNDLED))?;
    shows_the_device(stage, &window)?;
    stage.keep(&window, "leak-opened")?;
    for step in 1..=3 {
        window.press(']')?;
        window.idle()?;
        let (at, _) = moments(&window)?;
        let held = held(&window, OWNER)?;
        ensure!(held.bytes[0] == step * LEAK, "{held:?} at the end of step {step}");
        ensure!(held.bytes[0] == true_bytes(&truth, step)?, "the file has another sum: {held:?}");
        ensure!(held.bytes[0] == told(stage, at, None)?.0, "the command line differs: {held:?}");
        ensure!(held.parts == held.whole, "the parts are not the whole: {held:?}");
        stage.keep(&window, &format!("leak-step-{step}"))?;
    }
    compares(stage, &window)?;
    let rows = lists_the_owner(stage, &window)?;
    follows_a_block(stage, &window, &rows[2])
}

/// Goes to what tells of the leak at once: steps 1 and 3 compared, and the blocks of who grew.
pub(crate) fn told_at_once(window: &Window) -> Result<()> {
    window.press(']')?;
    window.idle()?;
    window.click("compare")?;
    for _ in 0..2 {
        window.press(']')?;
        window.idle()?;
    }
    open_parts(window)?;
    window.script(&format!("{}row.click();", row_script(OWNER)))?;
    window.wait_for("owner-table")?;
    window.click("owner-table")?;
    window.idle()
}

/// One device, its busiest pool, time along the axis, and the threads that were traced.
fn shows_the_device(stage: &Stage, window: &Window) -> Result<()> {
    ensure!(chosen(window, "device-select")? == "npu:0", "{}", chosen(window, "device-select")?);
    let pool = chosen(window, "pool-select")?;
    ensure!(pool.starts_with("PTA ·"), "the pool is {pool:?}");
    let axis = window.script(
        "return document.querySelector('[data-testid=\"axis-time\"]').getAttribute('aria-pressed')",
    )?;
    ensure!(axis == "true", "the axis is not of time");
    let file = file()?;
    let threads = stage.tidemark(&["trace", &file])?;
    let threads: Vec<String> = threads
        .as_array()
        .context("no threads")?
        .iter()
        .map(|thread| {
            let of = &thread["thread"];
            format!("{} (process {})", of["thread"], of["process"])
        })
        .collect();
    let listed = window.script(
        "return [...document.querySelectorAll('[data-testid=\"flame-thread\"] option')]
             .map((option) => option.textContent.trim());",
    )?;
    ensure!(listed == Value::from(threads.clone()), "{listed} instead of {threads:?}");
    Ok(())
}

/// The end of step 1 is A, the end of step 3 is B: the owner grew by what two steps keep.
fn compares(stage: &Stage, window: &Window) -> Result<()> {
    for _ in 0..2 {
        window.press('[')?;
        window.idle()?;
    }
    let (first, none) = moments(window)?;
    ensure!(none.is_none(), "two moments are shown before they are compared");
    window.click("compare")?;
    for _ in 0..2 {
        window.press(']')?;
        window.idle()?;
    }
    stage.keep(window, "leak-compared")?;
    let (from, to) = moments(window)?;
    ensure!(from == first && to > Some(from), "A and B are {from} and {to:?}");
    let held = held(window, OWNER)?;
    let (a, b) = told(stage, from, to)?;
    ensure!(held.bytes == [a, b], "{held:?} instead of {a} and {b}");
    let change = part(window, OWNER, 3, "textContent")?;
    ensure!(change.trim() == "+80.00 MiB", "the change is {change:?}");
    let exact = part(window, OWNER, 3, "title")?;
    ensure!(exact == (2 * LEAK).to_string(), "the change is {exact:?} exactly");
    ensure!(held.parts == held.whole, "the parts are not the whole: {held:?}");
    Ok(())
}

/// A block of the owner: its row, the event that allocated it, its address, and when that was.
#[derive(Debug)]
struct Row {
    block: u64,
    event: u64,
    address: String,
    malloc_ns: u64,
}

/// A click on the owner: its blocks are lit, others are not; the table shows them, none was freed.
fn lists_the_owner(stage: &Stage, window: &Window) -> Result<Vec<Row>> {
    window.click("compare")?;
    window.idle()?;
    let rows = kept_rows(stage)?;
    ensure!(rows.len() == 3, "the file has {rows:?}");
    open_parts(window)?;
    window.script(&format!("{}row.click();", row_script(OWNER)))?;
    window.wait_for("owner-facts")?;
    window.idle()?;
    let facts = window.text("owner-facts")?;
    ensure!(facts.contains(OWNER), "the details tell of {facts:?}");
    stage.keep(window, "leak-owner")?;
    is_lit(window, &rows)?;
    window.script(&format!("{}row.click();", row_script(OWNER)))?;
    window.wait_for("owner-table")?;
    window.click("owner-table")?;
    window.idle()?;
    window
        .until("the table shows the owner's blocks", || Ok(table(window)?.len() == rows.len()))?;
    stage.keep(window, "leak-table")?;
    for (shown, row) in table(window)?.iter().zip(&rows) {
        ensure!(shown.contains(&row.address), "{shown:?} instead of {}", row.address);
        ensure!(shown.iter().any(|cell| cell == "not freed"), "{shown:?} was freed");
        ensure!(shown.iter().any(|cell| cell == OWNER), "{shown:?} is somebody else's");
    }
    Ok(rows)
}

/// Bands of the owner are as bright as without a selection, bands of others are not.
fn is_lit(window: &Window, rows: &[Row]) -> Result<()> {
    let mut bands = Vec::new();
    for row in rows {
        let place = band_of(window, row.block)?;
        bands.push((row.block, place.with_context(|| format!("no band of block {}", row.block))?));
    }
    let mine = bands.len();
    let all = super::seen::bands(window, 40)?;
    bands.extend(all.into_iter().filter(|(block, _)| rows.iter().all(|row| row.block != *block)));
    ensure!(bands.len() > mine, "no band is anybody else's");
    let lit = colors(window, &bands)?;
    window.press(ESCAPE)?;
    window.idle()?;
    let bright = colors(window, &bands)?;
    for (at, ((block, _), (lit, bright))) in bands.iter().zip(lit.iter().zip(&bright)).enumerate() {
        ensure!((lit == bright) == (at < mine), "block {block}: {lit:?} of {bright:?}");
    }
    Ok(())
}

/// A click on the last block: its facts, and the calls in which it was allocated.
fn follows_a_block(stage: &Stage, window: &Window, row: &Row) -> Result<()> {
    window.script(
        "[...document.querySelectorAll('[data-testid=\"table-row\"]')]
             .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))[2].children[0].click();",
    )?;
    window.wait_for("details-malloc")?;
    window.idle()?;
    stage.keep(window, "leak-block")?;
    ensure!(title(window)? == format!("Block {}", row.event), "{} is shown", title(window)?);
    ensure!(window.text("details-address")? == row.address, "another address");
    let malloc = number_in(&window.text("details-malloc")?);
    ensure!(malloc == Some(row.malloc_ns), "{malloc:?} instead of {}", row.malloc_ns);
    let owner = window.text("details-owner")?.replace(char::is_whitespace, "").replace('›', "@");
    ensure!(owner == OWNER, "the owner is {owner:?}");
    ensure!(window.text("details-access-count")? == "1", "the accesses are not one");
    let free = window.text("details-free")?;
    ensure!(free.contains("not freed"), "freed: {free:?}");
    is_called_in(stage, window, row)
}

/// The calls around the allocation are on the screen, and one that is clicked is the period.
fn is_called_in(stage: &Stage, window: &Window, row: &Row) -> Result<()> {
    let file = file()?;
    let found = stage.tidemark(&["trace", &file, "--search", "train_one_step"])?;
    let hits = found[0]["search"]["hits"].as_array().context("no hits")?;
    let at_us = row.malloc_ns as f64 / 1e3;
    let around = |hit: &&Value| {
        let end = |key: &str| hit[key].as_f64().unwrap_or(f64::NAN);
        end("start_us") <= at_us && at_us < end("end_us")
    };
    let call = hits.iter().find(around).context("no step was running")?;
    let slice = call["slice"].as_u64().context("a call without a row")?;
    let seen = window.script(&format!(
        "return window.__tidemark.calls().find((call) => call.slice === {slice}) ?? null;"
    ))?;
    let place =
        |key: &str| seen[key].as_f64().with_context(|| format!("the call is not drawn: {seen}"));
    window.click_at(place("x")?, place("y")?)?;
    window.wait_for("flame-chosen")?;
    window.idle()?;
    stage.keep(window, "leak-call")?;
    let chosen = window.text("flame-chosen")?;
    ensure!(chosen.contains("train_one_step"), "the call is {chosen:?}");
    ensure!(title(window)? == "Period", "{} is selected", title(window)?);
    Ok(())
}

/// What is chosen in a list.
fn chosen(window: &Window, id: &str) -> Result<String> {
    let text = window.script(&format!(
        "return document.querySelector('[data-testid=\"{id}\"]').selectedOptions[0].textContent.trim();"
    ))?;
    Ok(text.as_str().context("nothing is chosen")?.to_owned())
}

/// The moments of the decomposition, in nanoseconds since the recording's start.
fn moments(window: &Window) -> Result<(u64, Option<u64>)> {
    let text = window.text("decomposition-moment")?;
    let mut moments = text.split('·').map(nanoseconds);
    let first = moments.next().flatten().with_context(|| format!("what is {text:?}?"))?;
    Ok((first, moments.next().flatten()))
}

/// `1 s 188 ms 18 µs 470 ns`, whatever stands before it.
fn nanoseconds(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut sum = None;
    for pair in words.windows(2) {
        let unit = match pair[1] {
            "s" => 1_000_000_000,
            "ms" => 1_000_000,
            "µs" => 1_000,
            "ns" => 1,
            _ => continue,
        };
        sum = Some(sum.unwrap_or(0) + pair[0].parse::<u64>().ok()? * unit);
    }
    sum
}

/// A script that finds the `row` of an owner in the list of parts.
fn row_script(owner: &str) -> String {
    format!(
        "const row = [...document.querySelectorAll('[data-testid=\"part\"]')]
             .find((row) => row.title === '{owner}');"
    )
}

/// Opens every part of the list.
pub(super) fn open_parts(window: &Window) -> Result<()> {
    window.until("all parts are open", || {
        window.script(
            "const shut = document.querySelector('[data-testid=\"part\"][aria-expanded=\"false\"] button');
             shut?.click();
             return shut === null;",
        )
        .map(|is| is == true)
    })
}

/// A property of a cell in an owner's row.
fn part(window: &Window, owner: &str, cell: usize, property: &str) -> Result<String> {
    let found = window.script(&format!(
        "{}return row?.children[{cell}]?.{property} ?? null;",
        row_script(owner)
    ))?;
    Ok(found.as_str().with_context(|| format!("no row of {owner}"))?.to_owned())
}

/// What an owner holds, and what all of it adds up to.
fn held(window: &Window, owner: &str) -> Result<Held> {
    open_parts(window)?;
    let columns = if moments(window)?.1.is_some() { 2 } else { 1 };
    let cells = window.script(&format!(
        "const rows = [...document.querySelectorAll('[data-testid=\"part\"]')];
         const bytes = (rows) => rows.map((row) =>
             [...row.children].slice(1, 1 + {columns}).map((cell) => Number(cell.title)));
         return {{
             own: bytes(rows.filter((row) => row.title === '{owner}')),
             whole: bytes(rows.filter((row) => row.ariaLevel === '1')),
             parts: bytes(rows.filter((row) => row.ariaLevel === '2')),
         }};"
    ))?;
    let sums = |key: &str| {
        let rows = cells[key].as_array().context("no rows")?;
        ensure!(!rows.is_empty(), "no row is {key}");
        let sum = |at: usize| rows.iter().filter_map(|row| row[at].as_u64()).sum();
        Ok((0..columns).map(sum).collect::<Vec<u64>>())
    };
    Ok(Held { bytes: sums("own")?, parts: sums("parts")?, whole: sums("whole")? })
}

/// What the command line says the owner holds at a moment, and at a second one.
fn told(stage: &Stage, at: u64, then: Option<u64>) -> Result<(u64, u64)> {
    let (file, at) = (file()?, format!("{at}ns"));
    let then = then.map(|then| format!("{then}ns"));
    let mut question = vec!["decompose", &file, "--device", "npu:0 PTA", "--at", &at];
    if let Some(then) = &then {
        question.extend(["--then", then]);
    }
    let told = stage.tidemark(&question)?;
    let parts = told["parts"].as_array().context("no parts")?;
    let part = parts.iter().find(|part| part["tag"] == OWNER).context("nobody of that name")?;
    let bytes = |key: &str| part[key].as_u64().context("no bytes");
    Ok((bytes("bytes")?, bytes("then_bytes")?))
}

/// What the writer of the dump knows the owner holds at the end of a step.
fn true_bytes(truth: &Truth, step: u64) -> Result<u64> {
    let name = format!("step {step}");
    let moment = truth.moments.iter().find(|moment| moment.name == name).context("no such step")?;
    Ok(moment.owners.iter().filter(|held| held.owner == OWNER).map(|held| held.bytes).sum())
}

/// The owner's blocks, by the command line.
fn kept_rows(stage: &Stage) -> Result<Vec<Row>> {
    let mut export = program(&stage.programs.tidemark);
    export.args(["export", &file()?, "blocks", "--device", "npu:0 PTA"]);
    let columns = "id,address,malloc_time_ns,free_time_ns";
    let filter = format!("owner={OWNER}");
    let table = output(export.args(["--contains", &filter, "--columns", columns]))?;
    let live = ["blocks", &file()?, "--device", "npu:0 PTA", "--at", "end", "--top", "1000000"];
    let live = stage.tidemark(&live)?;
    let live = live["blocks"].as_array().context("no blocks")?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        ensure!(cells.len() == 4 && cells[3].is_empty(), "{line:?} was freed");
        // The table numbers blocks by the event that allocated them.
        let (event, malloc_ns) = (cells[0].parse::<u64>()?, cells[2].parse()?);
        let block = live.iter().find(|block| block["alloc_event"] == event);
        let block =
            block.and_then(|block| block["block"].as_u64()).context("not there at the end")?;
        Ok(Row { block, event, address: cells[1].to_owned(), malloc_ns })
    };
    table.lines().skip(1).map(row).collect()
}

/// The cells of the rows that are shown, from the top.
fn table(window: &Window) -> Result<Vec<Vec<String>>> {
    let rows = window.script(
        "return [...document.querySelectorAll('[data-testid=\"table-row\"]')]
             .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
             .map((row) => [...row.children].map((cell) => cell.textContent.trim()));",
    )?;
    Ok(serde_json::from_value(rows)?)
}

fn file() -> Result<String> {
    Ok(root().join(BUNDLED).to_str().context("a path in Unicode")?.to_owned())
}
