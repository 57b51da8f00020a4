//! Giving memory back to the device.

use std::io;

use super::{
    Action, Allocator, BlockId, DEFAULT_POOL, Entry, Growth, Kind, Observer, Origin, PoolId,
    StackId, Trace, Want,
};

impl Allocator {
    /// `empty_cache()`: completes every deferred free and gives back what is whole.
    pub(crate) fn empty_cache(
        &mut self,
        stack: StackId,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let trace = self.call(stack);
        self.release_cached(trace, observer)
    }

    /// Waits for the other streams: every deferred free is completed.
    pub(crate) fn synchronize(
        &mut self,
        stack: StackId,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let trace = self.call(stack);
        self.complete_all(trace, observer)
    }

    /// `release_cached_blocks`. A private pool in use keeps its segments.
    pub(super) fn release_cached(
        &mut self,
        trace: Option<Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        self.complete_all(trace, observer)?;
        for kind in [Kind::Large, Kind::Small] {
            let Some(pool) = self.pool_index(DEFAULT_POOL, kind) else { continue };
            let free: Vec<_> = self.pools[pool].free.iter().map(|key| key.3).collect();
            let (whole, mapped): (Vec<_>, Vec<_>) =
                free.into_iter().partition(|&id| self.blocks[id].origin == Origin::Whole);
            for id in whole {
                if self.blocks[id].prev.is_none() && self.blocks[id].next.is_none() {
                    self.release(id, trace, observer)?;
                }
            }
            for id in mapped {
                self.unmap(id, trace, observer)?;
            }
        }
        Ok(())
    }

    fn complete_all(
        &mut self,
        trace: Option<Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        for queue in std::mem::take(&mut self.waiting).into_values() {
            for waiting in queue {
                self.complete(waiting.block, trace, observer)?;
            }
        }
        Ok(())
    }

    /// `release_available_cached_blocks`: with a split limit, gives back just enough blocks above it.
    pub(super) fn release_oversize(
        &mut self,
        want: &Want,
        observer: &mut dyn Observer,
    ) -> io::Result<bool> {
        let limit = self.settings.max_split_size;
        if limit == u64::MAX || self.settings.growth == Growth::Expandable {
            return Ok(false);
        }
        let size = want.size.max(limit);
        let first = self.pools[want.pool].fits(want.stream, size).next();
        if let Some(id) = first {
            self.release(id, want.trace, observer)?;
            return Ok(true);
        }
        let free = &self.pools[want.pool].free;
        let below = free.range(..(want.stream, size, 0, BlockId::FIRST)).rev();
        let large: Vec<_> = below
            .take_while(|key| key.0 == want.stream && key.1 >= limit)
            .map(|key| key.3)
            .collect();
        let mut released = 0;
        for id in large {
            if released >= size {
                break;
            }
            released += self.blocks[id].size;
            self.release(id, want.trace, observer)?;
        }
        Ok(released >= size)
    }

    /// `release_block`: gives a whole segment back.
    fn release(
        &mut self,
        id: BlockId,
        trace: Option<Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let pool = self.pool_of(id);
        self.take(pool, id);
        let block = self.blocks[id];
        self.blocks.remove(id);
        self.totals.reserved -= block.size;
        self.give_back(block.address, block.size);
        let entry =
            Entry::of(Action::SegmentFree, &block, block.size, trace.or(block.segment_trace));
        self.emit(entry, observer)
    }

    pub(super) fn give_back(&mut self, address: u64, size: u64) {
        self.given_back.entry(size).or_default().push(address);
    }

    /// How many events releasing everything could record, and how many bytes it gives back.
    pub(crate) fn releasable(&self) -> (u64, u64) {
        let pools = self.pools.iter().filter(|pool| pool.id == DEFAULT_POOL);
        let whole =
            pools.flat_map(|pool| &pool.free).map(|key| &self.blocks[key.3]).filter(|block| {
                block.origin != Origin::Whole || (block.prev.is_none() && block.next.is_none())
            });
        whole.fold((0, 0), |(count, bytes), block| (count + 1, bytes + block.size))
    }

    /// The largest free block of a stream in a pool, in bytes.
    pub(crate) fn largest_free(&self, pool: PoolId, kind: Kind, stream: u64) -> u64 {
        let Some(pool) = self.pool_index(pool, kind) else { return 0 };
        let last = self.pools[pool].free.range(..(stream, u64::MAX, 0, BlockId::FIRST)).next_back();
        last.filter(|key| key.0 == stream).map_or(0, |key| key.1)
    }

    /// A bound on the events one request could record.
    pub(crate) fn most_events(&mut self, request: super::Request) -> u64 {
        let size = self.rounded(request.bytes);
        let pool = self.pool(request.pool, size);
        let want = Want { size, pool, stream: request.stream, trace: None };
        if self.waiting.is_empty() && self.best_fit(&want).is_some() {
            return 1;
        }
        let holes = self.pools[pool].unmapped.len() as u64 + 2;
        2 + self.waiting() + self.releasable().0 + 2 * holes
    }
}
