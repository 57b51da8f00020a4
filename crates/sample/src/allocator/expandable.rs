//! Expandable segments: one reserved range for a stream and pool, mapped page by page.

use std::io;

use super::{Action, Allocator, Block, BlockId, Entry, Observer, Origin, Want, rounding};

impl Allocator {
    /// `try_allocate_expandable_block`. When the device is full, what was mapped so far stays.
    pub(super) fn take_expandable(
        &mut self,
        want: &Want,
        observer: &mut dyn Observer,
    ) -> io::Result<Option<BlockId>> {
        let mut candidate = self.find_room(want);
        if !self.blocks[candidate].origin.is_mapped() {
            let bytes = self.blocks[candidate].size.min(want.size);
            if !self.map(candidate, bytes, want, observer)? {
                return Ok(None);
            }
        }
        while self.blocks[candidate].size < want.size {
            let next = self.blocks[candidate].next.expect("the room was counted");
            let bytes = (want.size - self.blocks[candidate].size).min(self.blocks[next].size);
            if !self.map(next, bytes, want, observer)? {
                return Ok(None);
            }
            candidate = next;
        }
        self.take(want.pool, candidate);
        Ok(Some(candidate))
    }

    /// `find_expandable_block`: the lowest address with room for the request, made of free and unmapped blocks.
    fn find_room(&mut self, want: &Want) -> BlockId {
        let pool = &self.pools[want.pool];
        let unmapped = pool.unmapped.range((want.stream, 0, BlockId::FIRST)..);
        for &(_, _, id) in unmapped.take_while(|key| key.0 == want.stream) {
            let before = self.blocks[id].prev.filter(|&prev| !self.blocks[prev].is_active());
            let start = before.unwrap_or(id);
            let mut room = 0;
            let mut at = Some(start);
            while let Some(id) = at.filter(|&id| room < want.size && !self.blocks[id].is_active()) {
                room += self.blocks[id].size;
                at = self.blocks[id].next;
            }
            if room >= want.size {
                return start;
            }
        }
        self.reserve(want)
    }

    /// A new reserved range, an eighth larger than the device.
    fn reserve(&mut self, want: &Want) -> BlockId {
        let (pool, kind) = (self.pools[want.pool].id, self.pools[want.pool].kind);
        let reserved = (self.settings.capacity / 8 * 9).next_multiple_of(rounding::page(kind));
        let address = self.driver_range(reserved);
        let blank = want.blank(pool, kind, Origin::Unmapped { reserved });
        let id = self.blocks.add(Block { address, size: reserved, ..blank });
        self.put_free(want.pool, id);
        id
    }

    /// `map_block`: memory for the first `bytes` of an unmapped block, in whole pages. Nothing if the device is full.
    fn map(
        &mut self,
        id: BlockId,
        bytes: u64,
        want: &Want,
        observer: &mut dyn Observer,
    ) -> io::Result<bool> {
        let Block { origin: Origin::Unmapped { reserved }, address, kind, pool: pool_id, .. } =
            self.blocks[id]
        else {
            unreachable!("only an unmapped block is mapped")
        };
        let mapped = bytes.next_multiple_of(rounding::page(kind));
        if mapped > self.device_free() {
            return Ok(false);
        }
        self.take(want.pool, id);
        if mapped < self.blocks[id].size {
            self.split_off_back(want.pool, id, mapped);
        }
        self.blocks[id].origin = Origin::Mapped { reserved };
        self.merge(id);
        self.put_free(want.pool, id);
        self.totals.reserved += mapped;
        if self.blocks[id].prev.is_none() && self.blocks[id].segment_trace.is_none() {
            self.blocks[id].segment_trace = want.trace;
        }
        self.emit(Entry::new(Action::SegmentMap, address, mapped, want, pool_id), observer)?;
        Ok(true)
    }

    /// Shortens `id`, which is in no list, to `size`; the rest becomes a free block of the same sort.
    fn split_off_back(&mut self, pool: usize, id: BlockId, size: u64) {
        let block = self.blocks[id];
        let rest = self.blocks.add(Block {
            address: block.address + size,
            size: block.size - size,
            prev: Some(id),
            segment_trace: None,
            ..block
        });
        if let Some(next) = block.next {
            self.blocks[next].prev = Some(rest);
        }
        self.blocks[id].next = Some(rest);
        self.blocks[id].size = size;
        self.put_free(pool, rest);
    }

    /// `unmap_block`: gives back the whole pages inside a free block.
    pub(super) fn unmap(
        &mut self,
        id: BlockId,
        trace: Option<super::Trace>,
        observer: &mut dyn Observer,
    ) -> io::Result<()> {
        let Block { origin: Origin::Mapped { reserved }, kind, address, size, .. } =
            self.blocks[id]
        else {
            unreachable!("only a mapped block is unmapped")
        };
        let base = self.range_start(id);
        let page = rounding::page(kind);
        let start = base + (address - base).next_multiple_of(page);
        let end = base + (address + size - base) / page * page;
        if start >= end {
            return Ok(());
        }
        let pool = self.pool_of(id);
        self.take(pool, id);
        if start > address {
            let before = self.blocks.split_front(id, start - address);
            self.put_free(pool, before);
        }
        if end < address + size {
            self.split_off_back(pool, id, end - start);
        }
        self.blocks[id].origin = Origin::Unmapped { reserved };
        self.merge(id);
        self.put_free(pool, id);
        self.totals.reserved -= end - start;
        let block = self.blocks[id];
        let entry = Entry {
            address: start,
            ..Entry::of(Action::SegmentUnmap, &block, end - start, trace.or(block.segment_trace))
        };
        self.emit(entry, observer)?;
        if block.prev.is_none() && block.next.is_none() {
            self.take(pool, id);
            self.blocks.remove(id);
            self.give_back(block.address, reserved);
        }
        Ok(())
    }

    /// Where the reserved range of `id` begins.
    fn range_start(&self, id: BlockId) -> u64 {
        let mut first = id;
        while let Some(prev) = self.blocks[first].prev {
            first = prev;
        }
        self.blocks[first].address
    }
}
