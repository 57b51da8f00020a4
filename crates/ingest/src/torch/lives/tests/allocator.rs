//! A caching allocator that tells what it does, and knows what is true.
//!
//! Written from `CUDACachingAllocator.cpp`'s rules and not from ours: best fit, split, merge,
//! deferred frees, segments of 2 and 20 MiB, expandable segments that grow and shrink by pages.

use super::notation::Trace;
use crate::torch::raw::{BlockState, RawBlock, RawDevice, RawSegment};
use model::{Action, Device, SegmentKind, StreamId};

const MIB: u64 = 1 << 20;

/// How the allocator is set up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup {
    pub(super) is_npu: bool,
    pub(super) is_expandable: bool,
    pub(super) max_split: Option<u64>,
    /// Where its memory begins.
    pub(super) base: u64,
    /// Bytes between segments.
    pub(super) gap: u64,
}

/// A piece of a region, in use or free, mapped or not.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    addr: u64,
    size: u64,
    is_mapped: bool,
    state: BlockState,
    requested: u64,
}

/// One segment, or the reserved addresses of an expandable one.
struct Region {
    kind: SegmentKind,
    stream: u16,
    chunks: Vec<Chunk>,
}

/// A block that is there, as the allocator sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Live {
    pub(super) addr: u64,
    pub(super) size: u64,
    pub(super) requested: u64,
    pub(super) is_pending: bool,
}

/// What is true at one state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Truth {
    pub(super) reserved: u64,
    /// By address.
    pub(super) live: Vec<Live>,
}

pub(super) struct Allocator {
    setup: Setup,
    regions: Vec<Region>,
    next_addr: u64,
    pub(super) trace: Trace,
    /// One a state.
    pub(super) truth: Vec<Truth>,
}

impl Allocator {
    pub(super) fn new(setup: Setup) -> Self {
        let truth = vec![Truth::default()];
        let trace = Trace::default();
        Self { setup, regions: Vec::new(), next_addr: setup.base, trace, truth }
    }

    /// Does one random thing.
    pub(super) fn step(&mut self, what: u8, arg: u64) {
        match what {
            0..=6 => self.alloc(request(arg), (arg >> 60 == 0).into()),
            7..=9 => self.free(arg, FreeUntil::Completed),
            10..=11 => self.free(arg, FreeUntil::Requested),
            12..=13 => self.complete(arg),
            14 => self.empty_cache(),
            15 => self.note(arg),
            _ => self.tell(Action::Oom, arg, 512, 0),
        }
    }

    fn tell(&mut self, action: Action, addr: u64, size: u64, stream: u16) {
        self.trace.push(action, addr, size);
        *self.trace.stream.last_mut().unwrap() = stream;
        let chunks = self.regions.iter().flat_map(|region| &region.chunks);
        let mapped = chunks.filter(|chunk| chunk.is_mapped);
        let mut truth = Truth::default();
        for chunk in mapped {
            truth.reserved += chunk.size;
            if chunk.state != BlockState::Inactive {
                let Chunk { addr, size, requested, .. } = *chunk;
                let is_pending = chunk.state == BlockState::PendingFree;
                truth.live.push(Live { addr, size, requested, is_pending });
            }
        }
        truth.live.sort_unstable();
        self.truth.push(truth);
    }

    fn alloc(&mut self, requested: u64, stream: u16) {
        let extra = if self.setup.is_npu { 32 } else { 0 };
        let size = (requested + extra).div_ceil(512) * 512;
        let kind = if size <= MIB { SegmentKind::Small } else { SegmentKind::Large };
        let at = self.best_fit(kind, stream, size).or_else(|| self.grow(kind, stream, size));
        let Some((region, at)) = at else { return };
        let chunks = &mut self.regions[region].chunks;
        let rest = chunks[at].size - size;
        let may_split = if kind == SegmentKind::Small || self.setup.is_expandable {
            rest >= 512
        } else {
            self.setup.max_split.is_none_or(|limit| size < limit) && rest > MIB
        };
        if may_split {
            let free = Chunk { addr: chunks[at].addr + size, size: rest, ..chunks[at] };
            chunks[at].size = size;
            chunks.insert(at + 1, free);
        }
        chunks[at].state = BlockState::Allocated;
        chunks[at].requested = requested;
        let addr = chunks[at].addr;
        self.tell(Action::Alloc, addr, requested, stream);
    }

    fn best_fit(&self, kind: SegmentKind, stream: u16, size: u64) -> Option<(usize, usize)> {
        let mut fits = Vec::new();
        for (row, region) in self.regions.iter().enumerate() {
            for (at, chunk) in region.chunks.iter().enumerate() {
                let is_free = chunk.is_mapped && chunk.state == BlockState::Inactive;
                if region.kind == kind && region.stream == stream && is_free && chunk.size >= size {
                    fits.push((chunk.size, chunk.addr, row, at));
                }
            }
        }
        fits.into_iter().min().map(|(_, _, row, at)| (row, at))
    }

    fn grow(&mut self, kind: SegmentKind, stream: u16, size: u64) -> Option<(usize, usize)> {
        if self.setup.is_expandable {
            return self.map(kind, stream, size);
        }
        let total = match kind {
            SegmentKind::Small => 2 * MIB,
            _ if size < 10 * MIB => 20 * MIB,
            _ => size.div_ceil(2 * MIB) * 2 * MIB,
        };
        let addr = self.region(kind, stream, total);
        self.tell(Action::SegmentAlloc, addr, total, stream);
        Some((self.regions.len() - 1, 0))
    }

    fn region(&mut self, kind: SegmentKind, stream: u16, size: u64) -> u64 {
        let addr = self.next_addr;
        self.next_addr += size + self.setup.gap;
        let is_mapped = !self.setup.is_expandable;
        let chunk = Chunk { addr, size, is_mapped, state: BlockState::Inactive, requested: 0 };
        self.regions.push(Region { kind, stream, chunks: vec![chunk] });
        addr
    }

    fn map(&mut self, kind: SegmentKind, stream: u16, size: u64) -> Option<(usize, usize)> {
        let page = page(kind);
        let is_own = |region: &Region| region.kind == kind && region.stream == stream;
        let row = self.regions.iter().position(is_own).unwrap_or_else(|| {
            self.next_addr += 3 * MIB;
            self.region(kind, stream, 40 * page);
            self.regions.len() - 1
        });
        let chunks = &mut self.regions[row].chunks;
        for at in 0..chunks.len() {
            let before = at.checked_sub(1).map(|before| chunks[before]);
            let before = before.filter(|it| it.is_mapped && it.state == BlockState::Inactive);
            let lacks = size - before.map_or(0, |chunk| chunk.size);
            let grown = lacks.div_ceil(page) * page;
            if chunks[at].is_mapped || chunks[at].size < grown {
                continue;
            }
            let hole = chunks[at];
            chunks[at] = Chunk { size: grown, is_mapped: true, ..hole };
            if hole.size > grown {
                let rest = Chunk { addr: hole.addr + grown, size: hole.size - grown, ..hole };
                chunks.insert(at + 1, rest);
            }
            self.merge(row);
            self.tell(Action::SegmentMap, hole.addr, grown, stream);
            return self.best_fit(kind, stream, size);
        }
        None
    }

    /// Merges free neighbours that are both mapped or both not.
    fn merge(&mut self, row: usize) {
        self.regions[row].chunks.dedup_by(|next, chunk| {
            let is_free = [*next, *chunk].iter().all(|it| it.state == BlockState::Inactive);
            let merges = is_free && next.is_mapped == chunk.is_mapped;
            if merges {
                chunk.size += next.size;
            }
            merges
        });
    }

    /// A chunk in `state`, any.
    fn pick(&self, state: BlockState, arg: u64) -> Option<(usize, usize)> {
        let mut all = Vec::new();
        for (row, region) in self.regions.iter().enumerate() {
            let chunks = region.chunks.iter().enumerate();
            all.extend(chunks.filter(|(_, it)| it.state == state).map(|(at, _)| (row, at)));
        }
        (!all.is_empty()).then(|| all[arg as usize % all.len()])
    }

    fn free(&mut self, arg: u64, until: FreeUntil) {
        let Some((row, at)) = self.pick(BlockState::Allocated, arg) else { return };
        let chunk = &mut self.regions[row].chunks[at];
        chunk.state = BlockState::PendingFree;
        let Chunk { addr, requested, .. } = *chunk;
        let stream = self.regions[row].stream;
        self.tell(Action::FreeRequested, addr, requested, stream);
        if until == FreeUntil::Completed {
            self.release(row, at);
        }
    }

    fn complete(&mut self, arg: u64) {
        if let Some((row, at)) = self.pick(BlockState::PendingFree, arg) {
            self.release(row, at);
        }
    }

    fn release(&mut self, row: usize, at: usize) {
        let chunk = &mut self.regions[row].chunks[at];
        chunk.state = BlockState::Inactive;
        let Chunk { addr, requested, .. } = *chunk;
        let stream = self.regions[row].stream;
        self.merge(row);
        self.tell(Action::FreeCompleted, addr, requested, stream);
    }

    fn empty_cache(&mut self) {
        if self.setup.is_expandable {
            for row in 0..self.regions.len() {
                self.unmap(row);
            }
            return;
        }
        let mut row = 0;
        while row < self.regions.len() {
            let first = self.regions[row].chunks[0];
            if self.regions[row].chunks.len() == 1 && first.state == BlockState::Inactive {
                let stream = self.regions.remove(row).stream;
                self.tell(Action::SegmentFree, first.addr, first.size, stream);
            } else {
                row += 1;
            }
        }
    }

    /// Gives back the whole pages of free chunks.
    fn unmap(&mut self, row: usize) {
        let page = page(self.regions[row].kind);
        let start = self.regions[row].chunks[0].addr;
        let stream = self.regions[row].stream;
        let mut at = 0;
        while at < self.regions[row].chunks.len() {
            let chunk = self.regions[row].chunks[at];
            let from = start + (chunk.addr - start).div_ceil(page) * page;
            let to = start + (chunk.addr + chunk.size - start) / page * page;
            if chunk.is_mapped && chunk.state == BlockState::Inactive && from < to {
                let end = chunk.addr + chunk.size;
                let parts = [(chunk.addr, from, true), (from, to, false), (to, end, true)];
                let parts = parts.into_iter().filter(|(from, to, _)| from < to);
                let parts = parts.map(|(addr, end, is_mapped)| Chunk {
                    addr,
                    size: end - addr,
                    is_mapped,
                    ..chunk
                });
                let parts: Vec<Chunk> = parts.collect();
                let after = at + parts.len();
                self.regions[row].chunks.splice(at..=at, parts);
                self.tell(Action::SegmentUnmap, from, to - from, stream);
                at = after;
            } else {
                at += 1;
            }
        }
        self.merge(row);
    }

    /// Attaches a text to a live block.
    fn note(&mut self, arg: u64) {
        if let Some((row, at)) = self.pick(BlockState::Allocated, arg) {
            let Chunk { addr, .. } = self.regions[row].chunks[at];
            self.tell(Action::Annotate, addr, 0, 0);
        }
    }

    /// The file: the events and the final segments.
    pub(super) fn written(self) -> (RawDevice, Vec<Truth>) {
        let (mut segments, mut blocks): (Vec<RawSegment>, Vec<RawBlock>) = (Vec::new(), Vec::new());
        let mut regions = self.regions;
        regions.sort_by_key(|region| region.chunks[0].addr);
        for region in &regions {
            let runs = region.chunks.chunk_by(|a, b| a.is_mapped == b.is_mapped);
            for run in runs.filter(|run| run[0].is_mapped) {
                let first = blocks.len() as u32;
                blocks.extend(run.iter().map(|chunk| RawBlock {
                    addr: chunk.addr,
                    size: chunk.size,
                    requested: Some(chunk.requested),
                    state: chunk.state,
                    stack: None,
                }));
                segments.push(RawSegment {
                    addr: run[0].addr,
                    size: run.iter().map(|chunk| chunk.size).sum(),
                    stream: StreamId(region.stream),
                    pool: None,
                    kind: region.kind,
                    is_expandable: self.setup.is_expandable,
                    stack: None,
                    blocks: (first, blocks.len() as u32),
                });
            }
        }
        let device = Device::Accelerator(0);
        (RawDevice { device, events: self.trace.events(), segments, blocks }, self.truth)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FreeUntil {
    Requested,
    Completed,
}

fn page(kind: SegmentKind) -> u64 {
    if kind == SegmentKind::Small { 2 * MIB } else { 20 * MIB }
}

/// Sizes as programs ask for: many small, some around the pools' edges, some large.
fn request(arg: u64) -> u64 {
    let any = arg >> 8 & 0xFFFF_FFFF;
    match arg % 8 {
        0..=2 => 1 + any % 4096,
        3 => 1 + any % MIB,
        4 => MIB - 1024 + any % 2048,
        5 => 1 + any % (10 * MIB),
        6 => 8 * MIB + any % (4 * MIB),
        _ => 1 + any % (30 * MIB),
    }
}
