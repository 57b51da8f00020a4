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

/// A band must cover this many square pixels, and one pixel in height, to be worth drawing.
const LEAST_AREA_PX: f64 = 6.0;

/// How bytes and columns map to pixels.
pub(crate) struct Frame<'a> {
    /// States of the columns, never decreasing.
    pub(crate) states: &'a [u32],
    /// Edges of the columns, one more.
    pub(crate) edges: &'a [f64],
    /// Bottom and top in bytes.
    pub(crate) y: (f64, f64),
    /// Pixels from bottom to top.
    pub(crate) height_px: f64,
}

impl Frame<'_> {
    fn bytes_per_px(&self) -> f64 {
        (self.y.1 - self.y.0) / self.height_px
    }

    /// Pixels below the top edge, clamped to a viewport above and below.
    pub(crate) fn y_px(&self, bytes: f64) -> f32 {
        let y = (self.y.1 - bytes) / self.bytes_per_px();
        y.clamp(-self.height_px, 2.0 * self.height_px) as f32
    }
}

/// A stretch of columns in which a block keeps its height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Run {
    pub(crate) block: u32,
    /// First and last column.
    pub(crate) columns: (u32, u32),
    /// Bytes below it.
    pub(crate) base: u64,
    /// Square pixels.
    area: f32,
}

/// What one stretch of columns holds.
#[derive(Debug, Default)]
pub(crate) struct Stacked {
    /// Bands in view, by block, then column.
    pub(crate) runs: Vec<Run>,
    /// The selected block, however small.
    pub(crate) outline: Vec<Run>,
    /// Blocks of each column.
    pub(crate) count: Vec<u32>,
    /// Of them, those that are bands, in view or out of it.
    pub(crate) banded: Vec<u32>,
    /// Bytes in bands, in view or out of it.
    pub(crate) banded_bytes: Vec<u64>,
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
        least: frame.bytes_per_px().max(1.0) as u64,
        tolerance: (frame.bytes_per_px() / 4.0) as u64,
        base: vec![0; len],
        out: Stacked {
            count: vec![0; len + 1],
            banded: vec![0; len],
            banded_bytes: vec![0; len],
            ..Stacked::default()
        },
    };
    let mut born = 0;
    for (column, state) in states.iter().enumerate() {
        if column % 64 == 0 {
            job.check()?;
        }
        let until = born_from(blocks, born, State(*state));
        index.lives.visit(blocks, born..until, State(*state), &mut |row| sweep.add(row, column));
        born = until;
    }
    let mut out = sweep.out;
    let mut alive = 0_u32;
    for change in &mut out.count {
        alive = alive.wrapping_add(*change);
        *change = alive;
    }
    out.count.truncate(len);
    Ok(out)
}

/// [`Lives::born_by`], knowing that at least `from` are.
fn born_from(blocks: &Blocks, from: usize, state: State) -> usize {
    let born = blocks.born();
    let near = (from + 64).min(born.len());
    if born[from..near].last().is_none_or(|last| *last > state.0) {
        from + born[from..near].partition_point(|born| *born <= state.0)
    } else {
        Lives::born_by(blocks, state)
    }
}

struct Sweep<'a> {
    blocks: &'a Blocks,
    frame: &'a Frame<'a>,
    first: usize,
    states: &'a [u32],
    selected: Option<u32>,
    /// Bytes from which a block can be a band.
    least: u64,
    /// Bytes by which a band may sink or rise before it becomes another one.
    tolerance: u64,
    base: Vec<u64>,
    out: Stacked,
}

impl Sweep<'_> {
    /// Adds the block `row`, first seen in `column`.
    fn add(&mut self, row: usize, column: usize) {
        let released = self.blocks.released()[row];
        let end = self.end(column, released);
        let size = self.blocks.size()[row];
        self.out.count[column] = self.out.count[column].wrapping_add(1);
        self.out.count[end] = self.out.count[end].wrapping_sub(1);
        if self.selected == Some(row as u32) {
            self.outline(row as u32, (column, end));
        }
        if size >= self.least {
            self.bands(row as u32, size, (column, end));
        }
        for base in &mut self.base[column..end] {
            *base += size;
        }
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

    fn bands(&mut self, block: u32, size: u64, (from, to): (usize, usize)) {
        let height = size as f64 / self.frame.bytes_per_px();
        let (bottom, top) = self.frame.y;
        let mut start = from;
        while start < to {
            let base = self.base[start];
            let end = self.run_end(start, to);
            let width = self.frame.edges[self.first + end] - self.frame.edges[self.first + start];
            let area = width * height;
            if area >= LEAST_AREA_PX {
                for column in start..end {
                    self.out.banded[column] += 1;
                    self.out.banded_bytes[column] += size;
                }
                let slack = self.tolerance as f64;
                if base as f64 - slack < top && (base + size) as f64 + slack > bottom {
                    let columns = ((self.first + start) as u32, (self.first + end - 1) as u32);
                    self.out.runs.push(Run { block, columns, base, area: area as f32 });
                }
            }
            start = end;
        }
    }

    /// Where the stack below stops being as high as at `start`.
    fn run_end(&self, start: usize, to: usize) -> usize {
        let base = self.base[start];
        let steady = |height: &u64| height.abs_diff(base) <= self.tolerance;
        start + self.base[start..to].iter().take_while(|height| steady(height)).count()
    }

    fn outline(&mut self, block: u32, (from, to): (usize, usize)) {
        let mut start = from;
        while start < to {
            let end = self.run_end(start, to);
            let columns = ((self.first + start) as u32, (self.first + end - 1) as u32);
            self.out.outline.push(Run { block, columns, base: self.base[start], area: 0.0 });
            start = end;
        }
    }
}

impl Run {
    /// A run over the only column of a frame.
    pub(crate) fn at(block: u32, base: u64) -> Self {
        Self { block, columns: (0, 0), base, area: 0.0 }
    }
}

impl Stacked {
    /// Adds the columns to the right; a band that goes on across the seam stays one band.
    pub(crate) fn append(&mut self, mut right: Self) {
        let seam = self.count.len() as u32;
        let open: FxHashMap<u32, usize> = (self.runs.iter().enumerate())
            .filter(|(_, run)| run.columns.1 + 1 == seam)
            .map(|(row, run)| (run.block, row))
            .collect();
        right.runs.retain(|run| {
            let known = (run.columns.0 == seam).then(|| open.get(&run.block)).flatten();
            match known.map(|row| &mut self.runs[*row]) {
                Some(left) if left.base == run.base => {
                    left.columns.1 = run.columns.1;
                    left.area += run.area;
                    false
                }
                _ => true,
            }
        });
        self.runs.append(&mut right.runs);
        self.outline.append(&mut right.outline);
        self.count.append(&mut right.count);
        self.banded.append(&mut right.banded);
        self.banded_bytes.append(&mut right.banded_bytes);
    }
}

/// Drops the smallest bands until at most `most` are left, giving their columns back to the
/// remainder.
pub(crate) fn keep_largest(stacked: &mut Stacked, most: usize, blocks: &Blocks) {
    let Stacked { runs, banded, banded_bytes, .. } = stacked;
    if runs.len() <= most {
        return;
    }
    let mut areas: Vec<f32> = runs.iter().map(|run| run.area).collect();
    let cut = areas.len() - most - 1;
    let (_, least, _) = areas.select_nth_unstable_by(cut, f32::total_cmp);
    let least = *least;
    runs.retain(|run| {
        let keep = run.area > least;
        if !keep {
            for column in run.columns.0..=run.columns.1 {
                banded[column as usize] -= 1;
                banded_bytes[column as usize] -= blocks.size()[run.block as usize];
            }
        }
        keep
    });
}

/// `runs` as rectangles with colour keys.
pub(crate) fn shapes(runs: &[Run], blocks: &Blocks, frame: &Frame<'_>, color: ColorBy) -> Bands {
    let mut bands = Bands::default();
    for run in runs {
        let row = run.block as usize;
        let size = blocks.size()[row];
        bands.x0.push(frame.edges[run.columns.0 as usize] as f32);
        bands.x1.push(frame.edges[run.columns.1 as usize + 1] as f32);
        bands.top.push(frame.y_px(run.base as f64 + size as f64));
        bands.bottom.push(frame.y_px(run.base as f64));
        bands.block.push(run.block);
        bands.key.push(key(blocks, row, color));
    }
    bands
}

fn key(blocks: &Blocks, row: usize, color: ColorBy) -> u32 {
    match color {
        // Fibonacci hashing: neighbouring addresses get unlike keys.
        ColorBy::Address => (blocks.addr()[row].wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32,
        ColorBy::Stack => blocks.stack()[row],
        ColorBy::Size => blocks.size()[row].max(1).ilog2(),
        ColorBy::Stream => u32::from(blocks.stream()[row]),
        ColorBy::Pool => match blocks.pool()[row] {
            u16::MAX => u32::MAX,
            pool => u32::from(pool),
        },
    }
}
