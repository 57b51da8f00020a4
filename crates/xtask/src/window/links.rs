//! What is selected anywhere is shown everywhere: the links, walked both ways.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::Stage;
use super::seen::{
    band_of, bands, colors, is_outlined, listed, number_in, pool_after, pool_place, stretch, title,
};
use crate::command::{output, program, root};
use crate::driver::Window;
use crate::sample::BUNDLED;

const ALT: char = '\u{E00A}';
const SHIFT: char = '\u{E008}';
const ESCAPE: char = '\u{E00C}';
const LEFT: char = '\u{E012}';
const RIGHT: char = '\u{E014}';

/// How far the views are taken from what is clicked next: a fifth of the recording is shown.
const ZOOMS: usize = 6;
const PANS: usize = 32;

/// The lifecycle looks at the end of the recording, the pool at the peak: a block of the pool that
/// was freed long before the end is brought into the lifecycle. Back and forward come by it again.
pub(super) fn from_pool(stage: &Stage) -> Result<()> {
    let (file, window) = open(stage)?;
    let (from, to) = look_at(&window, 'd')?;
    let peak = pool_after(&window)?;
    let live = live_at(stage, &file, peak)?;
    let mut far = live.iter().filter(|block| block.free.is_some_and(|free| (free as f64) < from));
    let visible = |block: &&Block| Ok(pool_place(&window, block.row)?.is_some());
    let first = find(&mut far, visible)?.context("no block that is far away")?;
    let second = find(&mut far, visible)?.context("only one block that is far away")?;
    ensure!(band_of(&window, first.row)?.is_none(), "the block is not far from {from}..{to}");
    click_in_pool(&window, first, None)?;
    stage.keep(&window, "link-pool")?;
    is_shown(&window, first)?;
    ensure!(pool_after(&window)? == peak, "the pool went elsewhere");
    ensure!(stretch(&window)? != (from, to), "the lifecycle stayed where it was");
    click_in_pool(&window, second, None)?;
    is_shown(&window, second)?;
    walk(&window, LEFT, first)?;
    walk(&window, RIGHT, second)
}

/// A band of the lifecycle, at the other end of the recording than the pool: the pool goes there.
pub(super) fn from_lifecycle(stage: &Stage) -> Result<()> {
    let (file, window) = open(stage)?;
    look_at(&window, 'a')?;
    let before = pool_after(&window)?;
    let (row, place) = *bands(&window, 40)?.last().context("no bands")?;
    let canvas = "lifecycle-canvas";
    ensure!(!is_outlined(&window, canvas, place)?, "a line around a block nobody selected");
    window.click_at(place.0, place.1)?;
    window.wait_for("details-address")?;
    window.idle()?;
    stage.keep(&window, "link-lifecycle")?;
    let now = pool_after(&window)?;
    ensure!(now != before, "the pool stayed at event {before}");
    let live = live_at(stage, &file, now)?;
    let block = live.iter().find(|block| block.row == row);
    let block = block.with_context(|| format!("block {row} does not live after event {now}"))?;
    ensure!(
        listed(&window)? == now,
        "the list is at event {}, the pool at {now}",
        listed(&window)?
    );
    is_shown(&window, block)
}

/// A row of the table is shown by the views; a link to an event by the pool and the list.
pub(super) fn from_table(stage: &Stage) -> Result<()> {
    let (file, window) = open(stage)?;
    let (_, to) = look_at(&window, 'a')?;
    // The largest first: a small one is too thin to be a band.
    window.click("sort-size")?;
    window.idle()?;
    let (row, alloc) = later_row(&window, to)?;
    let live = live_at(stage, &file, alloc)?;
    let block = live.iter().find(|block| block.alloc == Some(alloc));
    let block = block.context("no block was allocated there")?;
    let address = cell(&window, row, "address")?;
    ensure!(address == block.address, "{address} in the table, {} in the file", block.address);
    click_cell(&window, row, "id", "")?;
    stage.keep(&window, "link-table")?;
    is_shown(&window, block)?;
    click_cell(&window, row, "alloc_event", "button")?;
    stage.keep(&window, "link-event")?;
    ensure!(title(&window)? == format!("Event {alloc}"), "the details show {}", title(&window)?);
    ensure!(listed(&window)? == alloc, "the list is at event {}", listed(&window)?);
    ensure!(pool_after(&window)? == alloc, "the pool is at event {}", pool_after(&window)?);
    let place = pool_place(&window, block.row)?.context("the block is not in the pool")?;
    ensure!(is_outlined(&window, "pool-canvas", place)?, "the event's block has no line around it");
    let (from, to) = stretch(&window)?;
    ensure!((from..=to).contains(&(alloc as f64)), "event {alloc} is not in {from}..{to}");
    walk(&window, LEFT, block)
}

/// A segment of the pool: the lifecycle lights the blocks that ever lived in it, and dims others.
pub(super) fn from_segment(stage: &Stage) -> Result<()> {
    let (file, window) = open(stage)?;
    let live = live_at(stage, &file, pool_after(&window)?)?;
    let visible = |block: &&Block| Ok(pool_place(&window, block.row)?.is_some());
    let block = find(&mut live.iter(), visible)?.context("the pool shows no block")?;
    click_in_pool(&window, block, Some(SHIFT))?;
    stage.keep(&window, "link-segment")?;
    ensure!(title(&window)? == "Segment", "the details show {}", title(&window)?);
    let inside = ever_in_segment(stage, &file, &window)?;
    let mut bands = bands(&window, 100)?;
    for row in inside.iter().take(100) {
        bands.extend(band_of(&window, *row)?.map(|place| (*row, place)));
    }
    let lit = colors(&window, &bands)?;
    // Nothing selected, everything is as bright as can be.
    window.press(ESCAPE)?;
    window.idle()?;
    ensure!(title(&window)?.is_empty(), "{} is selected still", title(&window)?);
    let bright = colors(&window, &bands)?;
    let mut counts = [0, 0];
    for (((row, _), lit), bright) in bands.iter().zip(lit).zip(bright) {
        let is_inside = inside.contains(row);
        counts[usize::from(is_inside)] += 1;
        ensure!((lit == bright) == is_inside, "block {row}: {lit:?} of {bright:?}, {is_inside}");
    }
    ensure!(counts.iter().all(|count| *count > 0), "bands outside and inside: {counts:?}");
    Ok(())
}

/// A block as the command line tells of it.
#[derive(Debug)]
struct Block {
    row: u64,
    address: String,
    alloc: Option<u64>,
    free: Option<u64>,
}

impl Block {
    /// What its details are called: by the event that allocated it, as the table counts.
    fn title(&self) -> Result<String> {
        let event = self.alloc.context("a block without an event is not looked for")?;
        Ok(format!("Block {event}"))
    }
}

/// The sample, opened.
fn open(stage: &Stage) -> Result<(PathBuf, Window)> {
    let file = root().join(BUNDLED);
    let window = stage.open(&file)?;
    Ok((file, window))
}

/// Zooms in and goes to one end of the recording with a key; answers what is shown then.
fn look_at(window: &Window, way: char) -> Result<(f64, f64)> {
    window.press('r')?;
    window.idle()?;
    for key in std::iter::repeat_n('w', ZOOMS).chain(std::iter::repeat_n(way, PANS)) {
        window.press(key)?;
    }
    window.idle()?;
    stretch(window)
}

/// The blocks that live right after an event, the largest first.
fn live_at(stage: &Stage, file: &Path, event: u64) -> Result<Vec<Block>> {
    let path = file.to_str().context("a path in Unicode")?;
    let at = event.to_string();
    let told = stage.tidemark(&["blocks", path, "--at", &at, "--top", "1000000"])?;
    let blocks = told["blocks"].as_array().context("no blocks")?;
    let block = |block: &Value| {
        Some(Block {
            row: block["block"].as_u64()?,
            address: block["address"].as_str()?.to_owned(),
            alloc: block["alloc_event"].as_u64(),
            free: block["free_event"].as_u64(),
        })
    };
    blocks.iter().map(|one| block(one).with_context(|| format!("what is {one}?"))).collect()
}

/// The first of `items` that `fits`.
fn find<'a, T>(
    items: &mut impl Iterator<Item = &'a T>,
    fits: impl Fn(&&'a T) -> Result<bool>,
) -> Result<Option<&'a T>> {
    for item in items {
        if fits(&item)? {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

fn click_in_pool(window: &Window, block: &Block, held: Option<char>) -> Result<()> {
    let (x, y) = pool_place(window, block.row)?.context("the pool does not show the block")?;
    match held {
        None => window.click_at(x, y)?,
        Some(key) => window.click_with(key, x, y)?,
    }
    window.wait_for("details-address")?;
    window.idle()
}

/// Details, lifecycle and pool show `block`, and nothing of it is outside of what they show.
fn is_shown(window: &Window, block: &Block) -> Result<()> {
    let row = block.row;
    ensure!(title(window)? == block.title()?, "not {}: {}", block.title()?, title(window)?);
    let address = window.text("details-address")?;
    ensure!(address == block.address, "{address} instead of {}", block.address);
    let (from, to) = stretch(window)?;
    let (alloc, free) = (block.alloc.unwrap_or(0) as f64, block.free.unwrap_or(u64::MAX) as f64);
    ensure!(alloc <= to && free >= from, "{alloc}..{free} is not in the view {from}..{to}");
    let band = band_of(window, row)?.context("the lifecycle does not show the block")?;
    ensure!(is_outlined(window, "lifecycle-canvas", band)?, "no line around the band of {row}");
    let after = pool_after(window)?;
    let lives = block.alloc.is_none_or(|alloc| alloc <= after)
        && block.free.is_none_or(|free| after < free);
    ensure!(lives, "the pool is after event {after}, {row} is not there then");
    let place = pool_place(window, row)?.context("the pool does not show the block")?;
    ensure!(is_outlined(window, "pool-canvas", place)?, "no line around {row} in the pool");
    Ok(())
}

/// Alt and an arrow lead to `block`.
fn walk(window: &Window, arrow: char, block: &Block) -> Result<()> {
    window.press_with(ALT, arrow)?;
    let wanted = block.title()?;
    window.until(&format!("{wanted} is selected again"), || Ok(title(window)? == wanted))?;
    window.idle()?;
    is_shown(window, block)
}

/// The script that finds a cell of the table: in the visible row `row`, from the top.
fn cell_script(row: usize, column: &str, then: &str) -> String {
    format!(
        "const heads = [...document.querySelectorAll('[data-testid=\"tables\"] [role=\"columnheader\"]')];
         const at = heads.findIndex((head) => head.querySelector('[data-testid=\"sort-{column}\"]'));
         const rows = [...document.querySelectorAll('[data-testid=\"table-row\"]')]
             .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex));
         const cell = rows[{row}]?.children[at];
         {then}"
    )
}

fn cell(window: &Window, row: usize, column: &str) -> Result<String> {
    let text =
        window.script(&cell_script(row, column, "return cell?.textContent.trim() ?? null;"))?;
    Ok(text.as_str().with_context(|| format!("no {column} in row {row}"))?.to_owned())
}

/// Clicks a cell of the table, or what `inside` selects in it.
fn click_cell(window: &Window, row: usize, column: &str, inside: &str) -> Result<()> {
    let then = format!(
        "const what = '{inside}' === '' ? cell : cell?.querySelector('{inside}');
         const box = what?.getBoundingClientRect();
         return box && {{ x: box.left + box.width / 2, y: box.top + box.height / 2 }};"
    );
    let at = window.script(&cell_script(row, column, &then))?;
    let part = |key: &str| at[key].as_f64().with_context(|| format!("no {column} in row {row}"));
    window.click_at(part("x")?, part("y")?)?;
    window.wait_for("details-address")?;
    window.idle()
}

/// The first visible row of a block that was allocated later than `after`, and when that was.
fn later_row(window: &Window, after: f64) -> Result<(usize, u64)> {
    let rows = "return document.querySelectorAll('[data-testid=\"table-row\"]').length";
    let rows = window.script(rows)?.as_u64().context("no rows")?;
    for row in 0..usize::try_from(rows)? {
        match number_in(&cell(window, row, "alloc_event")?) {
            Some(alloc) if alloc as f64 > after => return Ok((row, alloc)),
            _ => {}
        }
    }
    bail!("no row of a block that is not shown already")
}

/// The blocks that lived in the segment of the details while that was there, by the file.
fn ever_in_segment(stage: &Stage, file: &Path, window: &Window) -> Result<BTreeSet<u64>> {
    let from = parsed(&window.text("details-address")?)?;
    let to = from + number_in(&window.tooltip("details-size")?).context("no size")?;
    // An event −1 was before the first.
    let moment = |id: &str| Ok::<_, anyhow::Error>(number_in(&window.text(id)?));
    let (mapped, unmapped) = (moment("details-mapped")?, moment("details-unmapped")?);
    let mut export = program(&stage.programs.tidemark);
    export.arg("export").arg(file).arg("blocks");
    let table = output(export.args(["--columns", "address,alloc_event,free_event"]))?;
    let mut inside = BTreeSet::new();
    for (row, line) in table.lines().skip(1).enumerate() {
        let mut cells = line.split(',');
        let address = parsed(cells.next().context("no address")?)?;
        let mut event = || cells.next().and_then(|cell| cell.parse::<u64>().ok());
        let (alloc, free) = (event(), event());
        let is_before = free.is_some_and(|free| mapped.is_some_and(|mapped| free <= mapped));
        let is_after = unmapped.is_some_and(|unmapped| alloc.is_some_and(|alloc| alloc > unmapped));
        if (from..to).contains(&address) && !is_before && !is_after {
            inside.insert(row as u64);
        }
    }
    Ok(inside)
}

fn parsed(hex: &str) -> Result<u64> {
    let digits = hex.strip_prefix("0x").with_context(|| format!("no address: {hex:?}"))?;
    Ok(u64::from_str_radix(digits, 16)?)
}
