//! `PyTorch`'s caching allocator, for one device.
//!
//! Follows `c10/cuda/CUDACachingAllocator.cpp` rule by rule: which free block serves a request, when the rest is
//! split off, when a segment is made and given back, and in which order all this is recorded. Start at
//! [`Allocator::malloc`].

mod blocks;
mod expandable;
mod pools;
mod release;
mod rounding;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::io;

pub(crate) use blocks::{Block, BlockId, Blocks, Kind, Origin, State};
use pools::Pool;
pub(crate) use rounding::{KIB, MIB};
use rounding::{LARGE_BUFFER, MIN_BLOCK, SMALL};

use crate::event::{Action, Event, Observer, PoolId, StackId, Totals, Trace};
use crate::plan::Rounding;

pub(crate) const DEFAULT_POOL: PoolId = (0, 0);
/// Where the driver's addresses begin.
const FIRST_ADDRESS: u64 = 0x7f12_0000_0000;

/// What stays the same during a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) rounding: Rounding,
    pub(crate) divisions: u32,
    /// `u64::MAX` when there is no limit.
    pub(crate) max_split_size: u64,
    pub(crate) growth: Growth,
    /// The device's memory in bytes.
    pub(crate) capacity: u64,
}

/// How memory is taken from the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    Segments,
    Expandable,
}

/// One request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) bytes: u64,
    pub(crate) stream: u64,
    pub(crate) pool: PoolId,
    pub(crate) stack: StackId,
}

/// Why there is no block.
#[derive(Debug)]
pub(crate) enum Refused {
    OutOfMemory,
    /// The observer failed.
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Whether calls are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recording {
    Off,
    On,
}

/// A free that waits for another stream.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    block: BlockId,
    /// The call count at which the other stream is done.
    ready: u64,
}

/// The allocator of one device.
pub(crate) struct Allocator {
    pub(crate) blocks: Blocks,
    pub(crate) totals: Totals,
    pub(crate) settings: Settings,
    pub(crate) recording: Recording,
    /// What other processes hold, in bytes.
    pub(crate) pressure: u64,
    /// The clock, in microseconds.
    pub(crate) time_us: u64,
    pools: Vec<Pool>,
    waiting: BTreeMap<u64, VecDeque<Waiting>>,
    calls: u64,
    events: u64,
    next_address: u64,
    /// Ranges given back to the driver, by size: it hands them out again.
    given_back: BTreeMap<u64, Vec<u64>>,
}

impl Allocator {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            blocks: Blocks::default(),
            totals: Totals::default(),
            settings,
            recording: Recording::Off,
            pressure: 0,
            time_us: 0,
            pools: Vec::new(),
            waiting: BTreeMap::new(),
            calls: 0,
            events: 0,
            next_address: FIRST_ADDRESS,
            given_back: BTreeMap::new(),
        }
    }

    /// How many events were recorded.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// Frees that wait for another stream.
    pub(crate) fn waiting(&self) -> u64 {
        self.waiting.values().map(|queue| queue.len() as u64).sum()
    }

    /// What the driver would give, in bytes.
    pub(crate) fn device_free(&self) -> u64 {
        self.settings.capacity.saturating_sub(self.totals.reserved + self.pressure)
    }

    /// The block for a request, recorded as the real allocator does.
    pub(crate) fn malloc(
        &mut self,
        request: Request,
        observer: &mut dyn Observer,
    ) -> Result<BlockId, Refused> {
        let trace = self.call(request.stack);
        self.complete_ready(trace, observer)?;
        let size = self.rounded(request.bytes);
        let pool = self.pool(request.pool, size);
        let want = Want { size, pool, stream: request.stream, trace };
        let mut found = self.take_free(&want);
        if found.is_none() {
            found = self.take_new(&want, observer)?;
        }
        if found.is_none() && self.release_oversize(&want, observer)? {
            found = self.take_new(&want, observer)?;
        }
        if found.is_none() {
            self.release_cached(trace, observer)?;
            found = self.take_new(&want, observer)?;
        }
        let Some(found) = found else {
            let free = self.device_free();
            self.emit(Entry::new(Action::Oom, free, size, &want, request.pool), observer)?;
            return Err(Refused::OutOfMemory);
        };
        self.hand_out(found, &want, request, observer)
    }

    /// Marks what `found` needs, and gives back the rest.
    fn hand_out(
        &mut self,
        found: BlockId,
        want: &Want,
        request: Request,
        observer: &mut dyn Observer,
    ) -> Result<BlockId, Refused> {
        let mut id = found;
        if self.should_split(found, want.size) {
            id = self.blocks.split_front(found, want.size);
            self.put_free(want.pool, found);
        }
        let index = self.index();
        let block = &mut self.blocks[id];
        block.state = State::Allocated;
        block.requested = request.bytes;
        block.trace = want.trace;
        block.alloc = index;
        block.free_requested = None;
        let address = block.address;
        self.totals.allocated += block.size;
        self.totals.active += block.size;
        self.totals.requested += request.bytes;
        self.emit(Entry::new(Action::Alloc, address, request.bytes, want, request.pool), observer)?;
        Ok(id)
    }

    /// Gives a block back; it is free at once.
    pub(crate) fn free(
        &mut self,
        id: BlockId,
        stack: StackId,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let trace = self.request_free(id, stack, observer)?;
        self.complete(id, trace, observer)
    }

    /// Gives a block back that `user`, another stream, needs for `calls` more calls.
    pub(crate) fn free_later(
        &mut self,
        id: BlockId,
        stack: StackId,
        wait: (u64, u64),
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        self.request_free(id, stack, observer)?;
        let (user, calls) = wait;
        let ready = self.calls.saturating_add(calls);
        self.waiting.entry(user).or_default().push_back(Waiting { block: id, ready });
        Ok(())
    }

    fn request_free(
        &mut self,
        id: BlockId,
        stack: StackId,
        observer: &mut dyn Observer,
    ) -> io::Result<Option<Trace>> {
        let trace = self.call(stack);
        let index = self.index();
        let block = &mut self.blocks[id];
        assert!(block.state == State::Allocated, "freed twice");
        block.state = State::Pending;
        block.free_requested = index;
        let block = *block;
        self.totals.allocated -= block.size;
        self.emit(Entry::of(Action::FreeRequested, &block, block.requested, trace), observer)?;
        Ok(trace)
    }

    /// `free_block`: the block is free now and merged with free neighbours.
    fn complete(
        &mut self,
        id: BlockId,
        trace: Option<Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let block = &mut self.blocks[id];
        block.state = State::Inactive;
        block.trace = None;
        let block = *block;
        self.totals.active -= block.size;
        self.totals.requested -= block.requested;
        self.emit(Entry::of(Action::FreeCompleted, &block, block.requested, trace), observer)?;
        self.merge(id);
        let pool = self.pool_of(id);
        self.put_free(pool, id);
        Ok(())
    }

    /// Merges `id`, which is in no list, with free neighbours that have memory if it has.
    fn merge(&mut self, id: BlockId) {
        for neighbour in [self.blocks[id].prev, self.blocks[id].next].into_iter().flatten() {
            let (block, other) = (&self.blocks[id], &self.blocks[neighbour]);
            if other.is_active() || other.origin.is_mapped() != block.origin.is_mapped() {
                continue;
            }
            let pool = self.pool_of(neighbour);
            self.take(pool, neighbour);
            self.blocks.absorb(id, neighbour);
        }
    }

    /// `process_events`: completes the frees whose stream is done, each stream in order.
    fn complete_ready(
        &mut self,
        trace: Option<Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let calls = self.calls;
        let mut ready = Vec::new();
        for queue in self.waiting.values_mut() {
            while queue.front().is_some_and(|front| front.ready <= calls) {
                ready.extend(queue.pop_front());
            }
        }
        self.waiting.retain(|_, queue| !queue.is_empty());
        ready.into_iter().try_for_each(|done| self.complete(done.block, trace, observer))
    }

    /// An earlier `_snapshot()` call, which notes the active bytes.
    pub(crate) fn note_snapshot(&mut self, observer: &mut dyn Observer) -> io::Result<()> {
        let entry = Entry {
            action: Action::Snapshot,
            address: 0,
            size: self.totals.active,
            stream: 0,
            pool: DEFAULT_POOL,
            trace: None,
        };
        self.emit(entry, observer)
    }

    /// `get_free_block`.
    fn take_free(&mut self, want: &Want) -> Option<BlockId> {
        let id = self.best_fit(want)?;
        self.take(want.pool, id);
        Some(id)
    }

    /// The free block that serves `want`.
    fn best_fit(&self, want: &Want) -> Option<BlockId> {
        let mut fits = self.pools[want.pool].fits(want.stream, want.size).peekable();
        let mut best = fits.next()?;
        // What can grow counts as large as it can grow.
        let room = |id: BlockId| {
            let block = &self.blocks[id];
            let next =
                block.next.map(|next| &self.blocks[next]).filter(|next| !next.origin.is_mapped());
            block.size + next.map_or(0, |next| next.size)
        };
        if self.settings.growth == Growth::Expandable {
            while let Some(&next) = fits.peek().filter(|&&next| room(next) < room(best)) {
                best = next;
                fits.next();
            }
        }
        let (size, limit) = (self.blocks[best].size, self.settings.max_split_size);
        let refused =
            if want.size < limit { size >= limit } else { size >= want.size + LARGE_BUFFER };
        (!refused).then_some(best)
    }

    /// `alloc_block`: memory from the device, if it has any.
    fn take_new(
        &mut self,
        want: &Want,
        observer: &mut dyn Observer,
    ) -> io::Result<Option<BlockId>> {
        if self.settings.growth == Growth::Expandable {
            return self.take_expandable(want, observer);
        }
        let size = rounding::segment_size(want.size);
        if size > self.device_free() {
            return Ok(None);
        }
        let address = self.driver_range(size);
        let (pool, kind) = (self.pools[want.pool].id, self.pools[want.pool].kind);
        let block = Block {
            address,
            size,
            segment_trace: want.trace,
            ..want.blank(pool, kind, Origin::Whole)
        };
        let id = self.blocks.add(block);
        self.totals.reserved += size;
        self.emit(Entry::new(Action::SegmentAlloc, address, size, want, pool), observer)?;
        Ok(Some(id))
    }

    /// `should_split`.
    fn should_split(&self, id: BlockId, size: u64) -> bool {
        let block = &self.blocks[id];
        let rest = block.size - size;
        if block.kind == Kind::Small || self.settings.growth == Growth::Expandable {
            rest >= MIN_BLOCK
        } else {
            size < self.settings.max_split_size && rest > SMALL
        }
    }

    /// Addresses of `size` bytes from the driver. Some ranges touch, some do not.
    fn driver_range(&mut self, size: u64) -> u64 {
        if let Some(address) = self.given_back.get_mut(&size).and_then(Vec::pop) {
            return address;
        }
        let address = self.next_address;
        let gap = if (address >> 21).is_multiple_of(7) { 2 * MIB } else { 0 };
        self.next_address = address + size.next_multiple_of(2 * MIB) + gap;
        address
    }

    fn rounded(&self, bytes: u64) -> u64 {
        rounding::rounded(bytes, self.settings.rounding, self.settings.divisions)
    }

    /// A new call, and the stack it records.
    fn call(&mut self, stack: StackId) -> Option<Trace> {
        self.calls += 1;
        (self.recording == Recording::On).then_some(Trace { call: self.calls, stack })
    }

    /// The index of the next event.
    fn index(&self) -> Option<u64> {
        (self.recording == Recording::On).then_some(self.events)
    }

    fn emit(&mut self, entry: Entry, observer: &mut dyn Observer) -> io::Result<()> {
        if self.recording == Recording::Off {
            return Ok(());
        }
        let Entry { action, address, size, stream, pool, trace } = entry;
        let event = Event { action, address, size, stream, pool, trace, time_us: self.time_us };
        self.events += 1;
        observer.event(&event, self.totals, &self.blocks)
    }
}

/// A request after rounding.
struct Want {
    size: u64,
    pool: usize,
    stream: u64,
    trace: Option<Trace>,
}

impl Want {
    /// A free block without a place.
    fn blank(&self, pool: PoolId, kind: Kind, origin: Origin) -> Block {
        Block {
            address: 0,
            size: 0,
            requested: 0,
            stream: self.stream,
            kind,
            pool,
            state: State::Inactive,
            origin,
            prev: None,
            next: None,
            trace: None,
            segment_trace: None,
            alloc: None,
            free_requested: None,
        }
    }
}

/// An event without its time.
#[derive(Clone, Copy)]
struct Entry {
    action: Action,
    address: u64,
    size: u64,
    stream: u64,
    pool: PoolId,
    trace: Option<Trace>,
}

impl Entry {
    fn new(action: Action, address: u64, size: u64, want: &Want, pool: PoolId) -> Self {
        Self { action, address, size, stream: want.stream, pool, trace: want.trace }
    }

    fn of(action: Action, block: &Block, size: u64, trace: Option<Trace>) -> Self {
        Self { action, address: block.address, size, stream: block.stream, pool: block.pool, trace }
    }
}
