//! Stacks the blocks of each column by age and finds the bands that are large enough to see.
//!
//! The work goes block by block instead of column by column. Blocks come in birth order; `base`
//! holds for every column how high the stack already is, so a block lies at `base` over the
//! columns it lives through and then raises it there. Both are plain sweeps over a slice, and a
//! block that lives in none of the columns' states is never looked at.

use crate::{Bands, ColorBy};
use index::{DeviceIndex, Lives};
use job::{Cancelled, Job};
use model::{Blocks, State};
use rustc_hash::FxHashMap;

/// How bytes and columns map to pixels.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// States of the columns, never decreasing.
    pub(crate) states: &'a [u32],
    /// Edges of the columns, one more.
    pub(crate) edges: &'a [f64],
    /// Bottom and top in bytes.
    pub(crate) y: (f64, f64),
    /// Pixels from bottom to top.
    pub(crate) height_px: f64,
    /// Pixels a row of the grid is high: a block is a band where it covers the middle of a row.
    pub(crate) row_px: f64,
}

impl Frame<'_> {
    pub(crate) fn bytes_per_px(&self) -> f64 {
        (self.y.1 - self.y.0) / self.height_px
    }

    /// Pixels below the top edge, clamped to a viewport above and below.
    pub(crate) fn y_px(&self, bytes: f64) -> f32 {
        let y = (self.y.1 - bytes) / self.bytes_per_px();
        y.clamp(-self.height_px, 2.0 * self.height_px) as f32
    }

    /// The grid line nearest to `bytes`, in pixels below the top edge.
    ///
    /// Bands begin and end on grid lines, so that they tile without gaps and are crisp.
    pub(crate) fn snapped(&self, bytes: f64) -> f32 {
        let y = (self.grid_line(bytes) * self.row_px).max(-self.height_px);
        y.min(2.0 * self.height_px) as f32
    }

    fn grid_line(&self, bytes: f64) -> f64 {
        ((self.y.1 - bytes) / (self.bytes_per_px() * self.row_px) + 0.5).floor()
    }

    /// Bytes of `from..to` that lie within the viewport.
    pub(crate) fn visible(&self, from: f64, to: f64) -> f64 {
        (to.min(self.y.1) - from.max(self.y.0)).max(0.0)
    }
}

/// A stretch of columns in which a block keeps its height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Run {
    pub(crate) block: u32,
    /// First and last column.
    pub(crate) columns: (u32, u32),
    /// Bytes below it.
    pub(crate) base: f64,
}

/// What one stretch of columns holds.
#[derive(Debug, Default)]
pub(crate) struct Stacked {
    /// Bands in view.
    pub(crate) runs: Vec<Run>,
    /// The selected block, however small.
    pub(crate) outline: Vec<Run>,
    /// Blocks of each column that are in view and no bands.
    pub(crate) hidden: Vec<u32>,
    /// Bytes of bands within the viewport.
    pub(crate) banded: Vec<f64>,
}

/// Stacks the columns `first..first + len` of `frame`.
pub(crate) fn stack(
    blocks: &Blocks,
    index: &DeviceIndex,
    frame: &Frame<'_>,
    (first, len): (usize, usize),
    selected: Option<u32>,
    job: &Job,
) -> Result<Stacked, Cancelled> {
    let states = &frame.states[first..first + len];
    let mut sweep = Sweep {
        blocks,
        frame,
        first,
        states,
        selected,
        tolerance: frame.bytes_per_px() / 4.0,
        rows_per_byte: 1.0 / (frame.bytes_per_px() * frame.row_px),
        base: vec![0.0; len],
        below: 0.0,
        steps: vec![0; len / 64 + 1],
        out: Stacked { hidden: vec![0; len + 1], banded: vec![0.0; len + 1], ..Stacked::default() },
    };
    let mut born = 0;
    for (column, state) in states.iter().enumerate() {
        if column % 64 == 0 {
            job.check()?;
        }
        let until = born_from(blocks, born, State(*state));
        index.lives.visit(blocks.released(), born..until, State(*state), &mut |row| {
            sweep.add(row, column);
        });
        born = until;
    }
    let mut out = sweep.out;
    let (mut hidden, mut banded) = (0_u32, 0.0);
    for (hides, shows) in out.hidden.iter_mut().zip(&mut out.banded) {
        hidden = hidden.wrapping_add(*hides);
        banded += *shows;
        (*hides, *shows) = (hidden, banded);
    }
    out.hidden.truncate(len);
    out.banded.truncate(len);
    Ok(out)
}

/// [`Lives::born_by`], knowing that at least `from` are.
fn born_from(blocks: &Blocks, from: usize, state: State) -> usize {
    let born = blocks.born();
    let near = (from + 64).min(born.len());
    if born[from..near].last().is_none_or(|last| *last > state.0) {
        from + born[from..near].partition_point(|born| *born <= state.0)
    } else {
        Lives::born_by(blocks.born(), state)
    }
}

struct Sweep<'a> {
    blocks: &'a Blocks,
    frame: &'a Frame<'a>,
    first: usize,
    states: &'a [u32],
    selected: Option<u32>,
    /// Bytes by which a band may sink or rise before it becomes another one.
    tolerance: f64,
    rows_per_byte: f64,
    /// Bytes stacked so far in each column, less `below`: whole numbers, exact below 2⁵³.
    base: Vec<f64>,
    /// Bytes of the blocks so far that live in every column.
    below: f64,
    /// A bit for every column whose `base` may differ from its left neighbour's.
    steps: Vec<u64>,
    out: Stacked,
}

impl Sweep<'_> {
    /// Adds the block `row`, first seen in `column`.
    fn add(&mut self, row: usize, column: usize) {
        let end = self.end(column, self.blocks.released()[row]);
        let size = self.blocks.size()[row] as f64;
        if self.selected == Some(row as u32) {
            self.outline(row as u32, (column, end));
        }
        self.bands(row as u32, size, (column, end));
        if column == 0 && end == self.states.len() {
            self.below += size;
            return;
        }
        for base in &mut self.base[column..end] {
            *base += size;
        }
        self.steps[column / 64] |= 1 << (column % 64);
        self.steps[end / 64] |= 1 << (end % 64);
    }

    /// The first column after `column` whose state is not before `released`.
    fn end(&self, column: usize, released: u32) -> usize {
        let rest = &self.states[column + 1..];
        match rest.first() {
            None => column + 1,
            Some(next) if *next >= released => column + 1,
            Some(_) if released == Blocks::NEVER => self.states.len(),
            Some(_) => column + 1 + rest.partition_point(|state| *state < released),
        }
    }

    fn bands(&mut self, block: u32, size: f64, (from, to): (usize, usize)) {
        let (bottom, top) = self.frame.y;
        let mut start = from;
        while start < to {
            let base = self.base[start] + self.below;
            let end = self.run_end(start, to);
            // A band that the tolerance moved out of view may still be in view in some column.
            if base - self.tolerance < top && base + size + self.tolerance > bottom {
                if self.row(base) == self.row(base + size) {
                    self.out.hidden[start] = self.out.hidden[start].wrapping_add(1);
                    self.out.hidden[end] = self.out.hidden[end].wrapping_sub(1);
                } else {
                    self.count(size, (start, end));
                    let columns = ((self.first + start) as u32, (self.first + end - 1) as u32);
                    self.out.runs.push(Run { block, columns, base });
                }
            }
            start = end;
        }
    }

    /// Counts what is visible of a band, level by level.
    fn count(&mut self, size: f64, (from, to): (usize, usize)) {
        let mut start = from;
        while start < to {
            let base = self.base[start] + self.below;
            let end = self.next_step(start, to);
            let visible = self.frame.visible(base, base + size);
            self.out.banded[start] += visible;
            self.out.banded[end] -= visible;
            start = end;
        }
    }

    /// The grid line nearest to `bytes`, counted from far above the viewport: truncation then
    /// rounds down, and is a single instruction where `floor` is a call.
    fn row(&self, bytes: f64) -> i32 {
        const FAR: f64 = (1 << 24) as f64;
        ((self.frame.y.1 - bytes) * self.rows_per_byte + (FAR + 0.5)) as i32
    }

    /// Where the stack below stops being as high as at `start`.
    fn run_end(&self, start: usize, to: usize) -> usize {
        let base = self.base[start];
        let mut end = self.next_step(start, to);
        while end < to && (self.base[end] - base).abs() <= self.tolerance {
            end = self.next_step(end, to);
        }
        end
    }

    /// The next column after `start` where the stack may step up or down, at most `to`.
    fn next_step(&self, start: usize, to: usize) -> usize {
        let next = start + 1;
        let mut word = next / 64;
        let mut bits = self.steps[word] & (u64::MAX << (next % 64));
        while bits == 0 {
            word += 1;
            if word * 64 >= to {
                return to;
            }
            bits = self.steps[word];
        }
        (word * 64 + bits.trailing_zeros() as usize).min(to)
    }

    fn outline(&mut self, block: u32, (from, to): (usize, usize)) {
        let mut start = from;
        while start < to {
            let end = self.run_end(start, to);
            let columns = ((self.first + start) as u32, (self.first + end - 1) as u32);
            let base = self.base[start] + self.below;
            self.out.outline.push(Run { block, columns, base });
            start = end;
        }
    }
}

impl Stacked {
    /// Adds the columns to the right; a band that goes on across the seam stays one band.
    pub(crate) fn append(&mut self, mut right: Self) {
        let seam = self.hidden.len() as u32;
        let open: FxHashMap<u32, usize> = (self.runs.iter().enumerate())
            .filter(|(_, run)| run.columns.1 + 1 == seam)
            .map(|(row, run)| (run.block, row))
            .collect();
        right.runs.retain(|run| {
            let known = (run.columns.0 == seam).then(|| open.get(&run.block)).flatten();
            match known.map(|row| &mut self.runs[*row]) {
                Some(left) if left.base.to_bits() == run.base.to_bits() => {
                    left.columns.1 = run.columns.1;
                    false
                }
                _ => true,
            }
        });
        self.runs.append(&mut right.runs);
        self.outline.append(&mut right.outline);
        self.hidden.append(&mut right.hidden);
        self.banded.append(&mut right.banded);
    }

    /// Keeps the `most` widest-and-highest bands and gives the columns of the others back to the
    /// remainder.
    pub(crate) fn keep_largest(&mut self, most: usize, blocks: &Blocks, frame: &Frame<'_>) {
        if self.runs.len() <= most {
            return;
        }
        let area = |run: &Run| {
            let width =
                frame.edges[run.columns.1 as usize + 1] - frame.edges[run.columns.0 as usize];
            width * blocks.size()[run.block as usize] as f64
        };
        let mut areas: Vec<f64> = self.runs.iter().map(area).collect();
        let cut = areas.len() - most - 1;
        let (_, least, _) = areas.select_nth_unstable_by(cut, f64::total_cmp);
        let least = *least;
        let (hidden, banded) = (&mut self.hidden, &mut self.banded);
        self.runs.retain(|run| {
            let keep = area(run) > least;
            if !keep {
                let size = blocks.size()[run.block as usize] as f64;
                for column in run.columns.0 as usize..=run.columns.1 as usize {
                    hidden[column] += 1;
                    banded[column] -= frame.visible(run.base, run.base + size);
                }
            }
            keep
        });
    }
}

/// `runs` as rectangles with colour keys, on grid lines.
pub(crate) fn shapes(runs: &[Run], blocks: &Blocks, frame: &Frame<'_>, color: ColorBy) -> Bands {
    rectangles(runs, blocks, frame, color, |bytes| frame.snapped(bytes))
}

/// `runs` as rectangles where they truly lie.
pub(crate) fn outlines(runs: &[Run], blocks: &Blocks, frame: &Frame<'_>, color: ColorBy) -> Bands {
    rectangles(runs, blocks, frame, color, |bytes| frame.y_px(bytes))
}

fn rectangles(
    runs: &[Run],
    blocks: &Blocks,
    frame: &Frame<'_>,
    color: ColorBy,
    y_px: impl Fn(f64) -> f32,
) -> Bands {
    let mut bands = Bands::default();
    for run in runs {
        let row = run.block as usize;
        bands.x0.push(frame.edges[run.columns.0 as usize] as f32);
        bands.x1.push(frame.edges[run.columns.1 as usize + 1] as f32);
        bands.top.push(y_px(run.base + blocks.size()[row] as f64));
        bands.bottom.push(y_px(run.base));
        bands.block.push(run.block);
        bands.key.push(color.key(blocks, row));
    }
    bands
}
