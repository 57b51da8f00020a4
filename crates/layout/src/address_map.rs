//! The address map: address × axis, blocks as rectangles where they truly lay.
//!
//! Columns, bounds and selection are those of the lifecycle view. Here a block keeps its height
//! for life, so it is one rectangle; what is free between them is found on the picture's own grid.

#[cfg(test)]
mod tests;

use crate::columns::Shown;
use crate::grouping::{Groups, grouping};
use crate::lanes::Lanes;
use crate::stack::{Frame, Run, outlines, shapes};
use crate::{Bands, Lit, Viewport};
use index::{DeviceIndex, Lives};
use job::{Cancelled, Job};
use model::{DeviceTable, State};

/// The bounded set of shapes of an address map.
///
/// `viewport.y` is in bytes on the axis of [`Lanes`]; rectangles are as in a
/// [`Scene`](crate::Scene).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AddressMap {
    /// Left edges of the columns in pixels, and the last one's right edge.
    pub edge: Vec<f32>,
    /// The state each column shows.
    pub state: Vec<u32>,
    /// Blocks in view of each column that are too small to be rectangles here.
    pub hidden: Vec<u32>,
    /// Segments; the block column holds the segment's row, the key its stream.
    pub mapped: Bands,
    /// Blocks.
    pub bands: Bands,
    /// As [`Scene::lit`](crate::Scene::lit).
    pub lit: Vec<u32>,
    /// Free runs within segments; the key is the power of two of their bytes.
    pub holes: Bands,
    /// The selected block.
    pub outline: Bands,
}

/// Lays out `viewport`.
pub fn address_map(
    table: &DeviceTable,
    index: &DeviceIndex,
    lanes: &Lanes,
    viewport: &Viewport,
    job: &Job,
) -> Result<AddressMap, Cancelled> {
    job.check()?;
    let Some(shown) = Shown::new(table, index, viewport) else { return Ok(AddressMap::default()) };
    let fine = shown.frame(viewport);
    let group = grouping(table, index, &fine);
    let groups = Groups::new(table, &fine, group);
    let frame = Frame { row_px: 1.0, ..groups.frame(&fine, group) };
    let mut map = Map { table, lanes, frame: &frame, hidden: vec![0; frame.states.len() + 1] };
    let segments = map.segments();
    let (blocks, outline) = map.blocks(index, viewport.selected.map(|block| block.0), job)?;
    let mut grid = Grid::new(&frame);
    for tall in &segments {
        grid.mark(tall, map.place(tall.run.block), &frame);
    }
    for tall in &blocks {
        grid.mark(tall, Grid::USED, &frame);
    }
    let runs: Vec<Run> = blocks.iter().map(|tall| tall.run).collect();
    let bands = shapes(&runs, &table.blocks, &frame, viewport.color);
    let stream = |row: u32| u32::from(table.segments.rows()[row as usize].stream.0);
    Ok(AddressMap {
        edge: frame.edges.iter().map(|edge| *edge as f32).collect(),
        state: frame.states.to_vec(),
        hidden: map.hidden(),
        mapped: rectangles(&segments, &frame, stream),
        lit: Lit::flags(viewport.lit.as_ref(), &table.blocks, &bands),
        bands,
        holes: grid.holes(&frame),
        outline: outlines(&outline, &table.blocks, &frame, viewport.color),
    })
}

/// A run and its height in bytes.
#[derive(Debug, Clone, Copy)]
struct Tall {
    run: Run,
    size: f64,
}

struct Map<'a> {
    table: &'a DeviceTable,
    lanes: &'a Lanes,
    frame: &'a Frame<'a>,
    hidden: Vec<u32>,
}

impl Map<'_> {
    /// The columns of a life: the first one past its last.
    fn columns(&self, born: u32, died: u32) -> (usize, usize) {
        let states = self.frame.states;
        let from = states.partition_point(|state| *state < born);
        (from, from + states[from..].partition_point(|state| *state < died))
    }

    fn segments(&self) -> Vec<Tall> {
        let mut runs = Vec::new();
        for (row, segment) in self.table.segments.rows().iter().enumerate() {
            let died = segment.died.map_or(u32::MAX, |state| state.0);
            let (from, to) = self.columns(segment.born.0, died);
            let Some(at) = self.lanes.locate(segment.addr).filter(|_| from < to) else { continue };
            let (base, size) = (at as f64, segment.size as f64);
            if self.in_view(base, size) {
                let columns = (from as u32, to as u32 - 1);
                runs.push(Tall { run: Run { block: row as u32, columns, base }, size });
            }
        }
        runs
    }

    fn in_view(&self, base: f64, size: f64) -> bool {
        base < self.frame.y.1 && base + size > self.frame.y.0
    }

    /// The blocks large enough to see, and the selected one.
    fn blocks(
        &mut self,
        index: &DeviceIndex,
        selected: Option<u32>,
        job: &Job,
    ) -> Result<(Vec<Tall>, Vec<Run>), Cancelled> {
        let blocks = &self.table.blocks;
        let (mut runs, mut outline) = (Vec::new(), Vec::new());
        let (mut born, mut found) = (0, Vec::new());
        for (column, state) in self.frame.states.iter().enumerate() {
            if column % 64 == 0 {
                job.check()?;
            }
            let until = Lives::born_by(blocks.born(), State(*state));
            found.clear();
            index.active.visit(blocks.died(), born..until, State(*state), &mut |row| {
                found.push(row as u32);
            });
            born = until;
            for row in &found {
                let Some(tall) = self.block(*row, column) else { continue };
                if selected == Some(*row) {
                    outline.push(tall.run);
                }
                if self.frame.snapped(tall.run.base) > self.frame.snapped(tall.run.base + tall.size)
                {
                    runs.push(tall);
                } else {
                    let (from, to) = tall.run.columns;
                    self.hidden[from as usize] = self.hidden[from as usize].wrapping_add(1);
                    self.hidden[to as usize + 1] = self.hidden[to as usize + 1].wrapping_sub(1);
                }
            }
        }
        Ok((runs, outline))
    }

    /// The rectangle of block `row`, first seen in `column`, if it is in view.
    fn block(&self, row: u32, column: usize) -> Option<Tall> {
        let blocks = &self.table.blocks;
        let base = self.lanes.locate(blocks.addr()[row as usize])? as f64;
        let size = blocks.size()[row as usize] as f64;
        if !self.in_view(base, size) {
            return None;
        }
        let died = blocks.died()[row as usize];
        let rest = self.frame.states[column..].partition_point(|state| *state < died);
        let columns = (column as u32, (column + rest.max(1) - 1) as u32);
        Some(Tall { run: Run { block: row, columns, base }, size })
    }

    /// A number that tells a segment from its neighbours; parts of an expandable one share it.
    fn place(&self, segment: u32) -> u16 {
        let row = &self.table.segments.rows()[segment as usize];
        let lane = self.lanes.lane(row.addr).filter(|_| row.is_expandable);
        let number = lane.map_or(u64::from(segment) * 2, |lane| (lane.addr >> 9) * 2 + 1);
        1 + (number % u64::from(Grid::USED - 1)) as u16
    }

    /// Blocks too small to see, in each column.
    fn hidden(&self) -> Vec<u32> {
        let mut hidden = 0_u32;
        let summed = self.hidden.iter().map(|change| {
            hidden = hidden.wrapping_add(*change);
            hidden
        });
        summed.take(self.frame.states.len()).collect()
    }
}

fn rectangles(runs: &[Tall], frame: &Frame<'_>, key: impl Fn(u32) -> u32) -> Bands {
    let mut bands = Bands::default();
    for Tall { run, size } in runs {
        bands.x0.push(frame.edges[run.columns.0 as usize] as f32);
        bands.x1.push(frame.edges[run.columns.1 as usize + 1] as f32);
        bands.top.push(frame.snapped(run.base + size));
        bands.bottom.push(frame.snapped(run.base));
        bands.block.push(run.block);
        bands.key.push(key(run.block));
    }
    bands
}

/// The picture as cells, columns × pixel rows: which segment's free memory each shows.
struct Grid {
    height: usize,
    /// Column by column, top down: 0 where nothing is mapped.
    cells: Vec<u16>,
}

/// A run of free cells in one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gap {
    place: u16,
    top: usize,
    bottom: usize,
}

impl Grid {
    /// A cell of a block.
    const USED: u16 = u16::MAX;

    fn new(frame: &Frame<'_>) -> Self {
        let height = frame.height_px as usize;
        Self { height, cells: vec![0; frame.states.len() * height] }
    }

    fn mark(&mut self, tall: &Tall, cell: u16, frame: &Frame<'_>) {
        let row = |bytes: f64| frame.snapped(bytes).clamp(0.0, self.height as f32) as usize;
        let (top, bottom) = (row(tall.run.base + tall.size), row(tall.run.base));
        for column in tall.run.columns.0 as usize..=tall.run.columns.1 as usize {
            let first = column * self.height;
            self.cells[first + top..first + bottom].fill(cell);
        }
    }

    /// The free runs; those that neighbouring columns have alike are one rectangle.
    fn holes(&self, frame: &Frame<'_>) -> Bands {
        let mut bands = Bands::default();
        let mut open: Vec<(Gap, usize)> = Vec::new();
        for (column, cells) in self.cells.chunks(self.height.max(1)).enumerate() {
            let before = std::mem::take(&mut open);
            let mut before = before.into_iter().peekable();
            for gap in gaps(cells) {
                while before.next_if(|(old, _)| old.top < gap.top).is_some() {}
                let same = before.next_if(|(old, _)| *old == gap);
                let at = same.map_or_else(|| push(&mut bands, gap, column, frame), |(_, at)| at);
                bands.x1[at] = frame.edges[column + 1] as f32;
                open.push((gap, at));
            }
        }
        bands
    }
}

/// The free runs of one column, top down.
fn gaps(cells: &[u16]) -> impl Iterator<Item = Gap> {
    let mut top = 0;
    cells.chunk_by(|above, below| above == below).filter_map(move |run| {
        let gap = Gap { place: run[0], top, bottom: top + run.len() };
        top = gap.bottom;
        (gap.place != 0 && gap.place != Grid::USED).then_some(gap)
    })
}

/// Begins the rectangle of `gap` in `column`; its right edge grows.
fn push(bands: &mut Bands, gap: Gap, column: usize, frame: &Frame<'_>) -> usize {
    let bytes = (gap.bottom - gap.top) as f64 * frame.bytes_per_px();
    bands.x0.push(frame.edges[column] as f32);
    bands.x1.push(frame.edges[column] as f32);
    bands.top.push(gap.top as f32);
    bands.bottom.push(gap.bottom as f32);
    bands.block.push(u32::MAX);
    bands.key.push((bytes as u64).max(1).ilog2());
    bands.block.len() - 1
}
